/* SPDX-License-Identifier: Apache-2.0 */
/* What is printed with the flat profile unless it is to be brief, piece by piece. */
#ifndef OUTPUT_FLAT_EXPLANATION_H
#define OUTPUT_FLAT_EXPLANATION_H

#include "columns.h"

static const char flat_explanation_begin[] =
	"\n"
	"How to read this table. Each row is a function; those that took most time come first.";
static const char flat_explanation_begin_lines[] =
	"\n"
	"How to read this table. Each row is a line of source; those that took most time come\n"
	"first. Calls are those of its function, in the row of the line that it begins with, and\n"
	"times per call are of the whole function.";
static const char flat_explanation_cumulative[] =
	" Once\n"
	"\"cumulative\" is close to the total, the remaining rows hardly matter.";

#define FLAT_SHARE                                                               \
	"part of the total that was spent in the function's own code. Samples\n" \
	"             that are in no row count in the total, except those of profiling code\n"

static const char flat_explanation_traditional_share[] = " %time       " FLAT_SHARE;

/* Of times per call what stands there if each figure has its unit. */
static const char *const flat_explanation_columns[COLUMN_KINDS] = {
	[COLUMN_SHARE] = " % time      " FLAT_SHARE,
	[COLUMN_LOW] =
		" 95% from    with \"to\", a confidence interval: in 95 of 100 profiles of the same\n"
		"             program, it contains the function's true share\n",
	[COLUMN_HIGH] = " to          the upper end of that interval\n",
	[COLUMN_ERROR] =
		" error       the standard error of the self time: how much it typically varies by\n"
		"             chance from one profile to the next\n",
	[COLUMN_CUMULATIVE] =
		" cumulative  the sum of the self times of this row and all rows above it\n",
	[COLUMN_SELF] =
		" self        time in the function's own code, not in the functions it called\n",
	[COLUMN_CALLS] =
		" calls       calls by other functions. Blank: none were counted, because there were none,\n"
		"             or because the function or all its callers were not compiled for profiling\n",
	[COLUMN_SELF_PER_CALL] =
		" self/call   self time divided by calls, followed by its unit: an average, with as many\n"
		"             digits as the samples support\n",
	[COLUMN_TOTAL_PER_CALL] =
		" total/call  the same, including the functions it called: an estimate, see below\n",
	[COLUMN_NAME] =
		" name        the function, followed by the number of its entry in the call graph: [N]\n"
		"             if that is printed, (N) if not\n",
};

/* If the heading has the unit. */
static const char flat_explanation_both_per_call[] =
	" self, total /call  self time, and self time plus that of the functions it called,\n"
	"             divided by calls, in the unit of the heading; fast functions may read 0.00.\n"
	"             The first is an average, the second an estimate, see below\n";
static const char flat_explanation_self_per_call[] =
	" self /call  self time divided by calls, in the unit of the heading: an average. Fast\n"
	"             functions may read 0.00\n";
static const char flat_explanation_total_per_call[] =
	" total /call self time plus that of the functions it called, divided by calls, in the\n"
	"             unit of the heading: an estimate, see below. Fast functions may read 0.00\n";

/* Where there are several metrics. */
static const char flat_explanation_metrics[] =
	" self, total below the name of another metric: its amount in the function's own code, and\n"
	"             that including the functions it called, divided among callers as times are;\n"
	"             the second is an estimate. Rows are sorted by the first metric\n";

static const char flat_explanation_end[] =
	"\n"
	"What not to conclude. Times are sampled, not measured: a time of n samples is uncertain\n"
	"by about the square root of n samples. Of two rows with 9 and 4 samples, either may be\n"
	"the slower one, and 0.00 means few samples or none, not no time. Samples are taken only\n"
	"while the program uses the CPU: waiting for input, locks or other programs is in no row.\n";
static const char flat_explanation_exact_calls[] =
	"Calls are counted exactly, unless the program has threads.\n";
static const char flat_explanation_lost_calls[] =
	"Calls are counted, but not all that several threads made at the same time.\n";
/* Where stacks have measured the times. */
static const char flat_explanation_measured_metrics[] =
	" self, total below the name of another metric: its amount in the function's own code, and\n"
	"             that including the functions it called, as measured from call stacks. Rows\n"
	"             are sorted by the first metric\n";
static const char flat_explanation_measured_calls[] =
	" calls       calls by other functions, if they were counted; otherwise blank\n";
static const char flat_explanation_measured_total[] =
	" total/call  the same, including the functions it called, as measured from call stacks\n";
static const char flat_explanation_measured_end[] =
	"\n"
	"What not to conclude. Stacks are samples: a time of n samples is uncertain by about the\n"
	"square root of n samples. Of two rows with 9 and 4 samples, either may be the slower one,\n"
	"and 0.00 means few samples or none, not no time.\n";
/* Where calls were measured as a whole. */
static const char flat_explanation_costed_self_per_call[] =
	" self/call   self cost divided by calls: an average\n";
static const char flat_explanation_costed_total[] =
	" total/call  the same, including the functions it called, as measured in its calls\n";
static const char flat_explanation_costed_end[] =
	"\n"
	"Costs and calls are counted, not sampled: small numbers are as exact as large ones. But they\n"
	"are not times: what an event takes depends on the processor.\n";
/* Where a clock was read when functions began and ended. */
static const char flat_explanation_clocked_self_per_call[] =
	" self/call   self time divided by calls, followed by its unit: an average\n";
static const char flat_explanation_clocked_total[] =
	" total/call  the same, including the functions it called, as measured\n";
static const char flat_explanation_clocked_end[] =
	"\n"
	"What not to conclude. Time in which the program waited, or the system ran another one, is\n"
	"part of it. Functions that do not call the collector, such as those of the C library, have\n"
	"no times: theirs are those of their callers.\n";
static const char flat_explanation_estimates[] =
	"\n"
	"Of the total per call, only the function's own part was observed. The time of the\n"
	"functions it called is divided among all their callers as if every call took equally\n"
	"long: do not trust it for functions whose callees are cheap for one caller and expensive\n"
	"for another.\n";

#endif
