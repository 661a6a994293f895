/* SPDX-License-Identifier: Apache-2.0 */
#include "prose.h"

#include <math.h>
#include <string.h>

#include <gprofx/text.h>

#include "../shared/fit-texts.h"
#include "../shared/head-texts.h"
#include "../shared/inlined.h"
#include "../shared/names.h"
#include "../shared/rows.h"
#include "text.h"

enum {
	LONG_NAME = 60,    /* bytes; longer ones lose parameters, then template arguments */
	LONGEST_NAME = 120 /* what is longer even so is cut */
};

/* In reports by line, rows are lines: the heaviest functions are among all of them. */
static void
find_heaviest(struct prose *p)
{
	const struct gprofx_report *report = p->report;

	for (uint32_t i = 0; i < p->nodes->row_count; i++) {
		uint32_t function = p->nodes->row[i], at = p->heaviest_count;
		double self = gprofx_whole_self_of(report, function);

		if ((report->graph->flags[function] & GPROFX_NODE_LINE) ||
		    (p->has_times && !(self > 0)))
			continue;
		while (report->origin->by_line && at > 0 &&
		       self > gprofx_whole_self_of(report, p->heaviest[at - 1]))
			at--;
		if (at == PROSE_SENTENCES)
			continue;
		if (p->heaviest_count < PROSE_SENTENCES)
			p->heaviest_count++;
		memmove(&p->heaviest[at + 1], &p->heaviest[at],
		        (p->heaviest_count - 1 - at) * sizeof *p->heaviest);
		p->heaviest[at] = function;
	}
}

/* The callers of some functions. */
static void
find_callers(const struct prose *p, const uint32_t *functions, uint32_t count,
             struct rows_callers *found)
{
	size_t nodes = p->report->graph->node_count;
	uint32_t *row_of = gprofx_alloc(p->gx, sizeof *row_of * (nodes + 1));

	for (uint32_t i = 0; i < count; i++)
		row_of[functions[i]] = i + 1;
	if (p->report->origin->has_arcs)
		rows_find_callers(p->report, row_of, found);
	p->gx->host->release(p->gx, row_of);
}

void
prose_begin(struct prose *p, const struct nodes *nodes, struct gprofx_writer *w)
{
	const struct gprofx_report *report = nodes->report;
	const struct gprofx_column *column = report->graph->columns;

	*p = (struct prose){
		.gx = nodes->gx,
		.report = report,
		.nodes = nodes,
		.w = w,
		.has_times = report->origin->has_histogram && column->flat_total > 0,
		.total = column->flat_total,
		.count = nodes->row_count < PROSE_ROWS ? nodes->row_count : PROSE_ROWS,
	};
	names_begin(&p->names, nodes->gx, report, NAME_FULL);
	/* Two shares of one function refer to the same time, or one of them is not stated. */
	p->has_total = p->has_times && report->origin->has_arcs &&
	               column->total_origin != GPROFX_UNKNOWN &&
	               fabs(column->graph_total - column->flat_total) <= 1e-6 * column->flat_total;
	p->is_estimated = column->total_origin == GPROFX_ESTIMATED;
	p->of_time = head_unsampled(p->gx, report) ? " of the sampled time" : " of the time";
	find_heaviest(p);
	p->heavy_count = p->has_times ? inlined_choose_heavy(report, p->total, p->heavy, NULL) : 0;
	find_callers(p, nodes->row, p->count, p->callers);
	find_callers(p, p->heaviest, p->heaviest_count, p->heaviest_callers);
}

/* As much of a text as fits, in whole characters. */
static size_t
cut(struct gprofx_text text, size_t room)
{
	size_t at = 0, step;
	uint32_t code;

	while (at < text.length) {
		step = gprofx_utf8(text.bytes + at, text.length - at, &code);
		step = step > 0 ? step : 1;
		if (at + step > room)
			break;
		at += step;
	}
	return at;
}

void
prose_put_link(struct prose *p, uint32_t node)
{
	struct gprofx_text whole = p->nodes->names[node], name = whole;
	size_t shown;

	for (p->names.form = NAME_NO_ARGUMENTS;
	     name.length > LONG_NAME && p->names.form <= NAME_NO_TEMPLATES; p->names.form++)
		name = names_shorten(&p->names, whole);
	shown = cut(name, LONGEST_NAME);
	gprofx_puts(p->w, "<a href=\"#f=");
	p->w->services->number(p->w, p->nodes->number[node], 0);
	if (shown < whole.length) {
		gprofx_puts(p->w, "\" title=\"");
		text_put_html(p->w, whole.bytes, whole.length);
	}
	gprofx_puts(p->w, "\">");
	text_put_html(p->w, name.bytes, shown);
	gprofx_puts(p->w, shown < name.length ? "…</a>" : "</a>");
}

void
prose_put_inlined(struct prose *p, const char *name)
{
	struct gprofx_text whole = {name, strlen(name)}, text;
	size_t shown;

	p->names.form = NAME_NO_TEMPLATES;
	text = names_shorten(&p->names, whole);
	shown = cut(text, LONGEST_NAME);
	gprofx_puts(p->w, "<span class=\"inlined\"");
	if (shown < whole.length) {
		gprofx_puts(p->w, " title=\"");
		text_put_html(p->w, whole.bytes, whole.length);
		gprofx_putc(p->w, '"');
	}
	gprofx_putc(p->w, '>');
	text_put_html(p->w, text.bytes, shown);
	gprofx_puts(p->w, shown < text.length ? "…</span>" : "</span>");
}

void
prose_put_share(struct prose *p, double ticks, double total, bool is_estimate)
{
	double percent = total > 0 ? 100 * ticks / total : 0;

	gprofx_puts(p->w, is_estimate ? "<span class=\"est\">~" : "");
	if (percent > 0 && percent < 0.05)
		gprofx_puts(p->w, "&lt;0.1");
	else if (percent >= 99.5 && percent < 100 - 1e-9)
		gprofx_puts(p->w, "&gt;99");
	else
		p->w->services->fixed(p->w, percent, 0, percent < 9.95 ? 1 : 0);
	gprofx_puts(p->w, " %");
	gprofx_puts(p->w, is_estimate ? "</span>" : "");
}

void
prose_put_count(struct prose *p, double count)
{
	char text[FIT_COUNT_BYTES];

	gprofx_puts(p->w, fit_count(text, count));
}
