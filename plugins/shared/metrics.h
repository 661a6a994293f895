/* SPDX-License-Identifier: Apache-2.0 */
/* Columns of text for metrics besides the first, where a report has several. */
#ifndef PLUGINS_SHARED_METRICS_H
#define PLUGINS_SHARED_METRICS_H

#include <string.h>

#include <gprofx/emitter.h>

enum { METRIC_LEAST_WIDTH = 9, METRIC_MOST_WIDTH = 24 };

/* The width of a column of a metric, without the blank before it: its name stands above it. */
static inline int
metric_width(const struct gprofx_report *report, uint32_t metric)
{
	size_t length = strlen(gprofx_metric_at(report, metric)->name);

	return length < METRIC_LEAST_WIDTH  ? METRIC_LEAST_WIDTH
	       : length > METRIC_MOST_WIDTH ? METRIC_MOST_WIDTH
	                                    : (int)length;
}

/* Whether it is known what lies below a function, or how much a caller is charged with. */
static inline bool
metric_has_total(const struct gprofx_report *report, uint32_t metric)
{
	return gprofx_column_at(report->graph->columns, metric)->total_origin != GPROFX_UNKNOWN;
}

/* Ticks in the unit of a metric. */
static inline double
metric_in_units(const struct gprofx_report *report, uint32_t metric, double ticks)
{
	return ticks / gprofx_metric_at(report, metric)->ticks_per_unit;
}

/* A cell of a heading, after a blank: the name, or another word. */
static inline void
metric_put_heading(struct gprofx_writer *writer, int width, const char *word)
{
	gprofx_out(writer, " %*.*s", width, width, word);
}

/* A cell of a row, after a blank. */
static inline void
metric_put(const struct gprofx_report *report, struct gprofx_writer *writer, uint32_t metric,
           double ticks)
{
	gprofx_putc(writer, ' ');
	writer->services->fixed(writer, metric_in_units(report, metric, ticks),
	                        metric_width(report, metric), 2);
}

/* Lines of a table's head that say what the further columns are in. */
static inline void
metrics_put_units(const struct gprofx_report *report, struct gprofx_writer *writer)
{
	for (uint32_t m = 1; m < report->origin->metric_count; m++) {
		const struct gprofx_metric *metric = gprofx_metric_at(report, m);

		if (metric->kind == GPROFX_CLOCKED) {
			gprofx_out(writer, "Of %s, times are by a clock, in %s.\n", metric->name,
			           metric->unit);
			continue;
		}
		gprofx_out(writer, "Of %s, each %s counts as %g %s.\n", metric->name,
		           metric->kind == GPROFX_COUNTED ? "event" : "sample",
		           1.0 / metric->ticks_per_unit, metric->unit);
	}
}

#endif
