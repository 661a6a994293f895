/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Calls of which it turns out only once all files were read whether the function called made them
 * itself: those near function entries, whose call sites were rounded.  They wait, and with them the
 * other calls of the same functions in the same file.
 */
#ifndef ENGINE_STATISTICS_LATE_H
#define ENGINE_STATISTICS_LATE_H

#include "base/loose.h"
#include "base/run.h"
#include "attribution/attribution.h"
#include "graph/arcs.h"
#include "statistics/file-values.h"
#include "statistics/series.h"
#include "symbols/symbols.h"

/* Calls of a function in a file: known ones by others, or those of an arc in doubt. */
struct late_calls {
	uint32_t file, callee;
	bool is_arc;
	struct gprofx_raw_arc arc; /* if not is_arc, its count alone */
};

/*
 * Whether it may turn out that other functions made the calls of an arc, or that the callee did;
 * quantum: so far, at most, call sites were rounded.
 */
bool late_may_change(const struct symbols *symbols, const struct gprofx_raw_arc *arc,
                     uint32_t quantum, uint32_t caller, uint32_t callee);

/*
 * Adds all calls by others, a list of struct late_calls, to the series of their functions, which
 * wait for them, and to the values unless these are NULL; the list is used up.
 */
void late_finish(struct run *run, struct loose_list *list, const struct attribution *callers,
                 const struct arc_rules *rules, const struct series_table *calls,
                 struct file_values *values);

#endif
