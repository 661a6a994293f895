/* SPDX-License-Identifier: Apache-2.0 */
#include "places.h"

#include <string.h>

#include "../shared/rest-name.h"
#include "../shared/text-lines.h"
#include "ids.h"

enum { LONGEST_NAME = 512, MOST_ID_BYTES = 64, MOST_TIMES = 1000 };

/* Functions that are in several places of code have their name once for each of them. */
static enum gprofx_result
check_names(const struct pprof *p, const struct gprofx_raw_place *rows)
{
	const struct gprofx_diagnostic large = {
		.id = "pprof.too-large",
		.file = p->file->name,
		.hint = "if the file is compressed, decompress it with gunzip and name the result"};
	uint64_t left = MOST_TIMES * p->file->length;

	for (uint32_t i = 0; i < p->lines.count; i++) {
		uint64_t bytes = strlen(rows[i].function) +
		                 (rows[i].file ? strlen(rows[i].file) : 0);

		if (bytes > left)
			return gprofx_fail(p->gx, &large,
			                   "expected at most %d bytes of names for each byte of "
			                   "the file, found more",
			                   MOST_TIMES);
		left -= bytes;
	}
	return GPROFX_OK;
}

/* The first mapping is that of the program, whose functions are known by their names alone. */
static const char *
object_of(const struct pprof *p, const struct pprof_location *location)
{
	uint32_t item = location->mapping == 0 ? NO_ITEM
	                                       : ids_find(&p->mapping_ids, location->mapping);
	const char *path = "";

	if (item != NO_ITEM && item != 0)
		path = pprof_text(p, PPROF_ITEM(&p->mappings, struct pprof_mapping, item)->file);
	return *path ? path : NULL;
}

static struct gprofx_raw_place
place_of(const struct pprof *p, const struct pprof_line *line, bool is_inlined)
{
	const struct pprof_function *function = PPROF_ITEM(
		&p->functions, struct pprof_function, ids_find(&p->function_ids, line->function));
	const char *name = pprof_text(p, function->name), *file = pprof_text(p, function->file);
	uint64_t number = line->line;

	if (*name == '\0')
		name = pprof_text(p, function->system_name);
	return (struct gprofx_raw_place){.function = *name ? name : "?",
	                                 .file = *file ? file : NULL,
	                                 .line = number <= UINT32_MAX ? (uint32_t)number : 0,
	                                 .flags = is_inlined ? GPROFX_PLACE_INLINED : 0};
}

/* The lines of one location, all of which are in its object. */
static void
add_location(const struct pprof *p, struct gprofx_profile *profile,
             const struct pprof_location *location, const struct gprofx_raw_place *rows,
             uint32_t *numbers)
{
	const struct gprofx_profile_builder *builder = profile->builder;
	const char *object = object_of(p, location);
	uint32_t at = location->first_line, count = location->line_count;

	if (object && count > 0)
		builder->places_in(p->gx, profile, object, rows + at, count, numbers + at);
	else
		builder->places(p->gx, profile, rows + at, count, numbers + at);
}

static enum gprofx_result
add_lines(const struct pprof *p, struct gprofx_profile *profile, struct pprof_places *places)
{
	struct gprofx_raw_place *rows = gprofx_alloc(p->gx, p->lines.count * sizeof *rows);
	enum gprofx_result result;

	for (uint32_t i = 0; i < p->locations.count; i++) {
		const struct pprof_location *location = PPROF_ITEM(&p->locations,
		                                                   struct pprof_location, i);

		for (uint32_t k = 0; k < location->line_count; k++)
			rows[location->first_line + k] = place_of(
				p,
				PPROF_ITEM(&p->lines, struct pprof_line, location->first_line + k),
				k + 1 < location->line_count);
	}
	places->of_line = gprofx_alloc(p->gx, p->lines.count * sizeof *places->of_line);
	result = check_names(p, rows);
	for (uint32_t i = 0; i < p->locations.count && result == GPROFX_OK; i++)
		add_location(p, profile, PPROF_ITEM(&p->locations, struct pprof_location, i), rows,
		             places->of_line);
	p->gx->host->release(p->gx, rows);
	return result;
}

static uint32_t
kind_of(const char *path, uint32_t number)
{
	if (strstr(path, "[vdso]") || strstr(path, "linux-vdso"))
		return GPROFX_IMAGE_VDSO;
	if (strncmp(path, "[kernel", strlen("[kernel")) == 0)
		return GPROFX_IMAGE_KERNEL;
	if (*path != '/')
		return GPROFX_IMAGE_NAMES;
	/* The first one is the program. */
	return number == 0 ? GPROFX_IMAGE_PROGRAM : GPROFX_IMAGE_LIBRARY;
}

/* Build IDs are written in hexadecimal; Go writes other texts there, which are none. */
static uint32_t
read_build_id(const char *text, uint8_t id[MOST_ID_BYTES])
{
	size_t length = strlen(text);

	if (length % 2 != 0 || length > (size_t)2 * MOST_ID_BYTES)
		return 0;
	for (size_t i = 0; i < length; i += 2) {
		uint32_t high = text_hex_digit(text[i]), low = text_hex_digit(text[i + 1]);

		if (high > 15 || low > 15)
			return 0;
		id[i / 2] = (uint8_t)(high << 4 | low);
	}
	return (uint32_t)(length / 2);
}

static enum gprofx_result
add_mapping(const struct pprof *p, struct gprofx_profile *profile, uint32_t process, uint32_t i)
{
	const struct pprof_mapping *row = PPROF_ITEM(&p->mappings, struct pprof_mapping, i);
	const char *path = pprof_text(p, row->file);
	uint8_t build_id[MOST_ID_BYTES];
	struct gprofx_raw_image image = {.size = sizeof image, .build_id = build_id};
	struct gprofx_raw_mapping mapping = {.size = sizeof mapping,
	                                     .process = process,
	                                     .address = row->start,
	                                     .bytes = row->limit - row->start,
	                                     .is_in_file = true,
	                                     .offset = row->offset};

	if (row->limit <= row->start)
		return GPROFX_OK; /* No address is in it. */
	image.path = *path ? path : "[unknown]";
	image.kind = kind_of(path, i);
	image.build_id_bytes = read_build_id(pprof_text(p, row->build_id), build_id);
	mapping.image = profile->builder->image(p->gx, profile, p->file, &image);
	if (mapping.image == 0)
		return GPROFX_FAILED;
	return profile->builder->mapping(p->gx, profile, p->file, &mapping);
}

static enum gprofx_result
add_mappings(const struct pprof *p, struct gprofx_profile *profile, struct pprof_places *places)
{
	const struct gprofx_raw_process process = {.size = sizeof process};
	enum gprofx_result result = GPROFX_OK;

	places->process = profile->builder->process(p->gx, profile, p->file, &process);
	for (uint32_t i = 0; i < p->mappings.count && result == GPROFX_OK; i++)
		result = add_mapping(p, profile, places->process, i);
	return result;
}

enum gprofx_result
pprof_add_places(const struct pprof *p, struct gprofx_profile *profile, struct pprof_places *places)
{
	places->are_addresses = p->lines.count == 0 && p->locations.count > 0;
	if (places->are_addresses)
		return add_mappings(p, profile, places);
	places->of_image = gprofx_alloc(p->gx,
	                                (p->mappings.count + (size_t)1) * sizeof *places->of_image);
	return add_lines(p, profile, places);
}

void
pprof_release_places(struct gprofx *gx, struct pprof_places *places)
{
	gx->host->release(gx, places->of_line);
	gx->host->release(gx, places->of_image);
}

/* "[libc.so.6]" is all code of it that no line is known of. */
static uint32_t
add_unknown(const struct pprof *p, struct gprofx_profile *profile, uint32_t mapping)
{
	const char *path = "";
	char name[LONGEST_NAME];
	const struct gprofx_raw_place row = {.function = name};
	uint32_t number;

	if (mapping < p->mappings.count)
		path = pprof_text(p, PPROF_ITEM(&p->mappings, struct pprof_mapping, mapping)->file);
	rest_name(name, sizeof name, path);
	profile->builder->places(p->gx, profile, &row, 1, &number);
	return number;
}

uint32_t
pprof_place_of_mapping(const struct pprof *p, struct gprofx_profile *profile,
                       struct pprof_places *places, uint64_t mapping)
{
	uint32_t item = mapping == 0 ? NO_ITEM : ids_find(&p->mapping_ids, mapping);

	item = item == NO_ITEM ? p->mappings.count : item;
	/* Without a sample it would be a function without time. */
	if (places->of_image[item] == 0)
		places->of_image[item] = add_unknown(p, profile, item) + 1;
	return places->of_image[item] - 1;
}
