/* SPDX-License-Identifier: Apache-2.0 */
/* How uncertain sampled values are: sums of squared weights, in the columns that have some. */
#include "base/memory.h"
#include "base/run.h"
#include "graph/graph.h"
#include "graph/samples.h"
#include "profile/metrics.h"
#include "profile/profile.h"
#include "report/model.h"

/* Rows of two tables added up, times a factor; the second one can be nothing. */
static struct gprofx_reals
sum_of(struct run *run, struct gprofx_reals first, struct gprofx_reals second, uint32_t count,
       double factor)
{
	double *sums;

	memory_array(run, sums, count);
	for (uint32_t i = 0; i < count; i++)
		sums[i] = (gprofx_real(&first, i) + (second.first ? gprofx_real(&second, i) : 0)) *
		          factor;
	return (struct gprofx_reals){sums, sizeof *sums};
}

/* What the stacks of a run have of one metric, whose ticks grew by a factor in the report. */
static void
set_measured(struct run *run, const struct graph_squares *squares, double factor, uint32_t count,
             uint32_t rows, struct gprofx_reals self, struct gprofx_reals below,
             struct gprofx_column *column)
{
	const struct gprofx_reals none = {NULL, 0};

	if (!squares->are_weights) {
		double square = factor * factor;

		column->self_squares = report_with_cycles(
			run, sum_of(run, self, none, count, square), count, rows);
		column->total_squares = report_with_cycles(
			run, sum_of(run, self, below, count, square), count, rows);
		return;
	}
	/* The values have grown already, and have all rows. */
	column->self_squares = factor == 1 ? column->self
	                                   : sum_of(run, column->self, none, rows, factor);
	column->total_squares = sum_of(run, column->self, column->below, rows, factor);
}

static struct gprofx_reals
doubles(const double *values)
{
	return (struct gprofx_reals){values, sizeof *values};
}

static void
set_of_stacks(struct run *run, const struct graph *graph, const struct graph_squares *squares,
              double factor, uint32_t nodes_of_all, struct gprofx_column *nodes,
              struct gprofx_column *arcs)
{
	if (!squares->are_weights && !squares->of.self)
		return;
	set_measured(run, squares, factor, graph->node_count, nodes_of_all,
	             doubles(squares->of.self), doubles(squares->of.below), nodes);
	set_measured(run, squares, factor, graph->arc_count, graph->arc_count,
	             doubles(squares->of.arc_self), doubles(squares->of.arc_below), arcs);
}

/* Whether each sample of a metric counts as one tick of its own rate. */
static bool
weigh_one(const struct run *run, const struct profile *of)
{
	if (of->has_sparse || !of->has_histogram)
		return false;
	for (uint32_t i = 0; i < of->histogram_count; i++)
		if (samples_weight(run, of, &of->histograms[i]) != 1)
			return false;
	return true;
}

void
report_set_squares(struct run *run, struct report_model *model, const struct graph *graph,
                   const struct profile *profile, uint32_t number, uint32_t row, double factor)
{
	struct gprofx_column *nodes = &model->run_columns.nodes[row];
	const struct gprofx_reals none = {NULL, 0};

	if (metrics_row(profile, number).kind != GPROFX_SAMPLED)
		return;
	if (profile->stacks.is_there) {
		if (graph->squares)
			set_of_stacks(run, graph, &graph->squares[number], factor,
			              model->graph->node_count, nodes,
			              &model->run_columns.arcs[row]);
		return;
	}
	if (weigh_one(run, number == 0 ? profile : profile->others[number - 1]))
		nodes->self_squares = factor == 1 ? nodes->self
		                                  : sum_of(run, nodes->self, none,
		                                           model->graph->node_count, factor);
}
