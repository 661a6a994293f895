/* SPDX-License-Identifier: Apache-2.0 */
/* What is printed with the call graph unless it is to be brief. */
#ifndef OUTPUT_CALLGRAPH_EXPLANATION_H
#define OUTPUT_CALLGRAPH_EXPLANATION_H

static const char graph_explanation[] =
	"\n"
	"How to read this listing. Each entry, between two dashed lines, is about one function:\n"
	"the one whose line begins with a number in brackets (the primary line). The lines above\n"
	"it are its callers, the lines below it the functions it called.\n"
	"\n"
	"On the primary line:\n"
	" index       number of the entry; entries are sorted by the time they account for\n"
	" % time      part of the whole time spent in the function and everything it called\n"
	" self        time in the function's own code\n"
	" children    time in the functions it called, as far as they worked for it\n"
	" called      calls from other functions, then + and calls by itself, if any\n"
	"\n"
	"On the line of a caller:\n"
	" self        the part of the primary function's own time that this caller caused\n"
	" children    the same for what the primary function called\n"
	" called      calls by this caller / all calls from other functions\n"
	"\n"
	"On the line of a callee the same figures tell what the callee did for the primary\n"
	"function, and how many of its calls came from it.\n"
	"\n"
	"A number in brackets behind a name is its entry; in parentheses if the entry was left\n"
	"out. <spontaneous> stands where no caller was recorded: the start of the program, or\n"
	"calls from code that was not compiled for profiling.\n"
	"\n"
	"Functions that call each other in a circle form a <cycle>. Its entry lists the members\n"
	"with their own figures; calls between members have no times, since it cannot be told\n"
	"who worked for whom.\n"
	"\n"
	"Self times are sampled. Times of callers and callees are estimates: a function's time is\n"
	"divided among its callers by the number of their calls, as if each call cost the same.\n"
	"Do not conclude that a caller is expensive where its calls may be the cheap ones.\n";

#endif
