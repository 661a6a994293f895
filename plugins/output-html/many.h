/* SPDX-License-Identifier: Apache-2.0 */
/* Values by profile, and by process, thread and phase, as members of the page's data. */
#ifndef OUTPUT_HTML_MANY_H
#define OUTPUT_HTML_MANY_H

#include <gprofx/emitter.h>

#include "nodes.h"
#include "values.h"

/* A row of per-file statistics, and how much more its largest file has than the mean. */
struct many_row {
	double self, calls;
	double total; /* ticks of all files */
	uint32_t row;
};

struct many {
	const struct nodes *nodes;
	/* Functions with their values by file, the most uneven first; NULL: there are no such
	 * values. */
	struct many_row *rows;
	uint32_t row_count;
	uint32_t rows_left; /* functions whose values there is no room for */
	/* Per node of the report whether its values by slice are shown, or NULL, likewise. */
	bool *is_shown;
	uint32_t functions_left;
};

/* Chooses what is shown. */
void many_begin(struct many *many, const struct nodes *nodes);

/* The members "files" and "slices". */
void many_put(struct values *c, const struct many *many);

void many_release(struct many *many);

#endif
