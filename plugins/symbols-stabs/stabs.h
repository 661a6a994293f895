/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Stabs: entries of 12 bytes (string, type, other, desc, value), each with a string of the section
 * of strings.  The format is that of "The stabs debug format" (Menapace, Kingdon, MacKenzie), which
 * comes with GDB.
 */
#ifndef SYMBOLS_STABS_STABS_H
#define SYMBOLS_STABS_STABS_H

#include <gprofx/symbols.h>

/* Types of entries that say where code comes from. */
enum stabs_type {
	STABS_HEADER = 0, /* an object file begins: its value is how long its strings are */
	STABS_FUNCTION = 0x24,
	STABS_LINE = 0x44,
	STABS_DATA_LINE = 0x46,
	STABS_BSS_LINE = 0x48,
	STABS_SOURCE = 0x64,  /* a unit begins: its folder, then its file; or it ends: no string */
	STABS_INCLUDED = 0x84 /* code of another file begins */
};

enum { STABS_ENTRY = 12 };

struct stabs_entry {
	uint32_t string; /* offset in the section of strings; 0: none */
	bool is_lost;    /* its string is not in the section; "string" is 0 */
	uint8_t type;    /* enum stabs_type, or another one */
	uint16_t desc;
	uint32_t value;
};

/* A source file: offsets of the strings with its folder, 0: none, and its name. */
struct stabs_path {
	uint32_t folder, name;
	uint32_t number; /* the host's, 0: not asked for yet */
};

/* From an address up to that of the next row. */
struct stabs_row {
	uint64_t address;
	uint32_t path; /* index into paths, 0: not known */
	uint32_t line; /* 0: not known */
	uint32_t name; /* offset of the string that begins with the function's name; 0: none */
	uint32_t order;
};

struct stabs_table {
	struct gprofx *gx;
	const struct gprofx_image *image;
	const uint8_t *entries;
	const char *strings; /* the last byte is a NUL */
	uint32_t count, strings_bytes;
	bool big_endian;
	/* Read as by GNU gprof: see in_order_of_stabs. */
	bool in_order;
	bool is_elf;
	struct gprofx_lines *lines; /* that are asked for; NULL: positions of functions */
	/* Lines have addresses of their own, as in a.out files, rather than offsets in functions.
	 */
	bool is_absolute;
	uint32_t base, next_base; /* of the strings of the object file, and of the next one */
	uint32_t lost;            /* strings that are outside of their section */

	struct stabs_path *paths; /* number 0 is not used */
	uint32_t path_count, path_room;
	uint32_t *path_slots; /* by hash */
	uint32_t path_slot_count;
	uint64_t hash_factor;

	struct stabs_row *rows;
	uint32_t row_count, row_room;
};

/* Whether an entry of a source file or function is the end of one. */
static inline bool
stabs_is_end(const struct stabs_entry *entry)
{
	return entry->string == 0 && !entry->is_lost;
}

/* Finds the sections in an image; false: there are none that can be read. */
bool stabs_open(struct stabs_table *table, struct gprofx *gx, const struct gprofx_image *image);
/* Whether an entry says where code comes from; most are about variables and types. */
static inline bool
stabs_matters(const struct stabs_table *table, uint32_t index)
{
	switch (table->entries[(size_t)index * STABS_ENTRY + 4]) {
	case STABS_HEADER:
	case STABS_FUNCTION:
	case STABS_LINE:
	case STABS_DATA_LINE:
	case STABS_BSS_LINE:
	case STABS_SOURCE:
	case STABS_INCLUDED:
		return true;
	default:
		return false;
	}
}

/* Entry "index"; those of one object file must be asked for after its header. */
struct stabs_entry stabs_entry_at(struct stabs_table *table, uint32_t index);
/* Gives all memory back, and reports what was wrong. */
void stabs_close(struct stabs_table *table);

/* Fills rows, ascending. */
void stabs_find_rows(struct stabs_table *table);

/* The number of a path, equal ones once; no name: 0. */
uint32_t stabs_path(struct stabs_table *table, uint32_t folder, uint32_t name);
/* The path as a text; NULL: it is too long to be one.  room: for it. */
enum { STABS_PATH_ROOM = 8192 };
const char *
stabs_path_text(const struct stabs_table *table, uint32_t path, char room[STABS_PATH_ROOM]);
/* The length of the name that a function's string begins with, at most "most". */
uint32_t stabs_name_length(const struct stabs_table *table, uint32_t name, uint64_t most);

#endif
