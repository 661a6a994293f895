/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Units of .debug_info: what code they cover, and where their line table is.
 *
 * libdw finds the units.  Their first entries and lists of ranges are read here: in damaged files
 * many units may share one endless thing that libdw would read anew for each.
 */
#include "units.h"

#include <dwarf.h>
#include <string.h>

#include "entries.h"

enum {
	/*
	 * Attributes looked at: so many in any file, and for each byte of .debug_info.  Units
	 * share tables, and may name one that stands far behind in them.
	 */
	ATTRIBUTES_FREE = 1 << 21,
	ATTRIBUTES_PER_BYTE = 4
};

/* What one step in a list finds. */
enum step { STEP_RANGE, STEP_OTHER, STEP_END };

static struct gprofx_cursor
cursor_at(const struct dwarfsym_sections *sections, const struct dwarfsym_section *section,
          uint64_t offset)
{
	struct gprofx_cursor cursor = {section->bytes, section->length, offset, 0,
	                               sections->big_endian};

	if (cursor.at > cursor.length)
		cursor.at = cursor.length;
	return cursor;
}

/*
 * Goes through the attributes of an abbreviation.  entry: the values of the first entry, which are
 * kept, or NULL.
 */
static const char *
read_attributes(struct dwarfsym_units *units, struct gprofx_cursor *cursor,
                struct gprofx_cursor *entry)
{
	uint64_t most = ATTRIBUTES_FREE + ATTRIBUTES_PER_BYTE * units->sections->info.length;
	const char *wrong = NULL;

	while (!wrong) {
		uint64_t name = dwarfsym_uleb(cursor), code = dwarfsym_uleb(cursor);
		struct dwarfsym_form form = {name <= UINT16_MAX ? (uint16_t)name : 0,
		                             (uint16_t)code, 0};

		if (++units->attributes_seen > most)
			return "too many attributes";
		if (name == 0 && code == 0)
			break;
		if (code == DW_FORM_implicit_const)
			form.value = dwarfsym_sleb(cursor);
		if (entry && code > UINT16_MAX)
			wrong = "an attribute of it is of an unknown form";
		else if (entry)
			wrong = dwarfsym_read_attribute(&units->unit, &form, entry,
			                                &units->attributes);
	}
	return wrong;
}

/*
 * Reads the first entry of the unit at hand.  Its abbreviation is mostly the first of its table,
 * which is not read any further.  Returns NULL, or what is wrong.
 */
static const char *
read_first_entry(struct dwarfsym_units *units)
{
	const struct dwarfsym_sections *sections = units->sections;
	struct gprofx_cursor entry = cursor_at(sections, &sections->info, units->unit.entry);
	struct gprofx_cursor cursor = cursor_at(sections, &sections->abbreviations,
	                                        units->abbreviations);
	const char *wrong = NULL;
	uint64_t wanted, code;

	memset(&units->attributes, 0, sizeof units->attributes);
	entry.length = units->unit.end;
	if (entry.at >= entry.length)
		return "it has no entries";
	wanted = dwarfsym_uleb(&entry);
	do {
		code = dwarfsym_uleb(&cursor);
		dwarfsym_uleb(&cursor);    /* tag */
		gprofx_number(&cursor, 1); /* whether it has children */
		wrong = read_attributes(units, &cursor, code == wanted ? &entry : NULL);
	} while (!wrong && code != wanted && code != 0 && gprofx_left(&cursor) > 0);
	return wrong;
}

bool
dwarfsym_next_unit(struct dwarfsym_units *units, const char **wrong)
{
	const uint64_t length = units->sections->info.length;
	struct dwarfsym_unit *unit = &units->unit;
	Dwarf_Off here = units->next;
	size_t header_bytes;
	int result;

	memset(unit, 0, sizeof *unit);
	result = dwarf_next_unit(units->dwarf, here, &units->next, &header_bytes, &unit->version,
	                         &units->abbreviations, &unit->address_bytes, &unit->offset_bytes,
	                         NULL, NULL);
	if (result > 0)
		return false;
	if (result < 0) {
		*wrong = dwarf_errmsg(-1);
		return false;
	}
	unit->start = here;
	unit->entry = here + header_bytes;
	unit->end = units->next < length ? units->next : length;
	*wrong = read_first_entry(units);
	if (*wrong)
		return false;
	dwarfsym_describe_unit(units->sections, &units->attributes, unit);
	return true;
}

uint64_t
dwarfsym_indexed_address(const struct dwarfsym_ranges *list, uint64_t index)
{
	uint64_t bytes = list->address_bytes;

	if (index >= list->addresses.length / bytes)
		return 0;
	return gprofx_number_at(list->addresses.bytes + index * bytes, (uint32_t)bytes,
	                        list->cursor.big_endian);
}

/* Versions 2 to 4: pairs of addresses. */
static enum step
next_pair(struct dwarfsym_ranges *list, uint64_t *start, uint64_t *end)
{
	uint64_t highest = UINT64_MAX >> (64 - 8 * list->address_bytes);

	*start = gprofx_number(&list->cursor, list->address_bytes);
	*end = gprofx_number(&list->cursor, list->address_bytes);
	if (list->cursor.short_by || (*start == 0 && *end == 0))
		return STEP_END;
	if (*start == highest) {
		list->base = *end;
		return STEP_OTHER;
	}
	*start += list->base;
	*end += list->base;
	return STEP_RANGE;
}

/* Version 5: entries of several kinds. */
static enum step
next_entry(struct dwarfsym_ranges *list, uint64_t *start, uint64_t *end)
{
	struct gprofx_cursor *cursor = &list->cursor;

	switch (gprofx_number(cursor, 1)) {
	case DW_RLE_base_addressx:
		list->base = dwarfsym_indexed_address(list, dwarfsym_uleb(cursor));
		return STEP_OTHER;
	case DW_RLE_startx_endx:
		*start = dwarfsym_indexed_address(list, dwarfsym_uleb(cursor));
		*end = dwarfsym_indexed_address(list, dwarfsym_uleb(cursor));
		break;
	case DW_RLE_startx_length:
		*start = dwarfsym_indexed_address(list, dwarfsym_uleb(cursor));
		*end = *start + dwarfsym_uleb(cursor);
		break;
	case DW_RLE_offset_pair:
		*start = list->base + dwarfsym_uleb(cursor);
		*end = list->base + dwarfsym_uleb(cursor);
		break;
	case DW_RLE_base_address:
		list->base = gprofx_number(cursor, list->address_bytes);
		return STEP_OTHER;
	case DW_RLE_start_end:
		*start = gprofx_number(cursor, list->address_bytes);
		*end = gprofx_number(cursor, list->address_bytes);
		break;
	case DW_RLE_start_length:
		*start = gprofx_number(cursor, list->address_bytes);
		*end = *start + dwarfsym_uleb(cursor);
		break;
	default:
		return STEP_END;
	}
	return cursor->short_by ? STEP_END : STEP_RANGE;
}

bool
dwarfsym_next_range(struct dwarfsym_ranges *list, uint64_t *start, uint64_t *end)
{
	enum step step;

	do {
		uint64_t before = list->cursor.at;

		step = list->version < 5 ? next_pair(list, start, end)
		                         : next_entry(list, start, end);
		*list->bytes_seen += list->cursor.at - before;
		if (dwarfsym_ranges_overlap(list))
			return false;
	} while (step == STEP_OTHER);
	return step == STEP_RANGE;
}

bool
dwarfsym_ranges_overlap(const struct dwarfsym_ranges *list)
{
	return *list->bytes_seen > list->most_bytes;
}

const char *
dwarfsym_open_ranges(const struct dwarfsym_sections *sections, const struct dwarfsym_unit *unit,
                     const struct dwarfsym_value *value, struct dwarfsym_ranges *list)
{
	const struct dwarfsym_section *section = unit->version < 5 ? &sections->ranges
	                                                           : &sections->range_lists;
	struct dwarfsym_section addresses = sections->addresses;
	uint64_t offset;

	if (unit->address_bytes < 1 || unit->address_bytes > 8 ||
	    !dwarfsym_value_ranges(sections, unit, value, &offset) || offset >= section->length)
		return "its list of ranges is not there";
	if (unit->address_base > addresses.length)
		addresses.length = 0;
	else if (addresses.bytes) {
		addresses.bytes += unit->address_base;
		addresses.length -= unit->address_base;
	}
	list->cursor = cursor_at(sections, section, offset);
	list->version = unit->version;
	list->address_bytes = unit->address_bytes;
	list->base = unit->base;
	list->addresses = addresses;
	return NULL;
}

/* Whether an open address is in the unit's list; *empty: the list has no range. */
static bool
list_is_wanted(struct dwarfsym_units *units, struct dwarfsym_search *search, bool *empty,
               const char **wrong)
{
	struct dwarfsym_ranges list = {.bytes_seen = &units->range_bytes_seen};
	uint64_t shift = units->sections->shift, start, end;

	*wrong = dwarfsym_open_ranges(units->sections, &units->unit, &units->attributes.ranges,
	                              &list);
	if (*wrong)
		return false;
	/* Lists lie side by side. */
	list.most_bytes = list.cursor.length;
	while (dwarfsym_next_range(&list, &start, &end)) {
		if (start >= end)
			continue;
		*empty = false;
		if (dwarfsym_search_wants(search, start - shift, end - shift))
			return true;
	}
	if (dwarfsym_ranges_overlap(&list))
		*wrong = "its list of ranges overlaps another one";
	return false;
}

bool
dwarfsym_unit_is_wanted(struct dwarfsym_units *units, struct dwarfsym_search *search,
                        const char **wrong)
{
	const struct dwarfsym_sections *sections = units->sections;
	uint64_t shift = sections->shift, start, end;
	bool empty = true;

	if (dwarfsym_value_bounds(sections, &units->unit, &units->attributes, &start, &end)) {
		if (start < end)
			return dwarfsym_search_wants(search, start - shift, end - shift);
	} else if (units->attributes.ranges.form) {
		if (list_is_wanted(units, search, &empty, wrong))
			return true;
	}
	return empty && !*wrong && dwarfsym_search_wants(search, 0, UINT64_MAX);
}

bool
dwarfsym_unit_lines(struct dwarfsym_units *units, uint64_t *offset, const char **folder,
                    const char **wrong)
{
	const struct dwarfsym_attributes *attributes = &units->attributes;

	if (!attributes->lines.form)
		return false;
	if (!dwarfsym_value_number(&attributes->lines, offset) ||
	    *offset >= units->sections->line.length) {
		*wrong = "its line table is not there";
		return false;
	}
	if (attributes->folder.form == DW_FORM_strp_sup ||
	    attributes->folder.form == DW_FORM_GNU_strp_alt)
		*folder = dwarfsym_string_at(&units->sections->shared_strings,
		                             attributes->folder.number);
	else
		*folder = dwarfsym_value_string(units->sections, &units->unit, &attributes->folder);
	return true;
}
