/* SPDX-License-Identifier: Apache-2.0 */
/* Rows of the listings and their orders, by gprof's rules for ties. */
#include <string.h>

#include "base/memory.h"
#include "base/compiler.h"
#include "base/run.h"
#include "base/sort.h"
#include "base/text.h"
#include "graph/graph.h"
#include "report/model.h"
#include "select/filters.h"
#include "symbols/symbols.h"

enum { FEW = 8, FETCHED_AHEAD = 2 * PREFETCH_AHEAD };

/* Whether a node has a value of a metric besides the first, of its own or below it. */
static bool
has_other_values(const struct gprofx_report *report, uint32_t node, bool below)
{
	for (uint32_t m = 1; m < report->origin->metric_count; m++) {
		const struct gprofx_column *column = gprofx_column_at(report->graph->columns, m);

		if (gprofx_real(&column->self, node) != 0 ||
		    (below && gprofx_real(&column->below, node) != 0) ||
		    (below && column->whole_self.first &&
		     gprofx_real(&column->whole_self, node) != 0))
			return true;
	}
	return false;
}

static bool
is_used(const struct gprofx_report *report, uint32_t node)
{
	return gprofx_known_calls_of(report, node) != 0 || gprofx_self_of(report, node) != 0 ||
	       (gprofx_is_measured(report) && gprofx_below_of(report, node) != 0) ||
	       (report->origin->metric_count > 1 && has_other_values(report, node, false));
}

/*
 * Whether a node is listed all the same where unused functions are; clones that another function
 * stands for are none.
 */
static bool
is_listed_unused(const struct report_model *model, uint32_t node)
{
	const struct symbols *symbols = model->symbols;

	return model->run->settings->show_unused && graph_is_numbered(model->graph, node) &&
	       !(node < symbols->count && (symbols->flags[node] & SYMBOL_FOLDED));
}

/*
 * Whether a node that was never used has an entry nevertheless: it is one of those that were asked
 * for, and there are calls of it or by it in the code.
 */
static bool
has_static_entry(const struct report_model *model, uint32_t node)
{
	const struct graph *graph = model->graph;
	uint32_t functions = model->symbols->count;

	if (is_listed_unused(model, node))
		return true;
	if (!model->run->settings->entries_only || !graph->shown[node] ||
	    graph->filters->include[ENGINE_FILTER_GRAPH].count == 0 ||
	    !graph_is_numbered(graph, node))
		return false;
	if (node >= functions)
		return node >= graph->function_count;
	return graph_arc_count(&graph->callers, node) > 0 ||
	       graph_arc_count(&graph->callees, node) > 0;
}

/* Whether a node is a line that is a part of its function, which has all that it does. */
static bool
is_part(const struct report_model *model, uint32_t node)
{
	return symbols_whole(model->symbols, node) != node;
}

/* Whether there is anything to say about a function: what has an entry is of this kind. */
static bool
is_known(const struct gprofx_report *report, uint32_t function)
{
	uint64_t own = gprofx_recursive_of(report, function);

	return gprofx_whole_self_of(report, function) != 0 || is_used(report, function) ||
	       (own != 0 && gprofx_is_counted(report->graph->calls, own)) ||
	       gprofx_below_of(report, function) != 0 ||
	       (report->origin->metric_count > 1 && has_other_values(report, function, true));
}

/* The same for a cycle: one of calls that are only in the code has no entry. */
static bool
is_cycle_known(const struct report_model *model, uint32_t cycle)
{
	const struct gprofx_report *report = &model->public;

	return is_used(report, cycle) || gprofx_recursive_of(report, cycle) != 0 ||
	       gprofx_below_of(report, cycle) != 0 ||
	       (report->origin->metric_count > 1 && has_other_values(report, cycle, true));
}

/* Makes the names that rows are going to be sorted by. */
static void
name_rows(struct run *run, struct report_model *model, const uint32_t *rows, uint32_t count)
{
	uint8_t *marked;

	if (!model->by_shown_name)
		return;
	memory_array(run, marked, model->name_count);
	for (uint32_t i = 0; i < count; i++)
		marked[rows[i]] = 1;
	report_prepare_names(run, model, marked);
	memory_release(run, marked);
}

static int
compare_names(const void *context, uint32_t left, uint32_t right)
{
	const struct report_model *model = context;

	if (model->parts.functions.raw_name[left] == model->parts.functions.raw_name[right] &&
	    !model->by_shown_name)
		return 0;
	if (model->by_shown_name)
		return text_compare(model->names[left], model->names[right]);
	return strcmp(model->parts.functions.raw_name[left],
	              model->parts.functions.raw_name[right]);
}

/* What a list is sorted by, one after the other, the names in parts. */
enum sorted_by { BY_TIME, BY_CALLS, BY_NAME, MOST_PARTS = 8, BY_REST = BY_NAME + MOST_PARTS };

enum { PART = 8 /* bytes of a name */ };

/* Bytes of a name from a part on, as a number that orders as they do; 0 is what is behind it. */
static uint64_t
name_key(const struct report_model *model, uint32_t node, uint32_t part)
{
	struct gprofx_text name = {model->parts.functions.raw_name[node], SIZE_MAX};
	uint64_t key = 0;

	if (model->by_shown_name)
		name = model->names[node];
	for (size_t i = (size_t)part * PART, k = 0; k < PART && i < name.length; i++, k++) {
		if (name.bytes[i] == '\0')
			break;
		key |= (uint64_t)(uint8_t)name.bytes[i] << (PART - 1 - k) * 8;
	}
	return key;
}

/* What orders a row ascending, by one of these. */
static uint64_t
key_of(const struct report_model *model, uint32_t row, uint32_t by)
{
	switch (by) {
	case BY_TIME:
		return ~sort_key(gprofx_self_of(&model->public, row));
	case BY_CALLS:
		return ~gprofx_known_calls_of(&model->public, row);
	default:
		return name_key(model, row, by - BY_NAME);
	}
}

/*
 * Sorts rows of which all that goes before is equal; equal rows keep their order.  keys: room for
 * as many.  Rows lie all over memory: keys are gathered once and looked at often.
 */
static void
sort_by(struct run *run, const struct report_model *model, uint64_t *keys, uint32_t *rows,
        uint32_t count, uint32_t by)
{
	if (count < 2)
		return;
	if (by == BY_REST) {
		sort_ids(run, rows, count, compare_names, model);
		return;
	}
	for (uint32_t i = 0; i < count; i++)
		keys[i] = key_of(model, rows[i], by);
	sort_ascending(run, keys, rows, count);
	for (uint32_t begin = 0, end; begin < count; begin = end) {
		for (end = begin + 1; end < count && keys[end] == keys[begin]; end++)
			;
		/* A name with a part that is not full has no more of them. */
		if (by < BY_NAME || (keys[begin] & UINT8_MAX) != 0)
			sort_by(run, model, keys + begin, rows + begin, end - begin, by + 1);
	}
}

/* Sorts by time, the largest first, then calls and name. */
static void
sort_rows(struct run *run, const struct report_model *model, uint32_t *rows, uint32_t count)
{
	uint64_t *keys;

	memory_array(run, keys, count);
	sort_by(run, model, keys, rows, count, BY_TIME);
	memory_release(run, keys);
}

void
report_number_entries(struct run *run, struct report_model *model, uint32_t parts)
{
	struct report_parts *report = &model->parts;
	struct graph *graph = model->graph;
	uint32_t *rows, count = 0;
	bool are_shown = (parts & (GPROFX_PART_GRAPH | GPROFX_PART_INDEX)) != 0;

	memory_array(run, rows, report->functions.count);
	for (uint32_t f = 0; are_shown && f < report->functions.count; f++)
		if (run->settings->show_unused || is_known(&model->public, f))
			rows[count++] = f;
	name_rows(run, model, rows, count);
	memory_release(run, rows);
	graph_number_entries(run, graph, model->by_shown_name && are_shown ? model->names : NULL);
	report->graph.index = graph->index;
}

void
report_list_flat(struct run *run, struct report_model *model)
{
	struct report_parts *report = &model->parts;
	uint32_t *rows, count = 0;
	bool has_used = false;

	memory_array(run, rows, report->functions.count);
	for (uint32_t f = 0; f < report->functions.count; f++) {
		bool used = is_used(&model->public, f);

		has_used = has_used || used;
		if ((used || is_listed_unused(model, f)) &&
		    filter_selects(model->graph->filters, ENGINE_FILTER_FLAT, f))
			rows[count++] = f;
	}
	if (count == 0 && has_used)
		filters_tell_unused(run, model->graph->filters);
	if (!run->settings->report_is_unordered) {
		name_rows(run, model, rows, count);
		sort_rows(run, model, rows, count);
	}
	report->graph.flat = rows;
	report->graph.flat_count = count;
}

/*
 * A line of an entry while lines are sorted: what it is compared by, gathered once, since arcs lie
 * scattered in memory.
 */
struct line {
	uint64_t key; /* class and time */
	uint64_t calls;
	uint32_t arc;
};

/* Self-arcs come before arcs within a cycle, these before all others, which are ranked by time. */
static struct line
line_of(const struct graph *graph, uint32_t arc)
{
	const struct graph_arc *a = &graph->arcs[arc];
	uint64_t calls = graph->stacks && a->calls == GPROFX_CALLS_UNKNOWN ? 0 : a->calls;

	if (a->caller == a->callee)
		return (struct line){0, 0, arc};
	if (graph_is_inside_cycle(graph, arc))
		return (struct line){1, calls, arc};
	/* Times are not negative, so their keys are above those of the other classes. */
	return (struct line){sort_key(a->self + a->below), calls, arc};
}

static inline bool
is_after(const struct line *left, const struct line *right)
{
	return left->key != right->key ? left->key > right->key : left->calls > right->calls;
}

/* Stable: insertion in short runs, which are then merged. */
static void
sort_line_rows(struct line *lines, struct line *scratch, uint32_t count)
{
	for (uint32_t begin = 0; begin < count; begin += FEW) {
		uint32_t end = count - begin < FEW ? count : begin + FEW;

		for (uint32_t i = begin + 1; i < end; i++) {
			struct line line = lines[i];
			uint32_t k = i;

			for (; k > begin && is_after(&lines[k - 1], &line); k--)
				lines[k] = lines[k - 1];
			lines[k] = line;
		}
	}
	for (uint64_t run = FEW; run < count; run *= 2) {
		for (uint64_t begin = 0; begin + run < count; begin += 2 * run) {
			uint64_t end = begin + 2 * run < count ? begin + 2 * run : count;
			uint64_t left = 0, right = begin + run, to = begin;

			/* Of most lines in code that was never called nothing is known. */
			if (!is_after(&lines[right - 1], &lines[right]))
				continue;
			memcpy(scratch, lines + begin, run * sizeof *lines);
			while (left < run && right < end)
				lines[to++] = is_after(&scratch[left], &lines[right])
				                      ? lines[right++]
				                      : scratch[left++];
			memcpy(lines + to, scratch + left, (run - left) * sizeof *lines);
		}
	}
}

/* Room for the longest list and as much again to sort it in. */
struct line_room {
	struct line *lines, *scratch;
};

static struct line_room
line_room(struct run *run, const struct graph *graph)
{
	struct line_room room;
	uint32_t longest = 0;

	for (uint32_t f = 0; f < graph->function_count; f++) {
		uint32_t callers = graph->callers.first[f + 1] - graph->callers.first[f];
		uint32_t callees = graph->callees.first[f + 1] - graph->callees.first[f];

		longest = callers > longest ? callers : longest;
		longest = callees > longest ? callees : longest;
	}
	memory_array(run, room.lines, longest);
	memory_array(run, room.scratch, longest);
	return room;
}

/*
 * Puts a list, the newest arc first, into display order: ascending for callers, descending for
 * callees, and ties in the order of creation in both.  "left" items of all lists are still to come;
 * the next list follows this one in memory.
 */
static void
sort_lines(const struct graph *graph, const struct line_room *room, uint32_t *arcs, uint32_t count,
           uint32_t left, bool descending)
{
	for (uint32_t i = 0; i < count; i++) {
		struct line *line = &room->lines[count - 1 - i];

		if (i + FETCHED_AHEAD < left)
			PREFETCH(&graph->arcs[arcs[i + FETCHED_AHEAD]]);
		*line = line_of(graph, arcs[i]);
		if (descending) {
			line->key = ~line->key;
			line->calls = ~line->calls;
		}
	}
	sort_line_rows(room->lines, room->scratch, count);
	for (uint32_t i = 0; i < count; i++)
		arcs[i] = room->lines[i].arc;
}

static void
sort_function_lines(struct run *run, struct graph *graph, const struct line_room *room,
                    uint32_t function)
{
	const struct gprofx_lists *lists[] = {&graph->callers, &graph->callees};

	for (int i = 0; i < 2; i++) {
		uint32_t first = lists[i]->first[function];
		uint32_t count = lists[i]->first[function + 1] - first;
		/* The lists belong to the graph; the stages that need their order are over. */
		uint32_t *arcs = (uint32_t *)lists[i]->item + first;

		sort_lines(graph, room, arcs, count, graph->arc_count - first, i == 1);
		for (uint32_t k = 0; k < count && run_traces(run, GPROFX_TRACE_ARC_ORDER); k++)
			run_trace(run, "line %u of %s of %s: %s", k + 1,
			          i == 0 ? "callers" : "callees", graph->symbols->name[function],
			          graph->symbols->name[i == 0 ? graph->arcs[arcs[k]].caller
			                                      : graph->arcs[arcs[k]].callee]);
	}
}

static int
compare_members(const void *context, uint32_t left, uint32_t right)
{
	const struct graph *graph = context;
	uint64_t left_calls = graph->calls[left] + graph->recursive[left];
	uint64_t right_calls = graph->calls[right] + graph->recursive[right];
	double left_time = graph->visible_self[left] + graph->visible_below[left];
	double right_time = graph->visible_self[right] + graph->visible_below[right];

	if (left_time != right_time)
		return left_time > right_time ? -1 : 1;
	if (left_calls != right_calls)
		return left_calls > right_calls ? -1 : 1;
	return 0;
}

/* In reports by line gprof has entries for typed functions alone, and none for cycles. */
static bool
can_have_entry(const struct run *run, const struct report_model *model, uint32_t node)
{
	uint8_t flags = node < model->symbols->count ? model->symbols->flags[node] : 0;

	if (!model->parts.origin.by_line)
		return true;
	if (run_corrects(run, GPROFX_CORRECT_CYCLE_ENTRIES))
		return !(flags & SYMBOL_LINE);
	return (flags & GPROFX_SYMBOL_FUNCTION) != 0;
}

/* Whether the selection leaves something of a node in a metric besides the first. */
static bool
has_selected_others(const struct graph *graph, uint32_t node)
{
	for (uint32_t m = 0; m < graph->metric_count; m++)
		if (graph->metrics[m].visible_self[node] != 0 ||
		    graph->metrics[m].visible_below[node] != 0)
			return true;
	return false;
}

void
report_list_entries(struct run *run, struct report_model *model)
{
	struct report_parts *report = &model->parts;
	struct graph *graph = model->graph;
	struct line_room room = line_room(run, graph);
	uint32_t *entries, count = 0;
	bool *has_entry;

	memory_array(run, entries, report->graph.node_count);
	memory_array(run, has_entry, report->graph.node_count);
	for (uint32_t i = 0; i < graph->numbered_count; i++) {
		uint32_t node = graph->by_index[i];

		if (!graph->shown[node] || !can_have_entry(run, model, node))
			continue;
		if (has_static_entry(model, node) || graph->calls[node] != 0 ||
		    graph->recursive[node] != 0 || graph->visible_self[node] != 0 ||
		    graph->visible_below[node] != 0 || has_selected_others(graph, node)) {
			entries[count++] = node;
			has_entry[node] = true;
		}
	}
	/* By address, not in the order of the entries: the arcs of neighbors are neighbors. */
	for (uint32_t node = 0; node < report->graph.node_count; node++) {
		if (!has_entry[node])
			continue;
		if (node < report->functions.count) {
			sort_function_lines(run, graph, &room, node);
		} else {
			uint32_t cycle = node - report->functions.count;
			uint32_t first = graph->members.first[cycle];

			sort_ids(run, (uint32_t *)graph->members.item + first,
			         graph->members.first[cycle + 1] - first, compare_members, graph);
		}
	}
	memory_release(run, has_entry);
	memory_release(run, room.lines);
	memory_release(run, room.scratch);
	if (count == 0 && run->settings->entries_only)
		filters_tell_no_entry(run, graph->filters, graph->stacks != NULL);
	report->graph.entry = entries;
	report->graph.entry_count = count;
}

/* Where only some entries are wanted, no others are looked for. */
static bool
is_indexed(const struct run *run, const struct report_model *model, uint32_t node)
{
	return !run->settings->entries_only ||
	       (model->parts.graph.flags[node] & GPROFX_NODE_SHOWN) != 0;
}

void
report_list_index(struct run *run, struct report_model *model)
{
	struct report_parts *report = &model->parts;
	bool is_full = run_corrects(run, GPROFX_CORRECT_FULL_INDEX);
	uint32_t *rows, count = 0;

	memory_array(run, rows, report->graph.node_count);
	for (uint32_t f = 0; f < report->functions.count; f++)
		if (!is_part(model, f) && is_indexed(run, model, f) &&
		    (has_static_entry(model, f) ||
		     (is_full ? is_known(&model->public, f) : is_used(&model->public, f))))
			rows[count++] = f;
	name_rows(run, model, rows, count);
	sort_ids(run, rows, count, compare_names, model);
	for (uint32_t node = report->functions.count; node < report->graph.node_count; node++)
		if (is_indexed(run, model, node) &&
		    (!is_full || has_static_entry(model, node) || is_cycle_known(model, node)))
			rows[count++] = node;
	report->graph.index_node = rows;
	report->graph.index_count = count;
}

/* By file, line and address; by address alone where a file is not known: not one order. */
static int
compare_positions(const void *context, uint32_t left, uint32_t right)
{
	const struct symbols *symbols = context;
	uint32_t left_file = symbols->file[left], right_file = symbols->file[right];

	if (left_file != 0 && right_file != 0) {
		int order = left_file == right_file ? 0
		                                    : strcmp(symbols->files[left_file].path,
		                                             symbols->files[right_file].path);

		if (order != 0)
			return order;
		if (symbols->line[left] != symbols->line[right])
			return symbols->line[left] < symbols->line[right] ? -1 : 1;
	}
	return left < right ? -1 : left > right;
}

/* Whether a block of a function ran. */
static bool
has_blocks(const struct gprofx_report *report, uint32_t function)
{
	const uint32_t *first = report->source->block_first;

	for (uint32_t i = first ? first[function] : 0; first && i < first[function + 1]; i++)
		if (report->source->block[i].count != 0)
			return true;
	return false;
}

/* Whether the source says that a function ran. */
static bool
was_counted(const struct gprofx_report *report, uint32_t function)
{
	uint32_t counted = report->source->counted_as ? report->source->counted_as[function] : 0;

	return counted != 0 && report->source->executed_function[counted - 1].count != 0;
}

void
report_list_counts(struct run *run, struct report_model *model)
{
	struct report_parts *report = &model->parts;
	uint32_t *rows, selected = 0, count = 0;

	symbols_locate(run, model->symbols, NULL, 0);
	memory_array(run, rows, report->functions.count);
	for (uint32_t f = 0; f < model->symbols->count; f++)
		if (filter_selects(model->graph->filters, ENGINE_FILTER_COUNTS, f))
			rows[selected++] = f;
	/* Rows without calls take part in the sort, whose result depends on them. */
	sort_ids(run, rows, selected, compare_positions, model->symbols);
	for (uint32_t i = 0; i < selected; i++)
		if (is_listed_unused(model, rows[i]) ||
		    gprofx_known_calls_of(&model->public, rows[i]) != 0 ||
		    has_blocks(&model->public, rows[i]) || was_counted(&model->public, rows[i]))
			rows[count++] = rows[i];
	report->source.counted = rows;
	report->source.counted_count = count;
}
