/* SPDX-License-Identifier: Apache-2.0 */
/* Which function of one report is which of another one. */
#ifndef ENGINE_COMPARE_MATCH_H
#define ENGINE_COMPARE_MATCH_H

#include "base/run.h"

/* The functions of two reports, those of the base and those of what is compared with it. */
struct compare_matches {
	uint32_t base_count, new_count;
	uint32_t *of_base; /* per function of the base its partner, or UINT32_MAX */
	uint32_t *of_new;  /* the same the other way round */
	uint8_t *how;      /* per function of "new": enum gprofx_match */
	/* The program is the same build on both sides: its functions are matched by address. */
	bool is_same_build;
};

/*
 * Matches functions one to one, in these steps, each for those that are left: functions of the
 * same build of an image by address; those of the same name in the symbol table and the same
 * source file, or of the same object where files are not known; those of the same demangled name
 * without arguments and clone suffix; and, within one source file or object, functions with equal
 * callers and callees, which were renamed.  Names that are not unique in a step are matched in the
 * order of their addresses if both sides have as many of them, otherwise not in this step.  Both
 * reports have NODES and SOURCES.  Time and memory: n log n in the functions, and the number of
 * arcs.  The tables have the lifetime of the run.
 */
void compare_match(struct run *run, const struct gprofx_report *base,
                   const struct gprofx_report *new, struct compare_matches *matches);

#endif
