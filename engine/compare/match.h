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
 * Matches functions one to one, in these steps, each for those that are left:
 *
 * - BUILD: functions of the same build of an image, by address.  Builds are the same if their build
 *   IDs are; without any, the program is if both reports have it from one file that has not
 *   changed.  Images whose names are from profiles have no addresses to rely on.
 * - NAME: the same name in the symbol table and the same source file, without its folder; where no
 *   function of the name has a known file on one of the sides, the same name and object.  Objects
 *   are compared without their versions: "libc-2.31.so" is "libc.so.6".
 * - PLAIN: the same demangled name without what distinguishes clones (".isra.0", ".llvm.123",
 *   "[clone .cold]"), the version of a symbol, and the hash of a name of Rust; then also without
 *   arguments of functions and underscores in front.  So names that another program demangled, as
 *   in folded stacks, are those of the symbol table, whose format may add an underscore.  Of one
 *   file first, then of one object, then of different ones, if no other function has the name.
 * - RENAMED: in one source file, the only two functions with the same callers and callees, at least
 *   one, of those that are matched; where files are not known, in one object, with both callers and
 *   callees.  Then, in the order of addresses in a file, as many functions between the same two
 *   neighbors, each with the same callers and callees as its partner.
 *
 * Names that are not unique in a step are matched in the order of their addresses if both sides
 * have as many of them, otherwise not in this step.  Placeholders are matched with their like,
 * nodes that stand for object files by name, and lines of source only in the same build: the lines
 * of another one are not the same.
 *
 * Both reports have NODES and SOURCES.  Time and memory: n log n in the functions and in the arcs,
 * and the bytes of names up to a bound for each function; what is not matched because of that is
 * reported (report.long-names).  The result is the same for any number of threads.  The tables have
 * the lifetime of the run.
 */
void compare_match(struct run *run, const struct gprofx_report *base,
                   const struct gprofx_report *new, struct compare_matches *matches);

#endif
