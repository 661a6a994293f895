/* SPDX-License-Identifier: Apache-2.0 */
/* A comparison: the sentence, the functions that differ, and how the sides were measured. */
#include <math.h>
#include <string.h>

#include <gprofx/emitter.h>

#include "../shared/compared-rows.h"
#include "../shared/compared.h"
#include "markdown.h"

static bool
has_repeated_runs(const struct gprofx_report_comparison *comparison)
{
	return comparison->base.run_count > 1 || comparison->new_side.run_count > 1;
}

static void
put_head(struct markdown *m, enum compared_kind kind)
{
	const struct gprofx_metric *metric = m->report->origin->metrics;

	gprofx_puts(m->w, kind == COMPARED_SELF ? "\nSelf " : "\nTotal ");
	markdown_put_term(m, metric->name);
	if (strcmp(metric->name, metric->unit) != 0) {
		gprofx_puts(m->w, ", in ");
		markdown_put_term(m, metric->unit);
	}
	gprofx_puts(m->w,
	            has_repeated_runs(m->report->comparison) ? ", mean of the runs:\n\n" : ":\n\n");
	gprofx_puts(m->w, "| function | base | new | difference | std error | ratio | verdict |\n"
	                  "|:--|--:|--:|--:|--:|--:|:--|\n");
}

static void
put_row(struct markdown *m, const struct gprofx_compared *row, enum compared_kind kind)
{
	const struct gprofx_difference *difference = compared_difference(row, kind);
	const char *note = compared_note(row);

	gprofx_puts(m->w, "| ");
	markdown_put_name(m, row->node);
	if (note)
		gprofx_out(m->w, " (%s)", note);
	if (row->match == GPROFX_MATCH_RENAMED && row->base_name) {
		gprofx_puts(m->w, " (was ");
		markdown_put_word(m, row->base_name);
		gprofx_putc(m->w, ')');
	}
	gprofx_puts(m->w, " | ");
	compared_put_value(m->w, m->report, difference->base, 0, false);
	gprofx_puts(m->w, " | ");
	compared_put_value(m->w, m->report, difference->now, 0, false);
	gprofx_puts(m->w, " | ");
	compared_put_value(m->w, m->report, difference->now - difference->base, 0, true);
	gprofx_puts(m->w, " | ");
	if (!isnan(difference->error))
		compared_put_value(m->w, m->report, difference->error, 0, false);
	gprofx_puts(m->w, " | ");
	compared_put_ratio(m->w, difference->base, difference->now, 0);
	gprofx_out(m->w, " | %s |\n", compared_row_verdict(m->report, row, kind));
}

static void
put_table(struct markdown *m, enum compared_kind kind)
{
	bool all = m->options->all || m->report->origin->shows_unused;
	uint32_t *rows, count = compared_choose(m->gx, m->report, kind, all, &rows);
	uint32_t shown = markdown_rows(m, count);

	if (count > 0)
		put_head(m, kind);
	for (uint32_t i = 0; i < shown; i++)
		put_row(m, gprofx_compared_at(m->report, rows[i]), kind);
	markdown_put_beyond(m, count - shown);
	m->gx->host->release(m->gx, rows);
}

static void
put_side(struct markdown *m, const char *label, const struct gprofx_compared_side *side)
{
	const struct gprofx_metric *metric = m->report->origin->metrics;

	gprofx_puts(m->w, label);
	markdown_put_word(m, side->name);
	if (side->image) {
		gprofx_puts(m->w, " of ");
		markdown_put_word(m, side->image);
	}
	gprofx_puts(m->w, ", ");
	if (side->run_count > 1)
		gprofx_out(m->w, "%u runs of ", side->run_count);
	compared_put_value(m->w, m->report, side->ticks, 0, false);
	gprofx_putc(m->w, ' ');
	markdown_put_term(m, metric->unit);
}

/* What the values are, in one line, since it is read last. */
static void
put_sides(struct markdown *m)
{
	const struct gprofx_report_comparison *comparison = m->report->comparison;
	const char *note = compared_normalization_note(comparison->normalization);

	put_side(m, "\nBase: ", &comparison->base);
	put_side(m, "; new: ", &comparison->new_side);
	if (note)
		gprofx_out(m->w, "; %s", note);
	gprofx_puts(m->w, ".\n");
}

void
markdown_put_comparison(struct markdown *m)
{
	const struct gprofx_report_comparison *comparison = m->report->comparison;

	gprofx_puts(m->w, "**");
	markdown_put_prose(m, comparison->sentence);
	gprofx_puts(m->w, ".**\n");
	if (comparison->caution) {
		gprofx_putc(m->w, '\n');
		markdown_put_prose(m, comparison->caution);
		gprofx_puts(m->w, ".\n");
	}
	put_table(m, COMPARED_SELF);
	if (!m->report->comparison->estimates_totals)
		put_table(m, COMPARED_TOTAL);
	put_sides(m);
}
