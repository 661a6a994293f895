/* SPDX-License-Identifier: Apache-2.0 */
/* How often lines of functions were executed, as compilers' counters say. */
#ifndef PLUGINS_OUTPUT_CALLGRIND_EXECUTIONS_H
#define PLUGINS_OUTPUT_CALLGRIND_EXECUTIONS_H

#include <gprofx/emitter.h>

struct executions {
	bool are_known;
	/*
	 * Lines of function f: line[first[f]] … line[first[f + 1] - 1], numbers in the report's
	 * executed_line.  Each is of one function: the innermost one around it that is in the
	 * report.
	 */
	uint32_t *first, *line;
	uint64_t total; /* of all these lines */
	double whole;   /* the same where it exceeds 64 bits */
};

void executions_make(struct gprofx *gx, const struct gprofx_report *report,
                     struct executions *executions);

#endif
