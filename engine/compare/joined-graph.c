/* SPDX-License-Identifier: Apache-2.0 */
#include <math.h>

#include "base/memory.h"
#include "base/run.h"
#include "base/sort.h"
#include "compare/joined.h"
#include "compare/values.h"
#include "report/model.h"

/* Arcs of both sides, while they become one table. */
struct arcs {
	uint32_t *caller, *callee, count;
	double *self[JOINED_SIDES], *below[JOINED_SIDES];
	uint64_t *calls[JOINED_SIDES];
};

static const struct gprofx_arcs *
arcs_of(const struct joined_side *side)
{
	return &side->values->report->graph->arcs;
}

/* Whether the report of a side has arcs. */
static bool
has_arcs(const struct joined_side *side)
{
	return side->values->report->origin->has_arcs;
}

static uint32_t
arc_count(const struct joined_side *side)
{
	return has_arcs(side) ? arcs_of(side)->count : 0;
}

static const struct gprofx_column *
column_in(const struct joined_side *side, uint32_t run)
{
	return gprofx_column_of(side->values->report, arcs_of(side)->columns, run,
	                        side->values->metric);
}

/* Calls of an arc in all runs. */
static uint64_t
calls_of(const struct joined_side *side, uint32_t arc)
{
	uint64_t sum = 0;

	for (uint32_t i = 0; i < side->values->run_count; i++) {
		const struct gprofx_call_column *column = gprofx_calls_in(arcs_of(side)->calls, i);
		uint64_t calls = gprofx_count(&column->calls, arc);

		if (!gprofx_is_counted(column, calls))
			return GPROFX_CALLS_UNKNOWN;
		sum = calls < GPROFX_CALLS_UNKNOWN - 1 - sum ? sum + calls
		                                             : GPROFX_CALLS_UNKNOWN - 1;
	}
	return sum;
}

/* Ticks of an arc, the mean of the runs. */
static void
times_of(const struct joined_side *side, uint32_t arc, double *self, double *below)
{
	const struct compare_values *values = side->values;

	*self = *below = 0;
	for (uint32_t i = 0; i < values->run_count; i++) {
		const struct gprofx_column *column = column_in(side, i);
		double factor = values->factor * values->scale[i] / values->run_count;

		if (column->total_origin == GPROFX_UNKNOWN)
			continue;
		*self += gprofx_real(&column->self, arc) * factor;
		*below += gprofx_real(&column->below, arc) * factor;
	}
}

static bool
has_any(const struct joined_side *side, uint32_t arc)
{
	uint64_t calls = calls_of(side, arc);
	double self, below;

	times_of(side, arc, &self, &below);
	return self != 0 || below != 0 || (calls != 0 && calls != GPROFX_CALLS_UNKNOWN);
}

static uint32_t
function_at(const struct gprofx_ids *ends, const struct joined_side *side, uint32_t arc)
{
	uint32_t node = gprofx_id(ends, arc);

	return node < side->values->report->functions->count ? node : UINT32_MAX;
}

static void
mark_contexts(const struct joined_side *side, uint8_t *is_needed)
{
	const struct gprofx_report_contexts *contexts = side->summed ? side->summed->contexts
	                                                             : NULL;

	for (uint32_t i = 0; contexts && i < contexts->count; i++) {
		uint32_t node = contexts->node[i];

		if (node < side->summed->functions->count && side->of_summed[node] != UINT32_MAX)
			is_needed[side->of_summed[node]] = 1;
	}
}

uint8_t *
joined_mark(struct run *run, const struct joined_side *side)
{
	const struct gprofx_report *report = side->values->report;
	uint8_t *is_needed;

	memory_array(run, is_needed, (size_t)report->functions->count + 1);
	for (uint32_t i = 0; i < arc_count(side); i++) {
		uint32_t caller = function_at(&arcs_of(side)->caller, side, i);
		uint32_t callee = function_at(&arcs_of(side)->callee, side, i);

		if (caller != UINT32_MAX && callee != UINT32_MAX && has_any(side, i))
			is_needed[caller] = is_needed[callee] = 1;
	}
	mark_contexts(side, is_needed);
	return is_needed;
}

/* The nodes of an arc's ends; false: it is not shown. */
static bool
find_ends(const struct joined_side *side, uint32_t arc, uint32_t *caller, uint32_t *callee)
{
	uint32_t from = function_at(&arcs_of(side)->caller, side, arc);
	uint32_t to = function_at(&arcs_of(side)->callee, side, arc);

	if (from == UINT32_MAX || to == UINT32_MAX || !has_any(side, arc))
		return false;
	*caller = side->node[from];
	*callee = side->node[to];
	return *caller != UINT32_MAX && *callee != UINT32_MAX;
}

/* Arcs of both sides by caller: those of the new side have the count of the base added. */
static uint32_t *
order_by_caller(struct run *run, const struct joined_side *sides, uint32_t node_count,
                uint32_t **arcs)
{
	uint32_t *first, base_count = arc_count(&sides[0]), caller, callee;

	memory_array(run, first, (size_t)node_count + 2);
	for (uint32_t s = 0; s < JOINED_SIDES; s++)
		for (uint32_t i = 0; i < arc_count(&sides[s]); i++)
			if (find_ends(&sides[s], i, &caller, &callee))
				first[caller + 2]++;
	for (uint32_t i = 2; i <= node_count + 1; i++)
		first[i] += first[i - 1];
	memory_array(run, *arcs, (size_t)first[node_count + 1] + 1);
	for (uint32_t s = 0; s < JOINED_SIDES; s++)
		for (uint32_t i = 0; i < arc_count(&sides[s]); i++)
			if (find_ends(&sides[s], i, &caller, &callee))
				(*arcs)[first[caller + 1]++] = s * base_count + i;
	return first;
}

static void
begin_arcs(struct run *run, struct arcs *arcs, uint32_t most)
{
	memory_array(run, arcs->caller, (size_t)most + 1);
	memory_array(run, arcs->callee, (size_t)most + 1);
	for (uint32_t s = 0; s < JOINED_SIDES; s++) {
		memory_array(run, arcs->self[s], (size_t)most + 1);
		memory_array(run, arcs->below[s], (size_t)most + 1);
		memory_array(run, arcs->calls[s], (size_t)most + 1);
	}
}

/* A new arc: no call of it was seen on either side, if calls are counted there. */
static uint32_t
add_arc(struct arcs *arcs, const struct joined_side *sides, uint32_t caller, uint32_t callee)
{
	uint32_t i = arcs->count++;

	arcs->caller[i] = caller;
	arcs->callee[i] = callee;
	for (uint32_t s = 0; s < JOINED_SIDES; s++)
		arcs->calls[s][i] = compare_counts_calls(sides[s].values) ? 0
		                                                          : GPROFX_CALLS_UNKNOWN;
	return i;
}

/* Arcs of one caller from both sides become one where they have the same callee. */
static void
join_arcs(struct run *run, const struct joined_side *sides, uint32_t node_count, struct arcs *arcs)
{
	uint32_t *ordered, *first = order_by_caller(run, sides, node_count, &ordered);
	uint32_t *latest, base_count = arc_count(&sides[0]);

	/* Per node: its latest arc as a callee, plus 1. */
	memory_array(run, latest, (size_t)node_count + 1);
	begin_arcs(run, arcs, first[node_count]);
	for (uint32_t node = 0; node < node_count; node++) {
		uint32_t from = arcs->count;

		for (uint32_t k = first[node]; k < first[node + 1]; k++) {
			uint32_t s = ordered[k] >= base_count, caller, callee, to;
			uint32_t arc = ordered[k] - s * base_count;

			if (!find_ends(&sides[s], arc, &caller, &callee))
				continue;
			if (latest[callee] <= from)
				latest[callee] = 1 + add_arc(arcs, sides, caller, callee);
			to = latest[callee] - 1;
			times_of(&sides[s], arc, &arcs->self[s][to], &arcs->below[s][to]);
			arcs->calls[s][to] = calls_of(&sides[s], arc);
		}
	}
	memory_release(run, latest);
	memory_release(run, first);
	memory_release(run, ordered);
}

static struct gprofx_reals
reals(const double *values)
{
	return (struct gprofx_reals){values, sizeof *values};
}

static void
set_arcs(struct run *run, struct report_model *model, const struct joined_side *sides,
         const struct arcs *arcs)
{
	struct gprofx_column *columns;
	struct gprofx_call_column *calls;

	memory_array(run, columns, JOINED_SIDES);
	memory_array(run, calls, JOINED_SIDES);
	for (uint32_t s = 0; s < JOINED_SIDES; s++) {
		columns[s] = report_no_column(s, 0);
		if (has_arcs(&sides[s])) {
			columns[s].self_origin = column_in(&sides[s], 0)->self_origin;
			columns[s].total_origin = column_in(&sides[s], 0)->total_origin;
		}
		columns[s].self = reals(arcs->self[s]);
		columns[s].below = reals(arcs->below[s]);
		calls[s] = (struct gprofx_call_column){
			.size = sizeof *calls,
			.run = s,
			.some_unknown = true,
			.calls = {arcs->calls[s], sizeof *arcs->calls[s]},
		};
	}
	model->parts.graph.arcs = (struct gprofx_arcs){
		.size = sizeof model->parts.graph.arcs,
		.count = arcs->count,
		.caller = {arcs->caller, sizeof *arcs->caller},
		.callee = {arcs->callee, sizeof *arcs->callee},
		.columns = columns,
		.calls = calls,
	};
}

/* Values of nodes: those of the rows. */
static void
set_nodes(struct run *run, struct report_model *model, const struct joined_side *sides,
          const struct gprofx_report_comparison *comparison)
{
	struct gprofx_report_graph *graph = &model->parts.graph;
	struct gprofx_column *columns;
	struct gprofx_call_column *call_columns;
	size_t room = (size_t)graph->node_count + 1;
	double *self[JOINED_SIDES], *below[JOINED_SIDES];
	uint64_t *calls[JOINED_SIDES];

	memory_array(run, columns, JOINED_SIDES);
	memory_array(run, call_columns, JOINED_SIDES);
	for (uint32_t s = 0; s < JOINED_SIDES; s++) {
		const struct compare_values *values = sides[s].values;

		memory_array(run, self[s], room);
		memory_array(run, below[s], room);
		memory_array(run, calls[s], room);
		columns[s] = report_no_column(s, 0);
		columns[s].self_origin = values->is_exact || values->totals ? GPROFX_MEASURED
		                                                            : GPROFX_UNKNOWN;
		columns[s].total_origin = !values->has_total       ? GPROFX_UNKNOWN
		                          : values->measures_total ? GPROFX_MEASURED
		                                                   : GPROFX_ESTIMATED;
		columns[s].self = columns[s].selected_self = reals(self[s]);
		columns[s].below = columns[s].selected_below = reals(below[s]);
		call_columns[s] = (struct gprofx_call_column){
			.size = sizeof *call_columns,
			.run = s,
			.some_unknown = true,
			.calls = {calls[s], sizeof *calls[s]},
			.recursive = report_unknown_calls(),
		};
	}
	for (uint32_t i = 0; i < comparison->row_count; i++) {
		const struct gprofx_compared *row = &comparison->row[i];
		bool has_total = !isnan(row->total.base);

		self[0][row->node] = row->self.base;
		self[1][row->node] = row->self.now;
		below[0][row->node] = has_total ? row->total.base - row->self.base : 0;
		below[1][row->node] = has_total ? row->total.now - row->self.now : 0;
		calls[0][row->node] = row->base_calls;
		calls[1][row->node] = row->new_calls;
	}
	columns[0].flat_total = columns[0].graph_total = comparison->total.self.base;
	columns[1].flat_total = columns[1].graph_total = comparison->total.self.now;
	graph->columns = columns;
	graph->calls = call_columns;
}

/* Those of the new side, if it has the function; what either side shows is shown. */
static uint32_t *
flags_of(struct run *run, const struct joined_side *sides, uint32_t node_count)
{
	uint32_t *flags;

	memory_array(run, flags, (size_t)node_count + 1);
	for (uint32_t s = 0; s < JOINED_SIDES; s++) {
		const struct gprofx_report *report = sides[s].values->report;

		for (uint32_t i = 0; i < report->functions->count; i++)
			if (sides[s].node[i] != UINT32_MAX) {
				uint32_t *of = &flags[sides[s].node[i]];

				*of = report->graph->flags[i] | (*of & GPROFX_NODE_SHOWN);
			}
	}
	return flags;
}

/* What an arc or a node weighs in an order: the larger value of both sides. */
static double
weight_of(const struct gprofx_column *columns, uint32_t row)
{
	double weight = 0;

	for (uint32_t s = 0; s < JOINED_SIDES; s++)
		weight = fmax(weight, gprofx_real(&columns[s].self, row) +
		                              gprofx_real(&columns[s].below, row));
	return weight;
}

/* Sorts rows by descending weight; equal ones keep their order. */
static void
sort_by_weight(struct run *run, const struct gprofx_column *columns, uint32_t *rows, uint32_t count)
{
	uint64_t *keys;

	memory_array(run, keys, (size_t)count + 1);
	for (uint32_t i = 0; i < count; i++)
		keys[i] = ~sort_key(weight_of(columns, rows[i]));
	sort_ascending(run, keys, rows, count);
	memory_release(run, keys);
}

/* Arcs by one of their ends, the heaviest first. */
static struct gprofx_lists
list_arcs(struct run *run, const struct gprofx_report_graph *graph, const struct gprofx_ids *ends)
{
	uint32_t *first, *item, *order;

	memory_array(run, first, (size_t)graph->node_count + 2);
	memory_array(run, item, (size_t)graph->arcs.count + 1);
	memory_array(run, order, (size_t)graph->arcs.count + 1);
	for (uint32_t i = 0; i < graph->arcs.count; i++) {
		order[i] = i;
		first[gprofx_id(ends, i) + 2]++;
	}
	for (uint32_t i = 2; i <= graph->node_count + 1; i++)
		first[i] += first[i - 1];
	sort_by_weight(run, graph->arcs.columns, order, graph->arcs.count);
	for (uint32_t i = 0; i < graph->arcs.count; i++)
		item[first[gprofx_id(ends, order[i]) + 1]++] = order[i];
	memory_release(run, order);
	return (struct gprofx_lists){first, item};
}

/* Entries: all functions with rows, the heaviest first. */
static void
list_entries(struct run *run, struct gprofx_report_graph *graph,
             const struct gprofx_report_comparison *comparison)
{
	uint32_t *entry, *index;

	memory_array(run, entry, (size_t)comparison->row_count + 1);
	memory_array(run, index, (size_t)graph->node_count + 1);
	for (uint32_t i = 0; i < comparison->row_count; i++)
		entry[i] = comparison->row[i].node;
	sort_by_weight(run, graph->columns, entry, comparison->row_count);
	for (uint32_t i = 0; i < comparison->row_count; i++)
		index[entry[i]] = i + 1;
	graph->entry = entry;
	graph->entry_count = comparison->row_count;
	graph->index = index;
}

void
joined_graph(struct run *run, struct report_model *model,
             const struct joined_side sides[JOINED_SIDES],
             const struct gprofx_report_comparison *comparison)
{
	struct gprofx_report_graph *graph = &model->parts.graph;
	struct arcs arcs = {.count = 0};
	uint32_t *cycle;

	graph->size = sizeof *graph;
	graph->node_count = model->parts.functions.count;
	memory_array(run, cycle, (size_t)graph->node_count + 1);
	graph->cycle = cycle;
	graph->flags = flags_of(run, sides, graph->node_count);
	set_nodes(run, model, sides, comparison);
	join_arcs(run, sides, graph->node_count, &arcs);
	set_arcs(run, model, sides, &arcs);
	graph->callers = list_arcs(run, graph, &graph->arcs.callee);
	graph->callees = list_arcs(run, graph, &graph->arcs.caller);
	list_entries(run, graph, comparison);
	model->parts.origin.has_arcs = has_arcs(&sides[0]) || has_arcs(&sides[1]);
}
