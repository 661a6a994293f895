/* SPDX-License-Identifier: Apache-2.0 */
/* Two sides that were compared: a document of its own form. */
#include "comparison.h"

#include <gprofx/emitter.h>

#include <math.h>

#include "../shared/compared.h"
#include "row.h"

/* Raised when a reader of the form before would go wrong; new members do not raise it. */
enum { COMPARISON_VERSION = 1 };

static void
put_comparison_format(struct document *d)
{
	document_begin_object(d, "format");
	row_string(&d->row, "name", "gprofx-comparison");
	row_count(&d->row, "version", COMPARISON_VERSION);
	document_end_object(d);
	document_begin_object(d, "producer");
	row_string(&d->row, "name", "gprofx");
	row_string(&d->row, "version", d->report->origin->version);
	document_end_object(d);
}

static void
put_summary(struct document *d)
{
	const struct gprofx_report_comparison *comparison = d->report->comparison;
	const struct gprofx_metric *metric = d->report->origin->metrics;
	struct row *row = &d->row;

	document_begin_object(d, "summary");
	row_string(row, "sentence", comparison->sentence);
	row_string(row, "caution", comparison->caution);
	row_count(row, "less", comparison->less_count);
	row_count(row, "more", comparison->more_count);
	row_count(row, "none", comparison->equal_count);
	row_count(row, "untested", comparison->untested_count);
	row_count(row, "only_base", comparison->only_base_count);
	row_count(row, "only_new", comparison->only_new_count);
	row_count(row, "total_less", comparison->total_less_count);
	row_count(row, "total_more", comparison->total_more_count);
	row_real(row, "total_level", comparison->total_level);
	row_real(row, "row_rate", comparison->row_rate);
	row_real(row, "needed_for_percent", comparison->needed_for_percent);
	row_real(row, "change_error", comparison->change_error);
	row_bool(row, "estimates_totals", comparison->estimates_totals);
	row_string(row, "normalization", compared_normalization_word(comparison->normalization));
	document_end_object(d);
	document_begin_object(d, "metric");
	row_string(row, "name", metric->name);
	row_string(row, "unit", metric->unit);
	document_end_object(d);
}

static void
put_side(struct document *d, const char *key, const struct gprofx_compared_side *side)
{
	static const char *const keys[GPROFX_MATCH_KINDS] = {
		[GPROFX_MATCH_NONE] = "unmatched",
		[GPROFX_MATCH_BUILD] = "matched_by_build",
		[GPROFX_MATCH_NAME] = "matched_by_name",
		[GPROFX_MATCH_PLAIN] = "matched_by_plain_name",
		[GPROFX_MATCH_RENAMED] = "matched_as_renamed",
	};

	document_begin_object(d, key);
	row_string(&d->row, "profile", side->name);
	row_string(&d->row, "image", side->image);
	row_count(&d->row, "runs", side->run_count);
	row_count(&d->row, "files", side->file_count);
	row_real(&d->row, "total", compared_in_units(d->report, side->ticks));
	for (int i = 0; i < GPROFX_MATCH_KINDS; i++)
		row_real(&d->row, keys[i], compared_in_units(d->report, side->matched[i]));
	document_end_object(d);
}

/* A member of the row that was written. */
static void
put_difference(struct document *d, const char *key, const struct gprofx_difference *difference)
{
	const struct gprofx_report *r = d->report;

	gprofx_puts(d->writer, ",\"");
	gprofx_puts(d->writer, key);
	gprofx_puts(d->writer, "\":");
	row_begin(&d->row);
	row_real(&d->row, "base", compared_in_units(r, difference->base));
	row_real(&d->row, "new", compared_in_units(r, difference->now));
	row_real(&d->row, "difference", compared_in_units(r, difference->now - difference->base));
	row_real(&d->row, "ratio",
	         difference->base != 0 ? difference->now / difference->base : (double)NAN);
	row_real(&d->row, "standard_error", compared_in_units(r, difference->error));
	row_real(&d->row, "low", compared_in_units(r, difference->low));
	row_real(&d->row, "high", compared_in_units(r, difference->high));
	row_real(&d->row, "p", difference->p);
	row_string(&d->row, "verdict", compared_verdict_word(difference->verdict));
	document_end_object(d);
}

static void
add_compared_calls(struct document *d, const char *key, uint64_t calls)
{
	if (calls == GPROFX_CALLS_UNKNOWN)
		row_null(&d->row, key);
	else
		row_count(&d->row, key, calls);
}

static void
put_compared(struct document *d, const struct gprofx_compared *compared)
{
	const struct gprofx_report *r = d->report;
	struct gprofx_text name = r->services->name(r, compared->node);
	uint32_t line;
	const char *file = r->services->source(r, compared->node, &line);
	struct row *row = &d->row;

	document_next_row(d);
	gprofx_putc(d->writer, '{');
	row_begin(row);
	row_text(row, "name", name.bytes, name.length);
	row_string(row, "raw_name", r->functions->raw_name[compared->node]);
	row_string(row, "base_name", compared->base_name);
	row_string(row, "object", r->functions->object_name[compared->node]);
	row_string(row, "source_file", file);
	row_number_or_null(row, "source_line", line);
	row_string(row, "match", compared_match_word(compared));
	add_compared_calls(d, "base_calls", compared->base_calls);
	add_compared_calls(d, "new_calls", compared->new_calls);
	row_string(row, "calls_verdict", compared_verdict_word(compared->calls_verdict));
	row_write(row);
	put_difference(d, "self", &compared->self);
	put_difference(d, "total", &compared->total);
	gprofx_putc(d->writer, '}');
}

/* An end of an arc: its name, and its row among the functions, if it has one. */
static void
add_arc_end(struct document *d, const char *key, const char *name_key, uint32_t node,
            const uint32_t *row_of)
{
	struct gprofx_text name = d->report->services->name(d->report, node);

	if (row_of[node] == 0)
		row_null(&d->row, key);
	else
		row_count(&d->row, key, row_of[node] - 1);
	row_text(&d->row, name_key, name.bytes, name.length);
}

static void
put_compared_arc(struct document *d, uint32_t arc, const uint32_t *row_of)
{
	const struct gprofx_report *r = d->report;
	const struct gprofx_arcs *arcs = &r->graph->arcs;
	double totals[COMPARED_SIDES];

	compared_totals(arcs->columns, arc, totals);
	document_next_row(d);
	gprofx_putc(d->writer, '{');
	row_begin(&d->row);
	add_arc_end(d, "caller", "caller_name", gprofx_id(&arcs->caller, arc), row_of);
	add_arc_end(d, "callee", "callee_name", gprofx_id(&arcs->callee, arc), row_of);
	row_real(&d->row, "base_total", compared_in_units(r, totals[0]));
	row_real(&d->row, "new_total", compared_in_units(r, totals[1]));
	add_compared_calls(d, "base_calls", compared_calls(arcs, arc, 0));
	add_compared_calls(d, "new_calls", compared_calls(arcs, arc, 1));
	row_write(&d->row);
	gprofx_putc(d->writer, '}');
}

static void
put_compared_arcs(struct gprofx *gx, struct document *d)
{
	const struct gprofx_report *r = d->report;
	uint32_t *row_of = gprofx_alloc(gx, ((size_t)r->functions->count + 1) * sizeof *row_of);

	for (uint32_t i = 0; i < r->comparison->row_count; i++)
		row_of[gprofx_compared_at(r, i)->node] = i + 1;
	document_begin_list(d, "arcs");
	for (uint32_t i = 0; i < r->graph->arcs.count; i++)
		put_compared_arc(d, i, row_of);
	document_end_list(d);
	gx->host->release(gx, row_of);
}

void
comparison_put(struct gprofx *gx, struct document *d)
{
	const struct gprofx_report_comparison *comparison = d->report->comparison;

	gprofx_putc(d->writer, '{');
	put_comparison_format(d);
	put_summary(d);
	put_side(d, "base", &comparison->base);
	put_side(d, "new", &comparison->new_side);
	document_begin_member(d, "total");
	gprofx_puts(d->writer, "{\"functions\":");
	d->writer->services->number(d->writer, comparison->row_count, 0);
	put_difference(d, "self", &comparison->total.self);
	gprofx_putc(d->writer, '}');
	document_begin_list(d, "functions");
	for (uint32_t i = 0; i < comparison->row_count; i++)
		put_compared(d, gprofx_compared_at(d->report, i));
	document_end_list(d);
	put_compared_arcs(gx, d);
	gprofx_puts(d->writer, "\n}\n");
}
