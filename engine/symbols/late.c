/* SPDX-License-Identifier: Apache-2.0 */
#include "symbols/late.h"

#include <stdio.h>
#include <string.h>

#include "base/memory.h"
#include "base/text.h"
#include "symbols/late-files.h"
#include "symbols/parts.h"

/* What is far from the first look-up gets a range of its own. */
#define LATE_MOST_SPAN ((uint64_t)100 << LAYOUT_UNIT_BITS)

struct late_images *
symbols_late(struct run *run, struct symbols *symbols, uint64_t least)
{
	if (!symbols->late) {
		symbols->late = memory_alloc(run, sizeof *symbols->late);
		symbols->late->symbols = symbols;
		symbols->late->has_layout = symbols->others_bytes > 0 ||
		                            symbols_open_layout_from(symbols, least);
		symbols_keep_free(symbols, least);
	}
	return symbols->late;
}

uint64_t
late_nowhere(const struct late_images *late, uint64_t address)
{
	return late->has_layout ? symbols_nowhere(late->symbols, address) : UINT64_MAX;
}

/* The last range that begins at or below a location, or NULL. */
static const struct late_range *
range_at(const struct late_images *late, uint64_t location)
{
	uint32_t low = 0, high = late ? late->range_count : 0;

	if (high == 0 || location < late->ranges[0].image.first)
		return NULL;
	while (high - low > 1) {
		uint32_t middle = low + (high - low) / 2;

		if (late->ranges[middle].image.first <= location)
			low = middle;
		else
			high = middle;
	}
	return &late->ranges[low];
}

uint64_t
late_base(const struct symbols *symbols, uint64_t location)
{
	const struct late_range *range = symbols ? range_at(symbols->late, location) : NULL;

	if (range && location < range->image.past)
		return range->image.base;
	return symbols && symbols_is_nowhere(symbols, location) ? symbols->others_first : 0;
}

bool
late_is_known(const struct symbols *symbols, uint64_t location)
{
	const struct late_images *late = symbols->late;
	const struct late_range *range = range_at(late, location);

	if (!range || location >= range->image.past)
		return false;
	return !late->items[range->of].table ||
	       symbols_table_has_code(late->items[range->of].table, location - range->image.base);
}

/* A key as it is looked for. */
struct late_key {
	char text[LATE_PATH_BYTES + 1];
};

static void
set_path_key(struct late_key *key, const char *path)
{
	snprintf(key->text, sizeof key->text, "/%s", path);
}

static void
set_build_key(struct late_key *key, const uint8_t *build_id, uint32_t bytes)
{
	static const char digits[] = "0123456789abcdef";
	char *at = key->text;

	*at++ = '=';
	for (uint32_t i = 0; i < bytes; i++) {
		*at++ = digits[build_id[i] >> 4];
		*at++ = digits[build_id[i] & 15];
	}
	*at = '\0';
}

static uint32_t
find_key(const struct late_images *late, const struct late_key *key)
{
	uint32_t number = name_table_lookup(&late->keys, key->text);

	return number == NO_NAME ? NO_LATE_IMAGE : late->of_key[number];
}

/* The first image with a key keeps it. */
static void
add_key(struct run *run, struct late_images *late, const struct late_key *key, uint32_t image)
{
	uint32_t known = late->keys.count, number = name_table_add(run, &late->keys, key->text);

	if (number < known)
		return;
	if (number >= late->key_room)
		late->of_key = memory_room(run, late->of_key, sizeof *late->of_key, number,
		                           &late->key_room, 1);
	late->of_key[number] = image;
}

/* Whether builds are known to be the same (1), known to differ (-1), or one is not known. */
int
late_compare_builds(const struct late_image *image, const uint8_t *build_id, uint32_t bytes)
{
	if (image->build_id_bytes == 0 || bytes == 0)
		return 0;
	return image->build_id_bytes == bytes && memcmp(image->build_id, build_id, bytes) == 0 ? 1
	                                                                                       : -1;
}

static bool
is_program(const struct symbols *symbols, const struct late_image *image)
{
	const struct gprofx_symtab *table = &symbols->table;
	int builds;

	if (!symbols_have_image(symbols))
		return false;
	builds = late_compare_builds(image, table->build_id, table->build_id_bytes);
	if (builds != 0)
		return builds > 0;
	/* On another machine, or later, the program may be somewhere else. */
	return late_file_is_same(image->path, symbols->image.name) ||
	       (image->kind == GPROFX_IMAGE_PROGRAM &&
	        strcmp(image->name, text_last_name(symbols->image.name)) == 0);
}

static const struct symbol_image *
object_of(const struct symbols *symbols, const struct late_image *image)
{
	for (uint32_t i = 1; i < symbols->image_count; i++) {
		const struct symbol_image *object = &symbols->images[i];
		int builds = late_compare_builds(image, object->build_id, object->build_id_bytes);

		if (builds > 0 || (builds == 0 && late_file_is_same(image->path, object->path)))
			return object;
	}
	return NULL;
}

static void
recognize(struct late_images *late, struct late_image *image)
{
	if (is_program(late->symbols, image)) {
		image->state = LATE_PROGRAM;
		return;
	}
	image->object = object_of(late->symbols, image);
	if (image->object)
		image->state = LATE_OBJECT;
}

static void
set_build(struct late_image *image, const struct late_row *row)
{
	image->build_id_bytes = row->build_id_bytes;
	memcpy(image->build_id, row->build_id, row->build_id_bytes);
}

/* An image without a build ID that has the path of one with an ID is that one, and vice versa. */
static uint32_t
find_image(struct run *run, struct late_images *late, const struct late_row *row,
           const struct late_key *path, const struct late_key *build)
{
	uint32_t found = row->build_id_bytes > 0 ? find_key(late, build) : NO_LATE_IMAGE;
	struct late_image *image;

	if (found != NO_LATE_IMAGE)
		return found;
	found = find_key(late, path);
	if (found == NO_LATE_IMAGE || row->build_id_bytes == 0)
		return found;
	image = &late->items[found];
	if (image->build_id_bytes > 0 || image->state != LATE_UNREAD)
		return NO_LATE_IMAGE;
	set_build(image, row);
	add_key(run, late, build, found);
	recognize(late, image);
	return found;
}

uint32_t
late_image_add(struct run *run, struct late_images *late, const struct late_row *row)
{
	struct late_key path = {0}, build = {0};
	struct late_image *image;
	uint32_t found;

	set_path_key(&path, row->path);
	set_build_key(&build, row->build_id, row->build_id_bytes);
	found = find_image(run, late, row, &path, &build);
	if (found != NO_LATE_IMAGE)
		return found;
	late->items = memory_room(run, late->items, sizeof *late->items, late->count, &late->room,
	                          1);
	image = &late->items[late->count];
	*image = (struct late_image){.path = text_keep(run, row->path, strlen(row->path)),
	                             .kind = row->kind,
	                             .low = UINT64_MAX};
	image->name = text_last_name(image->path);
	if (image->name[0] == '\0')
		image->name = image->path;
	image->row_name = image->name[0] == '[' ? image->name
	                                        : text_format(run, "[%s]", image->name);
	if (row->build_id_bytes > 0) {
		set_build(image, row);
		add_key(run, late, &build, late->count);
	}
	add_key(run, late, &path, late->count);
	recognize(late, image);
	return late->count++;
}

uint32_t
late_image_of_names(struct run *run, struct late_images *late, const char *path)
{
	const char *name = path ? text_last_name(path) : "[names]";
	struct late_image *image;

	name = name[0] == '\0' ? path : name;
	late->items = memory_room(run, late->items, sizeof *late->items, late->count, &late->room,
	                          1);
	image = &late->items[late->count];
	*image = (struct late_image){.path = path ? path : name,
	                             .name = name,
	                             .row_name = name,
	                             .kind = GPROFX_IMAGE_NAMES,
	                             .state = LATE_NO_FILE,
	                             .is_bare = !path,
	                             .low = UINT64_MAX};
	if (path && name[0] != '[')
		image->row_name = text_format(run, "[%s]", name);
	return late->count++;
}

void
late_image_extend(struct late_images *late, uint32_t image, uint64_t low, uint64_t past)
{
	struct late_image *item = &late->items[image];

	item->low = low < item->low ? low : item->low;
	item->past = past > item->past ? past : item->past;
}

void
late_image_name(struct run *run, struct late_images *late, uint32_t image, uint64_t offset,
                uint64_t bytes, const char *name)
{
	struct late_image *item = &late->items[image];
	size_t length = strlen(name);

	item->names = memory_room(run, item->names, sizeof *item->names, item->name_count,
	                          &item->name_room, 1);
	item->names[item->name_count++] = (struct late_name){offset, bytes,
	                                                     text_keep(run, name, length)};
	item->name_bytes += length;
	late_image_extend(late, image, offset, symbols_past(offset, bytes > 0 ? bytes : 1));
}

/* Puts a range behind all others. */
static struct late_range *
add_range(struct run *run, struct late_images *late, uint32_t of, const struct symbol_image *place)
{
	struct late_image *image = &late->items[of];
	struct late_range *range;

	late->ranges = memory_room(run, late->ranges, sizeof *late->ranges, late->range_count,
	                           &late->range_room, 1);
	range = &late->ranges[late->range_count++];
	*range = (struct late_range){.image = *place, .of = of};
	if (image->range_count++ == 0)
		image->first_range = late->range_count;
	else
		late->ranges[image->last_range - 1].next = late->range_count;
	image->last_range = late->range_count;
	return range;
}

static void
warn_no_room(struct run *run, struct late_images *late, const struct late_image *image)
{
	const struct gprofx_diagnostic diagnostic = {
		.id = "image.no-room",
		.file = image->path,
		.hint = "the profile is damaged, or report the program alone",
	};

	if (!late->said_no_room)
		run_warn(run, &diagnostic,
		         "no address range is left for the code of all images: what is in the "
		         "others counts as outside of all functions");
	late->said_no_room = true;
}

/*
 * Gives an image without a file a range around an address, as far as it is known to reach: whole
 * units of the layout, none of which another range has, or names would be there twice.
 */
static struct late_range *
open_range(struct run *run, struct late_images *late, uint32_t number, uint64_t address)
{
	const struct late_image *image = &late->items[number];
	uint64_t least = address > LATE_MOST_SPAN ? address - LATE_MOST_SPAN : 0;
	uint64_t most = symbols_past(address, LATE_MOST_SPAN);
	uint64_t low = image->low > least && image->low <= address ? image->low : least;
	uint64_t last = (image->past < most && image->past > address ? image->past : most) - 1;
	struct symbol_image place = {.path = image->path, .name = image->name};

	low >>= LAYOUT_UNIT_BITS;
	last >>= LAYOUT_UNIT_BITS;
	for (uint32_t next = image->first_range; next != 0; next = late->ranges[next - 1].next) {
		const struct symbol_image *other = &late->ranges[next - 1].image;
		uint64_t first = (other->first - other->base) >> LAYOUT_UNIT_BITS;
		uint64_t past = first + ((other->past - other->first) >> LAYOUT_UNIT_BITS);

		if (first > address >> LAYOUT_UNIT_BITS)
			last = first - 1 < last ? first - 1 : last;
		else
			low = past > low ? past : low;
	}
	if (!late->has_layout || image->range_count == LATE_MOST_RANGES ||
	    !symbols_place_units(late->symbols, &place, low, last)) {
		warn_no_room(run, late, image);
		return NULL;
	}
	return add_range(run, late, number, &place);
}

bool
late_place(struct run *run, struct late_images *late, uint32_t number)
{
	const struct late_image *image = &late->items[number];
	struct symbol_image place = {.path = image->path,
	                             .name = image->name,
	                             .library_name = image->table->library_name,
	                             .bytes = image->file_bytes};

	if (!late->has_layout || !symbols_place_image(late->symbols, &place, image->table))
		return false;
	add_range(run, late, number, &place);
	return true;
}

static uint64_t
in_ranges(struct run *run, struct late_images *late, uint32_t number, uint64_t address)
{
	const struct late_image *image = &late->items[number];
	const struct late_range *range = NULL;

	for (uint32_t next = image->first_range; next != 0; next = range->next) {
		range = &late->ranges[next - 1];
		/* What lies below wraps to more than there is. */
		if (address + range->image.base - range->image.first <
		    range->image.past - range->image.first)
			return address + range->image.base;
	}
	range = image->state == LATE_NO_FILE ? open_range(run, late, number, address) : NULL;
	return range ? address + range->image.base : late_nowhere(late, address);
}

/* The image that stands for one: it was read, and is no alias. */
static uint32_t
ready(struct run *run, struct late_images *late, uint32_t number)
{
	if (late->items[number].state == LATE_UNREAD)
		late_file_read(run, late, number);
	return late->items[number].state == LATE_ALIAS ? late->items[number].alias : number;
}

static uint64_t
linked_at(const struct late_image *image, uint64_t offset)
{
	uint32_t low = 0, high = image->segment_count;

	if (high == 0)
		return offset;
	while (high - low > 1) {
		uint32_t middle = low + (high - low) / 2;

		if (image->segments[middle].offset <= offset)
			low = middle;
		else
			high = middle;
	}
	return offset + image->segments[low].move;
}

uint64_t
late_linked(struct run *run, struct late_images *late, uint32_t image, uint64_t offset)
{
	struct late_image *item = &late->items[ready(run, late, image)];

	if ((item->state == LATE_PROGRAM || item->state == LATE_OBJECT) && !item->segments)
		late_file_read_segments(run, late, item);
	return linked_at(item, offset);
}

uint64_t
late_location(struct run *run, struct late_images *late, uint32_t image, uint64_t offset,
              bool in_file)
{
	uint64_t address = in_file ? late_linked(run, late, image, offset) : offset;
	uint32_t number = ready(run, late, image);
	const struct late_image *item = &late->items[number];

	if (item->state == LATE_PROGRAM)
		return late->has_layout ? symbols_location(late->symbols, NULL, address) : address;
	if (item->state == LATE_OBJECT)
		return symbols_location(late->symbols, item->object, address);
	return in_ranges(run, late, number, address);
}
