/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Symspecs resolved to sets of symbols.  Each filter has an include and an exclude set; a symbol is
 * selected if it is included, or if nothing is included and it is not excluded.
 */
#ifndef ENGINE_SELECT_FILTERS_H
#define ENGINE_SELECT_FILTERS_H

#include "base/run.h"
#include "symbols/symbols.h"

struct inlined_code;
struct match_half;

/* A range of addresses, both ends inclusive. */
struct select_range {
	uint64_t start, end;
};

struct select_ranges {
	struct select_range *items;
	uint32_t count, room;
};

/* One entry of a table: the symbols it stands for and, for arcs, the callees. */
struct select_entry {
	uint64_t start, end;
	uint64_t furthest_end;               /* of this entry and all before it */
	const struct select_ranges *callees; /* ascending, disjoint; NULL: none */
};

struct select_table {
	struct select_entry *entries; /* by ascending start */
	uint32_t count, room;
};

enum { SELECT_INCLUDED = 1, SELECT_EXCLUDED = 2 };

/* An inlined subroutine that a symspec names, in its shortest form. */
struct select_inlined {
	const char *name;
	uint32_t listings; /* enum gprofx_inlined_listing */
};

struct filters {
	struct select_table include[ENGINE_FILTER_KINDS], exclude[ENGINE_FILTER_KINDS];
	/*
	 * Per symbol, and for what lies in none, SELECT_INCLUDED and SELECT_EXCLUDED; NULL while
	 * both tables are empty.
	 */
	uint8_t *state[ENGINE_FILTER_KINDS];
	/* By symspec: its halves; the second is the first one again if it is no pair. */
	const struct match_half **left, **right;
	struct select_inlined *inlined;
	uint32_t inlined_count, inlined_room;
	/* What was read to know them, for who needs it next; NULL: it has to be read again. */
	struct inlined_code *inlined_code;
};

/* Resolves the symspecs of the settings. */
/* NULL: looking up the symspecs would cost too much, which has been reported. */
struct filters *filters_resolve(struct run *run, struct symbols *symbols);

/*
 * In own mode, says which symspecs match nothing, and which only the end of a name; once there are
 * no more symbols to come.  Fails if of all symspecs of an option none matches.  shows_inlined: for
 * the flat profile and the graph, names of inlined subroutines match, too, and are noted.
 */
enum gprofx_result filters_tell(struct run *run, const struct symbols *symbols,
                                struct filters *filters, bool shows_inlined);

static inline uint8_t
filter_state(const struct filters *filters, enum engine_filter filter, uint32_t symbol)
{
	return filters->state[filter] ? filters->state[filter][symbol] : 0;
}

/* Whether the filter selects the symbol. */
static inline bool
filter_selects(const struct filters *filters, enum engine_filter filter, uint32_t symbol)
{
	uint8_t state = filter_state(filters, filter, symbol);

	if (filters->include[filter].count > 0)
		return (state & SELECT_INCLUDED) != 0;
	return (state & SELECT_EXCLUDED) == 0;
}

/* Whether the filter takes away a symbol that was selected for another reason. */
static inline bool
filter_removes(const struct filters *filters, enum engine_filter filter, uint32_t symbol)
{
	return filter_state(filters, filter, symbol) == SELECT_EXCLUDED;
}

/* Whether something is selected, and by symspecs of functions or lines only, not of whole files. */
bool filters_name_functions(const struct engine_settings *settings, const struct filters *filters,
                            enum engine_filter filter);

/* Whether a function of that name is of the profiling itself, as engine_collector_specs has them.
 */
bool filter_is_collector(const char *name);

/* Whether the arc between two symbols is kept. */
bool filter_keeps_arc(const struct filters *filters, const struct symbols *symbols, uint32_t caller,
                      uint32_t callee);

/* Warns that what symspecs select for the flat profile has neither samples nor calls. */
void filters_tell_unused(struct run *run, const struct filters *filters);
/*
 * Warns that what symspecs select for the call graph has no entry there.  is_measured: it has only
 * what is in call stacks.
 */
void filters_tell_no_entry(struct run *run, const struct filters *filters, bool is_measured);

#endif
