/* SPDX-License-Identifier: Apache-2.0 */
#include "symbols/late-files.h"

#include <string.h>
#include <sys/stat.h>

#include "base/inputs.h"
#include "base/mapfile.h"
#include "base/memory.h"
#include "base/sort.h"
#include "symbols/parts.h"
#include "symbols/symbols.h"

bool
late_file_is_same(const char *left, const char *right)
{
	struct stat one, other;

	if (strcmp(left, right) == 0)
		return true;
	return left[0] == '/' && stat(left, &one) == 0 && stat(right, &other) == 0 &&
	       one.st_dev == other.st_dev && one.st_ino == other.st_ino;
}

static void
note_missing(struct late_images *late, const struct late_image *image)
{
	/* Where a reader has names there is nothing to complain about. */
	if (image->name_count > 0)
		return;
	if (late->missing_count++ == 0)
		late->missing = image->path;
}

static void
note_other_build(struct late_images *late, const struct late_image *image)
{
	if (late->other_count++ == 0)
		late->other = image->path;
}

/* Whether another file is too much. */
static bool
is_too_much(struct run *run, struct late_images *late, const struct late_image *image,
            uint64_t bytes)
{
	const struct gprofx_diagnostic diagnostic = {
		.id = "image.too-many",
		.file = image->path,
		.hint = "report fewer profiles at a time",
	};
	const uint64_t most = (uint64_t)LATE_MOST_GIB << 30;

	if (late->file_count < LATE_MOST_FILES && bytes <= most - late->file_bytes) {
		late->file_count++;
		late->file_bytes += bytes;
		return false;
	}
	if (!late->said_limit)
		run_warn(run, &diagnostic,
		         "there are more than %d images, or files of more than %d GiB: this image "
		         "and all later ones have no symbols",
		         LATE_MOST_FILES, LATE_MOST_GIB);
	late->said_limit = true;
	return true;
}

/* The image that was read from the same file, or NO_LATE_IMAGE. */
static uint32_t
find_read(const struct late_images *late, const struct stat *status)
{
	for (uint32_t i = 0; i < late->read_count; i++) {
		const struct late_image *image = &late->items[late->files[i]];

		if (image->device == status->st_dev && image->inode == status->st_ino)
			return late->files[i];
	}
	return NO_LATE_IMAGE;
}

/* Whether a file is looked for at all: not for what is in none. */
static bool
can_have_file(const struct late_image *image)
{
	return image->path[0] == '/' &&
	       (image->kind == GPROFX_IMAGE_PROGRAM || image->kind == GPROFX_IMAGE_LIBRARY ||
	        image->kind == GPROFX_IMAGE_KERNEL);
}

/* Notes where the code of a table is in its file. */
static void
set_segments(struct run *run, struct late_image *image, const struct gprofx_code_range *code,
             uint32_t count)
{
	uint64_t *offsets;
	uint32_t *ids;

	memory_array(run, offsets, count);
	memory_array(run, ids, count);
	memory_array(run, image->segments, (size_t)count + 1);
	for (uint32_t i = 0; i < count; i++) {
		offsets[i] = code[i].file_offset;
		ids[i] = i;
	}
	sort_ascending(run, offsets, ids, count);
	image->segment_count = 0;
	for (uint32_t i = 0; i < count; i++) {
		uint64_t move = code[ids[i]].address - offsets[i];

		if (image->segment_count == 0 ||
		    image->segments[image->segment_count - 1].move != move)
			image->segments[image->segment_count++] = (struct late_segment){offsets[i],
			                                                                move};
	}
	memory_release(run, offsets);
	memory_release(run, ids);
}

struct gprofx_symtab *
late_file_table(struct run *run, const char *path, const struct mapped_file *file,
                struct symbols *symbols)
{
	const struct gprofx_image image = {.size = sizeof image,
	                                   .name = path,
	                                   .bytes = file->bytes,
	                                   .length = file->length};
	bool errors_were_warnings = run->errors_are_warnings;
	const char *doing = run->doing;
	struct symbols *facts;
	enum gprofx_result result;

	if (!symbols_know_image(run, &image))
		return NULL;
	facts = memory_alloc(run, sizeof *facts);
	facts->table.facts_only = !symbols;
	facts->table.wants_exported = symbols && !run->settings->strict_lists;
	facts->table.wants_labels = symbols && run_corrects(run, GPROFX_CORRECT_PLAIN_NAMES);
	run->errors_are_warnings = true;
	result = symbols_fill_table(run, facts, &image);
	if (result == GPROFX_OK)
		result = symbols_check_names(
			run, &facts->table, path,
			symbols_past(file->length, facts->table.symbols_file_bytes));
	run->errors_are_warnings = errors_were_warnings;
	run->doing = doing;
	if (result != GPROFX_OK)
		return NULL;
	symbols_part_code(run, &facts->table, file->length);
	if (facts->table.wants_labels) {
		symbols_set_labels_aside(run, facts);
		symbols_find_variants(run, symbols, facts);
	}
	return &facts->table;
}

static bool
is_same_machine(const struct symbols *symbols, const struct gprofx_symtab *table)
{
	const struct gprofx_target *program = &symbols->table.target, *own = &table->target;

	return !symbols_have_image(symbols) ||
	       (own->pointer_bytes == program->pointer_bytes &&
	        own->big_endian == program->big_endian && own->machine == program->machine);
}

/* Takes what a file says, if it is of the build that the profile means. */
static void
take_table(struct run *run, struct late_images *late, uint32_t number,
           const struct gprofx_symtab *table)
{
	struct late_image *image = &late->items[number];

	if (image->build_id_bytes > 0 &&
	    late_compare_builds(image, table->build_id, table->build_id_bytes) <= 0) {
		note_other_build(late, image);
		return;
	}
	if (!is_same_machine(late->symbols, table)) {
		note_missing(late, image);
		return;
	}
	image->table = table;
	image->state = LATE_FILE;
	set_segments(run, image, table->code, table->code_count);
	if (late_place(run, late, number)) {
		if (!late->files)
			memory_array(run, late->files, LATE_MOST_FILES);
		late->files[late->read_count++] = number;
		return;
	}
	image->state = LATE_NO_FILE;
	image->table = NULL;
	image->segment_count = 0;
	note_missing(late, image);
}

/* The regular file of an image: in the folder for the measured machine, or else at its path. */
static bool
find_file(struct run *run, struct late_image *image, struct stat *status)
{
	const char *root = run->settings->sysroot;

	if (root && root[0] != '\0') {
		const char *path = text_format(run, "%s%s", root, image->path);

		if (stat(path, status) == 0 && S_ISREG(status->st_mode)) {
			image->path = path;
			return true;
		}
	}
	/* What is no regular file is not even opened: to open a device can do something. */
	return stat(image->path, status) == 0 && S_ISREG(status->st_mode);
}

void
late_file_read(struct run *run, struct late_images *late, uint32_t number)
{
	struct late_image *image = &late->items[number];
	const struct gprofx_symtab *table;
	struct mapped_file *file;
	struct stat status;
	uint32_t same;
	int error;

	image->state = LATE_NO_FILE;
	if (!can_have_file(image))
		return;
	if (!find_file(run, image, &status)) {
		note_missing(late, image);
		return;
	}
	if (is_too_much(run, late, image, (uint64_t)status.st_size))
		return;
	same = find_read(late, &status);
	if (same != NO_LATE_IMAGE &&
	    (image->build_id_bytes == 0 ||
	     late_compare_builds(image, late->items[same].table->build_id,
	                         late->items[same].table->build_id_bytes) > 0)) {
		image->state = LATE_ALIAS;
		image->alias = same;
		return;
	}
	file = mapfile_open(run, image->path, MAPFILE_REGULAR, &error);
	table = file ? late_file_table(run, image->path, file, late->symbols) : NULL;
	if (!table) {
		note_missing(late, image);
		return;
	}
	inputs_note_name(run, image->path, "a file that the profiles name");
	image->device = file->device;
	image->inode = file->inode;
	image->file_bytes = symbols_past(file->length, table->symbols_file_bytes);
	take_table(run, late, number, table);
}

void
late_file_read_segments(struct run *run, struct late_images *late, struct late_image *image)
{
	const struct symbols *symbols = late->symbols;
	const struct gprofx_symtab *table = &symbols->table;
	struct mapped_file *file;
	uint32_t count = 0;
	int error;

	if (image->state == LATE_PROGRAM) {
		while (count < table->code_count &&
		       symbols_is_program(symbols, table->code[count].address))
			count++;
		set_segments(run, image, table->code, count);
		return;
	}
	file = mapfile_open(run, image->object->path, MAPFILE_REGULAR, &error);
	table = file ? late_file_table(run, image->object->path, file, NULL) : NULL;
	set_segments(run, image, table ? table->code : NULL, table ? table->code_count : 0);
}
