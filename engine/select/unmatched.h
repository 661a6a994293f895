/* SPDX-License-Identifier: Apache-2.0 */
/* Symspecs that stand for nothing. */
#ifndef ENGINE_SELECT_UNMATCHED_H
#define ENGINE_SELECT_UNMATCHED_H

#include "base/run.h"
#include "select/match.h"
#include "select/suggest.h"

/*
 * Says that nothing matches a symspec, or the half of a pair, with the names that come nearest.
 * side: "the callers in ", "the callees in ", or nothing.
 */
void unmatched_tell(struct suggesting *suggesting, const struct engine_symspec *whole,
                    const struct match_half *half, const char *side, bool is_error);

/* Warns that a symspec is only the end of the name of the function that it matches. */
void unmatched_tell_end(struct run *run, const struct engine_symspec *whole,
                        const struct match_half *half);

#endif
