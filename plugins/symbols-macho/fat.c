/* SPDX-License-Identifier: Apache-2.0 */
/* Files that have images for several processors, and which of them is read. */
#include <stdio.h>
#include <string.h>

#include <gprofx/symbols.h>

#include "macho.h"

enum {
	FAT_HEADER = 8,
	FAT_ROW = 20,
	FAT_ROW_64 = 32,
	/* Class files of Java begin like a file with 45 parts or more. */
	MOST_PARTS = 42,
	SMALLEST_IMAGE = 28,
	WIDE = 0x01000000,       /* of a processor: addresses of 8 bytes */
	WIDE_SHORT = 0x02000000, /* ... whose addresses have 4 bytes all the same */
	VARIANT = 0x00ffffff,
	LIST_ROOM = 256
};

#define FAT_MAGIC 0xcafebabeu
#define FAT_MAGIC_64 0xcafebabfu
#define MAGIC 0xfeedfaceu
#define MAGIC_64 0xfeedfacfu

/* The names of macho_processors, in the same order, but for "any". */
static const struct processor {
	const char *name;
	uint32_t number, variant;
} processors[] = {
	{"i386", 7, 3},           {"x86_64", 7 | WIDE, 3},
	{"x86_64h", 7 | WIDE, 8}, {"armv6", 12, 6},
	{"armv7", 12, 9},         {"armv7s", 12, 11},
	{"armv7k", 12, 12},       {"arm64", 12 | WIDE, 0},
	{"arm64e", 12 | WIDE, 2}, {"arm64_32", 12 | WIDE_SHORT, 1},
	{"ppc", 18, 0},           {"ppc64", 18 | WIDE, 0},
};

const char *const macho_processors[] = {"any",      "i386",   "x86_64", "x86_64h", "armv6",
                                        "armv7",    "armv7s", "armv7k", "arm64",   "arm64e",
                                        "arm64_32", "ppc",    "ppc64",  NULL};

/* Of this machine; 0: none of these. */
static const uint32_t own_processor =
#if defined(__x86_64__)
	7 | WIDE;
#elif defined(__i386__)
	7;
#elif defined(__aarch64__)
	12 | WIDE;
#elif defined(__arm__)
	12;
#elif defined(__powerpc64__)
	18 | WIDE;
#elif defined(__powerpc__)
	18;
#else
	0;
#endif

/* A part as the file states it. */
struct stated_part {
	uint32_t processor, variant;
	uint64_t at, length;
	bool is_image;
};

struct fat_file {
	struct stated_part parts[MOST_PARTS];
	uint32_t count, images;
	bool is_nested; /* a part has parts itself */
};

static uint32_t
big_word(const uint8_t *bytes)
{
	return gprofx_word_at(bytes, true);
}

static bool
is_thin(const uint8_t *bytes)
{
	uint32_t big = big_word(bytes), little = gprofx_word_at(bytes, false);

	return big == MAGIC || big == MAGIC_64 || little == MAGIC || little == MAGIC_64;
}

static bool
is_fat(const uint8_t *bytes)
{
	uint32_t magic = big_word(bytes), count = big_word(bytes + 4);

	return (magic == FAT_MAGIC || magic == FAT_MAGIC_64) && count > 0 && count <= MOST_PARTS;
}

int
macho_probe(const uint8_t *head, size_t bytes)
{
	if (bytes >= 4 && is_thin(head))
		return 100;
	return bytes >= FAT_HEADER && is_fat(head) ? 100 : 0;
}

static struct stated_part
stated_part(const struct gprofx_image *image, uint32_t index, bool is_64)
{
	const uint8_t *row = image->bytes + FAT_HEADER +
	                     (size_t)index * (is_64 ? FAT_ROW_64 : FAT_ROW);
	struct stated_part part = {.processor = big_word(row),
	                           .variant = big_word(row + 4) & VARIANT};

	part.at = is_64 ? gprofx_number_at(row + 8, 8, true) : big_word(row + 8);
	part.length = is_64 ? gprofx_number_at(row + 16, 8, true) : big_word(row + 12);
	part.is_image = part.at <= image->length && part.length <= image->length - part.at &&
	                part.length >= SMALLEST_IMAGE;
	return part;
}

/* Reads the list of parts; the file is fat. */
static enum gprofx_result
read_parts(const struct macho *macho, const struct gprofx_image *image, struct fat_file *fat)
{
	bool is_64 = big_word(image->bytes) == FAT_MAGIC_64;

	fat->count = big_word(image->bytes + 4);
	if ((image->length - FAT_HEADER) / (is_64 ? FAT_ROW_64 : FAT_ROW) < fat->count)
		return MACHO_REJECT(macho, image->length, macho_copy_again,
		                    "expected a list of %u images for different processors, found "
		                    "the end of the file",
		                    fat->count);
	for (uint32_t i = 0; i < fat->count; i++) {
		struct stated_part *part = &fat->parts[i];

		*part = stated_part(image, i, is_64);
		if (part->is_image && is_fat(image->bytes + part->at))
			fat->is_nested = true;
		part->is_image = part->is_image && is_thin(image->bytes + part->at);
		fat->images += part->is_image;
	}
	return GPROFX_OK;
}

/* The first image for a processor; that of the variant, if there is one.  count: there is none. */
static uint32_t
part_for(const struct fat_file *fat, uint32_t processor, uint32_t variant)
{
	uint32_t found = fat->count;

	for (uint32_t i = fat->count; i-- > 0;) {
		const struct stated_part *part = &fat->parts[i];

		if (!part->is_image || part->processor != processor)
			continue;
		if (found == fat->count || part->variant == variant ||
		    fat->parts[found].variant != variant)
			found = i;
	}
	return found;
}

static const char *
processor_name(const struct stated_part *part)
{
	const char *name = NULL;

	for (size_t i = 0; i < sizeof processors / sizeof processors[0]; i++) {
		if (processors[i].number != part->processor)
			continue;
		if (!name || processors[i].variant == part->variant)
			name = processors[i].name;
	}
	return name ? name : "another processor";
}

/* The processors of all images but one, with commas between them. */
static void
list_others(const struct fat_file *fat, uint32_t chosen, char list[LIST_ROOM])
{
	size_t used = 0;

	list[0] = '\0';
	for (uint32_t i = 0; i < fat->count && used < LIST_ROOM; i++)
		if (i != chosen && fat->parts[i].is_image)
			used += (size_t)snprintf(list + used, LIST_ROOM - used, "%s%s",
			                         used > 0 ? ", " : "",
			                         processor_name(&fat->parts[i]));
}

static uint32_t
chosen_part(const struct fat_file *fat, uint32_t processor)
{
	uint32_t chosen;

	if (processor > 0)
		return part_for(fat, processors[processor - 1].number,
		                processors[processor - 1].variant);
	chosen = part_for(fat, own_processor, 0);
	for (uint32_t i = 0; i < fat->count && chosen == fat->count; i++)
		if (fat->parts[i].is_image)
			chosen = i;
	return chosen;
}

enum gprofx_result
macho_choose(struct macho *macho, const struct gprofx_image *image, uint32_t processor,
             bool is_quiet, struct macho_part *part)
{
	struct fat_file fat = {.count = 0};
	char list[LIST_ROOM];
	uint32_t chosen;

	*part = (struct macho_part){0, image->length};
	if (image->length < FAT_HEADER || !is_fat(image->bytes))
		return GPROFX_OK;
	if (read_parts(macho, image, &fat) != GPROFX_OK)
		return GPROFX_FAILED;
	if (fat.images == 0)
		return MACHO_REJECT(macho, FAT_HEADER,
		                    "name a linked program, or take one part of the file out",
		                    "expected an image for each processor, found %s",
		                    fat.is_nested ? "further lists of images"
		                                  : "none that can be read");
	chosen = chosen_part(&fat, processor);
	list_others(&fat, chosen, list);
	if (chosen == fat.count)
		return MACHO_REJECT(macho, FAT_HEADER,
		                    "set symbols-macho.architecture to one that the file has",
		                    "expected an image for %s, found only %s",
		                    macho_processors[processor], list);
	if (fat.images > 1 && processor == 0 && !is_quiet)
		gprofx_warn(macho->gx,
		            MACHO_AT(macho, "macho.several-processors", FAT_HEADER,
		                     "choose one with --set=symbols-macho.architecture=NAME"),
		            "the file has images for several processors: that for %s is read, not "
		            "those for %s",
		            processor_name(&fat.parts[chosen]), list);
	*part = (struct macho_part){fat.parts[chosen].at, fat.parts[chosen].length};
	return GPROFX_OK;
}

/* Whether a part is an image of the same build, and of the same machine, as another one. */
static bool
is_of(struct macho *macho, const struct gprofx_image *file, struct macho_part part,
      const struct macho *other)
{
	return macho_open(macho, file, part) == GPROFX_OK && macho->uuid &&
	       memcmp(macho->uuid, other->uuid, MACHO_UUID) == 0 &&
	       macho->target.machine == other->target.machine &&
	       macho->target.pointer_bytes == other->target.pointer_bytes &&
	       macho->target.big_endian == other->target.big_endian;
}

bool
macho_find_other(struct macho *macho, const struct gprofx_image *file, const struct macho *other)
{
	struct fat_file fat = {.count = 0};
	const struct macho empty = *macho;

	if (macho_probe(file->bytes, file->length) == 0)
		return false;
	if (!is_fat(file->bytes))
		return is_of(macho, file, (struct macho_part){0, file->length}, other);
	if (read_parts(macho, file, &fat) != GPROFX_OK)
		return false;
	for (uint32_t i = 0; i < fat.count; i++) {
		*macho = empty;
		if (fat.parts[i].is_image &&
		    is_of(macho, file, (struct macho_part){fat.parts[i].at, fat.parts[i].length},
		          other))
			return true;
	}
	return false;
}
