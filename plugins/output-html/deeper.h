/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Who called a function, where call stacks say it closer than the call graph: a subroutine that was
 * inlined into its caller, beyond functions of libraries.
 */
#ifndef OUTPUT_HTML_DEEPER_H
#define OUTPUT_HTML_DEEPER_H

#include <gprofx/emitter.h>

/* Where calls of a function come from. */
struct deeper_origin {
	uint32_t function; /* of the program */
	const char *name;  /* of the subroutine in it, as the report has it */
	double share;      /* of the time of what was called, from 0 to 1 */
};

/* Of each context the innermost one at or above it with code of the program's own. */
struct deeper {
	struct gprofx *gx;
	const struct gprofx_report *report;
	uint32_t
		*own; /* GPROFX_NO_CONTEXT: none; NULL: stacks say nothing of inlined subroutines */
};

void deeper_begin(struct deeper *deeper, struct gprofx *gx, const struct gprofx_report *report);

/* The place that most of a function's time comes from; false: that is no inlined subroutine. */
bool deeper_find(const struct deeper *deeper, uint32_t function, struct deeper_origin *origin);

void deeper_release(struct deeper *deeper);

#endif
