/* SPDX-License-Identifier: Apache-2.0 */
/* What is printed with the flat profile unless it is to be brief, piece by piece. */
#ifndef OUTPUT_FLAT_EXPLANATION_H
#define OUTPUT_FLAT_EXPLANATION_H

static const char flat_explanation_begin[] =
	"\n"
	"How to read this table. Each row is a function, those that took most time first. Where\n"
	"\"cumulative\" comes close to the whole, the rest is not worth attention.\n"
	"\n";

static const char flat_explanation_columns[] =
	"part of the total that was spent in the function's own code; the total\n"
	"             has samples that are in no row, too\n"
	" cumulative  the self times of this row and all rows above it, added up\n"
	" self        time in the function's own code, not in the functions it called\n"
	" calls       calls by other functions. Blank: none was counted, since the function, or\n"
	"             all that call it, was not compiled for profiling, or since there was none\n";

/* Either each figure per call has its unit, or the heading has it. */
static const char flat_explanation_own_units[] =
	" self/call   self time divided by calls, in the unit behind it: an average\n"
	" total/call  the same with the time of everything it called: an estimate, see below\n";
static const char flat_explanation_one_unit[] =
	" self, total /call  self time, and the time with everything it called, divided by\n"
	"             calls, in the unit of the heading, which may leave 0.00 of fast functions:\n"
	"             the first an average, the second an estimate, see below\n";

static const char flat_explanation_numbers[] =
	" name        followed by the number of its entry in the call graph: [N] if that is\n"
	"             printed, (N) if not\n";

static const char flat_explanation_end[] =
	"\n"
	"What not to conclude. Times are samples, not measurements: a time of n samples is\n"
	"uncertain by about the square root of n samples, so of two rows with 9 and 4 samples\n"
	"either may be the slower one, and 0.00 means few samples or none, not no time. Samples\n"
	"are taken while the program computes: waiting for input, locks or other programs is in\n"
	"no row. Calls are counted exactly, unless the program has threads.\n"
	"\n"
	"Of the total per call only the function's own part was observed. The time of what it\n"
	"called is divided among all callers as if every call took equally long: do not trust it\n"
	"for functions whose callees are cheap for one caller and expensive for another.\n";

#endif
