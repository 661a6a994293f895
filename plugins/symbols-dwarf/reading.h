/* SPDX-License-Identifier: Apache-2.0 */
/* All debug information of a file, as rows by address. */
#ifndef DWARFSYM_READING_H
#define DWARFSYM_READING_H

#include <gprofx/symbols.h>

#include "all-lines.h"
#include "debug-file.h"
#include "functions.h"
#include "line-search.h"

/* Where numbers of files and names come from. */
struct dwarfsym_asked {
	struct dwarfsym_search search; /* first */
	struct gprofx_lines *lines;    /* or NULL: search.positions */
};

/* Reads all units: their line tables and, where names are wanted, their functions. */
void dwarfsym_read_units(struct gprofx *gx, const struct dwarfsym_debug *debug,
                         struct dwarfsym_rows *rows, struct dwarfsym_functions *functions);

/* Puts lines and names side by side; joined: NULL: the rows of that are only counted. */
uint32_t dwarfsym_join(const struct dwarfsym_rows *rows, const struct dwarfsym_functions *functions,
                       struct gprofx_line_rows *joined);

/*
 * biased.c: answers as GNU gprof does for images that are not ELF, of whose symbols it makes no use
 * but one.  Code without the name of a function has no line.  What is not found is looked for once
 * more behind that address, as far as debug information is from the symbols: GNU gprof compares the
 * last entry of a function whose name a symbol has, be it a copy that was inlined, with this
 * symbol.
 */
void dwarfsym_locate_biased(struct gprofx *gx, const struct dwarfsym_debug *debug,
                            struct dwarfsym_asked *asked);
void dwarfsym_read_biased(struct gprofx *gx, const struct dwarfsym_debug *debug,
                          struct dwarfsym_asked *asked);

#endif
