/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Contexts that a call graph lets one assume: best first.  A heap has the candidates: of each
 * context that was made the heaviest child, and of each child that was taken the next one of the
 * same parent.  So it never has more than two for each context, however many arcs a function has.
 */
#include "base/memory.h"
#include "base/run.h"
#include "base/sort.h"
#include "contexts/parts.h"
#include "graph/graph.h"

enum { MOST_DEPTH = 1000 };

/* The part of the whole that a context has at least. */
static const double least_share = 1e-6;

/* A context that can be made: a root, or what an edge leads to below another context. */
struct candidate {
	double weight;
	uint32_t parent;   /* GPROFX_NO_CONTEXT: a root */
	uint32_t position; /* among the roots, or among the edges of the parent's vertex */
};

struct expansion {
	struct run *run;
	const struct context_flow *flow;
	struct context_tree *tree;
	uint32_t *roots, root_count; /* vertices, the heaviest first */
	uint32_t *edges;             /* those of a vertex in their places, the heaviest first */
	bool *is_sorted;             /* per vertex: that is so */
	struct candidate *heap;
	uint32_t heap_count;
	/* Per context. */
	uint32_t *vertex;
	uint32_t *edge, *depth; /* the edge that leads to it, or NO_EDGE; roots have depth 1 */
	double *weight;         /* its inclusive time in the first metric */
	uint32_t most;          /* contexts */
};

static bool
goes_before(const struct candidate *left, const struct candidate *right)
{
	if (left->weight != right->weight)
		return left->weight > right->weight;
	/* Roots come first: for them the sum wraps to 0. */
	if (left->parent != right->parent)
		return left->parent + 1 < right->parent + 1;
	return left->position < right->position;
}

static void
push(struct expansion *expansion, struct candidate candidate)
{
	struct candidate *heap = expansion->heap;
	uint32_t at = expansion->heap_count++;

	for (; at > 0 && goes_before(&candidate, &heap[(at - 1) / 2]); at = (at - 1) / 2)
		heap[at] = heap[(at - 1) / 2];
	heap[at] = candidate;
}

static struct candidate
pop(struct expansion *expansion)
{
	struct candidate *heap = expansion->heap, first = heap[0];
	const struct candidate last = heap[--expansion->heap_count];
	uint32_t at = 0, count = expansion->heap_count;

	for (uint32_t child; (child = 2 * at + 1) < count; at = child) {
		if (child + 1 < count && goes_before(&heap[child + 1], &heap[child]))
			child++;
		if (!goes_before(&heap[child], &last))
			break;
		heap[at] = heap[child];
	}
	heap[at] = last;
	return first;
}

static int
compare_values(double left, double right)
{
	return (left < right) - (left > right);
}

static int
compare_roots(const void *context, uint32_t left, uint32_t right)
{
	const struct context_flow *flow = context;

	return compare_values(flow->root[left], flow->root[right]);
}

static int
compare_edges(const void *context, uint32_t left, uint32_t right)
{
	const struct context_flow *flow = context;
	int order = compare_values(flow->along[left], flow->along[right]);

	if (order != 0)
		return order;
	return (flow->to[left] > flow->to[right]) - (flow->to[left] < flow->to[right]);
}

/* The heaviest first, of equal ones that with the lower number. */
static void
list_roots(struct expansion *expansion)
{
	const struct context_flow *flow = expansion->flow;

	memory_array(expansion->run, expansion->roots, flow->count);
	for (uint32_t v = 0; v < flow->count; v++)
		if (flow->root[v] > 0)
			expansion->roots[expansion->root_count++] = v;
	sort_ids(expansion->run, expansion->roots, expansion->root_count, compare_roots, flow);
}

/* The edges of a vertex, sorted once they are used. */
static const uint32_t *
edges_of(struct expansion *expansion, uint32_t vertex, uint32_t *count)
{
	const struct context_flow *flow = expansion->flow;
	uint32_t first = flow->first[vertex], *edges = &expansion->edges[first];

	*count = flow->first[vertex + 1] - first;
	if (!expansion->is_sorted[vertex]) {
		for (uint32_t i = 0; i < *count; i++)
			edges[i] = first + i;
		sort_ids(expansion->run, edges, *count, compare_edges, flow);
		expansion->is_sorted[vertex] = true;
	}
	return edges;
}

/*
 * Makes the child of a context at a position a candidate, if it is heavy enough.  If not, none
 * behind it is.
 */
static void
offer(struct expansion *expansion, uint32_t parent, uint32_t position)
{
	const struct context_flow *flow = expansion->flow;
	struct candidate candidate = {.parent = parent, .position = position};
	uint32_t depth = 0, count;

	if (parent == GPROFX_NO_CONTEXT) {
		if (position >= expansion->root_count)
			return;
		candidate.weight = flow->root[expansion->roots[position]];
	} else {
		uint32_t vertex = expansion->vertex[parent];
		const uint32_t *edges = edges_of(expansion, vertex, &count);

		if (position >= count)
			return;
		candidate.weight = expansion->weight[parent] *
		                   (flow->along[edges[position]] / flow->total[vertex]);
		depth = expansion->depth[parent];
	}
	if (!(candidate.weight > 0))
		return;
	if (candidate.weight < least_share * flow->whole)
		expansion->tree->bounds |= GPROFX_BOUND_SHARE;
	else if (depth >= MOST_DEPTH)
		expansion->tree->bounds |= GPROFX_BOUND_DEPTH;
	else
		push(expansion, candidate);
}

/* A context for a vertex. */
static struct context_key
key_of(const struct context_flow *flow, uint32_t parent, uint32_t vertex)
{
	uint32_t nodes = flow->graph->node_count;
	const struct context_tree *rows;

	if (vertex < nodes)
		return (struct context_key){parent, vertex, 0, GPROFX_NO_PLACE};
	rows = &flow->inside->tree;
	return (struct context_key){parent, rows->node[vertex - nodes], rows->flags[vertex - nodes],
	                            rows->place[vertex - nodes]};
}

static void
take(struct expansion *expansion, struct candidate candidate)
{
	const struct context_flow *flow = expansion->flow;
	struct context_tree *tree = expansion->tree;
	uint32_t parent = candidate.parent, edge = NO_EDGE, vertex, context, count;

	if (parent == GPROFX_NO_CONTEXT) {
		vertex = expansion->roots[candidate.position];
	} else {
		edge = edges_of(expansion, expansion->vertex[parent], &count)[candidate.position];
		vertex = flow->to[edge];
	}
	context = contexts_add(expansion->run, tree, key_of(flow, parent, vertex));
	expansion->vertex[context] = vertex;
	expansion->edge[context] = edge;
	expansion->weight[context] = candidate.weight;
	expansion->depth[context] = parent == GPROFX_NO_CONTEXT ? 1 : expansion->depth[parent] + 1;
	offer(expansion, parent, candidate.position + 1);
	offer(expansion, context, 0);
}

static void
expand(struct expansion *expansion)
{
	offer(expansion, GPROFX_NO_CONTEXT, 0);
	while (expansion->heap_count > 0) {
		if (expansion->tree->count == expansion->most) {
			expansion->tree->bounds |= GPROFX_BOUND_COUNT;
			return;
		}
		take(expansion, pop(expansion));
	}
}

/* The values of a metric, parents first. */
static void
set_values(const struct expansion *expansion, uint32_t metric, double *weight)
{
	const struct context_flow *flow = expansion->flow;
	struct context_tree *tree = expansion->tree;

	tree->whole[metric] = flow->whole;
	for (uint32_t i = 0; i < tree->count; i++) {
		uint32_t vertex = expansion->vertex[i], parent = tree->parent[i];
		double total = flow->total[vertex], self = 0;

		if (parent == GPROFX_NO_CONTEXT)
			weight[i] = flow->root[vertex];
		else
			weight[i] = flow->along[expansion->edge[i]] > 0
			                    ? weight[parent] *
			                              (flow->along[expansion->edge[i]] /
			                               flow->total[expansion->vertex[parent]])
			                    : 0;
		if (total > 0)
			self = weight[i] * (flow->self[vertex] / total);
		tree->self[metric][i] = self;
		tree->below[metric][i] = weight[i] > self ? weight[i] - self : 0;
	}
}

/* Contexts of the same row have their samples at the same lines. */
static void
set_hottest(const struct expansion *expansion, const struct context_inside *inside)
{
	struct run *run = expansion->run;
	struct context_tree *tree = expansion->tree;
	uint32_t nodes = expansion->flow->graph->node_count, *of_node;

	if (!inside || !inside->hottest)
		return;
	memory_array(run, of_node, nodes);
	for (uint32_t node = 0; node < nodes; node++)
		of_node[node] = GPROFX_NO_PLACE;
	for (uint32_t row = 0; row < inside->tree.count; row++)
		if (inside->tree.parent[row] == GPROFX_NO_CONTEXT)
			of_node[inside->tree.node[row]] = inside->hottest[row];
	memory_array(run, tree->hottest, tree->count);
	for (uint32_t i = 0; i < tree->count; i++) {
		uint32_t vertex = expansion->vertex[i];

		tree->hottest[i] = vertex < nodes ? of_node[vertex]
		                                  : inside->hottest[vertex - nodes];
	}
	memory_release(run, of_node);
}

static void
begin(struct expansion *expansion)
{
	struct run *run = expansion->run;
	const struct context_flow *flow = expansion->flow;

	memory_array(run, expansion->edges, flow->first[flow->count]);
	memory_array(run, expansion->is_sorted, flow->count);
	expansion->vertex = memory_alloc_sparse(run, sizeof *expansion->vertex, expansion->most);
	expansion->edge = memory_alloc_sparse(run, sizeof *expansion->edge, expansion->most);
	expansion->depth = memory_alloc_sparse(run, sizeof *expansion->depth, expansion->most);
	expansion->weight = memory_alloc_sparse(run, sizeof *expansion->weight, expansion->most);
	/* What is taken leaves its place to two others. */
	expansion->heap = memory_alloc_sparse(run, sizeof *expansion->heap,
	                                      (size_t)expansion->most + 1);
	list_roots(expansion);
}

static void
end(struct expansion *expansion)
{
	struct run *run = expansion->run;

	memory_release(run, expansion->roots);
	memory_release(run, expansion->edges);
	memory_release(run, expansion->is_sorted);
	memory_release(run, expansion->vertex);
	memory_release(run, expansion->edge);
	memory_release(run, expansion->depth);
	memory_release(run, expansion->weight);
	memory_release(run, expansion->heap);
}

void
contexts_estimate(struct run *run, struct context_source *source, struct context_tree *tree)
{
	/* Further runs can have metrics that this graph has not. */
	uint32_t metric_count = source->graph->metric_count + 1;
	/* Where calls were measured as a whole, there are no samples at addresses. */
	const struct context_inside *inside = source->graph->has_costed_calls
	                                              ? NULL
	                                              : contexts_look_inside(run, source,
	                                                                     metric_count);
	struct context_flow *flow = context_flow_new(run, source->graph, inside);
	struct expansion expansion = {
		.run = run,
		.flow = flow,
		.tree = tree,
		.most = run->settings->contexts,
	};

	context_flow_measure(flow, 0);
	begin(&expansion);
	expand(&expansion);
	contexts_make_values(run, tree, metric_count);
	for (uint32_t metric = 0; metric < metric_count; metric++) {
		context_flow_measure(flow, metric);
		set_values(&expansion, metric, expansion.weight);
	}
	set_hottest(&expansion, inside);
	end(&expansion);
	context_flow_end(run, flow);
}
