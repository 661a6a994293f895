/* SPDX-License-Identifier: Apache-2.0 */
/* What is printed with the flat profile unless it is to be brief, piece by piece. */
#ifndef OUTPUT_FLAT_EXPLANATION_H
#define OUTPUT_FLAT_EXPLANATION_H

#include "columns.h"

static const char flat_explanation_begin[] =
	"\n"
	"How to read this table. Each row is a function, those that took most time first.";
static const char flat_explanation_cumulative[] =
	" Where\n"
	"\"cumulative\" comes close to the whole, the rest is not worth attention.";

#define FLAT_SHARE                                                               \
	"part of the total that was spent in the function's own code; samples\n" \
	"             that are in no row count in the total, but for the profiling code\n"

static const char flat_explanation_traditional_share[] = " %time       " FLAT_SHARE;

/* Of times per call what stands there if each figure has its unit. */
static const char *const flat_explanation_columns[COLUMN_KINDS] = {
	[COLUMN_SHARE] = " % time      " FLAT_SHARE,
	[COLUMN_LOW] =
		" 95% from    with the column \"to\" an interval: in 95 of 100 profiles of the same\n"
		"             program, the part that the function really has lies within it\n",
	[COLUMN_HIGH] = " to          the end of that interval\n",
	[COLUMN_ERROR] =
		" error       the standard error of the self time: by so much chance alone moves it\n"
		"             from one profile to the next, typically\n",
	[COLUMN_CUMULATIVE] =
		" cumulative  the self times of this row and all rows above it, added up\n",
	[COLUMN_SELF] =
		" self        time in the function's own code, not in the functions it called\n",
	[COLUMN_CALLS] =
		" calls       calls by other functions. Blank: none was counted, since the function, or\n"
		"             all that call it, was not compiled for profiling, or since there was none\n",
	[COLUMN_SELF_PER_CALL] =
		" self/call   self time divided by calls, in the unit behind it: an average\n",
	[COLUMN_TOTAL_PER_CALL] =
		" total/call  the same with the time of everything it called: an estimate, see below\n",
	[COLUMN_NAME] =
		" name        followed by the number of its entry in the call graph: [N] if that is\n"
		"             printed, (N) if not\n",
};

/* If the heading has the unit. */
static const char flat_explanation_both_per_call[] =
	" self, total /call  self time, and the time with everything it called, divided by\n"
	"             calls, in the unit of the heading, which may leave 0.00 of fast functions:\n"
	"             the first an average, the second an estimate, see below\n";
static const char flat_explanation_self_per_call[] =
	" self /call  self time divided by calls, in the unit of the heading, which may leave\n"
	"             0.00 of fast functions: an average\n";
static const char flat_explanation_total_per_call[] =
	" total /call self time and that of everything it called, divided by calls, in the\n"
	"             unit of the heading, which may leave 0.00 of fast functions: an estimate,\n"
	"             see below\n";

/* Where there are several metrics. */
static const char flat_explanation_metrics[] =
	" self, total below the name of another metric: what the function's own code has of it,\n"
	"             and that with everything it called, divided among callers as times are; the\n"
	"             second is an estimate. Rows are sorted by the first metric\n";

static const char flat_explanation_end[] =
	"\n"
	"What not to conclude. Times are samples, not measurements: a time of n samples is\n"
	"uncertain by about the square root of n samples, so of two rows with 9 and 4 samples\n"
	"either may be the slower one, and 0.00 means few samples or none, not no time. Samples\n"
	"are taken while the program computes: waiting for input, locks or other programs is in\n"
	"no row. Calls are counted exactly, unless the program has threads.\n";
/* Where stacks have measured the times. */
static const char flat_explanation_measured_calls[] =
	" calls       calls by other functions, if another profile has counted them. Blank: nobody\n"
	"             did\n";
static const char flat_explanation_measured_total[] =
	" total/call  the same with the time of everything it called, as stacks have measured it\n";
static const char flat_explanation_measured_end[] =
	"\n"
	"What not to conclude. Stacks are samples: a time of n samples is uncertain by about the\n"
	"square root of n samples, so of two rows with 9 and 4 samples either may be the slower\n"
	"one, and 0.00 means few samples or none, not no time.\n";
static const char flat_explanation_estimates[] =
	"\n"
	"Of the total per call only the function's own part was observed. The time of what it\n"
	"called is divided among all callers as if every call took equally long: do not trust it\n"
	"for functions whose callees are cheap for one caller and expensive for another.\n";

#endif
