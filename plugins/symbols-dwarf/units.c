/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Units of .debug_info: what code they cover, and where their line table is.
 *
 * libdw reads the entries.  Two things are done before it or in its place, because in damaged files
 * many units may share one endless thing that libdw would read anew for each: first entries and
 * their abbreviations are measured first, and lists of ranges are read here.
 */
#include "units.h"

#include <dwarf.h>

#include "entries.h"

enum {
	/* Attributes looked at: so many in any file, and for each byte of .debug_info. */
	ATTRIBUTES_FREE = 1 << 25,
	ATTRIBUTES_PER_BYTE = 4,
	/* Bytes that libdw reads of a number of 7 bits a byte. */
	LONGEST_NUMBER = 10
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

/* A number as libdw reads one: it stops after so many bytes and keeps 32 bits.  *odd: others do
 * not.
 */
static uint64_t
small_number(struct gprofx_cursor *cursor, bool *odd)
{
	uint64_t begin = cursor->at, number = dwarfsym_uleb(cursor);

	*odd = *odd || number > UINT32_MAX || cursor->at - begin > LONGEST_NUMBER;
	return number;
}

/* Moves behind a value that libdw finds the end of in the same place. */
static const char *
skip_value(const struct dwarfsym_unit *layout, uint64_t form, struct gprofx_cursor *entry)
{
	const struct dwarfsym_form written = {.form = (uint16_t)form};
	uint64_t begin = entry->at;
	struct dwarfsym_value value;
	const char *wrong = form > UINT16_MAX
	                            ? "an attribute of it is of an unknown form"
	                            : dwarfsym_read_value(layout, &written, entry, &value);

	if (wrong)
		return wrong;
	switch (value.form) {
	case DW_FORM_block:
	case DW_FORM_block1:
	case DW_FORM_block2:
	case DW_FORM_block4:
	case DW_FORM_data16:
	case DW_FORM_exprloc:
	case DW_FORM_string:
		return NULL;
	default:
		return entry->at - begin > LONGEST_NUMBER ? "a number in it is too long" : NULL;
	}
}

/* Goes through the attributes of an abbreviation; entry: their values, or NULL. */
static const char *
check_attributes(struct dwarfsym_units *units, struct gprofx_cursor *cursor, bool *odd,
                 struct gprofx_cursor *entry)
{
	const struct dwarfsym_unit layout = {.version = units->version,
	                                     .address_bytes = units->address_bytes,
	                                     .offset_bytes = units->offset_bytes};
	uint64_t most = ATTRIBUTES_FREE + ATTRIBUTES_PER_BYTE * units->sections->info.length;
	const char *wrong = NULL;

	while (!wrong) {
		uint64_t name = small_number(cursor, odd), form = small_number(cursor, odd);

		if (++units->attributes_seen > most)
			return "too many attributes";
		if (name == 0 && form == 0)
			break;
		if (form == DW_FORM_implicit_const) {
			uint64_t begin = cursor->at;

			dwarfsym_sleb(cursor);
			*odd = *odd || cursor->at - begin > LONGEST_NUMBER;
		}
		if (entry)
			wrong = skip_value(&layout, form, entry);
	}
	return wrong;
}

/*
 * libdw does not look where a unit ends while it goes over the values of an entry, and looking for
 * an abbreviation can be endless.  Returns NULL, or what is wrong with the first entry.
 */
static const char *
check_first_entry(struct dwarfsym_units *units)
{
	const struct dwarfsym_sections *sections = units->sections;
	struct gprofx_cursor entry = cursor_at(sections, &sections->info, units->entry);
	struct gprofx_cursor cursor = cursor_at(sections, &sections->abbreviations,
	                                        units->abbreviations);
	const char *wrong = NULL;
	uint64_t wanted, code;
	bool odd = false;

	if (units->next < entry.length)
		entry.length = units->next;
	if (entry.at >= entry.length)
		return "it has no entries";
	wanted = small_number(&entry, &odd);
	do {
		code = small_number(&cursor, &odd);
		small_number(&cursor, &odd); /* tag */
		gprofx_number(&cursor, 1);   /* whether it has children */
		wrong = check_attributes(units, &cursor, &odd, code == wanted ? &entry : NULL);
	} while (!wrong && code != wanted && code != 0 && gprofx_left(&cursor) > 0);
	return !wrong && odd ? "a number in its abbreviations is too large" : wrong;
}

bool
dwarfsym_next_unit(struct dwarfsym_units *units, const char **wrong)
{
	Dwarf_Off here = units->next, abbreviations;
	size_t header_bytes;
	int result = dwarf_next_unit(units->dwarf, here, &units->next, &header_bytes,
	                             &units->version, &abbreviations, &units->address_bytes,
	                             &units->offset_bytes, NULL, NULL);

	if (result > 0)
		return false;
	if (result == 0) {
		units->start = here;
		units->entry = here + header_bytes;
		units->abbreviations = abbreviations;
		*wrong = check_first_entry(units);
		if (*wrong)
			return false;
	}
	if (result < 0 || !dwarf_offdie(units->dwarf, units->entry, &units->die)) {
		*wrong = dwarf_errmsg(-1);
		return false;
	}
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
		step = list->version < 5 ? next_pair(list, start, end)
		                         : next_entry(list, start, end);
	} while (step == STEP_OTHER);
	return step == STEP_RANGE;
}

/* The part of .debug_addr that belongs to the unit at hand. */
static struct dwarfsym_section
unit_addresses(struct dwarfsym_units *units)
{
	struct dwarfsym_section addresses = units->sections->addresses;
	Dwarf_Attribute attribute;
	Dwarf_Word start = 0;

	if (dwarf_formudata(dwarf_attr(&units->die, DW_AT_addr_base, &attribute), &start) != 0 ||
	    start > addresses.length)
		start = addresses.length;
	if (addresses.bytes)
		addresses.bytes += start;
	addresses.length -= start;
	return addresses;
}

/* Whether an open address is in the list at an offset; *empty: the list has no range. */
static bool
list_is_wanted(struct dwarfsym_units *units, uint64_t offset, struct dwarfsym_search *search,
               bool *empty, const char **wrong)
{
	const struct dwarfsym_sections *sections = units->sections;
	const struct dwarfsym_section *section = units->version < 5 ? &sections->ranges
	                                                            : &sections->range_lists;
	struct dwarfsym_ranges list = {.cursor = cursor_at(sections, section, offset),
	                               .version = units->version,
	                               .address_bytes = units->address_bytes};
	uint64_t shift = sections->shift, start, end, before = list.cursor.at;

	if (dwarf_lowpc(&units->die, &list.base) != 0)
		list.base = 0;
	if (units->version >= 5)
		list.addresses = unit_addresses(units);
	while (dwarfsym_next_range(&list, &start, &end)) {
		/* Lists lie side by side. */
		units->range_bytes_seen += list.cursor.at - before;
		before = list.cursor.at;
		if (units->range_bytes_seen > section->length) {
			*wrong = "its list of ranges overlaps another one";
			return false;
		}
		if (start >= end)
			continue;
		*empty = false;
		if (dwarfsym_search_wants(search, start - shift, end - shift))
			return true;
	}
	return false;
}

bool
dwarfsym_unit_is_wanted(struct dwarfsym_units *units, struct dwarfsym_search *search,
                        const char **wrong)
{
	uint64_t shift = units->sections->shift;
	Dwarf_Attribute attribute;
	Dwarf_Addr start, end;
	Dwarf_Word offset;
	bool empty = true;

	if (dwarf_highpc(&units->die, &end) == 0 && dwarf_lowpc(&units->die, &start) == 0) {
		if (start < end)
			return dwarfsym_search_wants(search, start - shift, end - shift);
	} else if (dwarf_attr(&units->die, DW_AT_ranges, &attribute)) {
		if (units->address_bytes < 1 || units->address_bytes > 8 ||
		    dwarf_formudata(&attribute, &offset) != 0) {
			*wrong = "its list of ranges is not there";
			return false;
		}
		if (list_is_wanted(units, offset, search, &empty, wrong))
			return true;
	}
	return empty && !*wrong && dwarfsym_search_wants(search, 0, UINT64_MAX);
}

bool
dwarfsym_unit_lines(struct dwarfsym_units *units, uint64_t *offset, const char **folder,
                    const char **wrong)
{
	Dwarf_Attribute attribute;

	if (!dwarf_attr(&units->die, DW_AT_stmt_list, &attribute))
		return false;
	if (dwarf_formudata(&attribute, offset) != 0) {
		*wrong = "its line table is not there";
		return false;
	}
	*folder = dwarf_formstring(dwarf_attr(&units->die, DW_AT_comp_dir, &attribute));
	return true;
}
