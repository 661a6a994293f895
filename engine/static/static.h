/* SPDX-License-Identifier: Apache-2.0 */
/* The static call graph: calls that stand in the code, as arcs between functions. */
#ifndef ENGINE_STATIC_STATIC_H
#define ENGINE_STATIC_STATIC_H

#include "base/run.h"
#include "graph/graph.h"
#include "profile/profile.h"
#include "scan/scan.h" /* IWYU pragma: keep */
#include "select/filters.h"

/* IWYU pragma: no_include "scan/parts.h" */

/*
 * All calls in the code, those of a function by address, functions by address; equal ones may
 * repeat.  To be called once; the list has run lifetime.
 */
struct static_calls static_find_calls(struct run *run, struct scanner *scanner,
                                      const struct filters *filters, const struct profile *profile);

#endif
