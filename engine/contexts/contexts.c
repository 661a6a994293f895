/* SPDX-License-Identifier: Apache-2.0 */
/* Contexts become part of the report. */
#include "contexts/contexts.h"

#include "base/memory.h"
#include "contexts/parts.h"
#include "graph/graph.h"
#include "profile/stacks.h"

uint32_t
contexts_add(struct run *run, struct context_tree *tree, uint32_t parent, uint32_t node,
             uint32_t flags, uint32_t place)
{
	uint32_t i = tree->count, room = tree->room;

	tree->parent = memory_room(run, tree->parent, sizeof *tree->parent, i, &tree->room, 1);
	if (tree->room != room) {
		size_t old_bytes = i * sizeof *tree->node, bytes = tree->room * sizeof *tree->node;

		tree->node = memory_grow(run, tree->node, old_bytes, bytes);
		tree->flags = memory_grow(run, tree->flags, old_bytes, bytes);
		tree->place = memory_grow(run, tree->place, old_bytes, bytes);
	}
	tree->parent[i] = parent;
	tree->node[i] = node;
	tree->flags[i] = flags;
	tree->place[i] = place;
	tree->count++;
	return i;
}

void
contexts_make_values(struct run *run, struct context_tree *tree, uint32_t metric_count)
{
	tree->metric_count = metric_count;
	tree->self = memory_alloc_array(run, sizeof *tree->self, metric_count);
	tree->below = memory_alloc_array(run, sizeof *tree->below, metric_count);
	memory_array(run, tree->whole, metric_count);
	for (uint32_t i = 0; i < metric_count; i++) {
		memory_array(run, tree->self[i], tree->count);
		memory_array(run, tree->below[i], tree->count);
	}
}

/* What no context has as its own time. */
static double
cut_of(const struct context_tree *tree, uint32_t metric)
{
	/* Less than that is but rounding. */
	const double least = tree->whole[metric] * 1e-9;
	double cut = tree->whole[metric];

	for (uint32_t i = 0; i < tree->count; i++)
		cut -= tree->self[metric][i];
	return cut > least ? cut : 0;
}

static const struct gprofx_column *
columns_of(struct run *run, const struct context_tree *tree, uint32_t origin)
{
	struct gprofx_column *columns;
	static const double none;

	memory_array(run, columns, tree->metric_count);
	for (uint32_t i = 0; i < tree->metric_count; i++) {
		columns[i] = (struct gprofx_column){
			.size = sizeof *columns,
			.metric = i,
			.self_origin = origin,
			.total_origin = origin,
			.self = {&none, 0},
			.below = {&none, 0},
			.graph_total = tree->whole[i],
		};
		if (tree->count == 0)
			continue;
		columns[i].self = (struct gprofx_reals){tree->self[i], sizeof(double)};
		columns[i].below = (struct gprofx_reals){tree->below[i], sizeof(double)};
	}
	return columns;
}

/* What is known of the places of stacks. */
static void
set_places(struct run *run, const struct stacks *stacks, struct gprofx_report_contexts *contexts)
{
	const char **files = memory_alloc_array(run, sizeof *files, stacks->place_count);
	uint64_t *addresses;
	uint32_t *lines;

	memory_array(run, lines, stacks->place_count);
	memory_array(run, addresses, stacks->place_count);
	for (uint32_t i = 0; i < stacks->place_count; i++) {
		const struct stack_place *place = &stacks->places[i];

		files[i] = place->file;
		lines[i] = place->line;
		addresses[i] = place->function ? 0 : place->address;
	}
	contexts->place_count = stacks->place_count;
	contexts->place_file = files;
	contexts->place_line = lines;
	contexts->place_address = addresses;
}

static const struct gprofx_report_contexts *
make(struct run *run, const struct report_model *model, uint32_t form)
{
	struct gprofx_report_contexts *contexts = memory_alloc(run, sizeof *contexts);
	const struct graph *graph = model->graph;
	bool by_place = (form & REPORT_CONTEXTS_BY_PLACE) != 0;
	uint32_t origin = model->parts.origin.has_histogram ? GPROFX_ESTIMATED : GPROFX_UNKNOWN;
	struct context_tree tree = {.by_place = by_place};
	double *cut;

	if (graph->stacks) {
		contexts_measure(run, graph, &tree);
		origin = GPROFX_MEASURED;
	} else {
		contexts_estimate(run, graph, model->parts.origin.metric_count, &tree);
	}
	memory_array(run, cut, tree.metric_count);
	for (uint32_t i = 0; i < tree.metric_count; i++)
		cut[i] = cut_of(&tree, i);
	*contexts = (struct gprofx_report_contexts){
		.size = sizeof *contexts,
		.count = tree.count,
		.parent = tree.parent,
		.node = tree.node,
		.flags = tree.flags,
		.columns = columns_of(run, &tree, origin),
		.is_estimated = !graph->stacks,
		.bounds = tree.bounds,
		.cut = cut,
		.place = by_place ? tree.place : NULL,
	};
	if (by_place && graph->stacks)
		set_places(run, graph->stacks, contexts);
	return contexts;
}

void
contexts_report(struct run *run, uint32_t forms, struct report_model *model)
{
	for (uint32_t form = 0; form < REPORT_CONTEXT_FORMS; form++)
		if (forms >> form & 1)
			model->contexts[form] = make(run, model, form);
}
