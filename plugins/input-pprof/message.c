/* SPDX-License-Identifier: Apache-2.0 */
#include "message.h"
#include "wire.h"

#include <string.h>

#include "../shared/grown.h"

enum { FEWEST_ITEMS = 64, MOST_ITEMS = 1 << 30 };

/* Numbers of fields, by message. */
enum {
	PROFILE_TYPE = 1,
	PROFILE_SAMPLE = 2,
	PROFILE_MAPPING = 3,
	PROFILE_LOCATION = 4,
	PROFILE_FUNCTION = 5,
	PROFILE_TEXT = 6,
	PROFILE_DROP_FRAMES = 7,
	PROFILE_PERIOD_TYPE = 11,
	PROFILE_PERIOD = 12,
	PROFILE_DEFAULT_TYPE = 14,
	LOCATION_LINE = 4
};

static const char write_again[] = "the file is damaged or no profile of pprof; write it again";

enum gprofx_result
pprof_fail(const struct pprof *p, const uint8_t *at, const char *id, const char *expected,
           const char *found)
{
	const struct gprofx_diagnostic diagnostic = gprofx_at(p->file, (uint64_t)(at - p->bytes),
	                                                      id, write_again);

	return gprofx_fail(p->gx, &diagnostic, "expected %s, found %s%s", expected, found,
	                   p->was_packed ? " (the place is that in the decompressed file)" : "");
}

static enum gprofx_result
fail_wire(const struct pprof *p, const struct wire *wire)
{
	return pprof_fail(p, wire->at, "pprof.damaged", "fields of a message", wire->fault);
}

static void *
add_item(const struct pprof *p, struct pprof_list *list, size_t bytes)
{
	list->items = grown(p->gx, list->items, bytes, &list->room, list->count + 1, FEWEST_ITEMS);
	return (char *)list->items + bytes * list->count++;
}

static void
add_id(const struct pprof *p, struct ids *ids, uint64_t id, uint32_t item)
{
	ids->items = grown(p->gx, ids->items, sizeof *ids->items, &ids->room, ids->count + 1,
	                   FEWEST_ITEMS);
	ids->items[ids->count++] = (struct id){id, item};
}

/* Where the value of a field goes, in a message that has nothing but numbers. */
struct number_field {
	uint32_t number;
	uint64_t *to;
};

static enum gprofx_result
fail_type(const struct pprof *p, const struct wire_field *field, const struct wire *wire)
{
	return pprof_fail(p, field->type == WIRE_BYTES ? field->bytes.at : wire->at,
	                  "pprof.damaged", "the type that the field has in profiles of pprof",
	                  "another one");
}

/* Of equal fields the last one counts; others are skipped. */
static enum gprofx_result
read_numbers(const struct pprof *p, struct wire wire, const struct number_field *fields,
             uint32_t count)
{
	struct wire_field field;

	while (wire_next(&wire, &field))
		for (uint32_t i = 0; i < count; i++) {
			if (fields[i].number != field.number)
				continue;
			if (field.type != WIRE_NUMBER)
				return fail_type(p, &field, &wire);
			*fields[i].to = field.value;
		}
	return wire.fault ? fail_wire(p, &wire) : GPROFX_OK;
}

static enum gprofx_result
read_type(const struct pprof *p, struct wire wire, struct pprof_type *type)
{
	const struct number_field fields[] = {{1, &type->type}, {2, &type->unit}};

	*type = (struct pprof_type){0, 0};
	return read_numbers(p, wire, fields, 2);
}

static enum gprofx_result
read_mapping(struct pprof *p, struct wire wire)
{
	struct pprof_mapping row = {0, 0, 0, 0, 0};
	uint64_t id = 0;
	const struct number_field fields[] = {{1, &id},        {2, &row.start},
	                                      {3, &row.limit}, {4, &row.offset},
	                                      {5, &row.file},  {6, &row.build_id}};

	if (read_numbers(p, wire, fields, 6) != GPROFX_OK)
		return GPROFX_FAILED;
	add_id(p, &p->mapping_ids, id, p->mappings.count);
	*(struct pprof_mapping *)add_item(p, &p->mappings, sizeof row) = row;
	return GPROFX_OK;
}

static enum gprofx_result
read_function(struct pprof *p, struct wire wire)
{
	struct pprof_function row = {0, 0, 0};
	uint64_t id = 0;
	const struct number_field fields[] = {{1, &id},
	                                      {2, &row.name},
	                                      {3, &row.system_name},
	                                      {4, &row.file}};

	if (read_numbers(p, wire, fields, 4) != GPROFX_OK)
		return GPROFX_FAILED;
	add_id(p, &p->function_ids, id, p->functions.count);
	*(struct pprof_function *)add_item(p, &p->functions, sizeof row) = row;
	return GPROFX_OK;
}

static enum gprofx_result
read_location(struct pprof *p, struct wire wire)
{
	struct pprof_location row = {.first_line = p->lines.count};
	uint64_t id = 0;
	const struct number_field fields[] = {{1, &id}, {2, &row.mapping}, {3, &row.address}};
	struct wire_field field;
	struct wire again = wire;

	if (read_numbers(p, wire, fields, 3) != GPROFX_OK)
		return GPROFX_FAILED;
	while (wire_next(&again, &field)) {
		struct pprof_line line = {0, 0};
		const struct number_field of_line[] = {{1, &line.function}, {2, &line.line}};

		if (field.number != LOCATION_LINE)
			continue;
		if (field.type != WIRE_BYTES)
			return fail_type(p, &field, &again);
		if (read_numbers(p, field.bytes, of_line, 2) != GPROFX_OK)
			return GPROFX_FAILED;
		*(struct pprof_line *)add_item(p, &p->lines, sizeof line) = line;
		row.line_count++;
	}
	add_id(p, &p->location_ids, id, p->locations.count);
	*(struct pprof_location *)add_item(p, &p->locations, sizeof row) = row;
	return GPROFX_OK;
}

/* A field of the profile that is a message or a text. */
static enum gprofx_result
read_part(struct pprof *p, const struct wire_field *field)
{
	switch (field->number) {
	case PROFILE_TYPE:
		return read_type(p, field->bytes,
		                 add_item(p, &p->types, sizeof(struct pprof_type)));
	case PROFILE_SAMPLE:
		p->sample_count++;
		return GPROFX_OK;
	case PROFILE_MAPPING:
		return read_mapping(p, field->bytes);
	case PROFILE_LOCATION:
		return read_location(p, field->bytes);
	case PROFILE_FUNCTION:
		return read_function(p, field->bytes);
	case PROFILE_TEXT:
		*(struct pprof_text *)add_item(p, &p->texts,
		                               sizeof(struct pprof_text)) = (struct pprof_text){
			field->bytes.at, (uint32_t)(field->bytes.end - field->bytes.at)};
		return GPROFX_OK;
	case PROFILE_PERIOD_TYPE:
		return read_type(p, field->bytes, &p->period_type);
	default:
		return GPROFX_OK;
	}
}

static enum gprofx_result
read_fields(struct pprof *p)
{
	struct wire wire = {.at = p->bytes, .end = p->bytes + p->length};
	struct wire_field field;

	while (wire_next(&wire, &field)) {
		bool has_parts = field.number <= PROFILE_TEXT ||
		                 field.number == PROFILE_PERIOD_TYPE;

		if (has_parts && field.type != WIRE_BYTES)
			return fail_type(p, &field, &wire);
		if (has_parts && read_part(p, &field) != GPROFX_OK)
			return GPROFX_FAILED;
		if ((field.number == PROFILE_DROP_FRAMES || field.number == PROFILE_PERIOD ||
		     field.number == PROFILE_DEFAULT_TYPE) &&
		    field.type != WIRE_NUMBER)
			return fail_type(p, &field, &wire);
		if (field.number == PROFILE_DROP_FRAMES)
			p->drop_frames = field.value;
		else if (field.number == PROFILE_PERIOD)
			p->period = field.value;
		else if (field.number == PROFILE_DEFAULT_TYPE)
			p->default_type = field.value;
	}
	return wire.fault ? fail_wire(p, &wire) : GPROFX_OK;
}

static enum gprofx_result
fail_reference(const struct pprof *p, const char *expected, const char *found)
{
	const struct gprofx_diagnostic diagnostic = {.id = "pprof.bad-reference",
	                                             .file = p->file->name,
	                                             .hint = write_again};

	return gprofx_fail(p->gx, &diagnostic, "expected %s, found %s", expected, found);
}

static bool
has_text(const struct pprof *p, uint64_t number)
{
	/* A profile without anything has not even the empty text. */
	return number < p->texts.count || number == 0;
}

static bool
has_texts(const struct pprof *p)
{
	bool has_all = has_text(p, p->default_type) && has_text(p, p->drop_frames) &&
	               has_text(p, p->period_type.type) && has_text(p, p->period_type.unit);

	for (uint32_t i = 0; i < p->types.count; i++) {
		const struct pprof_type *row = PPROF_ITEM(&p->types, struct pprof_type, i);

		has_all = has_all && has_text(p, row->type) && has_text(p, row->unit);
	}
	for (uint32_t i = 0; i < p->functions.count; i++) {
		const struct pprof_function *row = PPROF_ITEM(&p->functions, struct pprof_function,
		                                              i);

		has_all = has_all && has_text(p, row->name) && has_text(p, row->system_name) &&
		          has_text(p, row->file);
	}
	for (uint32_t i = 0; i < p->mappings.count; i++) {
		const struct pprof_mapping *row = PPROF_ITEM(&p->mappings, struct pprof_mapping, i);

		has_all = has_all && has_text(p, row->file) && has_text(p, row->build_id);
	}
	return has_all;
}

static enum gprofx_result
check_references(struct pprof *p)
{
	if (p->texts.count > 0 && PPROF_ITEM(&p->texts, struct pprof_text, 0)->length > 0)
		return fail_reference(p, "the empty text as the first one", "another one");
	if (!has_texts(p))
		return fail_reference(p, "numbers of texts of the profile", "a larger one");
	if (ids_sort(&p->function_ids) != NO_ITEM || ids_sort(&p->mapping_ids) != NO_ITEM ||
	    ids_sort(&p->location_ids) != NO_ITEM)
		return fail_reference(p,
		                      "an id of its own, other than 0, for each function, "
		                      "mapping and location",
		                      "one that has none");
	for (uint32_t i = 0; i < p->lines.count; i++)
		if (ids_find(&p->function_ids,
		             PPROF_ITEM(&p->lines, struct pprof_line, i)->function) == NO_ITEM)
			return fail_reference(p, "lines of functions of the profile",
			                      "one of another function");
	for (uint32_t i = 0; i < p->locations.count; i++) {
		uint64_t id = PPROF_ITEM(&p->locations, struct pprof_location, i)->mapping;

		if (id != 0 && ids_find(&p->mapping_ids, id) == NO_ITEM)
			return fail_reference(p, "locations in mappings of the profile",
			                      "one in another mapping");
	}
	return GPROFX_OK;
}

/* Names end with a NUL, and what is behind one distinguishes functions. */
static void
copy_texts(struct pprof *p)
{
	size_t bytes = 0;

	for (uint32_t i = 0; i < p->texts.count; i++)
		bytes += PPROF_ITEM(&p->texts, struct pprof_text, i)->length + (size_t)1;
	p->text_copies = gprofx_alloc(p->gx, bytes);
	p->text_at = gprofx_alloc(p->gx, p->texts.count * sizeof *p->text_at);
	bytes = 0;
	for (uint32_t i = 0; i < p->texts.count; i++) {
		struct pprof_text text = *PPROF_ITEM(&p->texts, struct pprof_text, i);
		char *copy = p->text_copies + bytes, *at;

		p->text_at[i] = bytes;
		memcpy(copy, text.bytes, text.length);
		copy[text.length] = '\0';
		while ((at = memchr(copy, '\0', text.length)) != NULL)
			*at = '?';
		bytes += text.length + (size_t)1;
	}
}

enum gprofx_result
pprof_read_message(struct pprof *p)
{
	/* Items are counted in 32 bits, and each takes two bytes at least. */
	if (p->length / 2 > MOST_ITEMS)
		return pprof_fail(p, p->bytes, "pprof.too-large", "at most 2 GiB",
		                  "a larger message");
	if (read_fields(p) != GPROFX_OK || check_references(p) != GPROFX_OK)
		return GPROFX_FAILED;
	copy_texts(p);
	return GPROFX_OK;
}

void
pprof_release(struct pprof *p)
{
	const struct gprofx_host *host = p->gx->host;
	struct pprof_list *lists[] = {&p->texts,    &p->types,     &p->functions,
	                              &p->mappings, &p->locations, &p->lines};
	struct ids *ids[] = {&p->function_ids, &p->mapping_ids, &p->location_ids};

	for (size_t i = 0; i < sizeof lists / sizeof lists[0]; i++)
		host->release(p->gx, lists[i]->items);
	for (size_t i = 0; i < sizeof ids / sizeof ids[0]; i++)
		host->release(p->gx, ids[i]->items);
	host->release(p->gx, p->text_copies);
	host->release(p->gx, p->text_at);
}

const char *
pprof_text(const struct pprof *p, uint64_t number)
{
	return number < p->texts.count ? p->text_copies + p->text_at[number] : "";
}
