/* SPDX-License-Identifier: Apache-2.0 */
#include "corrections/corrections.h"

#include <string.h>

#include "base/memory.h"

static const struct engine_correction table[] = {
	{GPROFX_CORRECT_LAST_SYMBOL, "last-symbol",
         "gprof gives the symbol of the highest address no samples; it ends with its section",
         true},
	{GPROFX_CORRECT_ZERO_RATE, "zero-rate",
         "without a sampling rate gprof prints times as -nan or inf; they are 0, or numbers of samples",
         true},
	{GPROFX_CORRECT_WIDE_INDEX, "wide-index",
         "gprof cuts the numbers of entries to six characters from 10000 on; they are whole", true},
	{GPROFX_CORRECT_FULL_INDEX, "full-index",
         "gprof leaves functions out of the index that have only time below them; they are in it",
         true},
	{GPROFX_CORRECT_CYCLE_ENTRIES, "cycle-entries",
         "gprof prints no entry, and no time, for a cycle that is not called from outside; it has them",
         true},
	{GPROFX_CORRECT_CYCLE_CALLERS, "cycle-callers",
         "gprof documents the callers of a cycle in its entry and leaves them out; they are there",
         true},
	{GPROFX_CORRECT_STATIC_FILES, "static-files",
         "gprof names the file of static functions twice if names have positions; it stands once",
         true},
	{GPROFX_CORRECT_GRAPH_UNIT, "graph-unit",
         "gprof always says seconds above the call graph, and whole bytes; it is what the profile says",
         true},
	{GPROFX_CORRECT_SHOWN_ORDER, "shown-order",
         "gprof sorts C++ names as they are mangled; they are sorted as they are printed", true},
	{GPROFX_CORRECT_GRANULARITY, "granularity",
         "gprof calls a sample more than 100% of 0.00 seconds where little is shown; it says how little",
         true},
	{GPROFX_CORRECT_CALL_UNITS, "call-units",
         "gprof has one unit for all times per call, in which fast calls read 0.00; each has its own",
         true},
	{GPROFX_CORRECT_NARROW_BINS, "narrow-bins",
         "gprof loses every other bin of 1 byte and counts the rest twice; each counts where it lies",
         true},
	{GPROFX_CORRECT_UNTYPED_CALLEES, "untyped-callees",
         "gprof gives calls of assembler functions without a type to the function before; they stay",
         true},
	{GPROFX_CORRECT_CLONES, "clones",
         "gprof leaves out static clones such as f.part.0, some by chance; see --clones", true},
	{GPROFX_CORRECT_ARC_SPECS, "arc-specs",
         "of several -k, -q or -Q FROM/TO with the same FROM gprof heeds only the last; all count",
         true},
	{GPROFX_CORRECT_EXACT_BINS, "exact-bins",
         "gprof mistakes which addresses a bin covers and counts overlaps twice; bins are divided exactly",
         true},
	{GPROFX_CORRECT_GAPS, "gaps",
         "gprof charges samples between functions to the one before; they are told as outside any",
         true},
	{GPROFX_CORRECT_RATES, "rates",
         "gprof takes samples of every profile as of the first one's rate; each has its own", true},
	{GPROFX_CORRECT_DESCRIPTORS, "descriptors",
         "gprof leaves out static functions that have a descriptor (64-bit PowerPC); they count",
         true},
	{GPROFX_CORRECT_BLOCKS, "blocks",
         "gprof keeps the counts of ten basic blocks of a line or function; all are kept", true},
	{GPROFX_CORRECT_SCATTERED, "scattered",
         "gprof does not know inlined functions of clang whose code is scattered; they are named",
         true},
	{GPROFX_CORRECT_STATIC_LINES, "static-lines",
         "with -a, gprof still lists the lines of static functions; they count for the line before",
         true},
	{GPROFX_CORRECT_LINE_GRAPH, "line-graph",
         "with -l, gprof gives time to calling lines, which pass nothing on; their functions have it",
         true},
	{GPROFX_CORRECT_SHARED_LINES, "shared-lines",
         "of several pieces of code on a line gprof annotates the first; the counts of all are there",
         true},
	{GPROFX_CORRECT_UNCALLED_FILES, "uncalled-files",
         "gprof annotates no file without calls; one that otherwise ran is annotated", true},
	{GPROFX_CORRECT_SAME_NAMES, "same-names",
         "with -y, files of one name in two folders overwrite each other; each has its own", true},
	{GPROFX_CORRECT_CARRIED_COUNTS, "carried-counts",
         "with -x, gprof hands counts on to functions and files that follow; a block's stay in it",
         true},
	{GPROFX_CORRECT_LONG_COUNTS, "long-counts",
         "gprof cuts the counts of a line to 16 characters; they are whole", true},
	{GPROFX_CORRECT_LINE_TOTALS, "line-totals",
         "gprof's totals of annotated files know calls alone, and ##### as executed; blocks count",
         true},
	{GPROFX_CORRECT_LOST_SOURCES, "lost-sources",
         "gprof succeeds even if no source file could be found; the exit status tells", true},
	{GPROFX_CORRECT_SPEC_FILES, "spec-files",
         "of several files of a name a symspec means one; it means all, or those in a folder",
         true},
	{GPROFX_CORRECT_FIRST_FILES, "first-files",
         "code of a header that comes first in a unit counts for the main file; it is the header's",
         true},
	{GPROFX_CORRECT_INLINED, "inlined",
         "with -l, gprof does not tell where inlined code was inlined, and takes all places for one",
         true},
	{GPROFX_CORRECT_STATIC_CALLS, "static-calls",
         "with -c, gprof misreads the code of most machines and looks at .text alone; all of it is decoded",
         true},
	{GPROFX_CORRECT_CALL_SITES, "call-sites",
         "call sites are rounded, and some calls booked on the function before; code tells whose they are",
         true},
	{GPROFX_CORRECT_UNKNOWN_COUNTS, "unknown-counts",
         "gprof marks lines of which no count is known as never executed; nothing stands there",
         true},
	{GPROFX_CORRECT_LOCAL_NAMES, "local-names",
         "gprof leaves out static functions with names such as f._omp_fn.0 or $_0; whatever has code counts",
         true},
	{GPROFX_CORRECT_PLT_NAMES, "plt-names",
         "gprof charges samples of PLT stubs to the function before; they are shown as f@plt",
         true},
	{GPROFX_CORRECT_SHARED_BINS, "shared-bins",
         "gprof divides bins of several functions by bytes; they are divided by the samples beside them",
         true},
	{GPROFX_CORRECT_FORKED_COPIES, "forked-copies",
         "gprof counts what was before a fork again with each child's file; it counts once", true},
	{GPROFX_CORRECT_PROFILING_CODE, "profiling-code",
         "gprof leaves out mcount, but shows __fentry__ and other names of it; all are left out",
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
