/* SPDX-License-Identifier: Apache-2.0 */
/* What is printed with the call graph unless it is to be brief, piece by piece. */
#ifndef OUTPUT_CALLGRAPH_EXPLANATION_H
#define OUTPUT_CALLGRAPH_EXPLANATION_H

#include "columns.h"

static const char graph_explanation_begin[] =
	"\n"
	"How to read this listing. Each entry, between two dashed lines, is about one function:\n"
	"the one whose line begins with a number in brackets. The lines above it are its callers,\n"
	"the lines below it the functions it called. Entries that account for most time go first.\n"
	"To see where that goes, follow the largest figures to the functions called; to see on\n"
	"whose behalf, to the callers.\n"
	"\n"
	"On the line of the function itself:\n";

static const char *const graph_explanation_columns[COLUMN_KINDS] = {
	[COLUMN_SHARE] =
		" % time      part of the total that is spent in it and in all it called. These do not\n"
		"             add up: a function's time is also in that of its callers\n",
	[COLUMN_LOW] =
		" 95% from    with the column \"to\" an interval: in 95 of 100 profiles of the same\n"
		"             program, the % time that the function really has lies within it, as far\n"
		"             as chance alone decides\n",
	[COLUMN_HIGH] = " to          the end of that interval\n",
	[COLUMN_SELF] = " self        time in its own code\n",
	[COLUMN_CHILDREN] =
		" children    time in the functions it called, as far as it is charged with it\n",
	[COLUMN_ERROR] =
		" error       the standard error of self and children together, on all lines: by so\n"
		"             much chance moves them from one profile to the next, typically. That the\n"
		"             times of callees are estimates is not in it\n",
	[COLUMN_CALLED] =
		" called      calls by other functions, and behind + those by itself, if any\n",
};
static const char graph_explanation_columns_traditional[] =
	" %time       part of the total that is spent in it and in all it called. These do not\n"
	"             add up: a function's time is also in that of its callers\n"
	" self        time in its own code\n"
	" descendants time in the functions it called, as far as it is charged with it\n"
	" called+self calls by other functions, and behind + those by itself, if any\n";

/* Where there are several metrics. */
static const char graph_explanation_metrics[] =
	" self, children below the name of another metric: the same in that metric. Entries are\n"
	"             sorted by the first metric\n";

static const char graph_explanation_lines[] =
	"\n"
	"On the line of a caller stand the parts of both times that it is charged with, and its\n"
	"calls / all calls by others. On the line of a called function stands what the function\n"
	"is charged with of that one's times, and how many of that one's calls it made.\n"
	"\n"
	"A number in brackets behind a name is that of its entry; in parentheses, of one that was\n"
	"left out. <spontaneous> stands where no call was recorded: the start of the program, or\n"
	"callers that were not compiled for profiling.\n"
	"\n"
	"Functions that call each other in a circle form a <cycle>. Who of them works for whom\n"
	"cannot be told, so calls within a cycle have no times, and calls / all calls refer to the\n"
	"cycle as a whole. It has an entry of its own";

static const char graph_explanation_cycle[] = ", with the members below its\n"
					      "line, unless nobody outside calls it.\n";
static const char graph_explanation_cycle_callers[] = ", with the callers from outside above its\n"
						      "line and the members below it.\n";

/* With calls that were found in the code. */
static const char graph_explanation_marks[] =
	"\n"
	"Lines with 0 calls stand for what is in the code and never happened. Before the name, >\n"
	"marks a jump to the begin of the function, @ a call through the linkage table, and & code\n"
	"that takes its address.\n";

/* In the place of all that follows, where stacks have measured the times. */
static const char graph_explanation_measured[] =
	"\n"
	"Times are measured: with what a function called, its time is that of the call stacks that\n"
	"it is in. On the line of a caller or of a called function stands the time of the stacks in\n"
	"which the one stands right below the other, and in the column \"called\" the number of calls,\n"
	"if another profile has counted them. Each stack counts once, however often a function is in\n"
	"it: functions that call each other in a circle, marked <cycle N>, have times that overlap,\n"
	"and so has a function with its calls of itself.\n"
	"\n"
	"A number in brackets behind a name is that of its entry; in parentheses, of one that was\n"
	"left out. <spontaneous> stands where no stack shows a caller.\n"
	"\n"
	"What not to conclude. Stacks are samples: a time of n samples is uncertain by about the\n"
	"square root of n samples.\n";

static const char graph_explanation_end[] =
	"\n"
	"What not to conclude. Only times of a function's own code are observed, by samples.\n"
	"All others are estimates: a function's time is divided among its callers by the number\n"
	"of their calls, as if every call took equally long. They are good where that is so, and\n"
	"wrong for a caller whose calls are the cheap, or the expensive, ones: compare 1 of 1000\n"
	"calls that sorts a million items with 999 that sort ten. The self time of a function with\n"
	"a single caller is charged right.\n";

#endif
