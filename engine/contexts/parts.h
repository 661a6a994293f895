/* SPDX-License-Identifier: Apache-2.0 */
/* What makes contexts, and what it shares. */
#ifndef ENGINE_CONTEXTS_PARTS_H
#define ENGINE_CONTEXTS_PARTS_H

#include "base/run.h"
#include "graph/graph.h"

/* Contexts while they are made: rows of equal number, and values by metric. */
struct context_tree {
	bool by_place; /* siblings can differ in their places alone */
	uint32_t *parent, *node, *flags, *place;
	uint32_t count, room;
	double **self, **below; /* by metric, arrays by context */
	double *whole;          /* by metric: what all contexts stand for */
	uint32_t metric_count;
	uint32_t bounds; /* enum gprofx_context_bound */
};

/* Adds a row without values and returns its number. */
uint32_t contexts_add(struct run *run, struct context_tree *tree, uint32_t parent, uint32_t node,
                      uint32_t flags, uint32_t place);

/* Room for the values of all rows, once these are known. */
void contexts_make_values(struct run *run, struct context_tree *tree, uint32_t metric_count);

/* The contexts that the stacks of a graph have measured. */
void contexts_measure(struct run *run, const struct graph *graph, struct context_tree *tree);

/* The contexts that a graph lets one assume, of so many metrics. */
void contexts_estimate(struct run *run, const struct graph *graph, uint32_t metric_count,
                       struct context_tree *tree);

/*
 * Where time goes in a graph: from a vertex to others, without cycles.  Vertices are the nodes of
 * the graph; time comes to the members of a cycle through the node of the cycle.
 */
struct context_flow {
	uint32_t count;  /* of vertices */
	uint32_t *first; /* edges of vertex v are first[v] … first[v + 1] - 1 */
	uint32_t *to;    /* per edge: a vertex */
	uint32_t
		*edge_of_arc; /* per arc of the graph its edge, or NO_EDGE: no time goes along it */
	uint32_t *edge_of_member; /* per function: the edge from its cycle, or NO_EDGE */
	/* Of one metric, in ticks. */
	double *along; /* per edge */
	double *self;  /* per vertex */
	double *total; /* per vertex: self and all edges out of it */
	double *root;  /* per vertex: the part of the total that comes along no edge */
	double whole;  /* all roots */
};

#define NO_EDGE UINT32_MAX

/* The vertices and edges of a graph. */
struct context_flow *context_flow_new(struct run *run, const struct graph *graph);

/* Sets the values to those of a metric. */
void context_flow_measure(const struct graph *graph, uint32_t metric, struct context_flow *flow);

void context_flow_end(struct run *run, struct context_flow *flow);

#endif
