/* SPDX-License-Identifier: Apache-2.0 */
/* What is printed with the flat profile unless it is to be brief. */
#ifndef OUTPUT_FLAT_EXPLANATION_H
#define OUTPUT_FLAT_EXPLANATION_H

#define FLAT_COLUMNS                                                                             \
	" cumulative  the times of this row and all rows above it, added up\n"                   \
	" self        time spent in the function's own code, without the functions it called;\n" \
	"             the rows are sorted by it\n"                                               \
	" calls       how often the function was called; blank if it was not compiled for\n"     \
	"             profiling or was never called\n"                                           \
	" self/call   self time divided by the calls\n"                                          \
	" total/call  the same with the time of everything the function called; an estimate,\n"  \
	"             since it supposes that all calls of one callee took equally long\n"

#define FLAT_ADVICE                                                                               \
	"Times are samples, not measurements: a figure of n samples is uncertain by about the\n"  \
	"square root of n, so a row of a few samples says little. Calls are counted exactly in\n" \
	"a program with one thread. Time spent waiting is in no row.\n"

static const char flat_explanation[] =
	"\n"
	"How to read this table. Each row is a function.\n"
	"\n"
	" % time      its part of the whole running time\n" FLAT_COLUMNS "\n" FLAT_ADVICE;

static const char flat_explanation_traditional[] =
	"\n"
	"How to read this table. Each row is a function.\n"
	"\n"
	" %time       its part of the whole running time\n" FLAT_COLUMNS
	" name        followed by the number of its entry in the call graph: [N] if that is\n"
	"             printed, (N) if not\n"
	"\n" FLAT_ADVICE;

#endif
