/* SPDX-License-Identifier: Apache-2.0 */
/* Symspecs that name inlined subroutines. */
#ifndef ENGINE_SELECT_NAMED_INLINED_H
#define ENGINE_SELECT_NAMED_INLINED_H

#include "base/run.h"
#include "select/filters.h"
#include "select/match.h"
#include "select/suggest.h"
#include "symbols/symbols.h"

/*
 * Notes the inlined subroutines that a symspec for the flat profile or the graph names.  Returns
 * whether there are any.
 */
bool named_inlined_note(struct suggesting *suggesting, struct filters *filters,
                        const struct engine_symspec *spec, const struct match_half *half);

/* Has a filter that nothing else was named for select nothing. */
void named_inlined_select_nothing(struct run *run, const struct symbols *symbols,
                                  struct filters *filters, enum engine_filter filter);

/* Whether some were noted for a filter. */
bool named_inlined_are_in(const struct filters *filters, enum engine_filter filter);

#endif
