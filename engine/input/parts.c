/* SPDX-License-Identifier: Apache-2.0 */
#include "input/parts.h"

#include <string.h>
#include <sys/stat.h>

#include "base/inputs.h"
#include "base/mapfile.h"
#include "base/memory.h"
#include "base/text.h"

static const char first_name[] = "data";

enum { MOST_PARTS = 4096 };

/* Whether a file begins as recordings of perf do, the only ones that are such folders. */
static bool
is_first(const uint8_t *bytes, uint64_t length)
{
	return length >= 8 &&
	       (memcmp(bytes, "PERFILE2", 8) == 0 || memcmp(bytes, "2ELIFREP", 8) == 0);
}

const char *
parts_first(struct run *run, const char *folder)
{
	const char *slash, *name;
	struct mapped_file *file;
	struct stat status;
	bool is_one;
	int error;

	if (stat(folder, &status) != 0 || !S_ISDIR(status.st_mode))
		return NULL;
	slash = folder[strlen(folder) - 1] == '/' ? "" : "/";
	name = text_format(run, "%s%s%s", folder, slash, first_name);
	file = mapfile_open(run, name, MAPFILE_REGULAR, &error);
	if (!file)
		return NULL;
	is_one = is_first(file->bytes, file->length);
	mapfile_close(run, file);
	return is_one ? name : NULL;
}

static const char *
part_name(struct run *run, const char *first, uint32_t number)
{
	return text_format(run, "%s.%u", first, number);
}

void
parts_note(struct run *run, const char *folder)
{
	const char *first = parts_first(run, folder), *name = first;
	struct stat status;

	for (uint32_t i = 0; first && i < MOST_PARTS && stat(name, &status) == 0; i++) {
		inputs_note_name(run, name, "a profile");
		name = part_name(run, first, i);
	}
}

void
parts_open(struct run *run, struct gprofx_file *first, uint64_t *bytes)
{
	struct gprofx_file_part *parts = NULL;
	uint32_t room = 0;

	*bytes = first->length;
	if (strcmp(text_last_name(first->name), first_name) != 0 ||
	    !is_first(first->bytes, first->length))
		return;
	while (first->part_count < MOST_PARTS) {
		const char *name = part_name(run, first->name, first->part_count);
		int error;
		struct mapped_file *file = mapfile_open(run, name, MAPFILE_REGULAR | MAPFILE_WHOLE,
		                                        &error);

		if (!file)
			break;
		parts = memory_room(run, parts, sizeof *parts, first->part_count, &room, 1);
		parts[first->part_count++] = (struct gprofx_file_part){name, file->bytes,
		                                                       file->length};
		*bytes += file->length;
	}
	first->parts = parts;
}

void
parts_take(struct run *run)
{
	struct engine_settings *settings;
	const char *first;

	if (!run->settings->image || !run->settings->program_is_optional)
		return;
	first = parts_first(run, run->settings->image);
	if (!first)
		return;
	settings = memory_alloc(run, sizeof *settings);
	*settings = *run->settings;
	settings->image = first;
	run->settings = settings;
}
