/* SPDX-License-Identifier: Apache-2.0 */
#include "document.h"

#include <math.h>

#include "../shared/figures.h"

enum { IDS_IN_A_LINE = 32 };

void
document_begin_member(struct document *d, const char *key)
{
	gprofx_puts(d->writer, d->has_members ? ",\n\"" : "\n\"");
	gprofx_puts(d->writer, key);
	gprofx_puts(d->writer, "\":");
	d->has_members = true;
}

void
document_end_object(struct document *d)
{
	gprofx_putc(d->writer, '{');
	row_write(&d->row);
	gprofx_putc(d->writer, '}');
}

void
document_begin_object(struct document *d, const char *key)
{
	document_begin_member(d, key);
	row_begin(&d->row);
}

void
document_begin_list(struct document *d, const char *key)
{
	document_begin_member(d, key);
	gprofx_putc(d->writer, '[');
	d->has_rows = false;
}

void
document_next_row(struct document *d)
{
	gprofx_puts(d->writer, d->has_rows ? ",\n" : "\n");
	d->has_rows = true;
}

void
document_end_list(struct document *d)
{
	gprofx_puts(d->writer, d->has_rows ? "\n]" : "]");
}

void
document_put_ids(struct document *d, const uint32_t *ids, uint32_t count)
{
	gprofx_putc(d->writer, '[');
	for (uint32_t i = 0; i < count; i++) {
		if (i > 0)
			gprofx_puts(d->writer, i % IDS_IN_A_LINE == 0 ? ",\n" : ",");
		d->writer->services->number(d->writer, ids[i], 0);
	}
	gprofx_putc(d->writer, ']');
}

void
document_put_list(struct document *d, const char *key, const struct gprofx_lists *lists,
                  uint32_t list)
{
	uint32_t first = lists->first[list];

	gprofx_puts(d->writer, ",\"");
	gprofx_puts(d->writer, key);
	gprofx_puts(d->writer, "\":");
	document_put_ids(d, lists->item + first, lists->first[list + 1] - first);
}

void
document_add_time(struct document *d, const char *ticks_key, const char *seconds_key, double ticks)
{
	row_real(&d->row, ticks_key, ticks);
	row_real(&d->row, seconds_key, figure_seconds(d->report, ticks));
}

bool
document_begin_others(struct document *d)
{
	d->has_others = false;
	if (d->report->origin->metric_count < 2)
		return false;
	gprofx_puts(d->writer, ",\"other_metrics\":[");
	return true;
}

void
document_begin_other(struct document *d, uint32_t metric)
{
	gprofx_puts(d->writer, d->has_others ? "," : "");
	d->has_others = true;
	row_begin(&d->row);
	row_count(&d->row, "metric", metric);
}

void
document_end_others(struct document *d)
{
	gprofx_putc(d->writer, ']');
}

void
document_add_value(struct document *d, uint32_t metric, const char *ticks_key, const char *key,
                   double ticks)
{
	uint32_t unit = gprofx_metric_at(d->report, metric)->ticks_per_unit;

	row_real(&d->row, ticks_key, ticks);
	row_real(&d->row, key, unit != 0 ? ticks / unit : (double)NAN);
}

double
document_if_known(const struct gprofx_report *report, double value)
{
	return report->origin->has_arcs ? value : (double)NAN;
}
