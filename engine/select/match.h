/* SPDX-License-Identifier: Apache-2.0 */
/* Which symbols the halves of symspecs stand for, all halves in one pass. */
#ifndef ENGINE_SELECT_MATCH_H
#define ENGINE_SELECT_MATCH_H

#include "base/run.h"
#include "select/filters.h"
#include "select/symspec.h"
#include "symbols/symbols.h"

enum { MATCH_ENDS = 3 };

/* A half and the ranges of its symbols; neighbors in the symbol table form one range. */
struct match_half {
	struct symspec spec;
	struct select_ranges ranges;
	uint32_t last;   /* symbol matched last, while matching */
	uint32_t *files; /* numbers of the files it names, ascending, if it names any */
	uint32_t file_count;
	bool is_hopeless; /* names a file that no symbol has */
	bool is_tried;    /* its file is tried as a name: clones have dots, too */
	bool is_line;     /* it is one row of a report by line, not a function with all its lines */
	uint32_t next;    /* half with the same hash of its name, plus 1; 0: none */
	/*
	 * If it is no whole name, functions whose names end with it, behind a scope; of more than
	 * these the first ones.  It stands for a single one.
	 */
	const char *ends[MATCH_ENDS];
	uint32_t end_count;
};

/* Fails where they would cost too much. */
enum gprofx_result
match_symbols(struct run *run, struct symbols *symbols, struct match_half *halves, uint32_t count);

/*
 * The same for halves that stand for nothing yet, by the names that the symbol table has for an
 * address besides the one that the report shows.
 */
enum gprofx_result match_aliases(struct run *run, const struct symbols *symbols,
                                 struct match_half *halves, uint32_t count);

/* Whether a path is, or ends with, these components. */
bool match_is_path(const char *path, const char *components);

/* The first symbol at an address or behind it. */
uint32_t match_first_at(const struct symbols *symbols, uint64_t address);

/* Adds a symbol to what a half stands for. */
void
match_add(struct run *run, const struct symbols *symbols, struct match_half *half, uint32_t symbol);

#endif
