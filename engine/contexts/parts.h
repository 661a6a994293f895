/* SPDX-License-Identifier: Apache-2.0 */
/* What makes contexts, and what it shares. */
#ifndef ENGINE_CONTEXTS_PARTS_H
#define ENGINE_CONTEXTS_PARTS_H

#include "base/run.h"
#include "base/slots.h"
#include "graph/graph.h"
#include "symbols/inlined.h"

/* Contexts while they are made: rows of equal number, and values by metric. */
struct context_tree {
	uint32_t *parent, *node, *flags, *place;
	uint32_t count, room;
	double **self, **below; /* by metric, arrays by context */
	double *whole;          /* by metric: what all contexts stand for */
	/* Sums of squared weights of the first metric, of contexts alone and whole; NULL: not
	 * known.
	 */
	double *self_squares, *total_squares;
	/* Integers for self of the first metric, where doubles do not hold them; or NULL. */
	uint64_t *self_ticks;
	uint32_t metric_count;
	uint32_t *hottest;  /* per context the place with most of its own samples; NULL: unwanted */
	uint32_t bounds;    /* enum gprofx_context_bound */
	struct slots slots; /* contexts by what distinguishes siblings, for contexts_child() */
	uint64_t factor;    /* of hashes */
};

/* What distinguishes siblings. */
struct context_key {
	uint32_t parent, node, flags, place;
};

/* Adds a row without values and returns its number. */
uint32_t contexts_add(struct run *run, struct context_tree *tree, struct context_key key);

/* The row that has the key; it is added if there is none. */
uint32_t contexts_child(struct run *run, struct context_tree *tree, struct context_key key);

/* Room for the values of all rows, once these are known. */
void contexts_make_values(struct run *run, struct context_tree *tree, uint32_t metric_count);

/* What contexts are made from. */
struct context_source {
	struct report_model *model;
	const struct graph *graph;
	const struct profile *profile;
	uint32_t form; /* enum report_context_form */
	/* Lines and inlined subroutines of the program's code; NULL: not wanted, or not known. */
	struct inlined_code *code;
	const char **shown_name; /* by the number of a name; NULL: not made yet */
	uint32_t *place_of_name; /* likewise, plus 1, for contexts_place_of_name() */
	/* Places, by number, as struct gprofx_report_contexts has them. */
	const char **place_name, **place_file;
	uint32_t *place_line;
	uint64_t *place_address;
	uint32_t place_count, place_room;
};

/* Adds a place and returns its number.  name: of an inlined subroutine, or NULL. */
uint32_t contexts_add_place(struct run *run, struct context_source *source, const char *name,
                            const struct code_frame *frame, uint64_t address);

/* The shown name of an inlined subroutine. */
const char *contexts_shown_name(struct context_source *source, uint32_t name);

/* The place of all calls of an inlined subroutine, by the number of its name. */
uint32_t contexts_place_of_name(struct run *run, struct context_source *source, uint32_t name);

/* Samples of the own code of a row at a line. */
struct context_line {
	uint32_t row;
	struct code_frame frame;
	double ticks;
};

struct context_lines {
	struct context_line *line;
	uint32_t count, room;
};

/* Adds samples; those of no line, or none, count for nothing. */
void contexts_add_line(struct run *run, struct context_lines *lines, uint32_t row,
                       const struct code_frame *frame, double ticks);

/*
 * Adds, for each of "count" rows, the place where most of its samples are: of equal ones that with
 * the lower number of its file, then of its line.  Returns the places by row, GPROFX_NO_PLACE where
 * nothing is known.  Releases the lines.
 */
uint32_t *contexts_hottest(struct run *run, struct context_source *source,
                           struct context_lines *lines, uint32_t count);

/* The contexts that the stacks of the graph have measured. */
void contexts_measure(struct run *run, struct context_source *source, struct context_tree *tree);

/* The contexts that the graph lets one assume. */
void contexts_estimate(struct run *run, struct context_source *source, struct context_tree *tree);

/*
 * Inlined subroutines that samples are in, as contexts: the roots are functions, and what a
 * function has itself is divided among the rows of its tree.
 */
struct context_inside {
	struct context_tree tree;
	double **share;    /* per metric and row: the part of its function's time that is its own */
	double *ticks;     /* per row, of the first metric: its samples, whatever is selected */
	uint32_t *hottest; /* per row, as contexts have it; NULL: not wanted */
};

/* NULL: there is nothing of that kind, or it is not wanted. */
struct context_inside *
contexts_look_inside(struct run *run, struct context_source *source, uint32_t metric_count);

/* Reads what debug information says of code, if the form wants it; releases it. */
void contexts_read_code(struct run *run, struct context_source *source);
void contexts_release_code(struct run *run, struct context_source *source);

/*
 * Where time goes in a graph: from a vertex to others, without cycles.  Vertices are the nodes of
 * the graph, then the rows for inlined subroutines, whose roots are not used; time comes to the
 * members of a cycle through the node of the cycle.
 */
struct context_flow {
	const struct graph *graph;
	const struct context_inside *inside; /* or NULL */
	uint32_t count;                      /* of vertices */
	uint32_t *first;          /* edges of vertex v are first[v] … first[v + 1] - 1 */
	uint32_t *to;             /* per edge: a vertex */
	uint32_t *edge_of_arc;    /* per arc of the graph its edge, or NO_EDGE: it has no time */
	uint32_t *edge_of_member; /* per function: the edge from its cycle, or NO_EDGE */
	uint32_t *edge_of_row;    /* per row of what is inside: the edge that leads to it */
	/* Of one metric, in ticks. */
	double *along; /* per edge */
	double *self;  /* per vertex */
	double *total; /* per vertex: self and all edges out of it */
	double *root;  /* per vertex: the part of the total that comes along no edge */
	double whole;  /* all roots */
	/* Where calls were measured as a whole; else NULL. */
	bool *is_back;   /* per arc: it leads back, and is left out */
	uint32_t *order; /* functions, callees first */
	double *into;    /* per vertex: what was measured along all edges to it */
};

#define NO_EDGE UINT32_MAX

/* The vertices and edges of a graph. */
struct context_flow *
context_flow_new(struct run *run, const struct graph *graph, const struct context_inside *inside);

/* Where calls were measured as a whole: finds the order of functions, and what leads back. */
void context_flow_order(struct run *run, struct context_flow *flow);
/* Likewise, once edges have what was measured along them: sets totals, and divides them. */
void context_flow_conserve(struct context_flow *flow);

/* Sets the values to those of a metric. */
void context_flow_measure(struct context_flow *flow, uint32_t metric);

void context_flow_end(struct run *run, struct context_flow *flow);

#endif
