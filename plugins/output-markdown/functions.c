/* SPDX-License-Identifier: Apache-2.0 */
/* The heaviest functions: their times, calls and places in the source. */
#include <stdio.h>
#include <string.h>

#include <gprofx/emitter.h>

#include "../shared/compared-rows.h"
#include "../shared/export-names.h"
#include "markdown.h"

/* Which columns the table has. */
struct columns {
	bool times, totals, calls, places;
};

static bool
is_counted(const struct gprofx_report *report, uint32_t node)
{
	return report->origin->has_arcs &&
	       gprofx_is_counted(report->graph->calls, gprofx_calls_of(report, node));
}

/* Columns without any value in the rows are left out. */
static struct columns
columns_of(const struct gprofx_report *report, uint32_t count)
{
	struct columns columns = {
		.times = report->origin->has_histogram,
		.totals = report->origin->has_histogram &&
	                  report->graph->columns->total_origin != GPROFX_UNKNOWN,
	};
	uint32_t line;

	for (uint32_t i = 0; i < count; i++) {
		uint32_t node = report->graph->flat[i];

		columns.calls = columns.calls || is_counted(report, node);
		columns.places = columns.places || report->services->source(report, node, &line);
	}
	return columns;
}

static void
put_value(struct markdown *m, double ticks)
{
	compared_put_value(m->w, m->report, ticks, 0, false);
}

static void
put_head(struct markdown *m, const struct columns *columns)
{
	const struct gprofx_metric *metric = m->report->origin->metrics;

	gprofx_puts(m->w, "**");
	markdown_put_word(m, export_program(m->report));
	if (columns->times) {
		gprofx_puts(m->w, ": ");
		put_value(m, m->report->graph->columns->flat_total);
		gprofx_putc(m->w, ' ');
		markdown_put_term(m, metric->unit);
		if (strcmp(metric->name, metric->unit) != 0) {
			gprofx_puts(m->w, " of ");
			markdown_put_term(m, metric->name);
		}
	}
	gprofx_puts(m->w, "**\n\n| function |");
	gprofx_puts(m->w, columns->times ? " % | self |" : "");
	gprofx_puts(m->w, columns->totals
	                          ? gprofx_is_measured(m->report) ? " total |" : " \\~total |"
	                          : "");
	gprofx_puts(m->w, columns->calls ? " calls |" : "");
	gprofx_puts(m->w, columns->places ? " place |" : "");
	gprofx_puts(m->w, "\n|:--|");
	gprofx_puts(m->w, columns->times ? "--:|--:|" : "");
	gprofx_puts(m->w, columns->totals ? "--:|" : "");
	gprofx_puts(m->w, columns->calls ? "--:|" : "");
	gprofx_puts(m->w, columns->places ? ":--|" : "");
	gprofx_putc(m->w, '\n');
}

static void
put_place(struct markdown *m, uint32_t node)
{
	uint32_t line;
	const char *file = m->report->services->source(m->report, node, &line);
	size_t room = file ? strlen(file) + sizeof ":4294967295" : 0;
	char *place;

	if (!file)
		return;
	if (!m->report->origin->full_paths)
		file = export_last_name(file);
	place = gprofx_alloc(m->gx, room);
	if (line > 0)
		snprintf(place, room, "%s:%u", file, (unsigned)line);
	else
		snprintf(place, room, "%s", file);
	markdown_put_word(m, place);
}

static void
put_row(struct markdown *m, const struct columns *columns, uint32_t node)
{
	const struct gprofx_report *report = m->report;
	double self = gprofx_self_of(report, node), whole = report->graph->columns->flat_total;
	double total = gprofx_whole_self_of(report, node) + gprofx_below_of(report, node);

	gprofx_puts(m->w, "| ");
	markdown_put_name(m, node);
	gprofx_puts(m->w, " |");
	if (columns->times) {
		gprofx_out(m->w, " %.1f | ", whole > 0 ? 100 * self / whole : 0);
		put_value(m, self);
		gprofx_puts(m->w, " |");
	}
	if (columns->totals) {
		gprofx_putc(m->w, ' ');
		put_value(m, total);
		gprofx_puts(m->w, " |");
	}
	if (columns->calls) {
		gprofx_putc(m->w, ' ');
		if (is_counted(report, node))
			m->w->services->number(m->w, gprofx_calls_of(report, node), 0);
		gprofx_puts(m->w, " |");
	}
	if (columns->places) {
		gprofx_putc(m->w, ' ');
		put_place(m, node);
		gprofx_puts(m->w, " |");
	}
	gprofx_putc(m->w, '\n');
}

void
markdown_put_functions(struct markdown *m)
{
	uint32_t count = m->report->graph->flat_count, shown = markdown_rows(m, count);
	struct columns columns = columns_of(m->report, shown);

	if (count == 0) {
		gprofx_puts(m->w, "No function has time or calls.\n");
		return;
	}
	put_head(m, &columns);
	for (uint32_t i = 0; i < shown; i++)
		put_row(m, &columns, m->report->graph->flat[i]);
	markdown_put_beyond(m, count - shown);
	if (columns.totals && !gprofx_is_measured(m->report))
		gprofx_puts(m->w,
		            "\n\\~ estimated: the profile does not say how long each call took.\n");
}
