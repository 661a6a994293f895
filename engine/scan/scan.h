/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Calls that stand in the code, whether they ever happened or not.  Plugins (findcall-*) know the
 * instructions; which code is looked at, and what is a function, is decided here.
 */
#ifndef ENGINE_SCAN_SCAN_H
#define ENGINE_SCAN_SCAN_H

#include "graph/graph.h"

struct scanner;

/*
 * The scanner for the image's code, if calls in it are wanted.  NULL: they are not, or there is
 * none for the machine, which was told.
 */
struct scanner *
scan_open(struct run *run, const struct symbols *symbols, const struct profile *profile);

/*
 * All calls in the code, those of a function by address, functions by address; equal ones may
 * repeat.  To be called once; the list has run lifetime.
 */
struct static_calls scan_calls(struct run *run, struct scanner *scanner,
                               const struct filters *filters, const struct profile *profile);

#endif
