/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The whole report as one JSON document, in the form that gprofx-report.schema.json describes.  Its
 * long lists are written row by row; nothing of them is kept.
 */
#include <gprofx/emitter.h>

#include "../shared/figures.h"
#include "comparison.h"
#include "document.h"
#include "profile.h"
#include "row.h"
#include "slices.h"

/* What functions and cycles have in common. */
static void
add_node_figures(struct document *d, uint32_t node)
{
	const struct gprofx_report *r = d->report;
	struct row *row = &d->row;
	double self = gprofx_self_of(r, node),
	       below = document_if_known(r, gprofx_below_of(r, node));

	row_bool(row, "shown", (r->graph->flags[node] & GPROFX_NODE_SHOWN) != 0);
	document_add_time(d, "self_ticks", "self_seconds", self);
	if (r->graph->columns->whole_self.first)
		document_add_time(d, "whole_self_ticks", "whole_self_seconds",
		                  gprofx_whole_self_of(r, node));
	document_add_time(d, "below_ticks", "below_seconds", below);
	document_add_time(d, "total_ticks", "total_seconds", gprofx_whole_self_of(r, node) + below);
	row_real(row, "selected_self_ticks",
	         document_if_known(r, gprofx_real(&r->graph->columns->selected_self, node)));
	row_real(row, "selected_below_ticks",
	         document_if_known(r, gprofx_real(&r->graph->columns->selected_below, node)));
	row_calls_or_null(row, "calls", r->graph->calls, gprofx_calls_of(r, node));
	row_calls_or_null(row, "recursive_calls", r->graph->calls, gprofx_recursive_of(r, node));
	row_number_or_null(row, "index", r->graph->index[node]);
}

/* A node's values of further metrics, behind its row, if there are such. */
static void
end_node(struct document *d, uint32_t node)
{
	const struct gprofx_report *r = d->report;

	if (!document_begin_others(d))
		return;
	for (uint32_t m = 1; m < r->origin->metric_count; m++) {
		const struct gprofx_column *column = gprofx_column_at(r->graph->columns, m);
		double below = document_if_known(r, gprofx_real(&column->below, node));
		double whole = gprofx_whole_self_in(column, node);

		document_begin_other(d, m);
		document_add_value(d, m, "self_ticks", "self", gprofx_real(&column->self, node));
		if (column->whole_self.first)
			document_add_value(d, m, "whole_self_ticks", "whole_self",
			                   gprofx_real(&column->whole_self, node));
		document_add_value(d, m, "below_ticks", "below", below);
		document_add_value(d, m, "total_ticks", "total", whole + below);
		row_real(&d->row, "selected_self_ticks",
		         document_if_known(r, gprofx_real(&column->selected_self, node)));
		row_real(&d->row, "selected_below_ticks",
		         document_if_known(r, gprofx_real(&column->selected_below, node)));
		document_end_object(d);
	}
	document_end_others(d);
}

/* Likewise of an arc, or of a caller of a cycle. */
static void
end_arc(struct document *d, const struct gprofx_arcs *arcs, uint32_t number)
{
	if (!document_begin_others(d))
		return;
	for (uint32_t m = 1; m < d->report->origin->metric_count; m++) {
		const struct gprofx_column *column = gprofx_column_at(arcs->columns, m);

		document_begin_other(d, m);
		document_add_value(d, m, "self_ticks", "self", gprofx_real(&column->self, number));
		document_add_value(d, m, "below_ticks", "below",
		                   gprofx_real(&column->below, number));
		document_end_object(d);
	}
	document_end_others(d);
}

/* The source counts of a function of the report, if they are of this function only. */
static void
add_executions(struct document *d, uint32_t node)
{
	const struct gprofx_report *r = d->report;
	uint32_t counted = r->source->counted_as ? r->source->counted_as[node] : 0;

	if (counted != 0 && r->source->executed_function[counted - 1].function == node)
		row_count(&d->row, "executions", r->source->executed_function[counted - 1].count);
	else
		row_null(&d->row, "executions");
}

static void
put_source_file(struct document *d, uint32_t i)
{
	row_begin(&d->row);
	row_count(&d->row, "id", i);
	row_string(&d->row, "file", d->report->source->executed_file[i]);
	document_next_row(d);
	document_end_object(d);
}

static void
put_source_function(struct document *d, uint32_t i)
{
	const struct gprofx_executed_function *function = &d->report->source->executed_function[i];
	struct row *row = &d->row;

	row_begin(row);
	row_string(row, "raw_name", function->name);
	row_count(row, "file", function->file);
	row_count(row, "first_line", function->first_line);
	row_count(row, "last_line", function->last_line);
	if (function->function == UINT32_MAX)
		row_null(row, "function");
	else
		row_count(row, "function", function->function);
	row_count(row, "executions", function->count);
	document_next_row(d);
	document_end_object(d);
}

static void
put_source_line(struct document *d, uint32_t i)
{
	const struct gprofx_executed_line *line = &d->report->source->executed_line[i];

	row_begin(&d->row);
	row_count(&d->row, "file", line->file);
	row_count(&d->row, "line", line->line);
	row_count(&d->row, "executions", line->count);
	document_next_row(d);
	document_end_object(d);
}

static void
put_function(struct document *d, uint32_t node)
{
	const struct gprofx_report *r = d->report;
	struct row *row = &d->row;
	struct gprofx_text name = r->services->name(r, node);
	uint32_t line;
	const char *file = r->services->source(r, node, &line);
	bool outside = (r->graph->flags[node] & (GPROFX_NODE_OUTSIDE | GPROFX_NODE_INDIRECT)) != 0;

	row_begin(row);
	row_count(row, "id", node);
	row_text(row, "name", name.bytes, name.length);
	row_string(row, "raw_name", r->functions->raw_name[node]);
	row_string(row, "object",
	           r->functions->object_name ? r->functions->object_name[node] : NULL);
	row_bool(row, "outside", outside);
	/* Without a program no function has an address. */
	if (outside || !r->origin->image) {
		row_null(row, "address");
		row_null(row, "end");
	} else {
		row_address(row, "address", r->functions->address[node]);
		row_address(row, "end", r->functions->end[node]);
	}
	if (r->functions->merged_into && r->functions->merged_into[node] != node)
		row_count(row, "merged_into", r->functions->merged_into[node]);
	row_string(row, "source_file", file);
	row_number_or_null(row, "source_line", line);
	row_bool(row, "static", (r->graph->flags[node] & GPROFX_NODE_STATIC) != 0);
	row_bool(row, "function", (r->graph->flags[node] & GPROFX_NODE_FUNCTION) != 0);
	row_number_or_null(row, "cycle", r->graph->cycle[node]);
	add_node_figures(d, node);
	add_executions(d, node);
	document_next_row(d);
	gprofx_putc(d->writer, '{');
	row_write(row);
	end_node(d, node);
	gprofx_putc(d->writer, '}');
}

/* Calls of a cycle by functions outside of it, one row for each of these. */
static void
put_cycle_callers(struct document *d, uint32_t cycle)
{
	const struct gprofx_report *r = d->report;
	const uint32_t *first = r->graph->cycle_callers.first;

	gprofx_puts(d->writer, ",\"callers\":[");
	for (uint32_t i = first ? first[cycle] : 0; first && i < first[cycle + 1]; i++) {
		const struct gprofx_arc arc = gprofx_arc_at(&r->graph->cycle_arcs,
		                                            r->graph->cycle_callers.item[i]);

		if (i > first[cycle])
			gprofx_puts(d->writer, ",\n");
		row_begin(&d->row);
		row_count(&d->row, "caller", arc.caller);
		row_calls_or_null(&d->row, "calls", r->graph->cycle_arcs.calls, arc.calls);
		document_add_time(d, "self_ticks", "self_seconds", arc.self);
		document_add_time(d, "below_ticks", "below_seconds", arc.below);
		gprofx_putc(d->writer, '{');
		row_write(&d->row);
		end_arc(d, &r->graph->cycle_arcs, r->graph->cycle_callers.item[i]);
		gprofx_putc(d->writer, '}');
	}
	gprofx_putc(d->writer, ']');
}

static void
put_cycle(struct document *d, uint32_t node)
{
	const struct gprofx_report *r = d->report;
	struct gprofx_text name = r->services->name(r, node);

	row_begin(&d->row);
	row_count(&d->row, "id", node);
	row_count(&d->row, "number", r->graph->cycle[node]);
	row_text(&d->row, "name", name.bytes, name.length);
	add_node_figures(d, node);
	document_next_row(d);
	gprofx_putc(d->writer, '{');
	row_write(&d->row);
	end_node(d, node);
	document_put_list(d, "members", &r->graph->members, node - r->functions->count);
	put_cycle_callers(d, node - r->functions->count);
	gprofx_putc(d->writer, '}');
}

/* The lines of source that make the calls of an arc. */
static void
put_sites(struct document *d, uint32_t arc)
{
	const struct gprofx_report *r = d->report;
	struct gprofx_writer *w = d->writer;

	gprofx_puts(w, ",\"sites\":[");
	for (uint32_t i = r->graph->site_first[arc]; i < r->graph->site_first[arc + 1]; i++) {
		gprofx_puts(w,
		            i > r->graph->site_first[arc] ? ",{\"function\":" : "{\"function\":");
		w->services->number(w, r->graph->site[i].node, 0);
		gprofx_puts(w, ",\"calls\":");
		w->services->number(w, r->graph->site[i].calls, 0);
		gprofx_putc(w, '}');
	}
	gprofx_putc(w, ']');
}

static void
put_arc(struct document *d, uint32_t id)
{
	const struct gprofx_arc arc = gprofx_arc_at(&d->report->graph->arcs, id);

	row_begin(&d->row);
	row_count(&d->row, "id", id);
	row_count(&d->row, "caller", arc.caller);
	row_count(&d->row, "callee", arc.callee);
	row_calls_or_null(&d->row, "calls", d->report->graph->arcs.calls, arc.calls);
	if (d->report->graph->arc_static)
		row_string(&d->row, "static", figure_static_kind(d->report, id));
	if (d->report->graph->arc_divided)
		row_bool(&d->row, "divided", d->report->graph->arc_divided[id]);
	document_add_time(d, "self_ticks", "self_seconds", arc.self);
	document_add_time(d, "below_ticks", "below_seconds", arc.below);
	document_next_row(d);
	gprofx_putc(d->writer, '{');
	row_write(&d->row);
	end_arc(d, &d->report->graph->arcs, id);
	if (d->report->graph->site_first)
		put_sites(d, id);
	gprofx_putc(d->writer, '}');
}

/* The arcs of a node's entry; those of a cycle are its members', which have entries of their own,
 * and what calls it is shown with the cycle.
 */
static void
put_entry(struct document *d, uint32_t entry)
{
	const struct gprofx_report *r = d->report;
	uint32_t node = r->graph->entry[entry];

	document_next_row(d);
	gprofx_puts(d->writer, "{\"node\":");
	d->writer->services->number(d->writer, node, 0);
	if (node < r->functions->count) {
		document_put_list(d, "callers", &r->graph->callers, node);
		document_put_list(d, "callees", &r->graph->callees, node);
	} else {
		gprofx_puts(d->writer, ",\"callers\":[],\"callees\":[]");
	}
	gprofx_putc(d->writer, '}');
}

/* A list with a row for each number from begin up to end. */
static void
put_rows(struct document *d, const char *key, uint32_t begin, uint32_t end,
         void (*put)(struct document *d, uint32_t number))
{
	document_begin_list(d, key);
	for (uint32_t i = begin; i < end; i++)
		put(d, i);
	document_end_list(d);
}

static void
put_document(struct document *d)
{
	const struct gprofx_report *r = d->report;

	gprofx_putc(d->writer, '{');
	profile_put_origin(d);
	put_rows(d, "profile_files", 0, r->files->count, profile_put_file);
	profile_put_whole(d);
	put_rows(d, "metrics", 0, r->origin->metric_count, profile_put_metric);
	put_rows(d, "sources", 0, profile_source_count(d), profile_put_source);
	if (r->origin->image_count > 0)
		put_rows(d, "images", 0, r->origin->image_count, profile_put_image);
	if (r->findings->account)
		profile_put_account(d);
	if (r->files->rounding)
		profile_put_rounding(d);
	put_rows(d, "left_out", 0, r->functions->left_out_count, profile_put_left_out);
	put_rows(d, "corrections", 0, r->findings->correction_count, profile_put_correction);
	put_rows(d, "findings", 0, r->findings->count, profile_put_finding);
	put_rows(d, "functions", 0, r->functions->count, put_function);
	put_rows(d, "cycles", r->functions->count, r->graph->node_count, put_cycle);
	put_rows(d, "arcs", 0, r->graph->arcs.count, put_arc);
	document_begin_member(d, "flat_order");
	document_put_ids(d, r->graph->flat, r->graph->flat_count);
	put_rows(d, "call_graph", 0, r->graph->entry_count, put_entry);
	document_begin_member(d, "index_order");
	document_put_ids(d, r->graph->index_node, r->graph->index_count);
	if (r->inlined)
		put_rows(d, "inlined", 0, r->inlined->count, profile_put_inlined);
	if (r->files->spread) {
		put_rows(d, "files", 0, r->files->labelled_count, profile_put_label);
		put_rows(d, "per_file", 0, r->files->spread_count, profile_put_spread);
	}
	slices_put(d);
	if (r->source->executed_file) {
		put_rows(d, "source_files", 0, r->source->executed_file_count, put_source_file);
		put_rows(d, "source_functions", 0, r->source->executed_function_count,
		         put_source_function);
		put_rows(d, "source_lines", 0, r->source->executed_line_count, put_source_line);
	}
	gprofx_puts(d->writer, "\n}\n");
}

static enum gprofx_result
emit(struct gprofx *gx, const struct gprofx_emission *emission, const void *options)
{
	struct document document = {.report = emission->report, .writer = emission->writer};

	(void)options;
	row_init(&document.row, emission->writer);
	if (emission->report->comparison)
		comparison_put(gx, &document);
	else
		put_document(&document);
	return GPROFX_OK;
}

static const struct gprofx_needs needs = {
	.size = sizeof needs,
	.parts = GPROFX_PART_FLAT | GPROFX_PART_GRAPH | GPROFX_PART_INDEX | GPROFX_PART_SOURCES |
                 GPROFX_PART_NAMES | GPROFX_PART_FILES | GPROFX_PART_EXECUTED |
                 GPROFX_PART_FINDINGS | GPROFX_PART_INLINED,
	.also = GPROFX_PART_PER_FILE | GPROFX_PART_SLICE_TABLES | GPROFX_PART_COMPARISON,
	.traits = GPROFX_EMITTER_ALONE | GPROFX_EMITTER_BYTES | GPROFX_EMITTER_COMPARES,
};

static const struct gprofx_emitter emitter = {
	.size = sizeof emitter,
	.format = "json",
	.extension = "json",
	.emit = emit,
	.needs = &needs,
};

GPROFX_PLUGIN = {
	GPROFX_ABI,          .name = "output-json",
	.version = "1.0",    .summary = "The whole report as JSON, for other programs",
	.emitter = &emitter,
};
