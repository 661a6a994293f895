/* SPDX-License-Identifier: Apache-2.0 */
#include "corrections/corrections.h"

#include <string.h>

#include "base/memory.h"

static const struct engine_correction table[] = {
	{GPROFX_CORRECT_LAST_SYMBOL, "last-symbol",
         "gprof gives the last symbol no samples; it extends to the end of its section", true},
	{GPROFX_CORRECT_ZERO_RATE, "zero-rate",
         "without a sampling rate, gprof prints times as -nan or inf; they are 0, or numbers of "
         "samples",
         true},
	{GPROFX_CORRECT_WIDE_INDEX, "wide-index",
         "gprof truncates entry numbers from 10000 on to six characters; they are printed in "
         "full",
         true},
	{GPROFX_CORRECT_FULL_INDEX, "full-index",
         "gprof omits functions with only children time from the index; they are included", true},
	{GPROFX_CORRECT_CYCLE_ENTRIES, "cycle-entries",
         "gprof prints no entry and no time for a cycle that is not called from outside; both are "
         "printed",
         true},
	{GPROFX_CORRECT_CYCLE_CALLERS, "cycle-callers",
         "gprof explains the callers of a cycle but omits them from its entry; they are listed",
         true},
	{GPROFX_CORRECT_STATIC_FILES, "static-files",
         "gprof prints the file of static functions twice if names have positions; it is printed "
         "once",
         true},
	{GPROFX_CORRECT_GRAPH_UNIT, "graph-unit",
         "gprof always prints seconds and whole bytes above the call graph; the profile's units "
         "are printed",
         true},
	{GPROFX_CORRECT_SHOWN_ORDER, "shown-order",
         "gprof sorts C++ names by their mangled form; they are sorted as they are printed", true},
	{GPROFX_CORRECT_GRANULARITY, "granularity",
         "gprof says that a sample covers over 100% of 0.00 seconds if little is shown; the time "
         "is stated",
         true},
	{GPROFX_CORRECT_CALL_UNITS, "call-units",
         "gprof has one unit for all times per call, and fast calls read 0.00; each time has its "
         "own unit",
         true},
	{GPROFX_CORRECT_NARROW_BINS, "narrow-bins",
         "gprof loses every other 1-byte bin and counts the rest twice; each counts once", true},
	{GPROFX_CORRECT_UNTYPED_CALLEES, "untyped-callees",
         "gprof charges calls of assembler functions without a type to the function before; they "
         "keep them",
         true},
	{GPROFX_CORRECT_CLONES, "clones",
         "gprof omits static clones such as f.part.0, some by chance; see --clones", true},
	{GPROFX_CORRECT_ARC_SPECS, "arc-specs",
         "of several -k, -q or -Q FROM/TO with the same FROM, gprof uses only the last; all are "
         "used",
         true},
	{GPROFX_CORRECT_EXACT_BINS, "exact-bins",
         "gprof misjudges the addresses of a bin and counts overlaps twice; bins are divided "
         "exactly",
         true},
	{GPROFX_CORRECT_GAPS, "gaps",
         "gprof charges samples between functions to the one before; they are shown as outside any",
         true},
	{GPROFX_CORRECT_RATES, "rates",
         "gprof applies the sampling rate of the first profile to all; each has its own "
         "rate",
         true},
	{GPROFX_CORRECT_DESCRIPTORS, "descriptors",
         "gprof omits static functions that have a descriptor (64-bit PowerPC); they are included",
         true},
	{GPROFX_CORRECT_BLOCKS, "blocks",
         "gprof keeps the counts of only ten basic blocks of a line or function; all are "
         "kept",
         true},
	{GPROFX_CORRECT_SCATTERED, "scattered",
         "gprof does not know clang's inlined functions if their code is scattered; they are named",
         true},
	{GPROFX_CORRECT_STATIC_LINES, "static-lines",
         "with -a, gprof still lists the lines of static functions; they are charged to the line "
         "before",
         true},
	{GPROFX_CORRECT_LINE_GRAPH, "line-graph",
         "with -l, gprof charges time to calling lines, which do not propagate it; their functions "
         "get it",
         true},
	{GPROFX_CORRECT_SHARED_LINES, "shared-lines",
         "if a line has several pieces of code, gprof shows the count of the first; all counts are "
         "shown",
         true},
	{GPROFX_CORRECT_UNCALLED_FILES, "uncalled-files",
         "gprof does not annotate files without calls; those that ran otherwise are "
         "annotated",
         true},
	{GPROFX_CORRECT_SAME_NAMES, "same-names",
         "with -y, files of the same name in two folders overwrite each other; each gets its own "
         "listing",
         true},
	{GPROFX_CORRECT_CARRIED_COUNTS, "carried-counts",
         "with -x, gprof carries counts over to functions and files that follow; they end with "
         "their block",
         true},
	{GPROFX_CORRECT_LONG_COUNTS, "long-counts",
         "gprof truncates the counts of a line to 16 characters; they are printed in full", true},
	{GPROFX_CORRECT_LINE_TOTALS, "line-totals",
         "gprof's totals of annotated files count only calls, and ##### as executed; blocks are "
         "counted",
         true},
	{GPROFX_CORRECT_LOST_SOURCES, "lost-sources",
         "gprof succeeds even if it finds no source file; the exit status reports it", true},
	{GPROFX_CORRECT_SPEC_FILES, "spec-files",
         "if several files have the same name, a symspec means one; it means all, or those in a "
         "folder",
         true},
	{GPROFX_CORRECT_FIRST_FILES, "first-files",
         "code of a header that comes first in a unit counts for the main file; it counts for the "
         "header",
         true},
	{GPROFX_CORRECT_INLINED, "inlined",
         "with -l, gprof does not show where calls were inlined, and merges them; each is shown in "
         "its place",
         true},
	{GPROFX_CORRECT_STATIC_CALLS, "static-calls",
         "with -c, gprof misreads the code of most machines and reads only .text; all code is "
         "decoded",
         true},
	{GPROFX_CORRECT_CALL_SITES, "call-sites",
         "rounded call sites move some calls to the function before; the code shows which call it "
         "was",
         true},
	{GPROFX_CORRECT_UNKNOWN_COUNTS, "unknown-counts",
         "gprof marks lines without a known count as never executed; they are left unmarked", true},
	{GPROFX_CORRECT_LOCAL_NAMES, "local-names",
         "gprof omits static functions with names such as f._omp_fn.0 or $_0; all code is included",
         true},
	{GPROFX_CORRECT_PLT_NAMES, "plt-names",
         "gprof charges samples of PLT stubs to the function before; they are shown as f@plt",
         true},
	{GPROFX_CORRECT_SHARED_BINS, "shared-bins",
         "gprof divides bins of several functions by bytes; they are divided by the samples next "
         "to them",
         true},
	{GPROFX_CORRECT_FORKED_COPIES, "forked-copies",
         "gprof counts what was before a fork again with each child's file; it is counted "
         "once",
         true},
	{GPROFX_CORRECT_PROFILING_CODE, "profiling-code",
         "gprof omits mcount, but shows __fentry__ and other such functions; all are omitted",
         true},
	{GPROFX_CORRECT_OWN_CALLS, "own-calls",
         "with -C and -A, gprof omits calls that functions make to themselves; they are counted",
         true},
	{GPROFX_CORRECT_FORTRAN_NAMES, "fortran-names",
         "gprof shows procedures of Fortran modules as __grid_MOD_norm; they are shown as "
         "grid::norm",
         true},
	{GPROFX_CORRECT_WHOLE_LINES, "whole-lines",
         "with -l, gprof has a row for each piece of a line's code; a line of a function has one",
         true},
	{GPROFX_CORRECT_PLAIN_NAMES, "plain-names",
         "of several names of a function, gprof shows one such as expf64; the one that people "
         "write is shown",
         true},
	{GPROFX_CORRECT_STABS_LINES, "stabs-lines",
         "gprof gives code without stabs the line of that before, and loses functions that the "
         "linker moved; lines end, and order does not matter",
         true},
};

enum { ROWS = sizeof table / sizeof table[0] };

const struct engine_correction *
engine_corrections(uint32_t *count)
{
	*count = ROWS;
	return table;
}

const struct engine_correction *
engine_correction_by_name(const char *name)
{
	for (uint32_t i = 0; i < ROWS; i++)
		if (strcmp(table[i].name, name) == 0)
			return &table[i];
	return NULL;
}

uint64_t
engine_corrections_chosen(const struct engine_settings *settings)
{
	uint64_t chosen = 0, known = 0;

	for (uint32_t i = 0; i < ROWS; i++) {
		known |= table[i].bit;
		if (settings->correct_by_default && table[i].is_default)
			chosen |= table[i].bit;
	}
	return ((chosen | settings->corrections_on) & ~settings->corrections_off) & known;
}

void
corrections_choose(struct run *run)
{
	run->corrections = engine_corrections_chosen(run->settings);
}

const char *const *
corrections_names(struct run *run, uint32_t *count)
{
	const char **names;

	*count = 0;
	memory_array(run, names, ROWS);
	for (uint32_t i = 0; i < ROWS; i++)
		if (run->corrections & table[i].bit)
			names[(*count)++] = table[i].name;
	return names;
}
