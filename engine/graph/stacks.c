/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Times that stacks have measured: of a function itself, the weight of the stacks that end in it;
 * with all that it called, the weight of the stacks that it is in; of an arc, the weight of those
 * in which the callee stands right below the caller.  Each stack counts once, however often a
 * function or a pair is in it, so recursion and cycles need no rule of their own.
 *
 * Stacks share frames, but only with those right before them: one sweep knows at each frame what is
 * on the way there, and when a frame is left for good its weight with all below it is known.
 */
#include <string.h>

#include "base/compiler.h"
#include "base/hash.h"
#include "base/memory.h"
#include "base/run.h"
#include "base/slots.h"
#include "base/sums.h"
#include "graph/costed-calls.h"
#include "graph/graph.h"
#include "profile/profile.h"
#include "select/filters.h"
#include "symbols/symbols.h"

enum { NO_PAIR = UINT32_MAX, PAIRS_AT_ONCE = 32 };

struct graph_pair {
	uint32_t caller, callee;
};

/* Pairs of caller and callee that frames make, each once, by first appearance. */
struct graph_pairs {
	struct graph_pair *items;
	uint32_t count, room;
	uint32_t *of_frame; /* per frame of the stacks its pair, or NO_PAIR */
	uint32_t *of_call;  /* per call that was measured as a whole, likewise */
	uint32_t of_frames; /* so many pairs from the first on are of frames */
	struct slots slots;
	uint64_t factor; /* of hashes */
};

static uint64_t
hash_of(const struct graph_pairs *pairs, struct graph_pair pair)
{
	return hash_word((uint64_t)pair.caller << 32 | pair.callee, pairs->factor) >> 32;
}

static inline bool
is_same_pair(const void *rows, uint32_t number, const void *wanted)
{
	const struct graph_pair *left = &((const struct graph_pairs *)rows)->items[number];
	const struct graph_pair *right = wanted;

	return left->caller == right->caller && left->callee == right->callee;
}

static uint32_t *
find_slot(const struct graph_pairs *pairs, struct graph_pair wanted)
{
	return slots_find(&pairs->slots, hash_of(pairs, wanted), is_same_pair, pairs, &wanted);
}

/* Makes room for one more pair. */
static void
grow(struct run *run, struct graph_pairs *pairs)
{
	if (!slots_grow(run, &pairs->slots, pairs->count))
		return;
	for (uint32_t i = 0; i < pairs->count; i++)
		*slots_find(&pairs->slots, hash_of(pairs, pairs->items[i]), NULL, NULL, NULL) = i +
		                                                                                1;
}

static uint32_t
number_of(struct run *run, struct graph_pairs *pairs, struct graph_pair pair)
{
	uint32_t *slot;

	grow(run, pairs);
	slot = find_slot(pairs, pair);
	if (*slot != 0)
		return *slot - 1;
	pairs->items = memory_room(run, pairs->items, sizeof *pairs->items, pairs->count,
	                           &pairs->room, 1);
	pairs->items[pairs->count] = pair;
	*slot = ++pairs->count;
	return pairs->count - 1;
}

static struct graph_pair
pair_at(const struct stacks *stacks, const struct stack_sweep *at)
{
	return (struct graph_pair){stacks->function[stacks->place[at->above]],
	                           stacks->function[stacks->place[at->frame]]};
}

/* Gets what the next lookups need into the cache: there can be millions of pairs. */
static FETCHING void
fetch_ahead(const struct graph_pairs *pairs, const struct stacks *stacks, struct stack_sweep at)
{
	const uint32_t *slots[PAIRS_AT_ONCE];
	uint32_t count = 0;

	for (uint32_t i = 0; i < PAIRS_AT_ONCE && stacks_sweep(stacks, &at); i++) {
		if (at.above == NO_FRAME)
			continue;
		slots[count] = slots_first(&pairs->slots, hash_of(pairs, pair_at(stacks, &at)));
		PREFETCH(slots[count]);
		count++;
	}
	for (uint32_t i = 0; i < count; i++)
		if (*slots[i] != 0)
			PREFETCH(&pairs->items[*slots[i] - 1]);
}

static struct graph_pairs *
list_pairs(struct run *run, const struct stacks *stacks)
{
	struct graph_pairs *pairs = memory_alloc(run, sizeof *pairs);
	struct stack_sweep at = {0};

	pairs->factor = hash_factor();
	grow(run, pairs);
	memory_array(run, pairs->of_frame, stacks->frame_count);
	fetch_ahead(pairs, stacks, at);
	while (stacks_sweep(stacks, &at)) {
		pairs->of_frame[at.frame] = at.above == NO_FRAME
		                                    ? NO_PAIR
		                                    : number_of(run, pairs, pair_at(stacks, &at));
		if (at.next % PAIRS_AT_ONCE == 0)
			fetch_ahead(pairs, stacks, at);
	}
	pairs->of_frames = pairs->count;
	memory_array(run, pairs->of_call, stacks->calls.count);
	for (uint32_t i = 0; i < stacks->calls.count; i++) {
		const struct costed_call *call = &stacks->calls.items[i];

		pairs->of_call[i] = number_of(run, pairs,
		                              (struct graph_pair){stacks->function[call->caller],
		                                                  stacks->function[call->callee]});
	}
	return pairs;
}

static void
make_room(struct run *run, struct profile *profile, uint32_t pairs)
{
	profile->arcs = memory_room(run, profile->arcs, sizeof *profile->arcs, profile->arc_count,
	                            &profile->arc_room, pairs);
	profile->calls = memory_room(run, profile->calls, sizeof *profile->calls,
	                             profile->call_count, &profile->call_room, pairs);
}

/*
 * There is room for the calls of a pair.  What is in no function has no caller, and calls as one
 * that is not known.
 */
static void
add_calls(const struct symbols *symbols, struct profile *profile, struct graph_pair pair,
          uint64_t count)
{
	if (pair.callee == symbols->count)
		return;
	if (pair.caller == symbols->count)
		profile->calls[profile->call_count++] = (struct gprofx_raw_call){
			.self = symbols->address[pair.callee],
			.count = count};
	else
		profile->arcs[profile->arc_count++] = (struct gprofx_raw_arc){
			.from = symbols->address[pair.caller],
			.self = symbols->address[pair.callee],
			.count = count};
}

/*
 * The calls that were measured as a whole are arcs with exact numbers of calls, unless counters
 * have counted calls: both can have the same ones.
 */
static void
add_costed_calls(struct run *run, const struct symbols *symbols, struct profile *profile,
                 const struct graph_pairs *pairs)
{
	/* Sums of all arcs of a function still fit. */
	const uint64_t most_calls = UINT64_MAX >> 16;
	const struct costed_calls *calls = &profile->stacks.calls;
	bool are_counted = profile->arc_count > 0 || profile->call_count > 0;
	uint64_t *count;

	memory_array(run, count, pairs->count);
	for (uint32_t i = 0; i < calls->count && !are_counted; i++)
		sum_add(&count[pairs->of_call[i]], calls->items[i].count);
	make_room(run, profile, pairs->count);
	for (uint32_t i = 0; i < pairs->count; i++) {
		uint64_t all = count[i] < most_calls ? count[i] : most_calls;

		if (i >= pairs->of_frames || all != 0)
			add_calls(symbols, profile, pairs->items[i], all);
	}
	memory_release(run, count);
}

struct graph_pairs *
graph_take_calls(struct run *run, const struct symbols *symbols, struct profile *profile)
{
	struct graph_pairs *pairs;

	if (!profile->stacks.is_there)
		return NULL;
	pairs = list_pairs(run, &profile->stacks);
	if (profile->stacks.calls.count > 0)
		add_costed_calls(run, symbols, profile, pairs);
	make_room(run, profile, pairs->count);
	for (uint32_t i = 0; i < pairs->of_frames; i++)
		add_calls(symbols, profile, pairs->items[i], 0);
	return pairs;
}

/* The function that a stack ends in, or its line, where lines are parts of functions. */
static uint32_t
end_symbol(const struct stacks *stacks, uint32_t stack)
{
	uint32_t place = stacks->place[stacks_end(stacks, stack)];

	return stacks->line ? stacks->line[place] : stacks->function[place];
}

static bool
has_frame_in(const struct stacks *stacks, uint32_t function)
{
	for (uint32_t i = 0; i < stacks->place_count; i++)
		if (stacks->function[i] == function)
			return true;
	return false;
}

/* The times of one metric; is_first: which is that of the graph itself. */
static void
credit(struct graph *graph, const struct stacks *stacks, bool is_first)
{
	uint32_t outside = graph->symbols->count;

	for (uint32_t i = 0; i < stacks->count; i++)
		graph->self[end_symbol(stacks, i)] += (double)stacks->weight[i];
	graph->self[outside] += (double)stacks->nowhere;
	for (uint32_t f = 0; f <= outside; f++) {
		bool is_shown = filter_selects(graph->filters, ENGINE_FILTER_FLAT, f);
		enum account_kind kind = !is_shown      ? ACCOUNT_EXCLUDED
		                         : f == outside ? ACCOUNT_OUTSIDE
		                                        : ACCOUNT_SHOWN;

		if (is_first) {
			graph->account[kind].samples += graph->self[f];
			graph->account[kind].ticks += graph->self[f];
		}
		if (is_shown)
			graph->flat_total += graph->self[f];
	}
	/* A frame that is in no function can have weight below it alone. */
	if (stacks->nowhere != 0 || has_frame_in(stacks, outside)) {
		graph->function_count = graph->node_count = outside + 1;
		graph->has_outside = true;
	}
}

void
graph_credit_stacks(struct run *run, struct graph *graph, const struct stacks *stacks)
{
	graph->stacks = stacks;
	graph->metric_count = stacks->other_count;
	graph->has_costed_calls = stacks->costs.weight != NULL;
	memory_array(run, graph->metrics, graph->metric_count);
	credit(graph, stacks, true);
	for (uint32_t i = 0; i < graph->metric_count; i++) {
		struct graph_metric *metric = &graph->metrics[i];

		memory_array(run, metric->self, (size_t)graph->symbols->count + SYMBOL_MORE_ROWS);
		graph_exchange(graph, metric);
		credit(graph, stacks->others[i], false);
		graph_exchange(graph, metric);
	}
}

/* A frame on the way to the one at hand, while stacks are measured. */
struct way_frame {
	uint32_t frame, function;
	uint32_t arc;    /* from the frame before, or NO_PAIR: none is shown */
	double whole;    /* weight of the stacks that end in the frame or below it */
	double selected; /* the part of it that the selection leaves */
};

struct tree {
	struct graph *graph;
	const struct stacks *stacks;
	bool *counts;  /* whether the selection leaves what ends in a frame; NULL: it does */
	uint32_t *arc; /* per pair: the graph's arc, or NO_PAIR */
	struct way_frame *way;  /* the outermost frame first */
	uint32_t depth, room;   /* of the way */
	uint32_t *times_on_way; /* per function: how often it is there */
	uint32_t *arc_on_way;   /* per arc, likewise */
};

/* What a caller was selected as, and its callee's own selection. */
static bool
select_next(const struct filters *filters, enum engine_filter filter, bool is_selected,
            uint32_t function)
{
	if (!is_selected)
		return filter_selects(filters, filter, function);
	return !filter_removes(filters, filter, function);
}

bool *
graph_counted_stacks(struct run *run, const struct graph *graph)
{
	const struct stacks *stacks = graph->stacks;
	struct stack_sweep at = {0};
	bool *counts;

	if (!graph->filters->state[ENGINE_FILTER_TIME])
		return NULL;
	memory_array(run, counts, stacks->frame_count);
	/* Callers come before what they called: one sweep down. */
	while (stacks_sweep(stacks, &at))
		counts[at.frame] = select_next(graph->filters, ENGINE_FILTER_TIME,
		                               at.above != NO_FRAME && counts[at.above],
		                               stacks->function[stacks->place[at.frame]]);
	return counts;
}

/* The same for what is shown. */
static void
select_down(struct run *run, struct tree *tree)
{
	const struct filters *filters = tree->graph->filters;
	const struct stacks *stacks = tree->stacks;
	struct stack_sweep at = {0};
	bool *is_shown;

	memory_array(run, is_shown, stacks->frame_count);
	while (stacks_sweep(stacks, &at)) {
		uint32_t f = stacks->function[stacks->place[at.frame]];
		bool was_shown = at.above != NO_FRAME && is_shown[at.above] &&
		                 !run->settings->entries_only;

		is_shown[at.frame] = select_next(filters, ENGINE_FILTER_GRAPH, was_shown, f);
		tree->graph->shown[f] = tree->graph->shown[f] || is_shown[at.frame];
	}
	memory_release(run, is_shown);
	if (stacks->calls.count > 0)
		graph_show_called(run, tree->graph);
}

/* Without symspecs everything is selected. */
static void
select_frames(struct run *run, struct tree *tree)
{
	const struct filters *filters = tree->graph->filters;

	tree->counts = graph_counted_stacks(run, tree->graph);
	if (filters->state[ENGINE_FILTER_GRAPH] || filters->state[ENGINE_FILTER_TIME])
		select_down(run, tree);
	else
		memset(tree->graph->shown, true, tree->graph->function_count);
}

static void
find_arcs(struct run *run, struct tree *tree)
{
	const struct graph *graph = tree->graph;

	memory_array(run, tree->arc, graph->pairs->count);
	memset(tree->arc, 0xff, graph->pairs->count * sizeof *tree->arc);
	for (uint32_t i = 0; i < graph->arc_count; i++) {
		const struct graph_arc *arc = &graph->arcs[i];
		uint32_t number = *find_slot(graph->pairs,
		                             (struct graph_pair){arc->caller, arc->callee});

		if (number != 0)
			tree->arc[number - 1] = i;
	}
}

/* The arc from the caller of a frame to it, or NO_PAIR: none is shown. */
static uint32_t
arc_at(const struct tree *tree, uint32_t frame)
{
	uint32_t pair = tree->graph->pairs->of_frame[frame];

	return pair == NO_PAIR ? NO_PAIR : tree->arc[pair];
}

/* A frame is on the way now. */
static void
enter(struct run *run, struct tree *tree, uint32_t frame)
{
	uint32_t f = tree->stacks->function[tree->stacks->place[frame]], arc = arc_at(tree, frame);

	tree->way = memory_room(run, tree->way, sizeof *tree->way, tree->depth, &tree->room, 1);
	tree->way[tree->depth++] = (struct way_frame){frame, f, arc, 0, 0};
	tree->times_on_way[f]++;
	if (arc == NO_PAIR)
		return;
	tree->arc_on_way[arc]++;
	/* It gets its time when the frame is left. */
	PREFETCH(&tree->graph->arcs[arc]);
}

/* Gets the arc of a frame that comes soon into the cache: there can be millions of pairs. */
static FETCHING void
fetch_arc(const struct tree *tree, uint32_t frame)
{
	uint32_t pair = frame < tree->stacks->frame_count ? tree->graph->pairs->of_frame[frame]
	                                                  : NO_PAIR;

	if (pair != NO_PAIR)
		PREFETCH(&tree->arc[pair]);
}

/* A stack ends in the last frame of the way. */
static void
end_stack(struct tree *tree, uint32_t stack)
{
	struct way_frame *end = &tree->way[tree->depth - 1];
	double weight = (double)tree->stacks->weight[stack];

	end->whole += weight;
	if (tree->counts && !tree->counts[end->frame])
		return;
	end->selected += weight;
	tree->graph->visible_self[end->function] += weight;
	if (end->arc != NO_PAIR)
		tree->graph->arcs[end->arc].self += weight;
}

/* The last frame of the way is left: what is not on it any more has the weight of all below. */
static void
leave(struct tree *tree)
{
	const struct way_frame *last = &tree->way[--tree->depth];
	struct graph *graph = tree->graph;

	if (--tree->times_on_way[last->function] == 0) {
		graph->below[last->function] += last->whole;
		graph->visible_below[last->function] += last->selected;
	}
	if (last->arc != NO_PAIR && --tree->arc_on_way[last->arc] == 0)
		graph->arcs[last->arc].below += last->selected;
	if (tree->depth == 0)
		return;
	tree->way[tree->depth - 1].whole += last->whole;
	tree->way[tree->depth - 1].selected += last->selected;
}

/* Sweeps along the stacks; they can be deep, so nothing calls itself. */
static void
walk(struct run *run, struct tree *tree)
{
	const struct stacks *stacks = tree->stacks;

	for (uint32_t s = 0; s < stacks->count; s++) {
		while (tree->depth > 0 && tree->way[tree->depth - 1].frame != stacks->above[s])
			leave(tree);
		for (uint32_t i = stacks_first(stacks, s); i < stacks->past[s]; i++) {
			fetch_arc(tree, i + PREFETCH_AHEAD);
			enter(run, tree, i);
		}
		/* Every stack has a frame. */
		if (tree->depth > 0)
			end_stack(tree, s);
	}
	while (tree->depth > 0)
		leave(tree);
}

static void
make_tree(struct run *run, struct tree *tree)
{
	memory_array(run, tree->times_on_way,
	             (size_t)tree->graph->symbols->count + SYMBOL_MORE_ROWS);
	memory_array(run, tree->arc_on_way, tree->graph->arc_count);
}

static void
release_tree(struct run *run, struct tree *tree)
{
	memory_release(run, tree->counts);
	memory_release(run, tree->arc);
	memory_release(run, tree->way);
	memory_release(run, tree->times_on_way);
	memory_release(run, tree->arc_on_way);
}

/* Where some calls were counted, those that only stacks show were not: 0 would say that none was.
 */
static void
mark_uncounted(struct tree *tree)
{
	struct graph *graph = tree->graph;

	for (uint32_t i = 0; !graph->lacks_calls && i < graph->pairs->count; i++)
		if (tree->arc[i] != NO_PAIR && graph->arcs[tree->arc[i]].calls == 0)
			graph->arcs[tree->arc[i]].calls = GPROFX_CALLS_UNKNOWN;
}

/* A difference of sums that a number holds only roughly is no less than nothing. */
static double
left_of(double whole, double part)
{
	return whole > part ? whole - part : 0;
}

/* Stacks without frames are in no node of the tree. */
static void
add_nowhere(struct graph *graph, const struct stacks *stacks)
{
	double nowhere = (double)stacks->nowhere;
	uint32_t outside = graph->symbols->count;

	if (nowhere == 0)
		return;
	graph->below[outside] += nowhere;
	if (!filter_selects(graph->filters, ENGINE_FILTER_TIME, outside))
		return;
	graph->visible_self[outside] += nowhere;
	graph->visible_below[outside] += nowhere;
}

/* What is below is the whole less what is a row's own. */
static void
split(struct graph *graph)
{
	for (uint32_t f = 0; f < graph->function_count; f++) {
		graph->below[f] = left_of(graph->below[f], graph->self[f]);
		graph->visible_below[f] = left_of(graph->visible_below[f], graph->visible_self[f]);
		graph->total += graph->visible_self[f];
	}
	for (uint32_t i = 0; i < graph->arc_count; i++)
		graph->arcs[i].below = left_of(graph->arcs[i].below, graph->arcs[i].self);
}

/* Adds what calls cost that were measured as a whole. */
static void
add_costs(struct run *run, const struct tree *tree)
{
	const struct stacks *stacks = tree->stacks;
	uint32_t *arc;

	memory_array(run, arc, stacks->calls.count);
	for (uint32_t i = 0; i < stacks->calls.count; i++)
		arc[i] = tree->arc[tree->graph->pairs->of_call[i]];
	graph_add_costs(run, tree->graph, stacks, arc);
	memory_release(run, arc);
}

/* Measures the metric of some stacks, whose times the graph has for that long. */
static void
measure(struct run *run, struct graph *graph, const struct stacks *stacks)
{
	struct tree tree = {.graph = graph, .stacks = stacks};

	memory_array(run, graph->visible_self, graph->node_count);
	memory_array(run, graph->below, graph->node_count);
	memory_array(run, graph->visible_below, graph->node_count);
	make_tree(run, &tree);
	select_frames(run, &tree);
	find_arcs(run, &tree);
	walk(run, &tree);
	mark_uncounted(&tree);
	add_costs(run, &tree);
	add_nowhere(graph, stacks);
	split(graph);
	release_tree(run, &tree);
}

/* Measures squares as weights of their own, and leaves the graph as it was. */
static void
measure_squares(struct run *run, struct graph *graph, const struct stacks *stacks,
                struct graph_squares *squares)
{
	struct graph_metric *of = &squares->of;

	squares->are_weights = stacks->are_squares;
	if (!stacks->squares)
		return;
	memory_array(run, of->self, graph->node_count);
	graph_exchange(graph, of);
	for (uint32_t i = 0; i < stacks->count; i++)
		graph->self[end_symbol(stacks, i)] += (double)stacks->squares->weight[i];
	if (stacks->squares->nowhere != 0)
		graph->self[graph->symbols->count] += (double)stacks->squares->nowhere;
	measure(run, graph, stacks->squares);
	graph_exchange(graph, of);
	graph_take_arc_times(run, graph, of);
}

/* Lines are not distinguished: it is not known for them. */
static void
measure_all_squares(struct run *run, struct graph *graph)
{
	const struct stacks *stacks = graph->stacks;
	bool is_known = stacks->squares || stacks->are_squares;

	for (uint32_t i = 0; i < stacks->other_count; i++)
		is_known = is_known || stacks->others[i]->squares || stacks->others[i]->are_squares;
	if (!is_known || graph->symbols->whole)
		return;
	memory_array(run, graph->squares, (size_t)graph->metric_count + 1);
	for (uint32_t i = 0; i <= graph->metric_count; i++)
		measure_squares(run, graph, i == 0 ? stacks : stacks->others[i - 1],
		                &graph->squares[i]);
}

void
graph_measure(struct run *run, struct graph *graph)
{
	memory_array(run, graph->shown, graph->node_count);
	measure_all_squares(run, graph);
	/* Arcs have room for the times of one metric, which is the first at the end. */
	for (uint32_t i = 0; i < graph->metric_count; i++) {
		struct graph_metric *metric = &graph->metrics[i];

		graph_exchange(graph, metric);
		graph_add_up_lines(run, graph);
		measure(run, graph, graph->stacks->others[i]);
		graph_exchange(graph, metric);
		graph_take_arc_times(run, graph, metric);
	}
	measure(run, graph, graph->stacks);
	memory_release(run, graph->pairs->items);
	memory_release(run, graph->pairs->of_frame);
	memory_release(run, graph->pairs->of_call);
	slots_release(run, &graph->pairs->slots);
	graph->pairs = NULL;
}
