/* SPDX-License-Identifier: Apache-2.0 */
/* What is printed with the call graph unless it is to be brief, piece by piece. */
#ifndef OUTPUT_CALLGRAPH_EXPLANATION_H
#define OUTPUT_CALLGRAPH_EXPLANATION_H

#include "columns.h"

static const char graph_explanation_begin[] =
	"\n"
	"How to read this listing. Each entry, between two dashed lines, is about one function.\n"
	"Its own line, the primary line, begins with a number in brackets. The lines above it are\n"
	"its callers, the parents; the lines below it are the functions it called, the children.\n"
	"Entries that account for most time come first. To see where the time goes, follow the\n"
	"largest figures down to the children; to see who caused it, up to the parents.\n"
	"\n"
	"On the primary line:\n";

static const char *const graph_explanation_columns[COLUMN_KINDS] = {
	[COLUMN_SHARE] =
		" % time      part of the total that was spent in the function and all it called. These\n"
		"             do not add up: a function's time is also in the time of its callers\n",
	[COLUMN_LOW] =
		" 95% from    with \"to\", a confidence interval: in 95 of 100 profiles of the same\n"
		"             program, it contains the true % time, as far as sampling errors go\n",
	[COLUMN_HIGH] = " to          the upper end of that interval\n",
	[COLUMN_SELF] = " self        time in its own code\n",
	[COLUMN_CHILDREN] =
		" children    time in the functions it called, as charged to this function\n",
	[COLUMN_ERROR] =
		" error       the standard error of self plus children, on all lines: how much they\n"
		"             typically vary by chance from one profile to the next. It does not cover\n"
		"             that children times are estimates\n",
	[COLUMN_CALLED] =
		" called      calls by other functions, and after + its recursive calls, if any\n",
};
static const char graph_explanation_columns_traditional[] =
	" %time       part of the total that was spent in the function and all it called. These\n"
	"             do not add up: a function's time is also in the time of its callers\n"
	" self        time in its own code\n"
	" descendants time in the functions it called, as charged to this function\n"
	" called+self calls by other functions, and after + its recursive calls, if any\n";

/* Where there are several metrics. */
static const char graph_explanation_metrics[] =
	" self, children below the name of another metric: the same in that metric. Entries are\n"
	"             sorted by the first metric\n";

static const char graph_explanation_lines[] =
	"\n"
	"On the line of a parent, the times are the parts of the function's times charged to that\n"
	"parent, and the numbers are its calls / all calls by other functions. On the line of a\n"
	"child, the times are the parts of the child's times charged to the function, and the\n"
	"numbers are the function's calls / all calls of the child.\n"
	"\n"
	"A number in brackets after a name refers to its entry; in parentheses, to one that was\n"
	"left out. <spontaneous> stands where no caller was recorded: at the start of the program,\n"
	"or where callers were not compiled for profiling.\n"
	"\n"
	"Functions that call each other recursively form a <cycle>. The profile cannot tell how\n"
	"time divides among them, so calls within a cycle have no times, and calls / all calls\n"
	"refer to the cycle as a whole. It has its own entry";

static const char graph_explanation_cycle[] = ", with the members below its primary\n"
					      "line, unless it is not called from outside.\n";
static const char graph_explanation_cycle_callers[] = ", with callers from outside above its\n"
						      "primary line and the members below it.\n";

/* With calls that were found in the code. */
static const char graph_explanation_marks[] =
	"\n"
	"Lines with 0 calls are calls that the code contains but that never happened. Before the\n"
	"name, > marks a jump to the function entry, @ a call through the PLT or GOT, and & code\n"
	"that takes the address of the function.\n";

/* In the place of all that follows, where stacks have measured the times. */
static const char graph_explanation_measured[] =
	"\n"
	"Times are measured from call stacks: the time of a function, including all it called, is\n"
	"that of the stacks that contain it. On the line of a parent or child, the time is that of\n"
	"the stacks in which the parent directly calls the child, and \"called\" is the number of\n"
	"calls, if they were counted. Each stack counts once, however often it contains a\n"
	"function: the times of functions that call each other recursively, marked <cycle N>,\n"
	"overlap, and so do the times of a function and its recursive calls.\n"
	"\n"
	"A number in brackets after a name refers to its entry; in parentheses, to one that was\n"
	"left out. <spontaneous> stands where no stack shows a caller.\n"
	"\n"
	"What not to conclude. Stacks are samples: a time of n samples is uncertain by about the\n"
	"square root of n samples.\n";

/* The same, where calls were measured as a whole. */
static const char graph_explanation_costed[] =
	"\n"
	"Costs are measured in calls: the cost of a function, including all it called, is that of\n"
	"the calls to it. On the line of a parent or child, \"self\" and \"children\" together are what\n"
	"the parent's calls of the child cost; how much of it is the child's own is an estimate.\n"
	"\"called\" is the exact number of calls. Calls of a function that is active already are part\n"
	"of others: the costs of functions that call each other recursively, marked <cycle N>,\n"
	"overlap, and so do those of a function and its recursive calls.\n"
	"\n"
	"A number in brackets after a name refers to its entry; in parentheses, to one that was\n"
	"left out. <spontaneous> stands where nothing called the function while costs were counted.\n";

/* The same, where a clock was read when functions began and ended. */
static const char graph_explanation_clocked[] =
	"\n"
	"Times are measured by a clock, at entry and exit of functions: the time of a function,\n"
	"including all it called, is that in which it was active. On the line of a parent or child,\n"
	"the time is that of the calls of the child by the parent. Of calls within each other, the\n"
	"outermost one counts: the times of functions that call each other recursively, marked\n"
	"<cycle N>, overlap, and so do the times of a function and its recursive calls.\n"
	"\n"
	"A number in brackets after a name refers to its entry; in parentheses, to one that was\n"
	"left out. <spontaneous> stands where no caller was measured.\n"
	"\n"
	"What not to conclude. Time in which the program waited, or the system ran another one, is\n"
	"part of it. Functions that do not call the collector, such as those of the C library, have\n"
	"no times: theirs are those of their callers.\n";

static const char graph_explanation_end[] =
	"\n"
	"What not to conclude. Only the times of functions' own code are observed, by sampling.\n"
	"All others are estimates: a function's time is divided among its callers in proportion to\n"
	"their calls, as if every call took equally long. They are wrong for callers whose calls\n"
	"are cheaper or more expensive than others: compare 1 of 1000 calls that sorts a million\n"
	"items with 999 that sort ten. The self time of a function with a single caller is charged\n"
	"correctly.\n";

#endif
