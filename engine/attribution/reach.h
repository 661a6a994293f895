/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Which functions a call can lead to besides the one that it calls: that can go on with a jump to
 * another, which then returns to the call.
 */
#ifndef ENGINE_ATTRIBUTION_REACH_H
#define ENGINE_ATTRIBUTION_REACH_H

#include "base/run.h"
#include "graph/arcs.h"
#include "scan/scan.h"
#include "symbols/symbols.h"

struct reach {
	uint64_t *jumps; /* from one function to another, ascending, each once */
	uint32_t count;
	uint32_t *seen;      /* per function: the last lookup that came to it */
	uint32_t *functions; /* those that the lookup at hand came to */
	uint64_t looked_at;  /* jumps, in all lookups */
	uint32_t lookup;     /* its number; there are far less than 2^32 */
};

/*
 * The address that a call leads to.  false: it goes through a pointer, to anywhere; but where the
 * loader writes the address of a function of the program there, for good, that is known.
 */
bool reach_target(const struct symbols *symbols, const struct call_site *site, uint64_t *address);

/* Looks at the functions that are called, and at those that they jump to, and so on. */
struct reach reach_find(struct run *run, struct scanner *scanner, const struct arc_rules *rules,
                        const struct call_sites *sites);

/*
 * Whether one function goes on with another, at once or through others.  Where there are too many
 * jumps to find out, it may.
 */
bool reach_has(struct reach *reach, uint32_t from, uint32_t to);

void reach_release(struct run *run, struct reach *reach);

#endif
