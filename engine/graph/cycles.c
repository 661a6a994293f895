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
#include "base/run.h"
#include "graph/graph.h"
#include "symbols/symbols.h"

/* ABSORBED: left, but its cycle is still open. */
enum state { UNSEEN, ON_PATH, ABSORBED, DONE };

/* What the walk knows of a function; together, since functions are met all over memory. */
struct visit {
	enum state state;
	uint32_t position; /* on the path */
	uint32_t left;     /* arcs out of the function up to here are still to be followed */
	uint32_t leader;   /* towards the leader of its cycle; itself: not absorbed */
	uint32_t next;     /* next member in order of absorption, or NO_SYMBOL */
	uint32_t tail;     /* last member, valid for leaders */
};

struct walk {
	struct graph *graph;
	struct visit *visits; /* per function, or per function that calls others */
	uint32_t *place;      /* of each function among those that call others; NULL: see visits */
	uint32_t *path;       /* functions from the root of the walk to where it stands */
	uint32_t path_count;
	/* Positions of the functions on the path that no cycle has absorbed, ascending. */
	uint32_t *bounds;
	uint32_t bound_count;
	uint32_t last_rank;
};

static inline struct visit *
visit_of(const struct walk *walk, uint32_t function)
{
	return &walk->visits[walk->place ? walk->place[function] : function];
}

static inline bool
calls_nothing(const struct graph *graph, uint32_t function)
{
	return graph_arc_count(&graph->callees, function) == 0;
}

static uint32_t
leader_of(struct walk *walk, uint32_t function)
{
	struct visit *visit = visit_of(walk, function);

	while (visit->leader != function) {
		visit->leader = visit_of(walk, visit->leader)->leader;
		function = visit->leader;
		visit = visit_of(walk, function);
	}
	return function;
}

static void
enter(struct walk *walk, uint32_t function)
{
	struct visit *visit = visit_of(walk, function);

	visit->state = ON_PATH;
	visit->position = walk->path_count;
	visit->left = walk->graph->callees.first[function + 1];
	walk->bounds[walk->bound_count++] = walk->path_count;
	walk->path[walk->path_count++] = function;
}

/* The walk met a function that is still open: all that was entered after it is in its cycle. */
static void
close_cycle(struct run *run, struct walk *walk, uint32_t met)
{
	uint32_t target = visit_of(walk, met)->state == ON_PATH ? met : leader_of(walk, met);
	uint32_t kept = walk->bound_count, leader;

	while (walk->bounds[kept - 1] > visit_of(walk, target)->position)
		kept--;
	leader = walk->path[walk->bounds[kept - 1]];
	for (uint32_t i = kept; i < walk->bound_count; i++) {
		uint32_t member = walk->path[walk->bounds[i]];

		visit_of(walk, visit_of(walk, leader)->tail)->next = member;
		visit_of(walk, leader)->tail = visit_of(walk, member)->tail;
		visit_of(walk, member)->leader = leader;
		if (run_traces(run, GPROFX_TRACE_CYCLES))
			run_trace(run, "cycle of %s includes %s",
			          walk->graph->symbols->name[leader],
			          walk->graph->symbols->name[member]);
	}
	walk->bound_count = kept;
}

static void
set_rank(struct run *run, const struct walk *walk, uint32_t function)
{
	walk->graph->rank[function] = walk->last_rank;
	if (run_traces(run, GPROFX_TRACE_DEPTH_FIRST))
		run_trace(run, "rank %u: %s", walk->last_rank,
		          walk->graph->symbols->name[function]);
}

/* Leaves the function at the end of the path.  A function outside cycles, or a leader, is done. */
static void
leave(struct run *run, struct walk *walk)
{
	uint32_t function = walk->path[--walk->path_count];

	if (visit_of(walk, function)->leader != function) {
		visit_of(walk, function)->state = ABSORBED;
		return;
	}
	walk->bound_count--;
	walk->last_rank++;
	for (uint32_t member = function; member != NO_SYMBOL;
	     member = visit_of(walk, member)->next) {
		visit_of(walk, member)->state = DONE;
		set_rank(run, walk, member);
	}
}

/* What calls nothing is entered and left at once, the first time that it is met. */
static void
pass(struct run *run, struct walk *walk, uint32_t function)
{
	if (walk->graph->rank[function] != 0)
		return;
	walk->last_rank++;
	set_rank(run, walk, function);
}

static void
walk_from(struct run *run, struct walk *walk, uint32_t root)
{
	const struct graph *graph = walk->graph;

	enter(walk, root);
	while (walk->path_count > 0) {
		uint32_t function = walk->path[walk->path_count - 1], met;
		struct visit *visit = visit_of(walk, function);

		if (visit->left == graph->callees.first[function]) {
			leave(run, walk);
			continue;
		}
		/* The newest arc first. */
		met = graph->arcs[--visit->left].callee;
		if (walk->place && calls_nothing(graph, met)) {
			pass(run, walk, met);
			continue;
		}
		visit = visit_of(walk, met);
		if (visit->state == UNSEEN)
			enter(walk, met);
		else if (visit->state != DONE && met != function)
			close_cycle(run, walk, met);
	}
}

/* Whether a function that calls others leads a cycle. */
static bool
is_leader(const struct walk *walk, uint32_t function)
{
	const struct visit *visit = visit_of(walk, function);

	return visit->leader == function && visit->next != NO_SYMBOL;
}

/* Numbers cycles by the address of their leaders and lists their members. */
static void
list_cycles(struct run *run, struct graph *graph, const struct walk *walk)
{
	uint32_t functions = graph->function_count, member_count = 0, *first, *item, cycle = 0;

	for (uint32_t f = 0; f < functions; f++) {
		if (calls_nothing(graph, f))
			continue;
		if (is_leader(walk, f))
			graph->cycle_count++;
		if (is_leader(walk, f) || visit_of(walk, f)->leader != f)
			member_count++;
	}
	graph->node_count = functions + graph->cycle_count;
	memory_array(run, graph->cycle, graph->node_count);
	memory_array(run, first, (size_t)graph->cycle_count + 1);
	memory_array(run, item, member_count);
	member_count = 0;
	for (uint32_t f = 0; f < functions; f++) {
		if (calls_nothing(graph, f) || !is_leader(walk, f))
			continue;
		first[cycle++] = member_count;
		graph->cycle[functions + cycle - 1] = cycle;
		for (uint32_t member = f; member != NO_SYMBOL;
		     member = visit_of(walk, member)->next) {
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

static void
start(struct run *run, struct walk *walk)
{
	const struct graph *graph = walk->graph;
	uint32_t count;

	walk->place = graph_places(run, graph, &graph->callees, &count);
	memory_array(run, walk->visits, count);
	memory_array(run, walk->path, count);
	memory_array(run, walk->bounds, count);
	for (uint32_t f = 0; f < graph->function_count; f++) {
		struct visit *visit;

		if (walk->place && walk->place[f] == NO_SYMBOL)
			continue;
		visit = visit_of(walk, f);
		visit->leader = visit->tail = f;
		visit->next = NO_SYMBOL;
	}
}

void
graph_find_cycles(struct run *run, struct graph *graph)
{
	struct walk walk = {.graph = graph};

	memory_array(run, graph->rank, graph->function_count);
	start(run, &walk);
	for (uint32_t f = 0; f < graph->function_count; f++) {
		if (walk.place && walk.place[f] == NO_SYMBOL)
			pass(run, &walk, f);
		else if (visit_of(&walk, f)->state == UNSEEN)
			walk_from(run, &walk, f);
	}
	order_by_rank(run, graph, walk.last_rank);
	list_cycles(run, graph, &walk);
	memory_release(run, walk.visits);
	memory_release(run, walk.place);
	memory_release(run, walk.path);
	memory_release(run, walk.bounds);
}
