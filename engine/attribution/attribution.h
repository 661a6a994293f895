/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Who really called: collectors round the addresses that calls come from down, so that calls near
 * the entry of a function seem to come from the function before it.  Where that is possible, the
 * code shows which calls there are.
 */
#ifndef ENGINE_ATTRIBUTION_ATTRIBUTION_H
#define ENGINE_ATTRIBUTION_ATTRIBUTION_H

#include "base/run.h"
#include "graph/arcs.h"
#include "graph/graph.h"
#include "profile/profile.h"
#include "symbols/symbols.h"
#include "scan/scan.h"

struct attribution;

/* Bytes that a call site can prove to stand for, at most; 1: nothing is corrected. */
uint32_t attribution_quantum_most(const struct run *run);

/*
 * Finds out to which arcs that happened and whose they are, once all profiles were read, and tells
 * in profile->rounding.  Arcs stay as they are.  NULL: there is nothing to put right.
 */
struct attribution *attribution_find(struct run *run, struct symbols *symbols, struct scan *scan,
                                     struct profile *profile);

/* Puts the arcs of the profile right.  callers may be NULL. */
void attribution_apply(struct run *run, const struct attribution *callers, struct profile *profile);

/*
 * Marks the arcs of the graph, which has all of them, whose calls were divided between several
 * callers.  callers may be NULL.
 */
void attribution_mark(struct run *run, const struct attribution *callers, struct graph *graph);

/*
 * How many calls of an arc as it was recorded, of one file or several, others than the function
 * called made.  callers may be NULL.
 */
uint64_t attribution_others(const struct attribution *callers, const struct arc_rules *rules,
                            const struct gprofx_raw_arc *arc);

#endif
