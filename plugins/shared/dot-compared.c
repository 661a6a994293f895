/* SPDX-License-Identifier: Apache-2.0 */
#include "dot-compared.h"

#include <math.h>
#include <string.h>

#include "compared.h"
#include "dot-file.h"
#include "dot.h"

void
dot_compared_begin(struct gprofx *gx, const struct gprofx_report *report,
                   struct dot_compared *compared)
{
	uint32_t *row = gprofx_alloc(gx, ((size_t)report->graph->node_count + 1) * sizeof *row);

	for (uint32_t i = 0; i < report->comparison->row_count; i++)
		row[gprofx_compared_at(report, i)->node] = i + 1;
	compared->row = row;
	compared_larger_begin(gx, report, &compared->of);
}

/* Values of the base and of the new side: "0.12 s → 0.15 s". */
static void
put_values(struct dot *d, const char *before, double base, double now)
{
	gprofx_puts(d->writer, before);
	dot_put_value(d, base);
	gprofx_puts(d->writer, " → ");
	dot_put_value(d, now);
}

/* The same of calls, if they were counted on both sides. */
static void
put_both_calls(struct dot *d, const char *before, uint64_t base, uint64_t now)
{
	if (base == GPROFX_CALLS_UNKNOWN || now == GPROFX_CALLS_UNKNOWN || (base == 0 && now == 0))
		return;
	dot_put_labeled(d, before, base, " → ");
	dot_put_labeled(d, "", now, "×");
}

static bool
is_different(uint32_t verdict)
{
	return verdict == GPROFX_VERDICT_LESS || verdict == GPROFX_VERDICT_MORE;
}

/* The difference that the color of a function shows; NULL: chance explains it, or is not known. */
static const struct gprofx_difference *
shown_difference(const struct dot *d, const struct gprofx_compared *row)
{
	if (d->options->by == DOT_BY_TOTAL && is_different(row->total.verdict))
		return &row->total;
	return is_different(row->self.verdict) ? &row->self : NULL;
}

/* Orange is more and blue is less, which people distinguish who do not see red or green. */
static void
put_verdict_colors(struct dot *d, const struct gprofx_compared *row)
{
	const struct gprofx_difference *difference = row ? shown_difference(d, row) : NULL;
	bool is_more = difference && difference->now > difference->base;
	double share = difference ? dot_share_of(d, fabs(difference->now - difference->base)) : 0;
	const char *hue = is_more ? "0.080" : "0.600";

	if (!difference)
		gprofx_puts(d->writer, ", fillcolor=\"#f0f0f0\", color=\"#808080\"");
	else
		gprofx_out(d->writer, ", fillcolor=\"%s %.3f 1.000\", color=\"%s 0.900 0.600\"",
		           hue, 0.2 + 0.5 * sqrt(share), hue);
	if (row && row->match == GPROFX_MATCH_NONE)
		gprofx_puts(d->writer, ", style=\"filled,dashed\"");
}

void
dot_compared_put_node(struct dot *d, uint32_t function)
{
	const struct gprofx_compared *row = dot_compared_row(d->compared, function);

	dot_put_labeled(d, "\tn", function, " [id=\"f");
	dot_put_labeled(d, "", function, "\", label=\"");
	dot_put_quoted(d, d->names[function], DOT_LABEL_BYTES);
	if (row && d->has_times) {
		if (!isnan(row->total.base))
			put_values(d, "\\n", row->total.base, row->total.now);
		put_values(d, "\\n(", row->self.base, row->self.now);
		gprofx_putc(d->writer, ')');
	}
	if (row)
		put_both_calls(d, "\\n", row->base_calls, row->new_calls);
	gprofx_putc(d->writer, '"');
	put_verdict_colors(d, row);
	gprofx_puts(d->writer, ", tooltip=\"");
	dot_put_quoted(d, d->names[function], DOT_TIP_BYTES);
	if (row && row->match == GPROFX_MATCH_NONE)
		gprofx_puts(d->writer,
		            row->is_in_base ? "\\nonly in the base" : "\\nonly in the new profile");
	gprofx_puts(d->writer, "\"];\n");
}

static void
put_compared_tip(struct dot *d, uint32_t arc)
{
	const struct gprofx_arcs *arcs = &d->compared->of.report->graph->arcs;
	double totals[COMPARED_SIDES];

	compared_totals(arcs->columns, arc, totals);
	dot_put_quoted(d, d->names[gprofx_id(&arcs->caller, arc)], DOT_TIP_BYTES);
	gprofx_puts(d->writer, " → ");
	dot_put_quoted(d, d->names[gprofx_id(&arcs->callee, arc)], DOT_TIP_BYTES);
	if (d->has_times && !isnan(totals[0]) && !isnan(totals[1]))
		put_values(d, ": ", totals[0], totals[1]);
	put_both_calls(d, "; calls ", compared_calls(arcs, arc, 0), compared_calls(arcs, arc, 1));
}

/* What a single caller has of a function is not tested, so it has no color. */
void
dot_compared_put_arc(struct dot *d, uint32_t number)
{
	const struct gprofx_arcs *arcs = &d->compared->of.report->graph->arcs;
	struct gprofx_arc arc = gprofx_arc_at(&d->report->graph->arcs, number);
	double share = d->has_times ? dot_share_of(d, arc.self + arc.below) : 0;
	double width = 4 * share > 0.5 ? 4 * share : 0.5, totals[COMPARED_SIDES];
	bool has_times;

	compared_totals(arcs->columns, number, totals);
	has_times = d->has_times && !isnan(totals[0]) && !isnan(totals[1]);
	dot_put_labeled(d, "\tn", arc.caller, " -> n");
	dot_put_labeled(d, "", arc.callee, " [label=\"");
	if (has_times)
		put_values(d, "", totals[0], totals[1]);
	put_both_calls(d, has_times ? "\\n" : "", compared_calls(arcs, number, 0),
	               compared_calls(arcs, number, 1));
	gprofx_puts(d->writer, "\", color=\"#606060\", fontcolor=\"#404040\", penwidth=");
	dot_put_fixed(d, width, 2);
	gprofx_puts(d->writer, ", arrowsize=");
	dot_put_fixed(d, sqrt(width) / 2, 2);
	gprofx_puts(d->writer, ", edgetooltip=\"");
	put_compared_tip(d, number);
	gprofx_puts(d->writer, "\", labeltooltip=\"");
	put_compared_tip(d, number);
	gprofx_puts(d->writer, "\"];\n");
}

void
dot_compared_put_sentence(struct dot *d)
{
	const char *at = d->compared->of.report->comparison->sentence, *end;

	/* A label is as wide as its longest line. */
	for (; (end = strstr(at, "; ")) != NULL; at = end + strlen("; ")) {
		dot_put_quoted(d, (struct gprofx_text){at, (size_t)(end - at)}, DOT_TIP_BYTES);
		gprofx_puts(d->writer, ";\\l");
	}
	dot_put_quoted(d, (struct gprofx_text){at, strlen(at)}, DOT_TIP_BYTES);
	gprofx_puts(d->writer,
	            "\\lbase → new; orange: more, blue: less, gray: no difference that can "
	            "be shown\\ldashed: on one side only; single calls are not tested");
}
