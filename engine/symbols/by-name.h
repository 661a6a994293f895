/* SPDX-License-Identifier: Apache-2.0 */
/* Functions by their names, as who knows no addresses writes them. */
#ifndef ENGINE_SYMBOLS_BY_NAME_H
#define ENGINE_SYMBOLS_BY_NAME_H

#include "base/run.h"
#include "symbols/symbols.h"

/* A function that is looked for. */
struct wanted_function {
	const char *name;
	const char *file; /* of source; NULL: not known */
	uint32_t symbol;  /* that was found, which counts for itself; or NO_SYMBOL */
	bool is_settled;  /* for symbols_find_by_name() alone, as the next one */
	uint32_t number;
};

/*
 * Finds functions whose symbols have the name as it is in the table, before any map of files, else
 * demangled, else demangled without arguments.  A function that an option leaves out is the symbol
 * before it, for which it counts.  Where several have it, the file decides, if it does and source
 * positions are known; else there is none.  Beyond what names of a run may cost no more are
 * demangled, which is reported.
 */
void symbols_find_by_name(struct run *run, const struct symbols *symbols,
                          struct wanted_function *wanted, uint32_t count);

#endif
