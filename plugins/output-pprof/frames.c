/* SPDX-License-Identifier: Apache-2.0 */
#include "frames.h"

#include <string.h>

#include "../shared/export-names.h"

enum { FEWEST_TEXTS = 256, HEX_DIGITS_OF_BYTE = 2 };

/* Fields of messages, as in https://github.com/google/pprof/blob/main/proto/profile.proto. */
enum {
	PROFILE_MAPPING = 3,
	PROFILE_LOCATION = 4,
	PROFILE_FUNCTION = 5,
	MAPPING_ID = 1,
	MAPPING_START = 2,
	MAPPING_LIMIT = 3,
	MAPPING_OFFSET = 4,
	MAPPING_FILE = 5,
	MAPPING_BUILD_ID = 6,
	MAPPING_HAS_FUNCTIONS = 7,
	MAPPING_HAS_FILES = 8,
	MAPPING_HAS_LINES = 9,
	MAPPING_HAS_INLINED = 10,
	LOCATION_ID = 1,
	LOCATION_MAPPING = 2,
	LOCATION_ADDRESS = 3,
	LOCATION_LINE = 4,
	LINE_FUNCTION = 1,
	LINE_LINE = 2,
	FUNCTION_ID = 1,
	FUNCTION_NAME = 2,
	FUNCTION_SYSTEM_NAME = 3,
	FUNCTION_FILE = 4,
	FUNCTION_LINE = 5
};

uint32_t
texts_add(struct gprofx *gx, struct texts *texts, struct gprofx_text text)
{
	if (texts->count == texts->room) {
		size_t old = texts->room * sizeof *texts->items;

		texts->room = texts->room == 0 ? FEWEST_TEXTS : 2 * texts->room;
		texts->items = gx->host->grow(gx, texts->items, old,
		                              texts->room * sizeof *texts->items);
	}
	texts->items[texts->count] = text;
	return texts->count++;
}

/* A text of the report, which can have any bytes; NULL: none. */
static uint32_t
add(struct frames *f, const char *text)
{
	if (!text || !text[0])
		return 0;
	return texts_add(f->gx, f->texts, export_word(f->gx, text));
}

static uint32_t
add_build_id(struct frames *f, const uint8_t *bytes, uint32_t count)
{
	static const char digits[] = "0123456789abcdef";
	char *hex;

	if (!bytes || count == 0)
		return 0;
	hex = gprofx_alloc(f->gx, (size_t)HEX_DIGITS_OF_BYTE * count);
	for (uint32_t i = 0; i < count; i++) {
		hex[2 * i] = digits[bytes[i] >> 4];
		hex[2 * i + 1] = digits[bytes[i] & 0xf];
	}
	return texts_add(f->gx, f->texts,
	                 (struct gprofx_text){hex, (size_t)HEX_DIGITS_OF_BYTE * count});
}

/* The files of the program, if there is one, and of the other images, and where their code is. */
static void
make_mappings(struct frames *f)
{
	const struct gprofx_report_origin *origin = f->report->origin;
	size_t count = (size_t)origin->image_count + 1;

	f->mapping_file = gprofx_alloc(f->gx, count * sizeof *f->mapping_file);
	f->mapping_build_id = gprofx_alloc(f->gx, count * sizeof *f->mapping_build_id);
	f->mapping_file[0] = add(f, origin->image);
	f->mapping_build_id[0] = add_build_id(f, origin->build_id, origin->build_id_bytes);
	for (uint32_t i = 0; i < origin->image_count; i++) {
		const struct gprofx_code_image *image = gprofx_image_at(f->report, i);

		f->mapping_file[i + 1] = add(f, image->path && image->path[0] ? image->path
		                                                              : image->name);
		f->mapping_build_id[i + 1] = add_build_id(f, image->build_id,
		                                          image->build_id_bytes);
	}
	mappings_make(f->gx, f->report, &f->mappings);
}

/* Without a program, addresses mean nothing, and those of two builds are not of one image. */
static bool
has_addresses(const struct frames *f, uint32_t image)
{
	return !f->report->comparison && (image != 0 || f->report->origin->image);
}

/* Finds the mapping of a location, and where in it an address of its image is; NULL: not known. */
static void
map_location(struct frames *f, uint32_t node, const uint64_t *address,
             struct frame_location *location)
{
	const struct gprofx_report_functions *functions = f->report->functions;
	uint32_t image = functions->image && node < functions->count ? functions->image[node] : 0;
	uint64_t at = address ? *address : 0;

	location->address = 0;
	if (!has_addresses(f, image))
		return;
	location->mapping = (uint32_t)mappings_find(&f->mappings, image, &at);
	if (address)
		location->address = at;
}

static void
make_function(struct frames *f, uint32_t node)
{
	const struct gprofx_report *report = f->report;
	struct frame_function *function = &f->functions[node];
	struct frame_location *location = &f->locations[node];
	bool is_place;

	function->name = texts_add(f->gx, f->texts, f->names[node]);
	location->function = node;
	if (node >= report->functions->count)
		return;
	is_place = (report->graph->flags[node] & (GPROFX_NODE_OUTSIDE | GPROFX_NODE_INDIRECT)) == 0;
	map_location(f, node, is_place ? &report->functions->address[node] : NULL, location);
	/*
	 * A system name that equals the name would have readers demangle it, which takes what
	 * stands in brackets off.
	 */
	if (report->functions->raw_name[node] &&
	    (strlen(report->functions->raw_name[node]) != f->names[node].length ||
	     memcmp(report->functions->raw_name[node], f->names[node].bytes,
	            f->names[node].length) != 0))
		function->system_name = add(f, report->functions->raw_name[node]);
	function->file = add(f, report->services->source(report, node, &function->line));
	location->line = function->line;
}

/* Inlined subroutines of one name are one function. */
static void
make_places(struct frames *f)
{
	const struct gprofx_report_contexts *contexts = f->contexts;
	uint32_t count = f->place_count, distinct, *number, *function;
	struct gprofx_text *texts;

	texts = gprofx_alloc(f->gx, ((size_t)count + 1) * sizeof *texts);
	function = gprofx_alloc(f->gx, ((size_t)count + 1) * sizeof *function);
	for (uint32_t i = 0; i < count; i++) {
		const char *name = contexts->place_name[i] ? contexts->place_name[i] : "";

		texts[i] = (struct gprofx_text){name, strlen(name)};
	}
	number = export_distinct(f->gx, texts, count, &distinct);
	for (uint32_t i = 0; i < count; i++) {
		uint32_t row = f->node_count + i;
		struct frame_location *location = &f->locations[row];

		location->address = contexts->place_address[i];
		location->line = contexts->place_line[i];
		if (!contexts->place_name[i])
			continue;
		if (function[number[i]] == 0) {
			function[number[i]] = row;
			f->functions[row].name = add(f, contexts->place_name[i]);
			f->functions[row].file = add(f, contexts->place_file[i]);
		}
		location->function = function[number[i]];
	}
}

void
frames_make(struct frames *f)
{
	f->place_count = f->contexts && f->contexts->place ? f->contexts->place_count : 0;
	f->row_count = f->node_count + f->place_count + FRAMES_MADE_UP;
	f->functions = gprofx_alloc(f->gx, f->row_count * sizeof *f->functions);
	f->locations = gprofx_alloc(f->gx, f->row_count * sizeof *f->locations);
	f->names = export_names(f->gx, f->report, f->node_count, f->is_used, NULL);
	make_mappings(f);
	for (uint32_t i = 0; i < f->node_count; i++)
		if (f->is_used[i])
			make_function(f, i);
	make_places(f);
}

void
frames_make_up(struct frames *f, enum frames_made_up which, struct gprofx_text name)
{
	uint32_t row = f->node_count + f->place_count + which;

	f->functions[row].name = texts_add(f->gx, f->texts, name);
	f->locations[row].function = row;
}

static uint64_t
id_of(struct frames *f, uint32_t row)
{
	struct frame_location *location = &f->locations[row];
	struct frame_function *function = &f->functions[location->function];

	if (location->id == 0)
		location->id = ++f->location_ids;
	if (function->id == 0)
		function->id = ++f->function_ids;
	return location->id;
}

uint64_t
frames_of_node(struct frames *f, uint32_t node)
{
	return id_of(f, node);
}

uint64_t
frames_made_up(struct frames *f, enum frames_made_up which)
{
	return id_of(f, f->node_count + f->place_count + which);
}

/* A place of a function that is in another file than the function has no line there. */
static void
fit_place(struct frames *f, uint32_t node, uint32_t place)
{
	struct frame_location *location = &f->locations[f->node_count + place];
	const struct gprofx_report_contexts *contexts = f->contexts;
	const char *file = contexts->place_file[place], *own;
	uint32_t line;

	map_location(f, node, location->address != 0 ? &location->address : NULL, location);
	if (contexts->place_name[place])
		return;
	location->function = node;
	own = node < f->report->functions->count
	              ? f->report->services->source(f->report, node, &line)
	              : NULL;
	if (location->line != 0 && (!file || !own || strcmp(file, own) != 0))
		location->line = 0;
}

uint64_t
frames_of_context(struct frames *f, uint32_t context)
{
	uint32_t node = f->contexts->node[context];
	uint32_t place = f->contexts->place ? f->contexts->place[context] : GPROFX_NO_PLACE;
	const struct frame_location *location;

	if (place == GPROFX_NO_PLACE)
		return id_of(f, node);
	location = &f->locations[f->node_count + place];
	if (location->id == 0)
		fit_place(f, node, place);
	/* Nothing is known of the place: it is the function as a whole. */
	if (!f->contexts->place_name[place] && location->line == 0 && location->address == 0)
		return id_of(f, node);
	return id_of(f, f->node_count + place);
}

static void
put_mappings(const struct frames *f, struct zip *zip, struct message *m)
{
	const uint32_t *number = f->texts->number;

	for (uint32_t i = 0; i < f->mappings.count; i++) {
		const struct mapping *mapping = &f->mappings.rows[i];

		if (!has_addresses(f, mapping->image))
			continue;
		message_clear(m);
		message_field(m, MAPPING_ID, (uint64_t)i + 1);
		message_field(m, MAPPING_START, mapping->start);
		message_field(m, MAPPING_LIMIT, mapping->limit);
		message_field(m, MAPPING_OFFSET, mapping->offset);
		message_field(m, MAPPING_FILE, number[f->mapping_file[mapping->image]]);
		message_field(m, MAPPING_BUILD_ID, number[f->mapping_build_id[mapping->image]]);
		/* Otherwise readers look for these in the object. */
		for (uint32_t k = MAPPING_HAS_FUNCTIONS; k <= MAPPING_HAS_INLINED; k++)
			message_field(m, k, 1);
		zip_message(zip, PROFILE_MAPPING, m);
	}
}

static void
put_location(const struct frames *f, const struct frame_location *location, struct zip *zip,
             struct message *m, struct message *line)
{
	message_clear(line);
	message_field(line, LINE_FUNCTION, f->functions[location->function].id);
	message_field(line, LINE_LINE, location->line);
	message_clear(m);
	message_field(m, LOCATION_ID, location->id);
	message_field(m, LOCATION_MAPPING, location->mapping);
	message_field(m, LOCATION_ADDRESS, location->address);
	message_bytes(m, LOCATION_LINE, line->bytes, line->length);
	zip_message(zip, PROFILE_LOCATION, m);
}

static void
put_function(const struct frames *f, const struct frame_function *function, struct zip *zip,
             struct message *m)
{
	const uint32_t *number = f->texts->number;

	message_clear(m);
	message_field(m, FUNCTION_ID, function->id);
	message_field(m, FUNCTION_NAME, number[function->name]);
	message_field(m, FUNCTION_SYSTEM_NAME, number[function->system_name]);
	message_field(m, FUNCTION_FILE, number[function->file]);
	message_field(m, FUNCTION_LINE, function->line);
	zip_message(zip, PROFILE_FUNCTION, m);
}

void
frames_put(const struct frames *f, struct zip *zip)
{
	struct message m = {.gx = f->gx}, line = {.gx = f->gx};

	put_mappings(f, zip, &m);
	for (uint32_t i = 0; i < f->row_count; i++)
		if (f->locations[i].id != 0)
			put_location(f, &f->locations[i], zip, &m, &line);
	for (uint32_t i = 0; i < f->row_count; i++)
		if (f->functions[i].id != 0)
			put_function(f, &f->functions[i], zip, &m);
	f->gx->host->release(f->gx, m.bytes);
	f->gx->host->release(f->gx, line.bytes);
}
