/* SPDX-License-Identifier: Apache-2.0 */
/* Between which functions a recorded call is. */
#ifndef ENGINE_GRAPH_ARCS_H
#define ENGINE_GRAPH_ARCS_H

#include "base/run.h"
#include "select/filters.h"
#include "symbols/symbols.h"

struct arc_rules {
	const struct symbols *symbols;
	/* Per symbol the nearest one at or below it that is typed as a function; NULL: all are. */
	const uint32_t *function_of;
};

struct arc_rules arcs_rules(struct run *run, const struct symbols *symbols);

/*
 * The functions of an arc, or, where lines are not parts of functions, its symbols; *callee is
 * NO_SYMBOL where the call does not count.  An arc without a caller has what lies in no symbol for
 * one.
 */
void arcs_resolve(const struct arc_rules *rules, const struct gprofx_raw_arc *arc, bool has_caller,
                  uint32_t *caller, uint32_t *callee);

/*
 * The same where it is known which symbols the call is in and leads to; NO_SYMBOL: none.  They are
 * replaced by those that the arc is between.
 */
void
arcs_between(const struct arc_rules *rules, bool has_caller, uint32_t *caller, uint32_t *callee);

/* Whether the filters keep an arc, and calls that a line of its caller makes; or the caller itself.
 */
static inline bool
arcs_keep(const struct filters *filters, const struct symbols *symbols, uint32_t line,
          uint32_t caller, uint32_t callee)
{
	return filter_keeps_arc(filters, symbols, caller, callee) &&
	       (line == caller || filter_keeps_arc(filters, symbols, line, callee));
}

#endif
