/* SPDX-License-Identifier: Apache-2.0 */
#include "data.h"

#include "../shared/export-names.h"
#include "columns.h"

/* Raised when a script for the form before would go wrong. */
enum { FORMAT = 1 };

struct data {
	struct columns c;
	const struct nodes *nodes;
	const struct gprofx_report *report;
	struct texts texts;
	uint32_t *file, *object; /* per function of the page: rows of its texts */
	uint32_t *line;
	uint32_t *place; /* per place of contexts: the row of its name */
};

/* Collects all texts before the first one is written. */
static void
collect(struct data *d, struct source *source)
{
	const struct nodes *nodes = d->nodes;
	const struct gprofx_report *report = d->report;
	const struct gprofx_report_contexts *contexts = report->contexts;
	uint32_t places = contexts->place ? contexts->place_count : 0;
	size_t bytes = ((size_t)nodes->functions + 1) * sizeof(uint32_t);

	d->texts.gx = nodes->gx;
	d->file = gprofx_alloc(nodes->gx, bytes);
	d->object = gprofx_alloc(nodes->gx, bytes);
	d->line = gprofx_alloc(nodes->gx, bytes);
	d->place = gprofx_alloc(nodes->gx, ((size_t)places + 1) * sizeof *d->place);
	for (uint32_t i = 0; i < nodes->functions; i++)
		d->file[i] = texts_add(
			&d->texts, report->services->source(report, nodes->node[i], &d->line[i]));
	for (uint32_t i = 0; i < nodes->functions; i++)
		d->object[i] = report->functions->object_name
		                       ? texts_add(&d->texts,
		                                   report->functions->object_name[nodes->node[i]])
		                       : NODES_NONE;
	for (uint32_t i = 0; i < places; i++)
		d->place[i] = texts_add(&d->texts, contexts->place_name[i]);
	source_add_texts(source, &d->texts);
	texts_finish(&d->texts);
}

static void
put_command(struct columns *c, const struct gprofx_report_origin *origin)
{
	columns_key(c, "command");
	columns_open(c, '[');
	for (uint32_t i = 0; i < origin->option_count; i++)
		columns_text(c, origin->options[i]);
	if (origin->image)
		columns_text(c, origin->image);
	for (uint32_t i = 0; i < origin->profile_count; i++)
		columns_text(c, origin->profiles[i]);
	columns_close(c, ']');
}

static void
put_origin(struct data *d)
{
	const struct gprofx_report *report = d->report;
	struct columns *c = &d->c;

	columns_key(c, "format");
	columns_count(c, FORMAT);
	columns_key(c, "generator");
	columns_text(c, "gprofx");
	columns_key(c, "version");
	columns_text(c, report->origin->version);
	columns_key(c, "program");
	columns_text(c, export_program(report));
	columns_key(c, "timed");
	columns_bool(c, report->origin->has_histogram);
	columns_key(c, "counted");
	columns_bool(c, nodes_have_counts(report));
	columns_key(c, "measured");
	columns_bool(c, report->origin->has_arcs && gprofx_is_measured(report));
	columns_key(c, "byLine");
	columns_bool(c, report->origin->by_line);
	put_command(c, report->origin);
}

static void
put_metrics(struct data *d)
{
	struct columns *c = &d->c;

	columns_key(c, "metrics");
	columns_open(c, '[');
	for (uint32_t i = 0; i < d->report->origin->metric_count; i++) {
		const struct gprofx_metric *metric = gprofx_metric_at(d->report, i);

		columns_open(c, '{');
		columns_key(c, "name");
		columns_text(c, metric->name);
		columns_key(c, "unit");
		columns_text(c, metric->unit);
		columns_key(c, "abbreviation");
		columns_texts(c, &metric->abbreviation, metric->abbreviation != '\0');
		columns_key(c, "ticks");
		columns_count(c, metric->ticks_per_unit);
		columns_close(c, '}');
	}
	columns_close(c, ']');
}

static void
put_texts(struct data *d)
{
	columns_key(&d->c, "strings");
	columns_open(&d->c, '[');
	for (uint32_t i = 0; i < d->texts.count; i++) {
		struct gprofx_text text = d->texts.added[d->texts.first[i]];

		columns_texts(&d->c, text.bytes, text.length);
	}
	columns_close(&d->c, ']');
}

/* A column with a number for each function: of rows of texts, or as it is. */
static void
put_rows(struct data *d, const char *key, const uint32_t *rows)
{
	columns_key(&d->c, key);
	columns_open(&d->c, '[');
	for (uint32_t i = 0; i < d->nodes->functions; i++)
		columns_index(&d->c, texts_number(&d->texts, rows[i]), NODES_NONE);
	columns_close(&d->c, ']');
}

/* A column with a number of the report for each of the first nodes. */
static void
put_numbers(struct data *d, const char *key, const uint32_t *values, uint32_t count)
{
	columns_key(&d->c, key);
	columns_open(&d->c, '[');
	for (uint32_t i = 0; i < count; i++)
		columns_count(&d->c, values[d->nodes->node[i]]);
	columns_close(&d->c, ']');
}

static void
put_functions(struct data *d)
{
	const struct nodes *nodes = d->nodes;
	const struct gprofx_report_graph *graph = d->report->graph;
	struct columns *c = &d->c;

	columns_key(c, "functions");
	columns_open(c, '{');
	columns_key(c, "count");
	columns_count(c, nodes->functions);
	columns_key(c, "nodes");
	columns_count(c, nodes->count);
	columns_key(c, "name");
	columns_open(c, '[');
	for (uint32_t i = 0; i < nodes->count; i++) {
		struct gprofx_text name = nodes->names[nodes->node[i]];

		columns_texts(c, name.bytes, name.length);
	}
	columns_close(c, ']');
	put_rows(d, "file", d->file);
	put_rows(d, "object", d->object);
	columns_key(c, "line");
	columns_open(c, '[');
	for (uint32_t i = 0; i < nodes->functions; i++)
		columns_count(c, d->line[i]);
	columns_close(c, ']');
	put_numbers(d, "cycle", graph->cycle, nodes->count);
	put_numbers(d, "entry", graph->index, nodes->count);
	put_numbers(d, "kind", graph->flags, nodes->count);
	columns_key(c, "id");
	columns_open(c, '[');
	for (uint32_t i = 0; i < nodes->count; i++)
		columns_count(c, nodes->node[i]);
	columns_close(c, ']');
	columns_close(c, '}');
}

static void
put_origin_word(struct columns *c, const char *key, uint32_t origin)
{
	static const char *const words[] = {
		[GPROFX_UNKNOWN] = "unknown",
		[GPROFX_MEASURED] = "measured",
		[GPROFX_ESTIMATED] = "estimated",
	};

	columns_key(c, key);
	columns_text(c, origin <= GPROFX_ESTIMATED ? words[origin] : words[GPROFX_UNKNOWN]);
}

/* Values of nodes; null where there are none. */
static void
put_reals(struct data *d, const char *key, const struct gprofx_reals *values)
{
	columns_key(&d->c, key);
	if (!values->first) {
		columns_null(&d->c);
		return;
	}
	columns_open(&d->c, '[');
	for (uint32_t i = 0; i < d->nodes->count; i++)
		columns_real(&d->c, gprofx_real(values, d->nodes->node[i]));
	columns_close(&d->c, ']');
}

static void
put_values(struct data *d)
{
	static const struct gprofx_reals nothing = {NULL, 0};
	const struct gprofx_report *report = d->report;
	bool has_arcs = report->origin->has_arcs;
	struct columns *c = &d->c;

	columns_key(c, "values");
	columns_open(c, '[');
	for (uint32_t i = 0; i < report->origin->metric_count; i++) {
		const struct gprofx_column *column = gprofx_column_at(report->graph->columns, i);

		columns_open(c, '{');
		put_origin_word(c, "selfOrigin", column->self_origin);
		put_origin_word(c, "totalOrigin", has_arcs ? column->total_origin : GPROFX_UNKNOWN);
		columns_key(c, "total");
		columns_real(c, column->flat_total);
		columns_key(c, "graphTotal");
		columns_real(c, has_arcs ? column->graph_total : 0);
		put_reals(d, "self", &column->self);
		put_reals(d, "below", has_arcs ? &column->below : &nothing);
		put_reals(d, "whole", &column->whole_self);
		put_reals(d, "selfSquares", &column->self_squares);
		columns_close(c, '}');
	}
	columns_close(c, ']');
}

static void
put_calls(struct data *d)
{
	const struct gprofx_call_column *calls = d->report->graph->calls;
	struct columns *c = &d->c;

	columns_key(c, "calls");
	columns_open(c, '{');
	columns_key(c, "calls");
	columns_open(c, '[');
	for (uint32_t i = 0; i < d->nodes->count; i++)
		columns_calls(c, calls, gprofx_count(&calls->calls, d->nodes->node[i]));
	columns_close(c, ']');
	columns_key(c, "recursive");
	columns_open(c, '[');
	for (uint32_t i = 0; i < d->nodes->count; i++)
		columns_calls(c, calls, gprofx_count(&calls->recursive, d->nodes->node[i]));
	columns_close(c, ']');
	columns_close(c, '}');
}

/* Nodes of the report, by their numbers in the page. */
static void
put_nodes(struct data *d, const char *key, const uint32_t *nodes, uint32_t count)
{
	columns_key(&d->c, key);
	columns_open(&d->c, '[');
	for (uint32_t i = 0; i < count; i++)
		columns_count(&d->c, d->nodes->number[nodes[i]]);
	columns_close(&d->c, ']');
}

static void
put_arc_nodes(struct data *d, const char *key, const struct gprofx_ids *ids, uint32_t count)
{
	columns_key(&d->c, key);
	columns_open(&d->c, '[');
	for (uint32_t a = 0; a < count; a++)
		columns_count(&d->c, d->nodes->number[gprofx_id(ids, a)]);
	columns_close(&d->c, ']');
}

static void
put_arc_reals(struct data *d, const char *key, const struct gprofx_reals *values, uint32_t count)
{
	columns_key(&d->c, key);
	columns_open(&d->c, '[');
	for (uint32_t a = 0; a < count; a++)
		columns_real(&d->c, gprofx_real(values, a));
	columns_close(&d->c, ']');
}

/* What arcs and callers of cycles have in common. */
static void
put_arc_values(struct data *d, const struct gprofx_arcs *arcs)
{
	struct columns *c = &d->c;

	put_arc_nodes(d, "callee", &arcs->callee, arcs->count);
	columns_key(c, "calls");
	columns_open(c, '[');
	for (uint32_t a = 0; a < arcs->count; a++)
		columns_calls(c, arcs->calls, gprofx_count(&arcs->calls->calls, a));
	columns_close(c, ']');
	columns_key(c, "values");
	columns_open(c, '[');
	for (uint32_t i = 0; i < d->report->origin->metric_count; i++) {
		const struct gprofx_column *column = gprofx_column_at(arcs->columns, i);

		columns_open(c, '{');
		put_arc_reals(d, "self", &column->self, arcs->count);
		put_arc_reals(d, "below", &column->below, arcs->count);
		columns_close(c, '}');
	}
	columns_close(c, ']');
}

/* Arcs are sorted by caller: per function its first one, and at last their number. */
static void
put_first_arcs(struct data *d)
{
	const struct gprofx_arcs *arcs = &d->report->graph->arcs;
	uint32_t a = 0;

	columns_key(&d->c, "first");
	columns_open(&d->c, '[');
	for (uint32_t i = 0; i < d->nodes->functions; i++) {
		while (a < arcs->count && gprofx_id(&arcs->caller, a) < d->nodes->node[i])
			a++;
		columns_count(&d->c, a);
	}
	columns_count(&d->c, arcs->count);
	columns_close(&d->c, ']');
}

/* The lines of source that make the calls of arcs. */
static void
put_sites(struct data *d)
{
	const struct gprofx_report_graph *graph = d->report->graph;
	struct columns *c = &d->c;
	uint32_t count;

	columns_key(c, "site");
	if (!graph->site_first) {
		columns_null(c);
		return;
	}
	count = graph->site_first[graph->arcs.count];
	columns_open(c, '{');
	columns_key(c, "first");
	columns_open(c, '[');
	for (uint32_t a = 0; a <= graph->arcs.count; a++)
		columns_count(c, graph->site_first[a]);
	columns_close(c, ']');
	columns_key(c, "node");
	columns_open(c, '[');
	for (uint32_t i = 0; i < count; i++)
		columns_count(c, d->nodes->number[graph->site[i].node]);
	columns_close(c, ']');
	columns_key(c, "calls");
	columns_open(c, '[');
	for (uint32_t i = 0; i < count; i++)
		columns_count(c, graph->site[i].calls);
	columns_close(c, ']');
	columns_close(c, '}');
}

static void
put_arcs(struct data *d)
{
	const struct gprofx_report_graph *graph = d->report->graph;
	struct columns *c = &d->c;

	columns_key(c, "arcs");
	columns_open(c, '{');
	put_first_arcs(d);
	put_arc_values(d, &graph->arcs);
	columns_key(c, "found");
	if (graph->arc_static) {
		columns_open(c, '[');
		for (uint32_t a = 0; a < graph->arcs.count; a++)
			columns_count(c, graph->arc_static[a]);
		columns_close(c, ']');
	} else {
		columns_null(c);
	}
	columns_key(c, "divided");
	if (graph->arc_divided) {
		columns_open(c, '[');
		for (uint32_t a = 0; a < graph->arcs.count; a++)
			columns_count(c, graph->arc_divided[a]);
		columns_close(c, ']');
	} else {
		columns_null(c);
	}
	put_sites(d);
	columns_close(c, '}');
	columns_key(c, "cycleArcs");
	if (!graph->cycle_callers.first) {
		columns_null(c);
		return;
	}
	columns_open(c, '{');
	put_arc_nodes(d, "caller", &graph->cycle_arcs.caller, graph->cycle_arcs.count);
	put_arc_values(d, &graph->cycle_arcs);
	columns_close(c, '}');
}

/* A value of each context. */
static void
put_context_reals(struct data *d, const char *key, const struct gprofx_reals *values)
{
	columns_key(&d->c, key);
	columns_open(&d->c, '[');
	for (uint32_t i = 0; i < d->report->contexts->count; i++)
		columns_real(&d->c, gprofx_real(values, i));
	columns_close(&d->c, ']');
}

static void
put_context_names(struct data *d)
{
	const struct gprofx_report_contexts *contexts = d->report->contexts;
	struct columns *c = &d->c;

	columns_key(c, "name");
	if (!contexts->place) {
		columns_null(c);
		columns_key(c, "inlined");
		columns_null(c);
		return;
	}
	columns_open(c, '[');
	for (uint32_t i = 0; i < contexts->count; i++) {
		uint32_t place = contexts->place[i];

		columns_index(c,
		              texts_number(&d->texts,
		                           place == GPROFX_NO_PLACE ? NODES_NONE : d->place[place]),
		              NODES_NONE);
	}
	columns_close(c, ']');
	columns_key(c, "inlined");
	columns_open(c, '[');
	for (uint32_t i = 0; i < contexts->count; i++)
		columns_count(c, (contexts->flags[i] & GPROFX_CONTEXT_INLINED) != 0);
	columns_close(c, ']');
}

static void
put_contexts(struct data *d)
{
	const struct gprofx_report_contexts *contexts = d->report->contexts;
	const struct gprofx_column *column = contexts->columns;
	struct columns *c = &d->c;

	columns_key(c, "contexts");
	if (contexts->count == 0) {
		columns_null(c);
		return;
	}
	columns_open(c, '{');
	columns_key(c, "parent");
	columns_open(c, '[');
	for (uint32_t i = 0; i < contexts->count; i++)
		columns_index(c, contexts->parent[i], GPROFX_NO_CONTEXT);
	columns_close(c, ']');
	put_nodes(d, "node", contexts->node, contexts->count);
	put_context_names(d);
	put_context_reals(d, "self", &column->self);
	put_context_reals(d, "below", &column->below);
	columns_key(c, "total");
	columns_real(c, column->graph_total);
	columns_key(c, "cut");
	columns_real(c, contexts->cut[0]);
	columns_key(c, "bounds");
	columns_count(c, contexts->bounds);
	columns_key(c, "estimated");
	columns_bool(c, contexts->is_estimated);
	columns_close(c, '}');
}

void
data_put(struct gprofx_writer *w, const struct nodes *nodes, struct source *source)
{
	struct data d = {.c.w = w, .nodes = nodes, .report = nodes->report};
	static const char *const later[] = {"files", "slices"};

	collect(&d, source);
	columns_open(&d.c, '{');
	put_origin(&d);
	put_metrics(&d);
	put_texts(&d);
	put_functions(&d);
	put_values(&d);
	put_calls(&d);
	put_nodes(&d, "flat", nodes->row, nodes->row_count);
	put_arcs(&d);
	put_contexts(&d);
	source_put(source, &d.texts, &d.c);
	for (size_t i = 0; i < sizeof later / sizeof later[0]; i++) {
		columns_key(&d.c, later[i]);
		columns_null(&d.c);
	}
	columns_close(&d.c, '}');
}
