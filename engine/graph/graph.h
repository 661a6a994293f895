/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The call graph: functions and cycles as nodes, pairs of caller and callee as arcs, and the times
 * that are handed along them.
 *
 * Nodes are numbered as in <gprofx/emitter.h>: functions by address, then cycles by number.  Behind
 * the functions there is a node for samples in none of them, if such were found.  Sums
 * of doubles are taken in one stated order everywhere, since their last bits decide ties.
 */
#ifndef ENGINE_GRAPH_GRAPH_H
#define ENGINE_GRAPH_GRAPH_H

#include "base/run.h"
#include "profile/profile.h"
#include "select/filters.h"
#include "symbols/symbols.h"

/* The parts of an account, as struct gprofx_account has them. */
enum account_kind {
	ACCOUNT_SHOWN,
	ACCOUNT_PROFILING,
	ACCOUNT_OUTSIDE,
	ACCOUNT_EXCLUDED,
	ACCOUNT_BEYOND,
	ACCOUNT_KINDS
};

/* Calls from one function to another, or to itself. */
struct graph_arc {
	uint32_t caller, callee; /* functions */
	uint64_t calls;          /* 0: possible, but not seen */
	double self;             /* ticks of the callee itself that the caller is charged with */
	double below;            /* ticks below the callee, likewise */
};

/* The values of a further metric; each as the member of struct graph that has the same name. */
struct graph_metric {
	double *self, *line_self;
	struct gprofx_doubt *self_doubt, *total_doubt;
	double flat_total, total;
	double *below, *visible_self, *visible_below;
	double *arc_self, *arc_below; /* per arc */
};

/* Sums of squared weights of a metric that stacks have measured. */
struct graph_squares {
	bool are_weights;       /* they are the values themselves */
	struct graph_metric of; /* else self, below and those of arcs; NULL: not known */
};

struct graph {
	struct graph *next_run; /* the same nodes and arcs, with what the next run has; or NULL */
	const struct symbols *symbols;
	const struct filters *filters;
	struct scan *scan; /* set by others before: the image's code; NULL: not to be read */

	/* Set by graph_credit_stacks(): where times were measured; NULL: nowhere, they are
	 * estimates. */
	const struct stacks *stacks;
	struct graph_pairs *pairs; /* set before the analysis, which uses it up */
	bool lacks_calls;          /* calls were not counted: all are 0 here */
	bool has_costed_calls; /* some of its metric were measured as a whole: contexts are unknown
	                        */

	/* Set by graph_credit_samples() or graph_credit_stacks(). */
	double *self;      /* per node: ticks; once analysed, of a function with all its lines */
	double *line_self; /* per function, once analysed: ticks of each line; NULL: as self */
	/* Per node, likewise, how far shared bins leave self open; NULL: not at all. */
	struct gprofx_doubt *self_doubt;
	double flat_total; /* all ticks, less those of functions the flat filter rejects */
	/* Where all samples are; of histograms that are not divided exactly, nothing. */
	struct gprofx_account_part account[ACCOUNT_KINDS];
	/* All of these times are of the profile's own metric; of the others, in their order: */
	struct graph_metric *metrics;
	uint32_t metric_count;
	/* Of all metrics, the graph's own first, set by graph_measure(); NULL: nothing is known. */
	struct graph_squares *squares;

	/*
	 * Set by graph_add_arcs(): one row per pair, those of a caller together, in order of first
	 * appearance.
	 */
	uint32_t arc_count;
	struct graph_arc *arcs;
	struct gprofx_lists callers, callees; /* arcs per function, the newest first */
	bool wants_order;                     /* set by others before: the next member is used */
	uint32_t *arc_order; /* arcs of all callers in order of first appearance; or NULL */
	uint64_t *calls;     /* per node */
	/*
	 * Where lines are parts of functions, the lines that make the calls of each arc, else NULL:
	 * as gprofx_report_graph.site.
	 */
	struct gprofx_site *sites;
	uint32_t *site_first;
	/* The node behind the functions stands for something: it is not just before the next. */
	bool has_outside;
	/* Set by graph_add_static_calls(): per arc how it was found; or NULL. */
	uint8_t *found;
	/* Set by attribution_mark(): per arc whether its number of calls is a guess; or NULL. */
	bool *divided;

	/* Set by graph_add_blocks(): those of function f begin at blocks[block_first[f]]. */
	struct gprofx_block *blocks;
	uint32_t *block_first; /* one more than there are functions; NULL: blocks are not shown */
	uint64_t *begins_with; /* as gprofx_report_source.begins_with */

	/* Set by graph_analyse(). */
	bool is_analysed;
	uint32_t function_count, cycle_count, node_count;
	uint64_t *recursive; /* per node */
	uint32_t *rank;      /* per function, from 1; equal within a cycle; callers higher */
	uint32_t *order;     /* functions by rank, within a rank by address */
	uint32_t *cycle;     /* per node: number of its cycle, from 1; 0: none */
	uint32_t *circle;    /* the same per function, where cycles are no nodes; else NULL */
	struct gprofx_lists
		members; /* functions per cycle (number less 1), in order of absorption */
	bool *shown;     /* per node */
	double *share;   /* per node: part of its time that the selection leaves */
	double *below, *visible_self, *visible_below; /* per node */
	double total;                                 /* ticks of what is selected */
	struct gprofx_doubt *total_doubt; /* per node: of visible_self and visible_below; or NULL */

	/* Set by graph_number_entries(). */
	uint32_t *index;    /* per node: number of its entry, from 1; 0: it has none */
	uint32_t *by_index; /* numbered_count nodes in that order */
	uint32_t numbered_count;
};

struct graph *
graph_new(struct run *run, const struct symbols *symbols, const struct filters *filters);

/* Spreads the histograms over the functions. */
void graph_credit_samples(struct run *run, struct graph *graph, const struct profile *profile);

/* The same from stacks, whose functions are known. */
void graph_credit_stacks(struct run *run, struct graph *graph, const struct stacks *stacks);

/*
 * Gives the profile zero-count arcs for all that stacks show, and returns which these are, for
 * graph.pairs.  NULL: there are no stacks.
 */
struct graph_pairs *
graph_take_calls(struct run *run, const struct symbols *symbols, struct profile *profile);

/*
 * Per node of the tree of stacks whether the selection of times leaves the stacks that end in it.
 * NULL: it leaves all.
 */
bool *graph_counted_stacks(struct run *run, const struct graph *graph);

/*
 * Makes the graphs of several runs alike, before their arcs are added: each has the arcs of all, in
 * one order, without calls where the run itself has none, and a row of what is outside if any has.
 */
void graph_join_runs(struct run *run, struct graph *first, struct profile *profile);

/* A call that stands in the code: between functions, or to symbols_indirect(). */
struct static_call {
	uint32_t caller, callee;
	uint32_t line; /* of the caller that makes it, where lines are parts of functions */
	uint8_t kinds; /* bits of enum gprofx_static_kind */
};

struct static_calls {
	struct static_call *items;
	uint32_t count;
};

/* Turns recorded calls into arcs between functions.  The profile's arcs are used up. */
void graph_add_arcs(struct run *run, struct graph *graph, struct profile *profile);

/* Adds zero-count arcs for calls that were not recorded.  The calls are used up. */
void graph_add_static_calls(struct run *run, struct graph *graph, const struct static_calls *calls);

/* Finds out whose the recorded basic blocks are. */
void graph_add_blocks(struct run *run, struct graph *graph, struct profile *profile);

/* Self-recursion, cycles, selection, propagation: the stages below, in order. */
void graph_analyse(struct run *run, struct graph *graph);

/* Adds up self times of functions with all their lines, where these are parts of them. */
void graph_add_up_lines(struct run *run, struct graph *graph);
/* The times that the selection leaves, once it is made. */
void graph_weigh(struct run *run, struct graph *graph);
/*
 * The times of all further metrics, once functions are selected; those of the graph's own come
 * afterwards, as arcs have room for the times of one.
 */
void graph_analyse_metrics(struct run *run, struct graph *graph);
/* Puts the values of a metric in the place of the graph's own, and these in its place. */
void graph_exchange(struct graph *graph, struct graph_metric *metric);

/* Takes the times of arcs out of them: the next metric finds arcs that have none. */
void graph_take_arc_times(struct run *run, struct graph *graph, struct graph_metric *metric);

void graph_find_cycles(struct run *run, struct graph *graph);
void graph_select(struct run *run, struct graph *graph);
void graph_propagate(struct run *run, struct graph *graph);
/* In the place of both, where stacks have measured it: selection, and times with all callees. */
void graph_measure(struct run *run, struct graph *graph);
/* How far shared bins leave open what was propagated. */
void graph_propagate_doubt(struct run *run, struct graph *graph);

/* Frees what only the analysis needs: rank, order and share. */
void graph_forget_way(struct run *run, struct graph *graph);

/*
 * Numbers nodes by their time.  Ties are settled by names: those of the symbol table, or these, one
 * for each function; functions whose bytes are NULL come behind all others.
 */
void graph_number_entries(struct run *run, struct graph *graph, const struct gprofx_text *names);

/* How many arcs a function has in one of the lists of arcs. */
static inline uint32_t
graph_arc_count(const struct gprofx_lists *lists, uint32_t function)
{
	return lists->first[function + 1] - lists->first[function];
}

/*
 * Where few functions have arcs in a list: the place of each among these, NO_SYMBOL for the others.
 * In reports by line hardly any of the lines is called or calls anything, and room for all of them
 * would be the largest that the graph needs.  NULL: many have, and each is at its own place.
 * *count: how many places there are.
 */
uint32_t *graph_places(struct run *run, const struct graph *graph, const struct gprofx_lists *lists,
                       uint32_t *count);

/* The node that stands for a function outside its cycle: the cycle, or the function itself. */
static inline uint32_t
graph_representative(const struct graph *graph, uint32_t function)
{
	uint32_t cycle = graph->cycle[function];

	return cycle == 0 ? function : graph->function_count + cycle - 1;
}

static inline bool
graph_is_self_arc(const struct graph *graph, uint32_t arc)
{
	return graph->arcs[arc].caller == graph->arcs[arc].callee;
}

/*
 * Whether a node has a number and can have an entry: not if it only stands between others, or for
 * what is called indirectly.
 */
static inline bool
graph_is_numbered(const struct graph *graph, uint32_t node)
{
	uint32_t outside = graph->symbols->count;

	if (node < outside || node >= graph->function_count)
		return true;
	return node == outside && graph->has_outside;
}

/* Whether both ends of an arc are in one cycle; self-arcs are not meant. */
static inline bool
graph_is_inside_cycle(const struct graph *graph, uint32_t arc)
{
	uint32_t cycle = graph->cycle[graph->arcs[arc].caller];

	return cycle != 0 && cycle == graph->cycle[graph->arcs[arc].callee];
}

#endif
