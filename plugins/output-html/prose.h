/* SPDX-License-Identifier: Apache-2.0 */
/* The text of the page, which is there without its script: what sentences and tables share. */
#ifndef OUTPUT_HTML_PROSE_H
#define OUTPUT_HTML_PROSE_H

#include <gprofx/emitter.h>

#include "../shared/inlined.h"
#include "../shared/names.h"
#include "../shared/rows.h"
#include "many.h"
#include "nodes.h"
#include "source.h"

enum {
	PROSE_ROWS = 50, /* of the table */
	PROSE_SENTENCES = 5
};

struct prose {
	struct gprofx *gx;
	const struct gprofx_report *report;
	const struct nodes *nodes;
	struct gprofx_writer *w;
	struct names names;
	bool has_times; /* shares of time can be stated */
	/* Shares of total times can be stated, and are an estimate where there is time below. */
	bool has_total, is_estimated;
	const char *of_time; /* " of the time", or of the part of it that was sampled */
	double total;        /* ticks that shares refer to */
	uint32_t count;      /* rows of the heaviest functions, the first ones of the nodes' rows */
	struct rows_callers callers[PROSE_ROWS]; /* of each row */
	uint32_t heaviest[PROSE_SENTENCES];      /* functions with all of their lines */
	struct rows_callers heaviest_callers[PROSE_SENTENCES]; /* of each of these */
	uint32_t heaviest_count;
	/* Inlined subroutines with much of the time. */
	const struct gprofx_inlined *heavy[INLINED_HEAVY];
	uint32_t heavy_count;
};

void prose_begin(struct prose *p, const struct nodes *nodes, struct gprofx_writer *w);

/* A node's name, shortened if it is long, as a link that selects it. */
void prose_put_link(struct prose *p, uint32_t node);

/* The name of an inlined subroutine, without parameters and template arguments. */
void prose_put_inlined(struct prose *p, const char *name);

/* "27.1 %"; never 0 or 100 of what is less. */
void prose_put_share(struct prose *p, double ticks, double total, bool is_estimate);

/* "1.20 M" */
void prose_put_count(struct prose *p, double count);

/* Whether a total is not only its own time, and so an estimate. */
static inline bool
prose_is_guess(const struct prose *p, uint32_t function)
{
	return p->is_estimated && gprofx_below_of(p->report, function) > 0;
}

/* What was run and measured, the account of time, and findings. */
void intro_put_head(struct prose *p);
void intro_put_account(struct prose *p);
void intro_put_findings(struct prose *p);

/* What the next sentences answer; and one for each of the heaviest functions. */
void heaviest_put_question(struct prose *p);
void heaviest_put(struct prose *p);

/* The table of the heaviest functions. */
void fifty_put(struct prose *p);

/* How all this was measured, and what is missing. */
void method_put(struct prose *p, const struct source *source, const struct many *many);

#endif
