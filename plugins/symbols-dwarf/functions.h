/* SPDX-License-Identifier: Apache-2.0 */
/* Which function, or inlined instance of one, code belongs to. */
#ifndef DWARFSYM_FUNCTIONS_H
#define DWARFSYM_FUNCTIONS_H

#include <gprofx/plugin.h>

#include "entries.h"

/* A range of a function. */
struct dwarfsym_function {
	uint64_t low, high; /* high: the first address after it */
	uint32_t name;      /* from names->number; 0: not known */
	uint32_t inlined;   /* the instance, from number_inlined; 0: none */
};

/* From this address on, up to the next one, code is of the function of this name. */
struct dwarfsym_change {
	uint64_t address;
	uint32_t name, inlined;
};

/* What the entries at hand are below: a function or an inlined instance. */
struct dwarfsym_scope {
	uint32_t name, inlined;
};

enum { DWARFSYM_LAST = 64 };

/*
 * All ranges.  Zero it, then set the members up to strict; free it with
 * dwarfsym_free_functions().
 */
struct dwarfsym_functions {
	struct dwarfsym_info *info;
	uint32_t (*number_name)(void *opaque, const char *name);
	/* Of a symbol there, 0: there is none.  NULL: names of symbols do not count. */
	uint32_t (*number_name_at)(void *opaque, uint64_t address);
	/* Of an instance, with its call; a file is one of the unit's line table.  NULL: not wanted.
	 */
	uint32_t (*number_inlined)(void *opaque, const struct dwarfsym_unit *unit,
	                           struct dwarfsym_scope into, uint64_t file, uint64_t line);
	void *opaque;
	bool strict; /* ranges that GNU gprof does not find are not known */
	struct dwarfsym_function *rows;
	uint32_t count, room;
	struct dwarfsym_change *changes; /* ascending */
	uint32_t change_count;
	struct dwarfsym_map names; /* by offset of the entry that a name was looked for at */
	struct dwarfsym_map texts; /* by place of a name */
	uint64_t name_bytes;       /* of texts, bounded */
	bool names_overlap;        /* they passed the bound */
	uint64_t range_bytes;      /* read so far, bounded */
	/* The last entries with code, entry i in place i % DWARFSYM_LAST; name 0: not known. */
	struct dwarfsym_entry_start {
		uint64_t low;
		uint32_t name;
	} last[DWARFSYM_LAST];
	uint64_t entry_count;
	struct dwarfsym_scope *scopes; /* one per level of entries, from the unit's children on */
	uint32_t scope_count, scope_room;
};

/* Adds the functions of a unit.  Returns NULL or what is wrong. */
const char *
dwarfsym_add_functions(struct dwarfsym_functions *functions, const struct dwarfsym_unit *unit);

/* Finds the changes, when all functions were added; their ranges are used up. */
void dwarfsym_settle_functions(struct dwarfsym_functions *functions);

void dwarfsym_free_functions(struct dwarfsym_functions *functions);

#endif
