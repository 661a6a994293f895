/* SPDX-License-Identifier: Apache-2.0 */
/* The call graph of a comparison: each function between its callers and callees. */
#include <math.h>
#include <stdio.h>

#include <gprofx/emitter.h>

#include "../shared/compared-rows.h"
#include "../shared/compared.h"
#include "../shared/folded.h"
#include "../shared/kept.h"
#include "../shared/names.h"
#include "../shared/options.h"
#include "../shared/wrap.h"
#include "listing.h"
#include "tables.h"

enum {
	INDEX_WIDTH = 7,
	VERDICT_WIDTH = 10 + 1,
	CALLS_WIDTH = 10 + 1 + 10 + 2,
	NAME_COLUMN = INDEX_WIDTH + DIFF_VALUES_WIDTH + DIFF_RATIO_WIDTH + VERDICT_WIDTH +
	              CALLS_WIDTH,
	INDENT = 4,
	ENTRIES_SHOWN = 20
};

struct entries {
	struct listing *l;
	const struct gprofx_report_graph *graph;
	const uint32_t *row; /* per node: its row plus 1, or 0 */
	uint32_t runs[COMPARED_SIDES];
};

/* With estimates or without known errors, the heaviest that differ show where to look. */
static bool
differs_untested(const struct gprofx_difference *difference)
{
	return difference->verdict == GPROFX_VERDICT_UNTESTED &&
	       difference->base != difference->now && !isnan(difference->base);
}

static bool
differs(const struct gprofx_compared *row)
{
	return differs_untested(&row->self) || differs_untested(&row->total) ||
	       row->self.verdict == GPROFX_VERDICT_LESS ||
	       row->self.verdict == GPROFX_VERDICT_MORE ||
	       row->total.verdict == GPROFX_VERDICT_LESS ||
	       row->total.verdict == GPROFX_VERDICT_MORE ||
	       row->calls_verdict == GPROFX_VERDICT_LESS ||
	       row->calls_verdict == GPROFX_VERDICT_MORE;
}

static bool
is_shown(const struct entries *e, uint32_t node)
{
	return (e->graph->flags[node] & GPROFX_NODE_SHOWN) != 0;
}

/* Whether the user chose functions for the call graph: these are shown even if nothing differs. */
static bool
is_chosen(const struct entries *e)
{
	for (uint32_t i = 0; i < e->graph->entry_count; i++)
		if (!is_shown(e, e->graph->entry[i]))
			return true;
	return false;
}

static const struct gprofx_compared *
row_of(const struct entries *e, uint32_t node)
{
	return e->row[node] != 0 ? gprofx_compared_at(e->l->report, e->row[node] - 1) : NULL;
}

/* The calls on both sides, or blanks where a side has not counted them. */
static void
put_calls(const struct entries *e, const uint64_t *calls)
{
	struct gprofx_writer *w = e->l->w;

	for (uint32_t s = 0; s < COMPARED_SIDES; s++) {
		if (calls[s] == GPROFX_CALLS_UNKNOWN)
			gprofx_blanks(w, 10);
		else
			diff_put_calls(w, calls[s], e->runs[s], 10);
		gprofx_puts(w, s == 0 ? " " : "  ");
	}
}

/* Inclusive values of a node or an arc; without any where they are not known. */
static void
put_times(const struct entries *e, const struct gprofx_column *columns, uint32_t row)
{
	double totals[COMPARED_SIDES];

	compared_totals(columns, row, totals);
	if (isnan(totals[0]) || isnan(totals[1])) {
		gprofx_blanks(e->l->w, DIFF_VALUES_WIDTH + DIFF_RATIO_WIDTH);
		return;
	}
	diff_put_values(e->l, totals[0], totals[1]);
	diff_put_ratio(e->l->w, totals[0], totals[1]);
}

/* A reference to a function: its name, and the number of its entry. */
static void
put_reference(const struct entries *e, uint32_t node, size_t indent)
{
	struct listing *l = e->l;
	struct gprofx_text name = names_shorten(&l->names,
	                                        l->report->services->name(l->report, node));
	uint32_t index = e->graph->index[node];
	struct kept kept;

	gprofx_blanks(l->w, indent);
	gprofx_put(kept_begin(&kept, l->gx), name.bytes, name.length);
	if (index != 0)
		gprofx_out(&kept.writer, " [%u]", index);
	name = (struct gprofx_text){kept.text, (size_t)(kept.writer.at - kept.text)};
	folded_put(l->w, name, NAME_COLUMN + indent, (size_t)l->options->row_width);
	kept_release(&kept);
	gprofx_putc(l->w, '\n');
}

static void
put_arcs(const struct entries *e, const struct gprofx_lists *lists, const struct gprofx_ids *ends,
         uint32_t node)
{
	const struct gprofx_arcs *arcs = &e->graph->arcs;

	for (uint32_t k = lists->first[node]; k < lists->first[node + 1]; k++) {
		uint32_t arc = lists->item[k];
		const uint64_t calls[] = {compared_calls(arcs, arc, 0),
		                          compared_calls(arcs, arc, 1)};

		gprofx_blanks(e->l->w, INDEX_WIDTH);
		put_times(e, arcs->columns, arc);
		gprofx_blanks(e->l->w, VERDICT_WIDTH);
		put_calls(e, calls);
		put_reference(e, gprofx_id(ends, arc), INDENT);
	}
}

static void
put_entry(const struct entries *e, uint32_t node)
{
	const struct gprofx_compared *row = row_of(e, node);
	struct gprofx_writer *w = e->l->w;
	char index[16];
	int length;

	gprofx_putc(w, '\n');
	put_arcs(e, &e->graph->callers, &e->graph->arcs.caller, node);
	length = snprintf(index, sizeof index, "[%u]", e->graph->index[node]);
	gprofx_puts(w, index);
	gprofx_blanks(w, length < INDEX_WIDTH ? (size_t)(INDEX_WIDTH - length) : 1);
	put_times(e, e->graph->columns, node);
	gprofx_out(w, "%-10s ", compared_row_verdict(e->l->report, row, COMPARED_TOTAL));
	put_calls(e, (const uint64_t[]){row->base_calls, row->new_calls});
	put_reference(e, node, 0);
	put_arcs(e, &e->graph->callees, &e->graph->arcs.callee, node);
}

static void
put_title(const struct entries *e)
{
	const struct listing *l = e->l;
	const struct gprofx_metric *metric = l->report->origin->metrics;
	bool color = writer_takes_color(l->w);
	struct wrap wrap;
	struct gprofx_writer *w = wrap_begin(&wrap, l->gx, l->w, (size_t)l->options->text_width);

	gprofx_out(w,
	           "\nCall graph: callers, the function, callees; total %s in %s%s; calls per run. "
	           "Values of callers and callees are not tested:\n\n",
	           metric->name, metric->unit,
	           l->comparison->estimates_totals ? ", estimated from calls" : "");
	wrap_end(&wrap);
	gprofx_puts(l->w, color ? COLOR_HEADING : "");
	gprofx_out(l->w, "%-7s%9s %9s %10s %7s  %-10s %10s %10s  function", "index", "base", "new",
	           "difference", "ratio", "verdict", "base calls", "new calls");
	gprofx_puts(l->w, color ? COLOR_END "\n" : "\n");
}

void
diff_put_entries(struct listing *l)
{
	struct entries e = {
		.l = l,
		.graph = l->report->graph,
		.runs = {l->comparison->base.run_count, l->comparison->new_side.run_count},
	};
	uint32_t *row = gprofx_alloc(l->gx, ((size_t)e.graph->node_count + 1) * sizeof *row);
	uint32_t shown = 0, beyond = 0;
	int64_t most = l->options->top;
	bool all;

	e.row = row;
	all = l->options->all || is_chosen(&e);
	if (most == 0 && !all)
		most = ENTRIES_SHOWN;
	for (uint32_t i = 0; i < l->comparison->row_count; i++)
		row[gprofx_compared_at(l->report, i)->node] = i + 1;
	for (uint32_t i = 0; i < e.graph->entry_count; i++) {
		uint32_t node = e.graph->entry[i];

		if (!is_shown(&e, node) || !(all || differs(row_of(&e, node))))
			continue;
		if (most > 0 && shown >= most) {
			beyond++;
			continue;
		}
		if (shown++ == 0)
			put_title(&e);
		put_entry(&e, node);
	}
	if (beyond > 0)
		gprofx_out(l->w, "\n... and %u more\n", beyond);
	if (shown == 0)
		gprofx_puts(l->w, "\nThe call graph has no function with a difference that can be "
		                  "shown; -z lists all\n");
	l->gx->host->release(l->gx, row);
}
