/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What images that readers brought become in the end: images like others, and symbols behind all
 * that there were before.  Of an image without a file, names have the code that they state, and
 * what is between them is one function, however many pieces it is in.
 */
#include <string.h>

#include "base/memory.h"
#include "base/run.h"
#include "base/sort.h"
#include "symbols/late.h"
#include "symbols/parts.h"
#include "symbols/symbols.h"

static void
tell_files(struct run *run, const struct late_images *late)
{
	const struct gprofx_diagnostic missing = {
		.id = "image.no-file",
		.file = late->missing,
		.hint = "report the profile on the machine where it was recorded, or put the files "
			"at the same paths; install debug symbols of stripped ones",
	};
	const struct gprofx_diagnostic other = {
		.id = "image.build-differs",
		.file = late->other,
		.hint = "report the profile with the files that were there when it was recorded",
	};

	if (late->missing_count == 1)
		run_warn(run, &missing,
		         "no file with symbols was found for this image of the profiles: it is "
		         "shown as one row");
	else if (late->missing_count > 1)
		run_warn(run, &missing,
		         "no file with symbols was found for %u images of the profiles, of which "
		         "this is the first: each is shown as one row",
		         late->missing_count);
	if (late->other_count == 1)
		run_warn(run, &other,
		         "the file of this image is of another build than the profiles record: it "
		         "is not used");
	else if (late->other_count > 1)
		run_warn(run, &other,
		         "the files of %u images, of which this is the first, are of other builds "
		         "than the profiles record: they are not used",
		         late->other_count);
}

static int
compare_names(const void *context, uint32_t left, uint32_t right)
{
	const struct late_name *names = context;

	return names[left].offset < names[right].offset ? -1
	                                                : names[left].offset > names[right].offset;
}

/* Sorts the names of an image; returns how many begin inside of another one. */
static uint32_t
sort_names(struct run *run, struct late_image *image)
{
	struct late_name *sorted;
	uint32_t *ids, overlaps = 0;
	uint64_t past = 0;

	memory_array(run, ids, image->name_count);
	memory_array(run, sorted, image->name_count);
	for (uint32_t i = 0; i < image->name_count; i++)
		ids[i] = i;
	sort_ids(run, ids, image->name_count, compare_names, image->names);
	for (uint32_t i = 0; i < image->name_count; i++) {
		sorted[i] = image->names[ids[i]];
		overlaps += i > 0 && sorted[i].offset < past &&
		            sorted[i].offset != sorted[i - 1].offset;
		past = symbols_past(sorted[i].offset, sorted[i].bytes) > past
		               ? symbols_past(sorted[i].offset, sorted[i].bytes)
		               : past;
	}
	memory_release(run, ids);
	memory_release(run, image->names);
	image->names = sorted;
	image->name_room = image->name_count;
	return overlaps;
}

static void
sort_all_names(struct run *run, struct late_images *late)
{
	const struct late_image *first = NULL;
	uint32_t overlaps = 0;

	for (uint32_t i = 0; i < late->count; i++) {
		struct late_image *image = &late->items[i];
		uint32_t own = image->state == LATE_NO_FILE && image->range_count > 0
		                       ? sort_names(run, image)
		                       : 0;

		first = own > 0 && !first ? image : first;
		overlaps += own;
	}
	if (first) {
		const struct gprofx_diagnostic diagnostic = {
			.id = "image.names-overlap",
			.file = first->path,
			.hint = "the profile is damaged, or its writer reused addresses",
		};

		run_warn(run, &diagnostic,
		         "expected names of code that do not overlap, found %u that start inside "
		         "the code of another one, which ends there",
		         overlaps);
	}
}

/* Rows are made twice: first they are counted. */
struct row_walk {
	struct run *run;
	struct symbols *symbols;
	const struct late_image *image;
	struct symbol_image *place;
	uint32_t count;
	bool is_counting;
};

static void
add_row(struct row_walk *walk, uint64_t offset, uint64_t past, const char *name)
{
	struct gprofx_symtab *table = &walk->symbols->table;
	uint32_t row = table->count;

	walk->count++;
	if (walk->is_counting)
		return;
	table->rows.address[row] = offset + walk->place->base;
	table->rows.bytes[row] = past - offset;
	table->rows.name[row] = name;
	table->rows.flags[row] = GPROFX_SYMBOL_FUNCTION;
	table->unit[row] = 0;
	table->count++;
}

/* From where to where a range shows offsets that are mapped or named. */
static void
offsets_of(const struct late_image *image, const struct symbol_image *place, uint64_t *low,
           uint64_t *past)
{
	uint64_t first = place->first - place->base;
	uint64_t end = symbols_past(first, place->past - place->first);

	*low = image->low > first ? image->low : first;
	*past = image->past < end ? image->past : end;
}

/* The first name at or behind an offset. */
static uint32_t
name_from(const struct late_image *image, uint64_t offset)
{
	uint32_t low = 0, high = image->name_count;

	while (low < high) {
		uint32_t middle = low + (high - low) / 2;

		if (image->names[middle].offset < offset)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

/* The rows of an image without a file in one of its ranges: of names, and between them. */
static void
walk_names(struct row_walk *walk)
{
	const struct late_image *image = walk->image;
	uint64_t at, past;

	offsets_of(image, walk->place, &at, &past);
	for (uint32_t i = name_from(image, at); i < image->name_count; i++) {
		const struct late_name *name = &image->names[i];
		uint64_t next = i + 1 < image->name_count ? image->names[i + 1].offset : past;
		uint64_t end = name->bytes > 0 ? symbols_past(name->offset, name->bytes) : next;

		if (name->offset >= past)
			break;
		if (name->offset > at)
			add_row(walk, at, name->offset, image->row_name);
		end = end > name->offset ? end : name->offset + 1;
		add_row(walk, name->offset, end < past ? end : past, name->name);
		at = end > at ? end : at;
	}
	if (at < past)
		add_row(walk, at, past, image->row_name);
}

/* What a file's own table says, as of other objects. */
static void
join_table(struct row_walk *walk, const struct gprofx_symtab *from, uint32_t *units)
{
	struct gprofx_symtab *to = &walk->symbols->table;
	uint32_t before = *units;

	for (uint32_t i = 0; i < from->count; i++) {
		uint32_t row = to->count, unit = from->unit[i] > 0 ? from->unit[i] + before : 0;
		uint64_t location = symbols_location(walk->symbols, walk->place,
		                                     from->rows.address[i]);

		if (symbols_is_nowhere(walk->symbols, location))
			continue;
		add_row(walk, location - walk->place->base,
		        location - walk->place->base + from->rows.bytes[i], from->rows.name[i]);
		to->rows.flags[row] = from->rows.flags[i];
		if (from->untyped_format)
			to->rows.flags[row] |= GPROFX_SYMBOL_FUNCTION;
		to->unit[row] = unit;
		*units = unit > *units ? unit : *units;
	}
}

/* Rows of a range, in its place among the images. */
static void
walk_range(struct row_walk *walk, struct late_images *late, uint32_t range, uint32_t *units)
{
	walk->image = &late->items[late->ranges[range].of];
	walk->place = &late->ranges[range].image;
	walk->place->rest = walk->image->row_name;
	walk->count = 0;
	walk->is_counting = true;
	if (walk->image->table)
		walk->count = walk->image->table->count;
	else
		walk_names(walk);
	symbols_make_room(walk->run, walk->symbols, walk->count);
	walk->is_counting = false;
	if (!walk->image->table) {
		walk_names(walk);
		return;
	}
	join_table(walk, walk->image->table, units);
	symbols_add_rests(walk->run, walk->symbols, walk->place, walk->image->table);
}

/* Code of the images, of which nothing is read: its places in files are others'. */
static void
add_code(struct run *run, struct symbols *symbols, const struct late_images *late)
{
	struct gprofx_symtab *table = &symbols->table;
	struct gprofx_code_range *code;
	size_t count = table->code_count;

	for (uint32_t i = 0; i < late->range_count; i++) {
		const struct late_image *image = &late->items[late->ranges[i].of];

		count += image->table ? image->table->code_count : 1;
	}
	memory_array(run, code, count);
	if (table->code_count > 0)
		memcpy(code, table->code, table->code_count * sizeof *code);
	count = table->code_count;
	for (uint32_t i = 0; i < late->range_count; i++) {
		const struct symbol_image *place = &late->ranges[i].image;
		const struct late_image *image = &late->items[late->ranges[i].of];
		const struct gprofx_symtab *own = image->table;
		uint64_t low, past;

		for (uint32_t k = 0; own && k < own->code_count; k++) {
			code[count] = own->code[k];
			code[count].address += place->base;
			code[count++].file_offset = symbols->image.length;
		}
		if (own)
			continue;
		offsets_of(image, place, &low, &past);
		code[count++] = (struct gprofx_code_range){.address = low + place->base,
		                                           .bytes = past > low ? past - low : 0,
		                                           .file_offset = symbols->image.length,
		                                           .name = image->name};
	}
	table->code = code;
	table->code_count = (uint32_t)count;
}

/* Who holds on to images keeps what they were. */
static void
add_images(struct run *run, struct symbols *symbols, struct late_images *late)
{
	struct symbol_image *images;

	memory_array(run, images, (size_t)symbols->image_count + late->range_count);
	memcpy(images, symbols->images, symbols->image_count * sizeof *images);
	for (uint32_t i = 0; i < late->range_count; i++) {
		const struct late_image *image = &late->items[late->ranges[i].of];
		struct symbol_image *place = &late->ranges[i].image;

		place->late = image;
		if (image->first_range == i + 1 && !image->table)
			place->bytes = image->name_bytes;
		images[symbols->image_count + i] = *place;
	}
	symbols->images = images;
	symbols->image_count += late->range_count;
}

/* Mappings state offsets in the file, which code need not be linked at: this is where it is. */
static void
extend_to_code(struct late_images *late, uint32_t number)
{
	const struct gprofx_symtab *table = late->items[number].table;

	for (uint32_t i = 0; i < table->code_count; i++)
		late_image_extend(late, number, table->code[i].address,
		                  symbols_past(table->code[i].address, table->code[i].bytes));
}

/* A file without symbols of its own is one row, too. */
static void
forget_empty_tables(struct late_images *late)
{
	for (uint32_t i = 0; i < late->count; i++) {
		struct late_image *image = &late->items[i];

		if (image->table && image->table->count == 0) {
			extend_to_code(late, i);
			image->table = NULL;
			if (late->missing_count++ == 0)
				late->missing = image->path;
		}
	}
}

bool
late_add_symbols(struct run *run, struct symbols *symbols)
{
	struct late_images *late = symbols->late;
	struct row_walk walk = {.run = run, .symbols = symbols};
	uint32_t first = symbols->table.count, units;

	if (!late || late->was_added)
		return false;
	late->was_added = true;
	forget_empty_tables(late);
	tell_files(run, late);
	if (late->range_count == 0)
		return false;
	sort_all_names(run, late);
	units = symbols_highest_unit(&symbols->table);
	for (uint32_t i = 0; i < late->range_count; i++)
		walk_range(&walk, late, i, &units);
	add_code(run, symbols, late);
	add_images(run, symbols, late);
	symbols_append_rows(run, symbols, first);
	return true;
}
