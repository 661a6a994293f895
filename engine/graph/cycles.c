/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Ranks functions so that callers stand above callees, and collapses cycles.
 *
 * The walk is Gabow's path-based search for strongly connected components on an explicit stack, so
 * that the depth of the program's calls does not matter.  Beyond the components it keeps what gprof
 * shows of its own walk: the leader of a cycle is the member met first, and members follow in the
 * order in which they were absorbed.
 */
#include "base/memory.h"
#include "graph/graph.h"

enum state { UNSEEN, ON_PATH, ABSORBED, DONE };

struct walk {
	struct graph *graph;
	uint8_t *state; /* enum state; ABSORBED: left, but its cycle is still open */
	uint32_t *path; /* functions from the root of the walk to where it stands */
	uint32_t path_count;
	uint32_t *position; /* of a function on the path */
	uint32_t *at;       /* next arc to follow, per function */
	/* Positions of the functions on the path that no cycle has absorbed, ascending. */
	uint32_t *bounds;
	uint32_t bound_count;
	uint32_t *leader; /* towards the leader of a function's cycle; itself: not absorbed */
	uint32_t *next;   /* next member in order of absorption, or NO_SYMBOL */
	uint32_t *tail;   /* last member, valid for leaders */
	uint32_t last_rank;
};

static uint32_t
leader_of(struct walk *walk, uint32_t function)
{
	while (walk->leader[function] != function) {
		walk->leader[function] = walk->leader[walk->leader[function]];
		function = walk->leader[function];
	}
	return function;
}

static void
enter(struct walk *walk, uint32_t function)
{
	walk->state[function] = ON_PATH;
	walk->position[function] = walk->path_count;
	walk->bounds[walk->bound_count++] = walk->path_count;
	walk->path[walk->path_count++] = function;
	walk->at[function] = walk->graph->callees.first[function];
}

/* The walk met a function that is still open: all that was entered after it is in its cycle. */
static void
close_cycle(struct run *run, struct walk *walk, uint32_t met)
{
	uint32_t target = walk->state[met] == ON_PATH ? met : leader_of(walk, met);
	uint32_t kept = walk->bound_count, leader;

	while (walk->bounds[kept - 1] > walk->position[target])
		kept--;
	leader = walk->path[walk->bounds[kept - 1]];
	for (uint32_t i = kept; i < walk->bound_count; i++) {
		uint32_t member = walk->path[walk->bounds[i]];

		walk->next[walk->tail[leader]] = member;
		walk->tail[leader] = walk->tail[member];
		walk->leader[member] = leader;
		if (run_traces(run, GPROFX_TRACE_CYCLES))
			run_trace(run, "cycle of %s takes in %s",
			          walk->graph->symbols->name[leader],
			          walk->graph->symbols->name[member]);
	}
	walk->bound_count = kept;
}

/* Leaves the function at the end of the path.  A function outside cycles, or a leader, is done. */
static void
leave(struct run *run, struct walk *walk)
{
	uint32_t function = walk->path[--walk->path_count];

	if (walk->leader[function] != function) {
		walk->state[function] = ABSORBED;
		return;
	}
	walk->bound_count--;
	walk->last_rank++;
	for (uint32_t member = function; member != NO_SYMBOL; member = walk->next[member]) {
		walk->graph->rank[member] = walk->last_rank;
		walk->state[member] = DONE;
		if (run_traces(run, GPROFX_TRACE_DEPTH_FIRST))
			run_trace(run, "rank %u: %s", walk->last_rank,
			          walk->graph->symbols->name[member]);
	}
}

static void
walk_from(struct run *run, struct walk *walk, uint32_t root)
{
	const struct graph *graph = walk->graph;

	enter(walk, root);
	while (walk->path_count > 0) {
		uint32_t function = walk->path[walk->path_count - 1], met;

		if (walk->at[function] == graph->callees.first[function + 1]) {
			leave(run, walk);
			continue;
		}
		met = graph->arcs[graph->callees.item[walk->at[function]++]].callee;
		if (walk->state[met] == UNSEEN)
			enter(walk, met);
		else if (walk->state[met] != DONE && met != function)
			close_cycle(run, walk, met);
	}
}

/* Numbers cycles by the address of their leaders and lists their members. */
static void
list_cycles(struct run *run, struct graph *graph, const struct walk *walk)
{
	uint32_t functions = graph->function_count, member_count = 0, *first, *item, cycle = 0;

	for (uint32_t f = 0; f < functions; f++) {
		if (walk->leader[f] == f && walk->next[f] != NO_SYMBOL)
			graph->cycle_count++;
		if (walk->leader[f] != f || walk->next[f] != NO_SYMBOL)
			member_count++;
	}
	graph->node_count = functions + graph->cycle_count;
	memory_array(run, graph->cycle, graph->node_count);
	memory_array(run, first, (size_t)graph->cycle_count + 1);
	memory_array(run, item, member_count);
	member_count = 0;
	for (uint32_t f = 0; f < functions; f++) {
		if (walk->leader[f] != f || walk->next[f] == NO_SYMBOL)
			continue;
		first[cycle++] = member_count;
		graph->cycle[functions + cycle - 1] = cycle;
		for (uint32_t member = f; member != NO_SYMBOL; member = walk->next[member]) {
			graph->cycle[member] = cycle;
			item[member_count++] = member;
			if (run_traces(run, GPROFX_TRACE_CYCLES))
				run_trace(run, "cycle %u: %s", cycle, graph->symbols->name[member]);
		}
	}
	first[cycle] = member_count;
	graph->members = (struct gprofx_lists){first, item};
}

/* Functions by rank; the ones of a rank stay in the order of their addresses. */
static void
order_by_rank(struct run *run, struct graph *graph, uint32_t last_rank)
{
	uint32_t *place, at = 0;

	memory_array(run, graph->order, graph->function_count);
	memory_array(run, place, (size_t)last_rank + 1);
	for (uint32_t f = 0; f < graph->function_count; f++)
		place[graph->rank[f]]++;
	for (uint32_t rank = 0; rank <= last_rank; rank++) {
		uint32_t count = place[rank];

		place[rank] = at;
		at += count;
	}
	for (uint32_t f = 0; f < graph->function_count; f++)
		graph->order[place[graph->rank[f]]++] = f;
	memory_release(run, place);
}

void
graph_find_cycles(struct run *run, struct graph *graph)
{
	uint32_t count = graph->function_count;
	struct walk walk = {.graph = graph};

	memory_array(run, graph->rank, count);
	memory_array(run, walk.state, count);
	memory_array(run, walk.path, count);
	memory_array(run, walk.position, count);
	memory_array(run, walk.at, count);
	memory_array(run, walk.bounds, count);
	memory_array(run, walk.leader, count);
	memory_array(run, walk.next, count);
	memory_array(run, walk.tail, count);
	for (uint32_t f = 0; f < count; f++) {
		walk.leader[f] = walk.tail[f] = f;
		walk.next[f] = NO_SYMBOL;
	}
	for (uint32_t f = 0; f < count; f++)
		if (walk.state[f] == UNSEEN)
			walk_from(run, &walk, f);
	order_by_rank(run, graph, walk.last_rank);
	list_cycles(run, graph, &walk);
	memory_release(run, walk.state);
	memory_release(run, walk.path);
	memory_release(run, walk.position);
	memory_release(run, walk.at);
	memory_release(run, walk.bounds);
	memory_release(run, walk.leader);
	memory_release(run, walk.next);
	memory_release(run, walk.tail);
}
