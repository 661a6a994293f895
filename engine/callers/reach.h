/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Which functions a call can lead to besides the one that it calls: that can go on with a jump to
 * another, which then returns to the call.
 */
#ifndef ENGINE_CALLERS_REACH_H
#define ENGINE_CALLERS_REACH_H

#include "base/run.h"
#include "graph/arcs.h"
#include "scan/scan.h"
#include "symbols/symbols.h"

struct reach {
	uint64_t *jumps; /* from one function to another, ascending, each once */
	uint32_t count;
};

/*
 * The address that a call leads to.  false: it goes through a pointer, to anywhere; but where the
 * loader writes the address of a function of the program there, for good, that is known.
 */
bool reach_target(const struct symbols *symbols, const struct call_site *site, uint64_t *address);

/* Looks at the functions that are called, and at those that they jump to, and so on. */
struct reach reach_find(struct run *run, struct scanner *scanner, const struct arc_rules *rules,
                        const struct call_sites *sites);

/* Whether one function goes on with another, at once or by way of others. */
bool reach_has(const struct reach *reach, uint32_t from, uint32_t to);

#endif
