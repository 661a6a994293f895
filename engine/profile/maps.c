/* SPDX-License-Identifier: Apache-2.0 */
/* The same few pages are asked for again and again: their mappings are remembered. */
#include "profile/maps.h"

#include <string.h>

#include "base/memory.h"
#include "profile/map-trees.h"
#include "profile/parts.h"
#include "symbols/late.h"
#include "symbols/symbols.h"

enum {
	PAGE_BITS = 12,
	REMEMBERED_BITS = 9,
	ROW_BYTES = 8,
	/* However short a file is, forks may copy so many mappings. */
	LEAST_COPIES = 1 << 16
};

/* A page that was asked for, and the mapping that holds an address of it. */
struct remembered_page {
	uint64_t page;
	uint32_t process;
	uint32_t generation; /* of the mappings; another one: nothing is remembered */
	const struct mapping *mapping;
};

struct maps {
	bool is_begun; /* the file has said something */
	uint64_t copies_left;
	uint32_t *images; /* numbers of symbols_late(), by those of the file, from 1 */
	uint32_t image_count, image_room;
	struct map_tree **processes;
	uint32_t process_count, process_room;
	struct map_tree *trees; /* all of them */
	uint32_t generation;
	uint64_t overlaps;
	struct remembered_page remembered[1 << REMEMBERED_BITS];
};

static void
forget_trees(struct run *run, void *argument)
{
	const struct maps *maps = argument;

	(void)run;
	map_trees_forget(maps->trees);
}

static struct maps *
maps_of(struct run *run, struct profile *profile)
{
	if (!profile->maps) {
		profile->maps = memory_alloc(run, sizeof *profile->maps);
		run_close_later(run, forget_trees, profile->maps);
	}
	if (!profile->maps->is_begun) {
		profile->maps->is_begun = true;
		profile->maps->copies_left = profile->length > LEAST_COPIES ? profile->length
		                                                            : LEAST_COPIES;
	}
	return profile->maps;
}

void
maps_begin_file(struct run *run, struct profile *profile)
{
	struct maps *maps = profile->maps;

	if (!maps)
		return;
	while (maps->trees)
		map_tree_release(run, maps->trees);
	maps->image_count = maps->process_count = 0;
	maps->generation++;
	maps->overlaps = 0;
	maps->is_begun = false;
}

static void
expect_process(struct run *run, const struct maps *maps, uint32_t process)
{
	uint32_t count = maps ? maps->process_count : 0;

	if (process == 0 || process > count)
		profile_give_up(run,
		                "expected one of the %u processes of the file, found process %u",
		                count, process);
}

void
maps_expect_process(struct run *run, const struct profile *profile, uint32_t process)
{
	expect_process(run, profile->maps, process);
}

void
maps_add_process(struct run *run, struct profile *profile, uint32_t parent)
{
	struct maps *maps = maps_of(run, profile);
	struct map_tree *tree;

	if (parent != 0) {
		expect_process(run, maps, parent);
		tree = maps->processes[parent - 1];
		tree->users++;
	} else {
		tree = map_tree_new(run, &maps->trees);
	}
	maps->processes = memory_room(run, maps->processes, sizeof(struct map_tree *),
	                              maps->process_count, &maps->process_room, 1);
	maps->processes[maps->process_count++] = tree;
}

static enum gprofx_result
fail_copies(struct run *run, struct profile *profile, const struct gprofx_file *file)
{
	const struct gprofx_diagnostic diagnostic = {
		.id = "profile.too-many-mappings",
		.file = file->name,
		.hint = "the file is damaged, or record fewer processes at a time",
	};

	profile->is_refused = true;
	return run_fail(run, &diagnostic,
	                "expected processes to change no more mappings of their parents than the "
	                "file has bytes, found more");
}

/* The tree of a process, which is its own from here on. */
static struct map_tree *
own_tree(struct run *run, struct maps *maps, uint32_t process)
{
	struct map_tree *shared = maps->processes[process - 1], *tree;

	if (shared->users == 1)
		return shared;
	if (shared->count > maps->copies_left)
		return NULL;
	maps->copies_left -= shared->count;
	tree = map_tree_copy(run, &maps->trees, shared);
	shared->users--;
	maps->processes[process - 1] = tree;
	return tree;
}

/* The images of all readers, one of which is that of the file. */
static struct late_images *
late_of(struct run *run, struct profile *profile)
{
	struct profile_file *file = profile_current_file(profile);

	if (file)
		file->has_images = true;
	return profile_late_images(run, profile, profile->image_symbols);
}

static void
expect_image(struct run *run, const struct gprofx_raw_image *image)
{
	if (!image->path || image->path[0] == '\0')
		profile_give_up(run, "expected an image with a path or another name");
	if (image->kind < GPROFX_IMAGE_PROGRAM || image->kind > GPROFX_IMAGE_NAMES)
		profile_give_up(run, "expected an image of a known kind, found kind %u",
		                image->kind);
	if (image->build_id_bytes > 0 && !image->build_id)
		profile_give_up(run, "expected a build ID of %u bytes, found none",
		                image->build_id_bytes);
}

static struct gprofx_diagnostic
bad_image(const struct gprofx_file *file)
{
	return (struct gprofx_diagnostic){
		.id = "profile.bad-image",
		.file = file->name,
		.hint = "the file is damaged; record the profile again",
	};
}

uint32_t
maps_declare_image(struct gprofx *gx, struct gprofx_profile *public, const struct gprofx_file *file,
                   const struct gprofx_raw_image *given)
{
	struct run *run = (struct run *)gx;
	struct profile *profile = (struct profile *)public;
	const struct gprofx_diagnostic diagnostic = bad_image(file);
	struct maps *maps = maps_of(run, profile);
	struct gprofx_raw_image image;
	struct late_row row;

	profile_take(run, "the record of an image", &image, sizeof image, given);
	expect_image(run, &image);
	profile_spend(run, profile, 1, ROW_BYTES + strnlen(image.path, LATE_PATH_BYTES), "images");
	if (!memchr(image.path, '\0', LATE_PATH_BYTES) ||
	    image.build_id_bytes > LATE_BUILD_ID_BYTES) {
		profile->is_refused = true;
		run_fail(run, &diagnostic,
		         "expected an image with a path of less than %d bytes and a build ID of at "
		         "most %d, found more",
		         (int)LATE_PATH_BYTES, (int)LATE_BUILD_ID_BYTES);
		return 0;
	}
	row = (struct late_row){image.path, image.build_id, image.build_id_bytes, image.kind};
	maps->images = memory_room(run, maps->images, sizeof *maps->images, maps->image_count,
	                           &maps->image_room, 1);
	maps->images[maps->image_count] = late_image_add(run, late_of(run, profile), &row);
	return ++maps->image_count;
}

/* The number of an image of the file among those of all files. */
static uint32_t
number_of(struct run *run, const struct maps *maps, uint32_t image)
{
	uint32_t count = maps ? maps->image_count : 0;

	if (image == 0 || image > count)
		profile_give_up(run, "expected one of the %u images of the file, found image %u",
		                count, image);
	return maps->images[image - 1];
}

enum gprofx_result
maps_declare_names(struct gprofx *gx, struct gprofx_profile *public, const struct gprofx_file *file,
                   uint32_t image, const struct gprofx_raw_name *rows, uint32_t count)
{
	struct run *run = (struct run *)gx;
	struct profile *profile = (struct profile *)public;
	const struct gprofx_diagnostic diagnostic = bad_image(file);
	struct late_images *late;
	uint32_t number = number_of(run, profile->maps, image);

	if (count > 0 && !rows)
		profile_give_up(run, "expected %u names of code, found none", count);
	profile_spend(run, profile, count, 1, "names of code");
	late = late_of(run, profile);
	for (uint32_t i = 0; i < count; i++) {
		if (!rows[i].name || rows[i].name[0] == '\0')
			profile_give_up(run, "expected a name of code, found none");
		/* One text can be passed again and again. */
		profile_spend(run, profile, 1, strlen(rows[i].name), "names of code");
		if (rows[i].bytes > UINT64_MAX - rows[i].offset) {
			profile->is_refused = true;
			return run_fail(run, &diagnostic,
			                "expected a name of code at 0x%llx that ends, found one of "
			                "0x%llx bytes",
			                (unsigned long long)rows[i].offset,
			                (unsigned long long)rows[i].bytes);
		}
		late_image_name(run, late, number, rows[i].offset, rows[i].bytes, rows[i].name);
	}
	return GPROFX_OK;
}

/* Whether a mapping has some bytes, and ends before addresses and offsets do. */
static bool
is_sound(const struct gprofx_raw_mapping *mapping)
{
	return mapping->bytes > 0 && mapping->bytes - 1 <= UINT64_MAX - mapping->address &&
	       (mapping->image == 0 || mapping->bytes - 1 <= UINT64_MAX - mapping->offset);
}

/* Offsets that an image is known to have, as far as this is known by addresses as linked. */
static void
note_extent(struct late_images *late, const struct mapping *row)
{
	uint64_t bytes = row->last - row->low + 1;

	late_image_extend(late, row->image, row->offset, symbols_past(row->offset, bytes));
}

enum gprofx_result
maps_declare_mapping(struct gprofx *gx, struct gprofx_profile *public,
                     const struct gprofx_file *file, const struct gprofx_raw_mapping *given)
{
	struct run *run = (struct run *)gx;
	struct profile *profile = (struct profile *)public;
	const struct gprofx_diagnostic diagnostic = {
		.id = "profile.bad-mapping",
		.file = file->name,
		.hint = "the file is damaged; record the profile again",
	};
	struct gprofx_raw_mapping mapping;
	struct maps *maps = profile->maps;
	struct map_tree *tree;
	struct mapping row;

	profile_take(run, "the record of a mapping", &mapping, sizeof mapping, given);
	expect_process(run, maps, mapping.process);
	profile_spend(run, profile, 1, ROW_BYTES, "mappings");
	row = (struct mapping){.low = mapping.address,
	                       .last = mapping.address + mapping.bytes - 1,
	                       .offset = mapping.offset,
	                       .image = mapping.image == 0 ? NO_LATE_IMAGE
	                                                   : number_of(run, maps, mapping.image),
	                       .is_in_file = mapping.is_in_file};
	if (!is_sound(&mapping)) {
		profile->is_refused = true;
		return run_fail(run, &diagnostic,
		                "expected a mapping of some bytes that ends before addresses do, "
		                "found 0x%llx bytes at 0x%llx, of offset 0x%llx",
		                (unsigned long long)mapping.bytes,
		                (unsigned long long)mapping.address,
		                (unsigned long long)mapping.offset);
	}
	tree = own_tree(run, maps, mapping.process);
	if (!tree)
		return fail_copies(run, profile, file);
	maps->generation++;
	if (map_tree_set(run, tree, &row) && row.image != NO_LATE_IMAGE)
		maps->overlaps++;
	if (row.image != NO_LATE_IMAGE)
		note_extent(late_of(run, profile), &row);
	return GPROFX_OK;
}

/* The mapping that holds an address, or NULL. */
static const struct mapping *
mapping_at(struct maps *maps, uint32_t process, uint64_t address)
{
	uint64_t page = address >> PAGE_BITS;
	struct remembered_page
		*remembered = &maps->remembered[(page ^ page >> REMEMBERED_BITS ^ process * 7) &
	                                        ((1 << REMEMBERED_BITS) - 1)];

	/* Mappings need not end with pages. */
	if (remembered->page == page && remembered->process == process &&
	    remembered->generation == maps->generation &&
	    address - remembered->mapping->low <=
	            remembered->mapping->last - remembered->mapping->low)
		return remembered->mapping;
	*remembered = (struct remembered_page){
		page, process, maps->generation,
		map_tree_find(maps->processes[process - 1], address)};
	if (!remembered->mapping)
		remembered->process = 0;
	return remembered->mapping;
}

uint64_t
maps_locate(struct run *run, struct profile *profile, uint32_t process, uint64_t address)
{
	const struct mapping *mapping;
	struct late_images *late;

	expect_process(run, profile->maps, process);
	mapping = mapping_at(profile->maps, process, address);
	late = late_of(run, profile);
	if (!mapping)
		return late_nowhere(late, address);
	return late_location(run, late, mapping->image, mapping->offset + (address - mapping->low),
	                     mapping->is_in_file);
}

enum gprofx_result
maps_locate_record(struct run *run, struct profile *profile, const struct gprofx_file *file,
                   struct gprofx_histogram *record)
{
	struct gprofx_diagnostic diagnostic = gprofx_at(file, record->offset, "profile.unmapped",
	                                                "the file is damaged, or its mappings "
	                                                "are not complete; record it again");
	uint64_t bytes = record->high - record->low, low, last;
	const struct mapping *mapping;

	expect_process(run, profile->maps, record->process);
	if (record->high <= record->low)
		return GPROFX_OK;
	mapping = mapping_at(profile->maps, record->process, record->low);
	if (mapping && record->high - 1 <= mapping->last) {
		low = maps_locate(run, profile, record->process, record->low);
		last = maps_locate(run, profile, record->process, record->high - 1);
		/* Segments of a file can be apart. */
		if (last - low == bytes - 1) {
			record->low = low;
			record->high = low + bytes;
			return GPROFX_OK;
		}
	}
	diagnostic.number[0] = record->low;
	diagnostic.number[1] = record->high;
	profile->is_refused = true;
	return run_fail(run, &diagnostic,
	                "expected a histogram in one mapping of its process, found 0x%llx-0x%llx",
	                (unsigned long long)record->low, (unsigned long long)record->high);
}

void
maps_tell(struct run *run, struct profile *profile, const char *file)
{
	const struct gprofx_diagnostic diagnostic = {
		.id = "profile.mappings-overlap",
		.file = file,
		.hint = "earlier mappings there are dropped: the program loaded other code there, "
			"or the file is damaged",
	};
	struct maps *maps = profile->maps;

	if (!maps || maps->overlaps == 0)
		return;
	run_warn(run, &diagnostic,
	         "expected mappings that do not overlap, found %llu that replace others from there "
	         "on",
	         (unsigned long long)maps->overlaps);
	maps->overlaps = 0;
}
