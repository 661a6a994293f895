/* SPDX-License-Identifier: Apache-2.0 */
/* Functions that call each other, for graphs that do not say which do. */
#ifndef PLUGINS_OUTPUT_CALLGRIND_CYCLES_H
#define PLUGINS_OUTPUT_CALLGRIND_CYCLES_H

#include <gprofx/emitter.h>

/*
 * Numbers cycles from 1, per function; 0: it is in none.  is_there: per arc.  Arcs are in the order
 * of their callers, and lead to functions.  A function that calls itself is no cycle.  The result
 * can be released.
 */
uint32_t *cycles_find(struct gprofx *gx, const struct gprofx_arcs *arcs, const bool *is_there,
                      uint32_t function_count);

#endif
