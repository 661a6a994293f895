/* SPDX-License-Identifier: Apache-2.0 */
/* What was measured, and the values of further metrics: a column each. */
#include <string.h>

#include "base/memory.h"
#include "base/run.h"
#include "graph/graph.h"
#include "profile/profile.h"
#include "report/model.h"

void *
report_rows_of_metrics(struct run *run, const struct report_model *model, void *first,
                       size_t row_bytes)
{
	uint32_t count = model->parts.origin.metric_count;
	char *rows;

	if (count == 1)
		return first;
	rows = memory_alloc_array(run, row_bytes, count);
	return memcpy(rows, first, row_bytes);
}

static struct gprofx_metric
metric_of(const struct run *run, const struct profile *profile, uint32_t id)
{
	const char *unit = profile->dimension;
	struct gprofx_metric metric = {
		.size = sizeof metric,
		.id = id,
		.name = profile_is_measured(profile) && profile->metric_name ? profile->metric_name
	                : strcmp(unit, "seconds") == 0                       ? "time"
	                                                                     : unit,
		.unit = unit,
		.abbreviation = profile->abbreviation,
		.ticks_per_unit = profile->rate,
		.kind = profile->metric_kind != 0 ? profile->metric_kind : GPROFX_SAMPLED,
	};

	if (profile->rate != 0 || !run_corrects(run, GPROFX_CORRECT_ZERO_RATE))
		return metric;
	/* Times are in samples then. */
	metric.ticks_per_unit = 1;
	if (profile_is_measured(profile)) {
		metric.unit = "samples";
		metric.abbreviation = '\0';
	}
	return metric;
}

/* What stacks have measured. */
static struct gprofx_metric
metric_of_stacks(const struct stacks *stacks, uint32_t id)
{
	return (struct gprofx_metric){
		.size = sizeof(struct gprofx_metric),
		.id = id,
		.name = stacks->metric_name,
		.unit = stacks->dimension,
		.abbreviation = stacks->abbreviation,
		.ticks_per_unit = stacks->rate,
		.kind = stacks->metric_kind,
	};
}

void
report_set_metrics(struct run *run, struct report_model *model, const struct profile *profile)
{
	struct gprofx_metric *rows;

	/* Histograms beside stacks are not used. */
	if (profile->stacks.is_there) {
		model->metric = metric_of_stacks(&profile->stacks, 0);
		model->parts.origin.metric_count = 1 + profile->stacks.other_count;
		rows = report_rows_of_metrics(run, model, &model->metric, sizeof *rows);
		for (uint32_t i = 0; i < profile->stacks.other_count; i++)
			rows[i + 1] = metric_of_stacks(profile->stacks.others[i], i + 1);
		model->parts.origin.metrics = rows;
		return;
	}
	model->metric = metric_of(run, profile, 0);
	model->parts.origin.metric_count = 1 + profile->other_count;
	rows = report_rows_of_metrics(run, model, &model->metric, sizeof *rows);
	for (uint32_t i = 0; i < profile->other_count; i++)
		rows[i + 1] = metric_of(run, profile->others[i], i + 1);
	model->parts.origin.metrics = rows;
}

void
report_set_columns(struct run *run, struct report_model *model, struct graph *graph)
{
	struct gprofx_column *nodes = report_rows_of_metrics(run, model, &model->node_column,
	                                                     sizeof *nodes);
	struct gprofx_column *arcs = report_rows_of_metrics(run, model, &model->arc_column,
	                                                    sizeof *arcs);

	for (uint32_t i = 0; i < graph->metric_count; i++) {
		struct graph_metric *metric = &graph->metrics[i];

		/* The graph is lent to what makes the column of its own metric. */
		graph_exchange(graph, metric);
		nodes[i + 1] = report_node_column(run, graph, true);
		graph_exchange(graph, metric);
		nodes[i + 1].metric = i + 1;
		arcs[i + 1] = model->arc_column;
		arcs[i + 1].metric = i + 1;
		if (metric->arc_self) {
			arcs[i + 1].self = (struct gprofx_reals){metric->arc_self,
			                                         sizeof *metric->arc_self};
			arcs[i + 1].below = (struct gprofx_reals){metric->arc_below,
			                                          sizeof *metric->arc_below};
		}
	}
	model->parts.graph.columns = nodes;
	model->parts.graph.arcs.columns = arcs;
}
