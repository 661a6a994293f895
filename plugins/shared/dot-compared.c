/* SPDX-License-Identifier: Apache-2.0 */
/* Boxes and arrows of a comparison: values of both sides, and colors by verdict. */
#include "dot-compared.h"

#include <math.h>
#include <string.h>

#include "compared-factors.h"
#include "compared-rows.h"
#include "compared.h"
#include "dot-file.h"
#include "dot.h"
#include "export-names.h"

/* Hues that people distinguish who do not see red or green. */
static const char more_hue[] = "0.080", less_hue[] = "0.600";
enum { SENTENCE_BYTES = 1024 };

void
dot_compared_begin(struct gprofx *gx, const struct gprofx_report *report,
                   const struct dot_options *options, struct dot_compared *compared)
{
	uint32_t *row = gprofx_alloc(gx, ((size_t)report->graph->node_count + 1) * sizeof *row);
	bool has_tested = false;

	for (uint32_t i = 0; i < report->comparison->row_count; i++) {
		const struct gprofx_compared *of = gprofx_compared_at(report, i);

		row[of->node] = i + 1;
		has_tested = has_tested || of->total.verdict != GPROFX_VERDICT_UNTESTED;
	}
	compared->row = row;
	compared->factors = compared_factors(gx, report);
	/* Estimates are not tested: all boxes would be gray. */
	compared->has_total_colors = options->by == DOT_BY_TOTAL && has_tested;
	compared_larger_begin(gx, report, &compared->of);
}

static bool
is_different(uint32_t verdict)
{
	return verdict == GPROFX_VERDICT_LESS || verdict == GPROFX_VERDICT_MORE;
}

/* A value before and after, one of which can be not known: NaN. */
static void
put_sides(struct dot *d, double base, double now, bool is_estimated)
{
	const char *mark = is_estimated ? "~" : "";

	if (isnan(base)) {
		gprofx_puts(d->writer, "?");
	} else {
		gprofx_puts(d->writer, mark);
		if (isnan(now))
			dot_put_value(d, base);
		else
			dot_put_number(d, base);
	}
	gprofx_puts(d->writer, " → ");
	if (isnan(now)) {
		gprofx_puts(d->writer, "?");
		return;
	}
	gprofx_puts(d->writer, mark);
	dot_put_value(d, now);
}

static void
put_signed(struct dot *d, double ticks, const char *mark)
{
	gprofx_puts(d->writer, mark);
	gprofx_puts(d->writer, ticks < 0 ? "-" : "+");
	dot_put_value(d, fabs(ticks));
}

/* What can be said of a difference: none is stated where chance explains it. */
static void
put_difference(struct dot *d, const struct gprofx_difference *difference, bool is_estimated)
{
	double change = difference->now - difference->base;

	if (difference->verdict == GPROFX_VERDICT_EQUAL || change == 0) {
		gprofx_puts(d->writer, "no difference shown");
		return;
	}
	put_signed(d, change, is_estimated ? "~" : "");
	if (difference->verdict == GPROFX_VERDICT_UNTESTED)
		gprofx_puts(d->writer, ", not tested");
}

/* Calls per run on both sides; false: neither has counted any, and nothing is written. */
static bool
put_calls(struct dot *d, const char *before, const uint64_t calls[COMPARED_SIDES],
          const char *behind)
{
	const struct gprofx_report_comparison *comparison = d->report->comparison;
	const uint32_t runs[] = {comparison->base.run_count, comparison->new_side.run_count};

	if ((calls[0] == 0 || calls[0] == GPROFX_CALLS_UNKNOWN) &&
	    (calls[1] == 0 || calls[1] == GPROFX_CALLS_UNKNOWN))
		return false;
	gprofx_puts(d->writer, before);
	for (uint32_t s = 0; s < COMPARED_SIDES; s++) {
		gprofx_puts(d->writer, s == 0 ? "" : " → ");
		if (calls[s] == GPROFX_CALLS_UNKNOWN)
			gprofx_putc(d->writer, '?');
		else if (calls[s] % runs[s] == 0)
			dot_put_labeled(d, "", calls[s] / runs[s], "");
		else
			dot_put_fixed(d, (double)calls[s] / runs[s], 1);
	}
	gprofx_puts(d->writer, behind);
	return true;
}

static void
put_node_label(struct dot *d, const struct gprofx_compared *row)
{
	bool has_total = !isnan(row->total.base),
	     is_estimated = d->report->comparison->estimates_totals;

	if (has_total) {
		gprofx_puts(d->writer, "\\n");
		put_sides(d, row->total.base, row->total.now, is_estimated);
		gprofx_puts(d->writer, "\\n");
		put_difference(d, &row->total, is_estimated);
	}
	gprofx_puts(d->writer, has_total ? "\\n(" : "\\n");
	put_sides(d, row->self.base, row->self.now, false);
	gprofx_puts(d->writer, has_total ? ", " : "\\n");
	put_difference(d, &row->self, false);
	gprofx_puts(d->writer, has_total ? ")" : "");
	put_calls(d, "\\n", (const uint64_t[]){row->base_calls, row->new_calls}, "×");
}

/* A value of a row in words, with its interval and its verdict. */
static void
put_tip_value(struct dot *d, const struct gprofx_compared *row, enum compared_kind kind)
{
	const struct gprofx_difference *difference = compared_difference(row, kind);
	bool is_estimated = kind == COMPARED_TOTAL && d->report->comparison->estimates_totals;

	gprofx_puts(d->writer, kind == COMPARED_TOTAL ? "\\ntotal " : "\\nself ");
	put_sides(d, difference->base, difference->now, is_estimated);
	gprofx_puts(d->writer, ": ");
	if (isnan(difference->low) || difference->low == difference->high) {
		put_difference(d, difference, is_estimated);
		return;
	}
	gprofx_puts(d->writer, "95 % interval of the difference ");
	put_signed(d, difference->low, "");
	gprofx_puts(d->writer, " to ");
	put_signed(d, difference->high, "");
	gprofx_puts(d->writer, ": ");
	gprofx_puts(d->writer, compared_row_verdict(d->report, row, kind));
}

static void
put_node_tip(struct dot *d, uint32_t function, const struct gprofx_compared *row)
{
	const char *note = row ? compared_note(row) : NULL;

	dot_put_place(d, function);
	if (note)
		gprofx_out(d->writer, "\\n%s", note);
	if (row && row->base_name) {
		gprofx_puts(d->writer, "\\nin the base: ");
		dot_put_quoted(d, export_word(d->gx, row->base_name), DOT_LABEL_BYTES);
	}
	if (!row)
		return;
	if (!isnan(row->total.base))
		put_tip_value(d, row, COMPARED_TOTAL);
	put_tip_value(d, row, COMPARED_SELF);
}

/* In a darker tone the larger the difference. */
static void
put_node_color(struct dot *d, const struct gprofx_compared *row)
{
	enum compared_kind kind = d->compared->has_total_colors ? COMPARED_TOTAL : COMPARED_SELF;
	const struct gprofx_difference *shown = row ? compared_difference(row, kind) : NULL;
	const char *hue;

	if (!shown || !is_different(shown->verdict)) {
		gprofx_puts(d->writer, ", fillcolor=\"#f0f0f0\", color=\"#808080\"");
		return;
	}
	hue = shown->verdict == GPROFX_VERDICT_MORE ? more_hue : less_hue;
	gprofx_out(d->writer, ", fillcolor=\"%s %.3f 1.000\", color=\"%s 0.900 0.600\"", hue,
	           0.2 + 0.5 * sqrt(dot_share_of(d, fabs(shown->now - shown->base))), hue);
}

void
dot_compared_put_node(struct dot *d, uint32_t function)
{
	const struct gprofx_compared *row = dot_compared_row(d->compared, function);

	dot_put_labeled(d, "\tn", function, " [id=\"f");
	dot_put_labeled(d, "", function, "\", label=\"");
	dot_put_quoted(d, d->names[function], DOT_LABEL_BYTES);
	if (row)
		put_node_label(d, row);
	gprofx_putc(d->writer, '"');
	put_node_color(d, row);
	if (row && compared_note(row))
		gprofx_puts(d->writer, ", style=\"filled,dashed\"");
	gprofx_puts(d->writer, ", tooltip=\"");
	put_node_tip(d, function, row);
	gprofx_puts(d->writer, "\"];\n");
}

/* An arc on both sides. */
struct sides {
	uint32_t caller, callee;
	double totals[COMPARED_SIDES]; /* ticks; NaN: not known */
	uint64_t calls[COMPARED_SIDES];
	bool has_time; /* there is some that is not part of another arc's */
};

static struct sides
sides_of(const struct dot *d, uint32_t number)
{
	const struct gprofx_arcs *arcs = &d->compared->of.report->graph->arcs;
	struct sides arc = {
		.caller = gprofx_id(&arcs->caller, number),
		.callee = gprofx_id(&arcs->callee, number),
		.calls = {compared_calls(arcs, number, 0), compared_calls(arcs, number, 1)},
	};

	compared_totals(arcs->columns, number, arc.totals);
	if (d->compared->factors)
		arc.totals[0] *= d->compared->factors[arc.callee];
	arc.has_time = arc.caller != arc.callee && (arc.totals[0] > 0 || arc.totals[1] > 0);
	return arc;
}

/* Whether a side is known not to have an arc that the other one has. */
static bool
is_one_sided(const struct sides *arc)
{
	bool lacks[COMPARED_SIDES];

	for (uint32_t s = 0; s < COMPARED_SIDES; s++)
		lacks[s] = arc->calls[s] == GPROFX_CALLS_UNKNOWN ? arc->totals[s] == 0
		                                                 : arc->calls[s] == 0;
	return lacks[0] != lacks[1];
}

static void
put_arc_tip(struct dot *d, const struct sides *arc)
{
	dot_put_quoted(d, d->names[arc->caller], DOT_TIP_BYTES);
	gprofx_puts(d->writer, " → ");
	dot_put_quoted(d, d->names[arc->callee], DOT_TIP_BYTES);
	gprofx_puts(d->writer, ": ");
	if (!put_calls(d, "", arc->calls, " calls per run"))
		gprofx_puts(d->writer, "number of calls not known");
	if (!arc->has_time)
		return;
	gprofx_puts(d->writer, ", ");
	put_sides(d, arc->totals[0], arc->totals[1], !d->is_measured);
	gprofx_puts(d->writer, ", not tested");
}

void
dot_compared_put_arc(struct dot *d, uint32_t number)
{
	struct sides arc = sides_of(d, number);
	double most = fmax(isnan(arc.totals[0]) ? 0 : arc.totals[0],
	                   isnan(arc.totals[1]) ? 0 : arc.totals[1]);

	dot_put_labeled(d, "\tn", arc.caller, " -> n");
	dot_put_labeled(d, "", arc.callee, " [label=\"");
	if (arc.has_time)
		put_sides(d, arc.totals[0], arc.totals[1], !d->is_measured);
	put_calls(d, arc.has_time ? "\\n" : "", arc.calls, "×");
	gprofx_out(d->writer, "\", style=%s, color=\"#606060\", fontcolor=\"#606060\"",
	           is_one_sided(&arc) ? "dashed" : "solid");
	dot_put_width(d, arc.has_time ? dot_share_of(d, most) : 0);
	gprofx_puts(d->writer, ", edgetooltip=\"");
	put_arc_tip(d, &arc);
	gprofx_puts(d->writer, "\", labeltooltip=\"");
	put_arc_tip(d, &arc);
	gprofx_puts(d->writer, "\"];\n");
}

/* A sentence, in lines of its clauses: the picture would be as wide as all of it. */
static void
put_sentence(struct dot *d, const char *sentence)
{
	struct gprofx_text text = export_word(d->gx, sentence);
	size_t most = text.length < SENTENCE_BYTES ? text.length : SENTENCE_BYTES;

	for (size_t at = 0, end; at < most; at = end) {
		for (end = at + 1; end < text.length &&
		                   (text.bytes[end] != ' ' || !strchr(".;", text.bytes[end - 1]));
		     end++)
			;
		dot_put_quoted(d, (struct gprofx_text){text.bytes + at, end - at}, SENTENCE_BYTES);
		gprofx_puts(d->writer, "\\l");
		end += end < text.length;
	}
}

void
dot_compared_put_sentence(struct dot *d)
{
	const struct gprofx_report_comparison *comparison = d->compared->of.report->comparison;
	const char *note = compared_normalization_note(comparison->normalization);

	put_sentence(d, comparison->sentence);
	if (note)
		gprofx_out(d->writer, "In this picture, %s.\\l", note);
	gprofx_puts(d->writer, "Boxes: total base → new, difference, (self), calls per run.\\l");
	gprofx_out(d->writer,
	           "Colors: %s value, orange: %s, blue: %s; gray: chance explains the difference, "
	           "or it is not tested.\\l",
	           d->compared->has_total_colors ? "total" : "self",
	           compared_verdict(d->report, GPROFX_VERDICT_MORE),
	           compared_verdict(d->report, GPROFX_VERDICT_LESS));
	gprofx_puts(d->writer, "Arrows: total base → new, not tested, and calls per run.\\l"
	                       "Dashed: on one side only.");
}
