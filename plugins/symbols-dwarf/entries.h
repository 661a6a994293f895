/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Entries of .debug_info one after the other, from its bytes.
 *
 * libdw finds an entry by asking for it, at a cost that adds up where all entries of a program are
 * looked at; and damaged files can make each of them endless.
 */
#ifndef DWARFSYM_ENTRIES_H
#define DWARFSYM_ENTRIES_H

#include <gprofx/reader.h>

/* A unit of .debug_info. */
struct dwarfsym_unit {
	uint64_t start, entry, end; /* of its header; of its first entry; the first byte after it */
	uint32_t table;             /* of its abbreviations */
	uint16_t version;
	uint8_t address_bytes, offset_bytes;
	bool is_plain; /* functions of its language have one name */
	uint64_t base; /* of its ranges */
	bool has_lines;
	uint64_t lines;     /* offset of its line table */
	const char *folder; /* its compilation directory, or NULL */
	uint64_t address_base, string_base,
		range_base; /* of its part of sections of its own kind */
};

struct dwarfsym_form {
	uint16_t name, form;
	int64_t value; /* of DW_FORM_implicit_const */
};

struct dwarfsym_abbreviation {
	uint64_t code;
	uint32_t first, count; /* forms */
	uint32_t bytes;        /* of an entry behind its code; UINT32_MAX: differs */
	uint16_t tag;
	bool has_children;
};

/* Abbreviations of one offset and unit layout, by ascending code. */
struct dwarfsym_abbreviations {
	uint64_t key;
	uint32_t first, count;
	bool is_dense; /* codes are 1, 2, 3, … */
};

/* Numbers by keys. */
struct dwarfsym_map {
	uint64_t *keys;
	uint32_t *values; /* plus 1; 0: free */
	uint32_t count, size;
};

/* All units.  Zero it, then set gx and sections; free it with dwarfsym_free_info(). */
struct dwarfsym_info {
	struct gprofx *gx;
	const struct dwarfsym_sections *sections;
	struct dwarfsym_unit *units; /* ascending */
	uint32_t unit_count, unit_room;
	struct dwarfsym_abbreviations *tables;
	uint32_t table_count, table_room;
	struct dwarfsym_abbreviation *abbreviations;
	uint32_t abbreviation_count, abbreviation_room;
	struct dwarfsym_form *forms;
	uint32_t form_count, form_room;
	struct dwarfsym_map table_of; /* by offset and layout */
	uint64_t table_bytes;         /* read of tables, bounded, since they may overlap */
	uint64_t forms_seen;          /* bounded, since entries may share endless abbreviations */
};

/* The place of a key's value plus 1, which is 0 if there was none; valid until the next call. */
uint32_t *dwarfsym_map_at(struct gprofx *gx, struct dwarfsym_map *map, uint64_t key);

/* A value of an attribute as it is written. */
struct dwarfsym_value {
	uint16_t form; /* 0: there is none */
	uint64_t number;
	const char *string; /* of DW_FORM_string */
};

/* Reads a value of a unit, of which only the layout counts.  Returns NULL or what is wrong. */
const char *dwarfsym_read_value(const struct dwarfsym_unit *unit, const struct dwarfsym_form *form,
                                struct gprofx_cursor *cursor, struct dwarfsym_value *value);

/* What is looked at of the entries of functions and units. */
struct dwarfsym_attributes {
	struct dwarfsym_value name, linkage_name, low, high, ranges, origin, specification;
	struct dwarfsym_value language, lines, folder, address_base, string_base, range_base;
	struct dwarfsym_value call_file, call_line;
};

/* Reads a value and keeps it if its attribute is looked at.  Returns NULL or what is wrong. */
const char *
dwarfsym_read_attribute(const struct dwarfsym_unit *unit, const struct dwarfsym_form *form,
                        struct gprofx_cursor *cursor, struct dwarfsym_attributes *attributes);

/* Completes a unit, whose place and layout are known, by what its first entry says. */
void
dwarfsym_describe_unit(const struct dwarfsym_sections *sections,
                       const struct dwarfsym_attributes *attributes, struct dwarfsym_unit *unit);

/* Adds a complete unit, with its abbreviations.  Returns NULL or what is wrong. */
const char *dwarfsym_add_unit(struct dwarfsym_info *info, const struct dwarfsym_unit *unit,
                              uint64_t abbreviations);

/* The unit that an offset of .debug_info lies in, or NULL. */
const struct dwarfsym_unit *dwarfsym_unit_of(const struct dwarfsym_info *info, uint64_t offset);

/* The bytes of a unit from an offset of .debug_info on. */
struct gprofx_cursor dwarfsym_unit_cursor(const struct dwarfsym_info *info,
                                          const struct dwarfsym_unit *unit, uint64_t offset);

/* The abbreviation of the entry at the cursor, which moves behind its code; NULL: there is none. */
const struct dwarfsym_abbreviation *
dwarfsym_next_entry(const struct dwarfsym_info *info, const struct dwarfsym_unit *unit,
                    struct gprofx_cursor *cursor);
/* Moves behind the attributes of an entry.  Returns NULL or what is wrong. */
const char *
dwarfsym_skip_entry(struct dwarfsym_info *info, const struct dwarfsym_unit *unit,
                    const struct dwarfsym_abbreviation *abbreviation, struct gprofx_cursor *cursor);
/* Likewise, and reads them. */
const char *
dwarfsym_read_entry(struct dwarfsym_info *info, const struct dwarfsym_unit *unit,
                    const struct dwarfsym_abbreviation *abbreviation, struct gprofx_cursor *cursor,
                    struct dwarfsym_attributes *attributes);

/* Values; false or NULL: it is of no such form. */
bool
dwarfsym_value_address(const struct dwarfsym_sections *sections, const struct dwarfsym_unit *unit,
                       const struct dwarfsym_value *value, uint64_t *address);
bool dwarfsym_value_reference(const struct dwarfsym_unit *unit, const struct dwarfsym_value *value,
                              uint64_t *offset);
bool dwarfsym_value_number(const struct dwarfsym_value *value, uint64_t *number);
const char *
dwarfsym_value_string(const struct dwarfsym_sections *sections, const struct dwarfsym_unit *unit,
                      const struct dwarfsym_value *value);
/* Where the list of ranges of a unit begins that a value names; false: there is none. */
bool
dwarfsym_value_ranges(const struct dwarfsym_sections *sections, const struct dwarfsym_unit *unit,
                      const struct dwarfsym_value *value, uint64_t *offset);
/* The bounds of code that an entry states; false: it states none. */
bool
dwarfsym_value_bounds(const struct dwarfsym_sections *sections, const struct dwarfsym_unit *unit,
                      const struct dwarfsym_attributes *attributes, uint64_t *start, uint64_t *end);

void dwarfsym_free_info(struct dwarfsym_info *info);

#endif
