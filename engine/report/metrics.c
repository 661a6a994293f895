/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What was measured, in each run, and its values: a column for each run and metric.  Columns of one
 * metric have the same ticks, whatever the rate of the run was.
 */
#include <string.h>

#include "base/memory.h"
#include "base/run.h"
#include "graph/graph.h"
#include "profile/file-names.h"
#include "profile/metrics.h"
#include "profile/profile.h"
#include "report/model.h"
#include "symbols/symbols.h"

void *
report_rows_of_metrics(struct run *run, const struct report_model *model, void *first,
                       size_t row_bytes)
{
	uint32_t count = model->parts.origin.metric_count * model->parts.origin.run_count;
	char *rows;

	if (count == 1)
		return first;
	rows = memory_alloc_array(run, row_bytes, count);
	return memcpy(rows, first, row_bytes);
}

static struct gprofx_metric
metric_of(struct run *run, const struct profile *profile, uint32_t number, uint32_t id)
{
	struct run_metric row = metrics_row(profile, number);
	struct gprofx_metric metric = {
		.size = sizeof metric,
		.id = id,
		.name = row.name,
		.unit = row.unit,
		.abbreviation = row.abbreviation,
		.ticks_per_unit = row.ticks_per_unit,
		.kind = row.kind,
	};

	if (row.files) {
		struct file_names *names = memory_alloc(run, sizeof *names);

		file_names_join(run, names, row.files);
		if (row.more_files)
			file_names_join(run, names, row.more_files);
		metric.files = names->items;
		metric.file_count = names->count;
	}
	if (profile->stacks.is_there || row.ticks_per_unit != 0 ||
	    !run_corrects(run, GPROFX_CORRECT_ZERO_RATE))
		return metric;
	/* Times are in samples then. */
	metric.ticks_per_unit = 1;
	if (profile_is_measured(number == 0 ? profile : profile->others[number - 1])) {
		metric.unit = "samples";
		metric.abbreviation = '\0';
	}
	return metric;
}

/* The metric of the report that has a name, or the number of all. */
static uint32_t
metric_by_name(const struct report_model *model, const char *name)
{
	const struct gprofx_report_origin *origin = &model->parts.origin;
	uint32_t i = 0;

	while (i < origin->metric_count && strcmp(origin->metrics[i].name, name) != 0)
		i++;
	return i;
}

/* Whether a run has measured nothing, so that its first metric is none. */
static bool
lacks_metric(const struct profile *profile, uint32_t number)
{
	return number == 0 && !profile_has_times(profile);
}

void
report_set_metrics(struct run *run, struct report_model *model, const struct profile *profile)
{
	struct gprofx_report_origin *origin = &model->parts.origin;
	struct gprofx_metric *rows = &model->metric;
	uint32_t most = metrics_count(profile);

	for (const struct profile *i = profile->next_run; i; i = i->next_run)
		most += metrics_count(i);
	if (most > 1)
		memory_array(run, rows, most);
	origin->metrics = rows;
	for (const struct profile *i = profile; i; i = i->next_run)
		for (uint32_t k = 0; k < metrics_count(i); k++) {
			if (lacks_metric(i, k) ||
			    metric_by_name(model, metrics_row(i, k).name) < origin->metric_count)
				continue;
			rows[origin->metric_count] = metric_of(run, i, k, origin->metric_count);
			origin->metric_count++;
		}
	/* Where no run has measured anything, zeros are of something, too. */
	if (origin->metric_count == 0)
		rows[origin->metric_count++] = metric_of(run, profile, 0, 0);
	for (const struct profile *i = profile; i; i = i->next_run)
		origin->run_count++;
}

/* Where a run's metric stands among those of the report. */
static uint32_t
place_of(const struct report_model *model, const struct profile *profile, uint32_t number)
{
	return lacks_metric(profile, number)
	               ? 0
	               : metric_by_name(model, metrics_row(profile, number).name);
}

static void
scale(double *values, size_t count, double factor)
{
	for (size_t i = 0; values && i < count; i++)
		values[i] *= factor;
}

static void
scale_doubt(struct gprofx_doubt *doubt, size_t count, double factor)
{
	for (size_t i = 0; doubt && i < count; i++) {
		doubt[i].less *= factor;
		doubt[i].more *= factor;
	}
}

/* Brings the graph's own metric to the ticks of the report. */
static void
scale_graph(struct graph *graph, double factor)
{
	size_t nodes = graph->node_count;

	scale(graph->self, nodes, factor);
	scale(graph->line_self, (size_t)graph->symbols->count + 1, factor);
	scale(graph->below, nodes, factor);
	scale(graph->visible_self, nodes, factor);
	scale(graph->visible_below, nodes, factor);
	scale_doubt(graph->self_doubt, graph->function_count, factor);
	scale_doubt(graph->total_doubt, nodes, factor);
	graph->flat_total *= factor;
	graph->total *= factor;
}

struct gprofx_column
report_no_column(uint32_t run, uint32_t metric)
{
	static const double zero = 0;
	const struct gprofx_reals none = {&zero, 0};

	return (struct gprofx_column){
		.size = sizeof(struct gprofx_column),
		.run = run,
		.metric = metric,
		.self = none,
		.below = none,
		.selected_self = none,
		.selected_below = none,
	};
}

/* The columns of one metric of a run: of nodes, and of arcs. */
struct pair_of_columns {
	struct gprofx_column *nodes, *arcs;
};

/* Those of further metrics, whose values the graph keeps beside its own. */
static void
set_further(struct run *run, const struct report_model *model, struct graph *graph, uint32_t number,
            double factor, const struct gprofx_column *first_arcs, struct pair_of_columns to)
{
	struct graph_metric *metric = &graph->metrics[number];

	/* The graph is lent to what makes the column of its own metric. */
	graph_exchange(graph, metric);
	if (factor != 1)
		scale_graph(graph, factor);
	*to.nodes = report_node_column(run, graph, true);
	report_add_cycles(run, graph->node_count, model->graph->node_count, to.nodes);
	graph_exchange(graph, metric);
	*to.arcs = *first_arcs;
	if (graph->stacks)
		to.arcs->self_origin = report_arc_self_origin(graph->stacks->others[number]);
	if (!metric->arc_self)
		return;
	if (factor != 1) {
		scale(metric->arc_self, graph->arc_count, factor);
		scale(metric->arc_below, graph->arc_count, factor);
	}
	to.arcs->self = (struct gprofx_reals){metric->arc_self, sizeof *metric->arc_self};
	to.arcs->below = (struct gprofx_reals){metric->arc_below, sizeof *metric->arc_below};
}

/* By how much the ticks of a run's metric grow in the report. */
static double
factor_of(const struct report_model *model, const struct profile *profile, uint32_t number,
          uint32_t metric)
{
	uint32_t rate = metrics_row(profile, number).ticks_per_unit;

	return rate == 0 ? 1 : (double)model->parts.origin.metrics[metric].ticks_per_unit / rate;
}

/* All columns of a run; "first" has those of its first metric already if it is the first run. */
static void
set_run(struct run *run, struct report_model *model, struct graph *graph,
        const struct profile *profile, uint32_t number, struct pair_of_columns columns)
{
	uint32_t metrics = model->parts.origin.metric_count, own;
	struct gprofx_column first_arcs;

	for (uint32_t m = 0; m < metrics; m++) {
		uint32_t row = number * metrics + m;

		model->run_columns.own[row] = REPORT_NOT_MEASURED;
		if (row == 0)
			continue;
		columns.nodes[row] = report_no_column(number, m);
		columns.arcs[row] = report_no_column(number, m);
	}
	own = number * metrics + place_of(model, profile, 0);
	model->run_columns.own[own] = 0;
	if (number > 0) {
		double factor = factor_of(model, profile, 0, own % metrics);

		if (factor != 1) {
			scale_graph(graph, factor);
			for (uint32_t i = 0; i < graph->arc_count; i++) {
				graph->arcs[i].self *= factor;
				graph->arcs[i].below *= factor;
			}
		}
		report_run_columns(run, model, graph, profile, &columns.nodes[own],
		                   &columns.arcs[own]);
	}
	first_arcs = columns.arcs[own];
	for (uint32_t k = 1; k < metrics_count(profile); k++) {
		uint32_t m = place_of(model, profile, k);

		model->run_columns.own[number * metrics + m] = k;
		set_further(run, model, graph, k - 1, factor_of(model, profile, k, m), &first_arcs,
		            (struct pair_of_columns){&columns.nodes[number * metrics + m],
		                                     &columns.arcs[number * metrics + m]});
	}
	for (uint32_t m = 0; m < metrics; m++) {
		columns.nodes[number * metrics + m].run = number;
		columns.nodes[number * metrics + m].metric = m;
		columns.arcs[number * metrics + m].run = number;
		columns.arcs[number * metrics + m].metric = m;
	}
}

/* What is known of all columns, now that they have their values. */
static void
set_squares(struct run *run, struct report_model *model, const struct graph *graph,
            const struct profile *first)
{
	uint32_t metrics = model->parts.origin.metric_count, number = 0;

	for (const struct profile *i = first; i; i = i->next_run, graph = graph->next_run) {
		for (uint32_t k = 0; k < metrics_count(i); k++) {
			uint32_t m = place_of(model, i, k);

			report_set_squares(run, model, graph, i, k, number * metrics + m,
			                   factor_of(model, i, k, m));
		}
		number++;
	}
}

void
report_set_columns(struct run *run, struct report_model *model, struct graph *graph,
                   const struct profile *first)
{
	struct pair_of_columns columns = {
		report_rows_of_metrics(run, model, &model->node_column,
	                               sizeof(struct gprofx_column)),
		report_rows_of_metrics(run, model, &model->arc_column,
	                               sizeof(struct gprofx_column)),
	};
	uint32_t number = 0;

	memory_array(run, model->run_columns.own,
	             (size_t)model->parts.origin.metric_count * model->parts.origin.run_count);
	for (const struct profile *i = first; i; i = i->next_run, graph = graph->next_run)
		set_run(run, model, graph, i, number++, columns);
	model->run_columns.nodes = columns.nodes;
	model->run_columns.arcs = columns.arcs;
	model->parts.graph.columns = columns.nodes;
	model->parts.graph.arcs.columns = columns.arcs;
	set_squares(run, model, model->graph, first);
}

static double
sum_of(const double *values, uint32_t count)
{
	double sum = 0;

	for (uint32_t i = 0; i < count; i++)
		sum += values[i];
	return sum;
}

void
report_set_runs(struct run *run, struct report_model *model, const struct profile *first)
{
	struct gprofx_report_origin *origin = &model->parts.origin;
	const struct graph *graph = model->graph;
	struct gprofx_run *rows;
	uint32_t number = 0;

	memory_array(run, rows, origin->run_count);
	for (const struct profile *i = first; i; i = i->next_run, graph = graph->next_run) {
		double *totals;

		memory_array(run, totals, origin->metric_count);
		for (uint32_t k = 0; k < metrics_count(i); k++)
			totals[place_of(model, i, k)] = sum_of(k == 0 ? graph->self
			                                              : graph->metrics[k - 1].self,
			                                       graph->function_count);
		rows[number++] = (struct gprofx_run){
			.size = sizeof *rows,
			.label = i->label ? i->label : "",
			.file_count = i->file_count,
			.totals = totals,
		};
	}
	origin->runs = rows;
}
