/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Units of .debug_info: what code they cover, and where their line table is.
 */
#ifndef DWARFSYM_UNITS_H
#define DWARFSYM_UNITS_H

#include <elfutils/libdw.h>

#include <gprofx/reader.h>

#include "entries.h"
#include "line-search.h"
#include "line-table.h"

/* A walk over the units.  Zero it, then set dwarf and sections. */
struct dwarfsym_units {
	Dwarf *dwarf;
	const struct dwarfsym_sections *sections;
	Dwarf_Off next;          /* offset of the unit after the one at hand */
	Dwarf_Off abbreviations; /* of the unit at hand */
	/* Work done so far, bounded because units may share what they are made of. */
	uint64_t attributes_seen, range_bytes_seen;
	/* The unit at hand, without its lines, and what its first entry says. */
	struct dwarfsym_unit unit;
	struct dwarfsym_attributes attributes;
};

/* Moves to the next unit.  Returns false at the end, or with *wrong set at a damaged unit. */
bool dwarfsym_next_unit(struct dwarfsym_units *units, const char **wrong);

/*
 * Whether the unit at hand may answer an open address: one that it covers, or any if it does not
 * say what it covers.  May set *wrong.
 */
bool dwarfsym_unit_is_wanted(struct dwarfsym_units *units, struct dwarfsym_search *search,
                             const char **wrong);

/*
 * Finds the line table and the compilation directory (or NULL) of the unit at hand.  Returns false
 * when it has no table.  May set *wrong.
 */
bool dwarfsym_unit_lines(struct dwarfsym_units *units, uint64_t *offset, const char **folder,
                         const char **wrong);

/* What a list of ranges is read with. */
struct dwarfsym_ranges {
	struct gprofx_cursor cursor;
	uint64_t *bytes_seen; /* of all lists; bounded, since lists may overlap */
	uint64_t most_bytes;
	uint16_t version;
	uint32_t address_bytes;
	uint64_t base;
	struct dwarfsym_section addresses; /* from the unit's first entry in .debug_addr */
};

/* The address with a number in the unit's part of .debug_addr. */
uint64_t dwarfsym_indexed_address(const struct dwarfsym_ranges *list, uint64_t index);
/*
 * Opens the list of ranges that a unit or an entry of it names; the limit of bytes is not touched.
 * Returns NULL, or what is wrong.
 */
const char *
dwarfsym_open_ranges(const struct dwarfsym_sections *sections, const struct dwarfsym_unit *unit,
                     const struct dwarfsym_value *value, struct dwarfsym_ranges *list);
/* Whether a list of ranges ended because too much was read of all lists. */
bool dwarfsym_ranges_overlap(const struct dwarfsym_ranges *list);
/* The next range of a list.  Returns false at its end. */
bool dwarfsym_next_range(struct dwarfsym_ranges *list, uint64_t *start, uint64_t *end);

#endif
