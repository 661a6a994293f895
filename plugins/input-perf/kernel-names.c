/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Names of the kernel's functions, if the kernel that runs is the one that was recorded: of the
 * same release and build, at the same address.  Only functions that have samples get names.
 */
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/utsname.h>
#include <unistd.h>

#include "../shared/grown.h"
#include "../shared/text-lines.h"
#include "numbers.h"
#include "reading.h"
#include "records.h"

enum { PART = 1 << 20, MOST_BYTES = 256 << 20, NOTE_BYTES = 12, BUILD_ID_NOTE = 3 };

/* The bytes of a file of the system whose size is not known beforehand; NULL: there are none. */
static char *
read_whole(struct gprofx *gx, const char *path, size_t *length)
{
	int descriptor = open(path, O_RDONLY | O_CLOEXEC);
	uint32_t room = 0;
	char *bytes = NULL;
	ssize_t count = 1;

	*length = 0;
	if (descriptor < 0)
		return NULL;
	while (count > 0 && *length < MOST_BYTES) {
		bytes = grown(gx, bytes, 1, &room, (uint32_t)*length + PART, PART);
		count = read(descriptor, bytes + *length, PART);
		*length += count > 0 ? (size_t)count : 0;
	}
	close(descriptor);
	return bytes;
}

/* Whether the kernel that runs has another build ID than the recorded one. */
static bool
is_other_build(struct perfdata *p)
{
	static const char path[] = "/sys/kernel/notes";
	size_t length, at = 0;
	char *notes = read_whole(p->gx, path, &length);
	bool differs = false;

	while (p->kernel.build_id_bytes > 0 && notes && length - at >= NOTE_BYTES) {
		uint32_t sizes[3];
		size_t name, id;

		memcpy(sizes, notes + at, sizeof sizes);
		name = at + NOTE_BYTES;
		id = name + ((sizes[0] + (size_t)3) & ~(size_t)3);
		if (id > length || sizes[1] > length - id)
			break;
		if (sizes[2] == BUILD_ID_NOTE && sizes[0] == 4 &&
		    memcmp(notes + name, "GNU", 4) == 0)
			differs = sizes[1] != p->kernel.build_id_bytes ||
			          memcmp(notes + id, p->kernel.build_id, sizes[1]) != 0;
		at = id + ((sizes[1] + (size_t)3) & ~(size_t)3);
		if (at > length)
			break;
	}
	p->gx->host->release(p->gx, notes);
	return differs;
}

static bool
is_this_release(const struct perfdata *p)
{
	struct utsname system;

	return p->release[0] != '\0' && uname(&system) == 0 &&
	       strcmp(system.release, p->release) == 0;
}

/* Reads "ffffffff81000000 T _text"; false: it is no code. */
static bool
read_symbol(const char *text, size_t length, struct kernel_name *row)
{
	const char *end = text + length, *at;
	const char *type;

	*row = (struct kernel_name){0};
	at = text_read_hex(text, end, &row->address);
	if (end - at < 4 || *at != ' ' || at[2] != ' ')
		return false;
	type = at + 1;
	row->name = at + 3;
	for (at = row->name; at < end && *at != '\t' && *at != ' '; at++)
		;
	row->length = (uint32_t)(at - row->name);
	return row->length > 0 && (*type == 't' || *type == 'T' || *type == 'w' || *type == 'W');
}

/* By address; of several names, perf takes the last one of the list. */
static int
compare(const void *left, const void *right)
{
	const struct kernel_name *a = left, *b = right;

	if (a->address != b->address)
		return a->address < b->address ? -1 : 1;
	return a->name > b->name ? -1 : a->name < b->name;
}

/* Keeps one name for each address. */
static void
sort_names(struct kernel_maps *maps)
{
	uint32_t kept = 0;

	if (maps->name_count > 0)
		qsort(maps->names, maps->name_count, sizeof *maps->names, compare);
	for (uint32_t i = 0; i < maps->name_count; i++)
		if (kept == 0 || maps->names[i].address != maps->names[kept - 1].address)
			maps->names[kept++] = maps->names[i];
	maps->name_count = kept;
}

/* The address of the symbol that the map of the kernel starts at; 0: not there, or not to be seen.
 */
static uint64_t
first_address(const struct kernel_maps *maps, const char *text, size_t length)
{
	struct text_lines lines = {text, text + length, 0};
	struct kernel_name row;
	const char *line;
	size_t bytes;

	while (text_lines_next(&lines, &line, &bytes))
		if (read_symbol(line, bytes, &row) && row.length == strlen(maps->first_name) &&
		    memcmp(row.name, maps->first_name, row.length) == 0)
			return row.address;
	return 0;
}

/* Takes the names of a list, whose addresses are lower than the recorded ones by this. */
static void
take_names(struct perfdata *p, size_t length, uint64_t distance)
{
	struct kernel_maps *maps = &p->kernel;
	struct text_lines lines = {maps->text, maps->text + length, 0};
	bool has_modules = false;
	struct kernel_name row;
	const char *line;

	while (text_lines_next(&lines, &line, &length)) {
		if (!read_symbol(line, length, &row))
			continue;
		has_modules = has_modules || row.name + row.length < line + length;
		row.address += distance;
		maps->names = grown(p->gx, maps->names, sizeof *maps->names, &maps->name_room,
		                    maps->name_count + 1, 1 << 16);
		maps->names[maps->name_count++] = row;
	}
	/* Modules are elsewhere each time. */
	maps->is_without_modules = distance != 0 || !has_modules;
	sort_names(maps);
}

/* Names of the list that the user named, wherever the recorded kernel was. */
static void
read_list(struct perfdata *p, const char *path)
{
	struct kernel_maps *maps = &p->kernel;
	struct gprofx_diagnostic diagnostic = {
		.id = "perfdata.bad-symbols",
		.file = path,
		.hint = "name a copy of /proc/kallsyms that root made, or System.map, of the recorded "
			"kernel",
	};
	uint64_t first;
	size_t length;

	maps->text = read_whole(p->gx, path, &length);
	first = maps->text ? first_address(maps, maps->text, length) : 0;
	if (first != 0) {
		take_names(p, length, maps->first_address - first);
		return;
	}
	diagnostic.text[0] = maps->first_name;
	gprofx_warn(p->gx, &diagnostic,
	            "expected a list with the address of %s, found none: code of the kernel has no "
	            "names",
	            maps->first_name);
}

static void
read_names(struct perfdata *p)
{
	struct kernel_maps *maps = &p->kernel;
	size_t length;

	maps->has_looked = true;
	if (maps->first_name[0] == '\0')
		return;
	if (p->file->size > offsetof(struct gprofx_file, symbol_list) && p->file->symbol_list) {
		read_list(p, p->file->symbol_list);
		return;
	}
	if (!is_this_release(p) || is_other_build(p))
		return;
	maps->text = read_whole(p->gx, "/proc/kallsyms", &length);
	/* Where that is shows that nothing moved. */
	if (maps->text && maps->first_address != 0 &&
	    first_address(maps, maps->text, length) == maps->first_address)
		take_names(p, length, 0);
}

void
perfdata_note_kernel(struct perfdata *p, uint64_t address, uint32_t image)
{
	struct kernel_maps *maps = &p->kernel;
	uint32_t low = 0, high;

	if (!maps->has_looked)
		read_names(p);
	high = maps->name_count;
	if (maps->is_without_modules && image != maps->own_image)
		return;
	if (high == 0 || address < maps->names[0].address)
		return;
	/* The same few functions come again and again. */
	low = maps->last_name;
	if (maps->names[low].address <= address &&
	    (low + 1 == high || address < maps->names[low + 1].address)) {
		maps->names[low].image = image;
		return;
	}
	low = 0;
	while (high - low > 1) {
		uint32_t middle = low + (high - low) / 2;

		if (maps->names[middle].address <= address)
			low = middle;
		else
			high = middle;
	}
	maps->last_name = low;
	maps->names[low].image = image;
}

enum gprofx_result
perfdata_name_kernel(struct perfdata *p)
{
	const struct kernel_maps *maps = &p->kernel;
	enum gprofx_result result = GPROFX_OK;

	for (uint32_t i = 0; i < maps->name_count && result == GPROFX_OK; i++) {
		const struct kernel_name *name = &maps->names[i];
		struct gprofx_raw_name row = {.offset = name->address};
		char text[512];

		if (name->image == 0)
			continue;
		if (i + 1 < maps->name_count)
			row.bytes = name[1].address - name->address;
		memcpy(text, name->name,
		       name->length < sizeof text ? name->length : sizeof text - 1);
		text[name->length < sizeof text ? name->length : sizeof text - 1] = '\0';
		row.name = text;
		result = p->profile->builder->names(p->gx, p->profile, p->file, name->image, &row,
		                                    1);
	}
	return result;
}

void
perfdata_release_kernel(struct perfdata *p)
{
	perfdata_forget_numbers(p->gx, &p->kernel.others);
	p->gx->host->release(p->gx, p->kernel.items);
	p->gx->host->release(p->gx, p->kernel.names);
	p->gx->host->release(p->gx, p->kernel.text);
}
