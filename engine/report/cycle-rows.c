/* SPDX-License-Identifier: Apache-2.0 */
/* Who calls the cycles, each as one function. */
#include "base/memory.h"
#include "base/run.h"
#include "base/sort.h"
#include "graph/graph.h"
#include "report/model.h"

/* The cycle (from 0) that an arc leads into from outside, or NO_CYCLE. */
enum { NO_CYCLE = UINT32_MAX };

static uint32_t
entered_cycle(const struct graph *graph, const struct graph_arc *arc)
{
	uint32_t cycle = graph->cycle[arc->callee];

	return cycle != 0 && cycle != graph->cycle[arc->caller] ? cycle - 1 : NO_CYCLE;
}

/* Calls into cycles: the rows, and times of further metrics, by metric and row. */
struct cycle_arcs {
	struct graph_arc *rows;
	double **self, **below;
};

static struct cycle_arcs
room_for(struct run *run, const struct graph *graph, uint32_t count)
{
	struct cycle_arcs room;

	memory_array(run, room.rows, count);
	room.self = memory_alloc_array(run, sizeof(double *), graph->metric_count);
	room.below = memory_alloc_array(run, sizeof(double *), graph->metric_count);
	for (uint32_t m = 0; m < graph->metric_count; m++) {
		memory_array(run, room.self[m], count);
		memory_array(run, room.below[m], count);
	}
	return room;
}

/*
 * Adds up the arcs of each caller into each cycle.  Arcs are by caller, so the row that one belongs
 * to is the last one of its cycle, or a new one.  Returns the number of rows; adds one to rows_of[]
 * for each.
 */
static uint32_t
add_up(const struct graph *graph, const struct cycle_arcs *to, uint32_t *last, uint32_t *rows_of)
{
	struct graph_arc *rows = to->rows;
	uint32_t count = 0;

	for (uint32_t i = 0; i < graph->arc_count; i++) {
		const struct graph_arc *arc = &graph->arcs[i];
		uint32_t cycle = entered_cycle(graph, arc);
		struct graph_arc *row;

		if (cycle == NO_CYCLE)
			continue;
		if (rows_of[cycle] == 0 || rows[last[cycle]].caller != arc->caller) {
			rows_of[cycle]++;
			last[cycle] = count;
			rows[count++] = (struct graph_arc){.caller = arc->caller,
			                                   .callee = graph->function_count + cycle};
		}
		row = &rows[last[cycle]];
		row->calls += arc->calls;
		row->self += arc->self;
		row->below += arc->below;
		for (uint32_t m = 0; m < graph->metric_count; m++) {
			to->self[m][last[cycle]] += graph->metrics[m].arc_self[i];
			to->below[m][last[cycle]] += graph->metrics[m].arc_below[i];
		}
	}
	return count;
}

/* As callers of functions: by time, then by calls, the largest last. */
static int
compare_callers(const void *context, uint32_t left, uint32_t right)
{
	const struct graph_arc *rows = context;
	double left_time = rows[left].self + rows[left].below;
	double right_time = rows[right].self + rows[right].below;

	if (left_time != right_time)
		return left_time < right_time ? -1 : 1;
	if (rows[left].calls != rows[right].calls)
		return rows[left].calls < rows[right].calls ? -1 : 1;
	return 0;
}

/* Columns of a run, whose rows are those of the first one, with figures of its own. */
static void
set_columns(const struct report_model *model, uint32_t number, const struct cycle_arcs *room,
            uint32_t count, struct gprofx_column *columns, struct gprofx_call_column *calls)
{
	uint32_t metrics = model->parts.origin.metric_count;

	for (uint32_t m = 0; m < metrics; m++) {
		uint32_t row = number * metrics + m, own = model->run_columns.own[row];
		struct gprofx_column *column = &columns[row];
		struct gprofx_call_column of_rows;

		*column = model->run_columns.arcs[row];
		if (own == REPORT_NOT_MEASURED)
			continue;
		report_arcs(model, room->rows, count, column, &of_rows);
		if (own == 0 && !model->parts.graph.arcs.calls[number].some_unknown)
			calls[number] = of_rows;
		if (own > 0) {
			column->self = (struct gprofx_reals){room->self[own - 1], sizeof(double)};
			column->below = (struct gprofx_reals){room->below[own - 1], sizeof(double)};
		}
		column->self_origin = model->run_columns.arcs[row].self_origin;
		column->total_origin = model->run_columns.arcs[row].total_origin;
		column->run = number;
		column->metric = m;
	}
	calls[number].run = number;
}

/* The cycles of a run whose times were measured are no nodes: nothing is known of them. */
static void
set_unknown(const struct report_model *model, uint32_t number, struct gprofx_column *columns,
            struct gprofx_call_column *calls)
{
	uint32_t metrics = model->parts.origin.metric_count;

	for (uint32_t m = 0; m < metrics; m++)
		columns[number * metrics + m] = report_no_column(number, m);
	calls[number].some_unknown = true;
	calls[number].calls = report_unknown_calls();
}

void
report_list_cycle_callers(struct run *run, struct report_model *model)
{
	const struct graph *graph = model->graph;
	struct gprofx_column *columns;
	struct gprofx_call_column *calls;
	struct cycle_arcs room;
	uint32_t *first, *place, *items, most = 0, count, number = 0;

	for (uint32_t i = 0; graph->cycle_count > 0 && i < graph->arc_count; i++)
		most += entered_cycle(graph, &graph->arcs[i]) != NO_CYCLE;
	room = room_for(run, graph, most);
	memory_array(run, items, most);
	memory_array(run, first, (size_t)graph->cycle_count + 1);
	memory_array(run, place, graph->cycle_count);
	count = most > 0 ? add_up(graph, &room, place, first + 1) : 0;
	for (uint32_t cycle = 0; cycle < graph->cycle_count; cycle++) {
		place[cycle] = first[cycle];
		first[cycle + 1] += first[cycle];
	}
	for (uint32_t i = 0; i < count; i++)
		items[place[room.rows[i].callee - graph->function_count]++] = i;
	for (uint32_t cycle = 0; cycle < graph->cycle_count; cycle++)
		sort_ids(run, items + first[cycle], first[cycle + 1] - first[cycle],
		         compare_callers, room.rows);
	model->parts.graph.cycle_arcs = report_arcs(
		model, room.rows, count, &model->cycle_arc_column, &model->cycle_arc_calls);
	columns = report_rows_of_metrics(run, model, &model->cycle_arc_column, sizeof *columns);
	memory_array(run, calls, model->parts.origin.run_count);
	for (const struct graph *i = graph; i; i = i->next_run, number++) {
		calls[number] = model->parts.graph.arcs.calls[number];
		if (number > 0 && i->cycle_count > 0) {
			uint32_t *rows_of;

			room = room_for(run, i, most);
			memory_array(run, rows_of, graph->cycle_count);
			add_up(i, &room, place, rows_of);
			memory_release(run, rows_of);
		}
		if (number == 0 || i->cycle_count > 0)
			set_columns(model, number, &room, count, columns, calls);
		else
			set_unknown(model, number, columns, calls);
	}
	memory_release(run, place);
	model->parts.graph.cycle_arcs.columns = columns;
	model->parts.graph.cycle_arcs.calls = calls;
	model->parts.graph.cycle_callers = (struct gprofx_lists){first, items};
}
