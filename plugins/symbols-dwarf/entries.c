/* SPDX-License-Identifier: Apache-2.0 */
/* Entries of .debug_info one after the other, from its bytes. */
#include "entries.h"

#include <dwarf.h>
#include <string.h>

#include "line-table.h"

enum {
	/*
	 * Forms looked at: so many in any file, and for each byte of .debug_info.  Programs seen
	 * (ceph-osd, librados, libpython, cargo) have 0.08 to 0.37 for each byte.
	 */
	FORMS_FREE = 1 << 21,
	FORMS_PER_BYTE = 8,
	/*
	 * Bytes of tables of abbreviations: so many in any file, and for each byte of the section.
	 * Tables do not overlap; one is read again only for units of another layout.  In the
	 * programs seen each byte is read once.
	 */
	TABLE_BYTES_FREE = 1 << 16,
	TABLE_BYTES_PER_BYTE = 4,
	VARIES = -1,
	FORM_UNKNOWN = -2
};

uint32_t *
dwarfsym_map_at(struct gprofx *gx, struct dwarfsym_map *map, uint64_t key)
{
	uint32_t at;

	if (2 * map->count >= map->size) {
		struct dwarfsym_map larger = {.size = map->size ? 2 * map->size : 256};

		larger.keys = gprofx_alloc(gx, (size_t)larger.size * sizeof *larger.keys);
		larger.values = gprofx_alloc(gx, (size_t)larger.size * sizeof *larger.values);
		for (uint32_t i = 0; i < map->size; i++)
			if (map->values[i] != 0)
				*dwarfsym_map_at(gx, &larger, map->keys[i]) = map->values[i];
		gx->host->release(gx, map->keys);
		gx->host->release(gx, map->values);
		*map = larger;
	}
	at = (uint32_t)(key * 0x9e3779b97f4a7c15u >> 32) & (map->size - 1);
	while (map->values[at] != 0 && map->keys[at] != key)
		at = (at + 1) & (map->size - 1);
	if (map->values[at] == 0) {
		map->keys[at] = key;
		map->count++;
	}
	return &map->values[at];
}

/* The bytes of a form's value, VARIES or FORM_UNKNOWN. */
static int
form_bytes(const struct dwarfsym_unit *unit, uint16_t form)
{
	switch (form) {
	case DW_FORM_implicit_const:
	case DW_FORM_flag_present:
		return 0;
	case DW_FORM_data1:
	case DW_FORM_ref1:
	case DW_FORM_flag:
	case DW_FORM_strx1:
	case DW_FORM_addrx1:
		return 1;
	case DW_FORM_data2:
	case DW_FORM_ref2:
	case DW_FORM_strx2:
	case DW_FORM_addrx2:
		return 2;
	case DW_FORM_strx3:
	case DW_FORM_addrx3:
		return 3;
	case DW_FORM_data4:
	case DW_FORM_ref4:
	case DW_FORM_strx4:
	case DW_FORM_addrx4:
	case DW_FORM_ref_sup4:
		return 4;
	case DW_FORM_data8:
	case DW_FORM_ref8:
	case DW_FORM_ref_sig8:
	case DW_FORM_ref_sup8:
		return 8;
	case DW_FORM_data16:
		return 16;
	case DW_FORM_addr:
		return unit->address_bytes;
	case DW_FORM_ref_addr:
		return unit->version <= 2 ? unit->address_bytes : unit->offset_bytes;
	case DW_FORM_strp:
	case DW_FORM_line_strp:
	case DW_FORM_strp_sup:
	case DW_FORM_sec_offset:
	case DW_FORM_GNU_ref_alt:
	case DW_FORM_GNU_strp_alt:
		return unit->offset_bytes;
	case DW_FORM_block1:
	case DW_FORM_block2:
	case DW_FORM_block4:
	case DW_FORM_block:
	case DW_FORM_exprloc:
	case DW_FORM_string:
	case DW_FORM_sdata:
	case DW_FORM_udata:
	case DW_FORM_ref_udata:
	case DW_FORM_strx:
	case DW_FORM_addrx:
	case DW_FORM_loclistx:
	case DW_FORM_rnglistx:
	case DW_FORM_GNU_addr_index:
	case DW_FORM_GNU_str_index:
	case DW_FORM_indirect:
		return VARIES;
	default:
		return FORM_UNKNOWN;
	}
}

const char *
dwarfsym_read_value(const struct dwarfsym_unit *unit, const struct dwarfsym_form *form,
                    struct gprofx_cursor *cursor, struct dwarfsym_value *value)
{
	uint64_t code = form->form;
	int bytes;

	if (code == DW_FORM_indirect)
		code = dwarfsym_uleb(cursor);
	value->form = code <= UINT16_MAX ? (uint16_t)code : 0;
	value->string = NULL;
	value->number = (uint64_t)form->value;
	bytes = form_bytes(unit, value->form);
	if (bytes == FORM_UNKNOWN || (code == DW_FORM_indirect && form->form == DW_FORM_indirect))
		return "an attribute of it is of an unknown form";
	if (bytes > 8) {
		gprofx_take(cursor, (uint64_t)bytes);
	} else if (bytes > 0) {
		value->number = gprofx_number(cursor, (uint32_t)bytes);
	} else if (bytes == VARIES) {
		switch (value->form) {
		case DW_FORM_block1:
			gprofx_take(cursor, gprofx_number(cursor, 1));
			break;
		case DW_FORM_block2:
			gprofx_take(cursor, gprofx_number(cursor, 2));
			break;
		case DW_FORM_block4:
			gprofx_take(cursor, gprofx_number(cursor, 4));
			break;
		case DW_FORM_block:
		case DW_FORM_exprloc:
			gprofx_take(cursor, dwarfsym_uleb(cursor));
			break;
		case DW_FORM_string:
			value->string = dwarfsym_string(cursor);
			break;
		case DW_FORM_sdata:
			value->number = (uint64_t)dwarfsym_sleb(cursor);
			break;
		default:
			value->number = dwarfsym_uleb(cursor);
			break;
		}
	}
	return cursor->short_by ? "it is cut off" : NULL;
}

static const char *
count_forms(struct dwarfsym_info *info, uint64_t count)
{
	info->forms_seen += count;
	return info->forms_seen > FORMS_FREE + FORMS_PER_BYTE * info->sections->info.length
	               ? "too many attributes"
	               : NULL;
}

/* Reads one abbreviation, whose code is known. */
static const char *
read_abbreviation(struct dwarfsym_info *info, const struct dwarfsym_unit *unit,
                  struct gprofx_cursor *cursor, uint64_t code)
{
	struct dwarfsym_abbreviation abbreviation = {.code = code, .first = info->form_count};
	uint64_t tag = dwarfsym_uleb(cursor), name, form;

	abbreviation.tag = tag <= UINT16_MAX ? (uint16_t)tag : 0;
	abbreviation.has_children = gprofx_number(cursor, 1) != 0;
	for (;;) {
		struct dwarfsym_form *next;
		int bytes;

		name = dwarfsym_uleb(cursor);
		form = dwarfsym_uleb(cursor);
		if (name == 0 && form == 0)
			break;
		if (form > UINT16_MAX || cursor->short_by)
			return "an abbreviation of it is damaged";
		DWARFSYM_ROOM(info->gx, info->forms, info->form_count, info->form_room);
		next = &info->forms[info->form_count++];
		*next = (struct dwarfsym_form){name <= UINT16_MAX ? (uint16_t)name : 0,
		                               (uint16_t)form, 0};
		if (form == DW_FORM_implicit_const)
			next->value = dwarfsym_sleb(cursor);
		bytes = form_bytes(unit, next->form);
		if (bytes < 0 || abbreviation.bytes > UINT32_MAX / 2)
			abbreviation.bytes = UINT32_MAX;
		else
			abbreviation.bytes += (uint32_t)bytes;
	}
	abbreviation.count = info->form_count - abbreviation.first;
	DWARFSYM_ROOM(info->gx, info->abbreviations, info->abbreviation_count,
	              info->abbreviation_room);
	info->abbreviations[info->abbreviation_count++] = abbreviation;
	return count_forms(info, abbreviation.count);
}

/* Reads a table, whose codes have to ascend; all compilers number them from 1. */
static const char *
read_table(struct dwarfsym_info *info, const struct dwarfsym_unit *unit, uint64_t offset)
{
	const struct dwarfsym_section *section = &info->sections->abbreviations;
	struct gprofx_cursor cursor = {section->bytes, section->length, offset, 0,
	                               info->sections->big_endian};
	struct dwarfsym_abbreviations table = {.first = info->abbreviation_count, .is_dense = true};
	uint64_t most = TABLE_BYTES_FREE + TABLE_BYTES_PER_BYTE * section->length;
	uint64_t code, last = 0, before;
	const char *wrong = NULL;

	if (offset > cursor.length)
		return "its abbreviations are not there";
	before = cursor.at;
	while (!wrong && (code = dwarfsym_uleb(&cursor)) != 0) {
		if (code <= last)
			return "its abbreviations are out of order";
		last = code;
		table.count++;
		table.is_dense = table.is_dense && code == table.count;
		wrong = read_abbreviation(info, unit, &cursor, code);
		info->table_bytes += cursor.at - before;
		before = cursor.at;
		if (info->table_bytes > most)
			return "its abbreviations overlap others";
	}
	DWARFSYM_ROOM(info->gx, info->tables, info->table_count, info->table_room);
	info->tables[info->table_count++] = table;
	return wrong;
}

struct gprofx_cursor
dwarfsym_unit_cursor(const struct dwarfsym_info *info, const struct dwarfsym_unit *unit,
                     uint64_t offset)
{
	return (struct gprofx_cursor){info->sections->info.bytes, unit->end, offset, 0,
	                              info->sections->big_endian};
}

const struct dwarfsym_abbreviation *
dwarfsym_next_entry(const struct dwarfsym_info *info, const struct dwarfsym_unit *unit,
                    struct gprofx_cursor *cursor)
{
	const struct dwarfsym_abbreviations *table = &info->tables[unit->table];
	const struct dwarfsym_abbreviation *rows;
	uint64_t code = dwarfsym_uleb(cursor);
	uint32_t low = 0, high = table->count;

	if (code == 0 || table->count == 0)
		return NULL;
	rows = info->abbreviations + table->first;
	if (table->is_dense)
		return code <= table->count ? &rows[code - 1] : NULL;
	while (low < high) {
		uint32_t middle = low + (high - low) / 2;

		if (rows[middle].code < code)
			low = middle + 1;
		else
			high = middle;
	}
	return low < table->count && rows[low].code == code ? &rows[low] : NULL;
}

const char *
dwarfsym_skip_entry(struct dwarfsym_info *info, const struct dwarfsym_unit *unit,
                    const struct dwarfsym_abbreviation *abbreviation, struct gprofx_cursor *cursor)
{
	struct dwarfsym_value value;
	const char *wrong = NULL;

	if (abbreviation->bytes != UINT32_MAX)
		return gprofx_take(cursor, abbreviation->bytes) ? NULL : "it is cut off";
	wrong = count_forms(info, abbreviation->count);
	for (uint32_t i = 0; !wrong && i < abbreviation->count; i++)
		wrong = dwarfsym_read_value(unit, &info->forms[abbreviation->first + i], cursor,
		                            &value);
	return wrong;
}

/* The place of an attribute that is looked at, or NULL. */
static struct dwarfsym_value *
place_of(struct dwarfsym_attributes *attributes, uint16_t name)
{
	switch (name) {
	case DW_AT_name:
		return &attributes->name;
	case DW_AT_linkage_name:
	case DW_AT_MIPS_linkage_name:
		return &attributes->linkage_name;
	case DW_AT_low_pc:
		return &attributes->low;
	case DW_AT_high_pc:
		return &attributes->high;
	case DW_AT_ranges:
		return &attributes->ranges;
	case DW_AT_abstract_origin:
		return &attributes->origin;
	case DW_AT_specification:
		return &attributes->specification;
	case DW_AT_language:
		return &attributes->language;
	case DW_AT_stmt_list:
		return &attributes->lines;
	case DW_AT_comp_dir:
		return &attributes->folder;
	case DW_AT_addr_base:
		return &attributes->address_base;
	case DW_AT_str_offsets_base:
		return &attributes->string_base;
	case DW_AT_rnglists_base:
		return &attributes->range_base;
	case DW_AT_call_file:
		return &attributes->call_file;
	case DW_AT_call_line:
		return &attributes->call_line;
	default:
		return NULL;
	}
}

const char *
dwarfsym_read_attribute(const struct dwarfsym_unit *unit, const struct dwarfsym_form *form,
                        struct gprofx_cursor *cursor, struct dwarfsym_attributes *attributes)
{
	struct dwarfsym_value *place = place_of(attributes, form->name), value;
	const char *wrong = dwarfsym_read_value(unit, form, cursor, &value);

	if (!wrong && place)
		*place = value;
	return wrong;
}

const char *
dwarfsym_read_entry(struct dwarfsym_info *info, const struct dwarfsym_unit *unit,
                    const struct dwarfsym_abbreviation *abbreviation, struct gprofx_cursor *cursor,
                    struct dwarfsym_attributes *attributes)
{
	const char *wrong = count_forms(info, abbreviation->count);

	memset(attributes, 0, sizeof *attributes);
	for (uint32_t i = 0; !wrong && i < abbreviation->count; i++)
		wrong = dwarfsym_read_attribute(unit, &info->forms[abbreviation->first + i], cursor,
		                                attributes);
	return wrong;
}

/* Languages whose functions have one name, for BFD. */
static bool
is_plain(uint64_t language)
{
	switch (language) {
	case DW_LANG_C89:
	case DW_LANG_C:
	case DW_LANG_C99:
	case DW_LANG_C11:
	case DW_LANG_Ada83:
	case DW_LANG_Ada95:
	case DW_LANG_Cobol74:
	case DW_LANG_Cobol85:
	case DW_LANG_Fortran77:
	case DW_LANG_Pascal83:
	case DW_LANG_PLI:
	case DW_LANG_UPC:
	case DW_LANG_Mips_Assembler:
		return true;
	default:
		return false;
	}
}

void
dwarfsym_describe_unit(const struct dwarfsym_sections *sections,
                       const struct dwarfsym_attributes *attributes, struct dwarfsym_unit *unit)
{
	unit->is_plain = is_plain(attributes->language.number);
	unit->address_base = attributes->address_base.number;
	unit->string_base = attributes->string_base.number;
	unit->range_base = attributes->range_base.number;
	if (!dwarfsym_value_address(sections, unit, &attributes->low, &unit->base))
		unit->base = 0;
}

const char *
dwarfsym_add_unit(struct dwarfsym_info *info, const struct dwarfsym_unit *unit,
                  uint64_t abbreviations)
{
	uint64_t layout = (uint64_t)(unit->address_bytes << 4 | unit->offset_bytes);
	uint32_t *known = dwarfsym_map_at(info->gx, &info->table_of,
	                                  abbreviations << 9 | layout << 1 | (unit->version <= 2));
	const char *wrong = NULL;

	if (*known == 0) {
		wrong = read_table(info, unit, abbreviations);
		if (wrong)
			return wrong;
		*known = info->table_count;
	}
	DWARFSYM_ROOM(info->gx, info->units, info->unit_count, info->unit_room);
	info->units[info->unit_count] = *unit;
	info->units[info->unit_count++].table = *known - 1;
	return NULL;
}

const struct dwarfsym_unit *
dwarfsym_unit_of(const struct dwarfsym_info *info, uint64_t offset)
{
	uint32_t low = 0, high = info->unit_count;

	while (low < high) {
		uint32_t middle = low + (high - low) / 2;

		if (info->units[middle].end <= offset)
			low = middle + 1;
		else
			high = middle;
	}
	return low < info->unit_count && info->units[low].entry <= offset ? &info->units[low]
	                                                                  : NULL;
}

bool
dwarfsym_value_address(const struct dwarfsym_sections *sections, const struct dwarfsym_unit *unit,
                       const struct dwarfsym_value *value, uint64_t *address)
{
	const struct dwarfsym_section *section = &sections->addresses;
	uint64_t at;

	switch (value->form) {
	case DW_FORM_addr:
		*address = value->number;
		return true;
	case DW_FORM_addrx:
	case DW_FORM_addrx1:
	case DW_FORM_addrx2:
	case DW_FORM_addrx3:
	case DW_FORM_addrx4:
	case DW_FORM_GNU_addr_index:
		if (unit->address_bytes < 1 || unit->address_bytes > 8 ||
		    __builtin_mul_overflow(value->number, unit->address_bytes, &at) ||
		    __builtin_add_overflow(at, unit->address_base, &at) || at > section->length ||
		    section->length - at < unit->address_bytes)
			return false;
		*address = gprofx_number_at(section->bytes + at, unit->address_bytes,
		                            sections->big_endian);
		return true;
	default:
		return false;
	}
}

bool
dwarfsym_value_reference(const struct dwarfsym_unit *unit, const struct dwarfsym_value *value,
                         uint64_t *offset)
{
	switch (value->form) {
	case DW_FORM_ref1:
	case DW_FORM_ref2:
	case DW_FORM_ref4:
	case DW_FORM_ref8:
	case DW_FORM_ref_udata:
		return !__builtin_add_overflow(unit->start, value->number, offset);
	case DW_FORM_ref_addr:
		*offset = value->number;
		return true;
	default:
		return false;
	}
}

const char *
dwarfsym_value_string(const struct dwarfsym_sections *sections, const struct dwarfsym_unit *unit,
                      const struct dwarfsym_value *value)
{
	uint64_t at;

	switch (value->form) {
	case DW_FORM_string:
		return value->string;
	case DW_FORM_strp:
		return dwarfsym_string_at(&sections->strings, value->number);
	case DW_FORM_line_strp:
		return dwarfsym_string_at(&sections->line_strings, value->number);
	case DW_FORM_strx:
	case DW_FORM_strx1:
	case DW_FORM_strx2:
	case DW_FORM_strx3:
	case DW_FORM_strx4:
	case DW_FORM_GNU_str_index:
		if (__builtin_mul_overflow(value->number, unit->offset_bytes, &at) ||
		    __builtin_add_overflow(at, unit->string_base, &at) ||
		    at > sections->string_offsets.length ||
		    sections->string_offsets.length - at < unit->offset_bytes)
			return NULL;
		return dwarfsym_string_at(&sections->strings,
		                          gprofx_number_at(sections->string_offsets.bytes + at,
		                                           unit->offset_bytes,
		                                           sections->big_endian));
	default:
		return NULL;
	}
}

bool
dwarfsym_value_number(const struct dwarfsym_value *value, uint64_t *number)
{
	*number = value->number;
	switch (value->form) {
	case DW_FORM_sec_offset:
	case DW_FORM_data1:
	case DW_FORM_data2:
	case DW_FORM_data4:
	case DW_FORM_data8:
	case DW_FORM_sdata:
	case DW_FORM_udata:
	case DW_FORM_implicit_const:
		return true;
	default:
		return false;
	}
}

bool
dwarfsym_value_ranges(const struct dwarfsym_sections *sections, const struct dwarfsym_unit *unit,
                      const struct dwarfsym_value *value, uint64_t *offset)
{
	const struct dwarfsym_section *section = &sections->range_lists;
	uint64_t at;

	if (value->form == DW_FORM_rnglistx) {
		if (__builtin_mul_overflow(value->number, unit->offset_bytes, &at) ||
		    __builtin_add_overflow(at, unit->range_base, &at) || at > section->length ||
		    section->length - at < unit->offset_bytes)
			return false;
		*offset = unit->range_base + gprofx_number_at(section->bytes + at,
		                                              unit->offset_bytes,
		                                              sections->big_endian);
		return true;
	}
	*offset = value->number;
	return value->form == DW_FORM_sec_offset || value->form == DW_FORM_data4 ||
	       value->form == DW_FORM_data8;
}

bool
dwarfsym_value_bounds(const struct dwarfsym_sections *sections, const struct dwarfsym_unit *unit,
                      const struct dwarfsym_attributes *attributes, uint64_t *start, uint64_t *end)
{
	const struct dwarfsym_value *high = &attributes->high;

	if (!high->form || !dwarfsym_value_address(sections, unit, &attributes->low, start))
		return false;
	if (!dwarfsym_value_address(sections, unit, high, end))
		*end = *start + high->number;
	return true;
}

void
dwarfsym_free_info(struct dwarfsym_info *info)
{
	const struct gprofx_host *host = info->gx->host;

	host->release(info->gx, info->units);
	host->release(info->gx, info->tables);
	host->release(info->gx, info->abbreviations);
	host->release(info->gx, info->forms);
	host->release(info->gx, info->table_of.keys);
	host->release(info->gx, info->table_of.values);
}
