/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Contexts that stacks have measured: frames of the tree of stacks that are in the same function,
 * below the same context, are one context, unless their places are of interest.
 */
#include "base/memory.h"
#include "base/run.h"
#include "base/slots.h"
#include "base/sums.h"
#include "contexts/parts.h"
#include "graph/graph.h"
#include "profile/stacks.h"
#include "report/model.h"
#include "select/filters.h"
#include "symbols/inlined.h"
#include "symbols/symbols.h"

/* Doubles hold all integers up to this one. */
#define MOST_EXACT (UINT64_C(1) << 53)

/* Frames of stacks on their way into contexts. */
struct measuring {
	struct run *run;
	struct context_source *source;
	const struct graph *graph;
	const struct stacks *stacks;
	struct context_tree *tree;
	const bool *counts;   /* per frame whether what ends in it counts; NULL: all does */
	double *whole;        /* per frame: the weight of it and of all below that counts */
	uint32_t *context_of; /* per frame, or GPROFX_NO_CONTEXT: nothing there counts */
	/* Per place of the stacks its own place as a context, then those of subroutines inlined
	 * there, the outermost first: those of place p are inlined[first[p]] … . */
	uint32_t *own, *first, *inlined;
	uint32_t inlined_room;
	/* Per place the lines that its own code is at; NULL: not wanted. */
	struct code_frame *line;
	double nowhere; /* weight of stacks without frames that counts */
	uint32_t nowhere_context;
};

/* The weight, or what there is instead, of a stack, as far as it counts. */
static double
weight_of(const struct measuring *measuring, const uint64_t *weights, uint32_t stack)
{
	uint32_t end = stacks_end(measuring->stacks, stack);

	return measuring->counts && !measuring->counts[end] ? 0 : (double)weights[stack];
}

/* Callers come before what they called: one sweep up. */
static void
sum_up(struct measuring *measuring)
{
	const struct stacks *stacks = measuring->stacks;

	memory_array(measuring->run, measuring->whole, stacks->frame_count);
	for (uint32_t s = stacks->count; s-- > 0;) {
		uint32_t first = stacks_first(stacks, s);

		measuring->whole[stacks_end(stacks, s)] += weight_of(measuring, stacks->weight, s);
		for (uint32_t i = stacks->past[s]; i-- > first;) {
			uint32_t above = i > first ? i - 1 : stacks->above[s];

			if (above != NO_FRAME)
				measuring->whole[above] += measuring->whole[i];
		}
	}
}

/* The address of a place as linked in its object; 0: not known. */
static uint64_t
linked_address(const struct symbols *symbols, const struct stack_place *place)
{
	if (place->names->function)
		return 0;
	if (!(place->flags & PLACE_IS_PLACED))
		return place->address;
	if (symbols_is_nowhere(symbols, place->address))
		return 0;
	return place->address - symbols_image_at(symbols, place->address)->base;
}

/* A place of the stacks, if contexts are distinguished by places. */
static uint32_t
add_own_place(struct measuring *measuring, const struct stack_place *place,
              const struct code_frame *frame)
{
	struct context_source *source = measuring->source;
	uint32_t number;

	if (!(source->form & REPORT_CONTEXTS_BY_PLACE))
		return GPROFX_NO_PLACE;
	number = contexts_add_place(measuring->run, source, NULL, frame,
	                            linked_address(source->model->symbols, place));
	if (place->names->file) {
		source->place_file[number] = place->names->file;
		source->place_line[number] = place->line;
	}
	return number;
}

/* What the code at a place of the stacks is of: one frame if that is not known. */
static uint32_t
frames_at(const struct measuring *measuring, uint32_t place, struct code_frame *frames)
{
	const struct symbols *symbols = measuring->graph->symbols;
	const struct inlined_code *code = measuring->source->code;
	uint64_t address = measuring->stacks->places[place].address;

	frames[0] = (struct code_frame){0};
	if (!code || measuring->stacks->places[place].names->function ||
	    measuring->stacks->function[place] >= symbols->count ||
	    !symbols_is_program(symbols, address))
		return 1;
	return inlined_frames(code, inlined_row_at(code, address), frames);
}

static void
make_places(struct measuring *measuring)
{
	const struct stacks *stacks = measuring->stacks;
	struct context_source *source = measuring->source;
	bool by_place = (source->form & REPORT_CONTEXTS_BY_PLACE) != 0;
	struct code_frame frames[INLINED_AT_MOST + 1];

	memory_array(measuring->run, measuring->own, stacks->place_count);
	memory_array(measuring->run, measuring->first, (size_t)stacks->place_count + 1);
	measuring->inlined_room = 1;
	memory_array(measuring->run, measuring->inlined, measuring->inlined_room);
	if (source->form & REPORT_CONTEXTS_HOTTEST)
		memory_array(measuring->run, measuring->line, stacks->place_count);
	for (uint32_t p = 0, count = 0; p < stacks->place_count; p++) {
		uint32_t depth = frames_at(measuring, p, frames);

		measuring->own[p] = add_own_place(measuring, &stacks->places[p], &frames[0]);
		measuring->first[p] = count;
		if (measuring->line)
			measuring->line[p] = frames[depth - 1];
		for (uint32_t i = 1; (source->form & REPORT_CONTEXTS_INLINED) && i < depth; i++) {
			measuring->inlined = memory_room(measuring->run, measuring->inlined,
			                                 sizeof *measuring->inlined, count,
			                                 &measuring->inlined_room, 1);
			measuring->inlined[count++] =
				by_place ? contexts_add_place(
						   measuring->run, source,
						   contexts_shown_name(source, frames[i].name),
						   &frames[i], stacks->places[p].address)
					 : contexts_place_of_name(measuring->run, source,
			                                          frames[i].name);
		}
		measuring->first[p + 1] = count;
	}
}

/* The context of a frame below that of its caller: the innermost one, if some are inlined there. */
static uint32_t
context_of(struct measuring *measuring, uint32_t parent, uint32_t place)
{
	uint32_t flags = measuring->stacks->places[place].flags & GPROFX_PLACE_INLINED
	                         ? GPROFX_CONTEXT_INLINED
	                         : 0;
	struct context_key key = {parent, measuring->stacks->function[place], flags,
	                          measuring->own[place]};
	uint32_t context = contexts_child(measuring->run, measuring->tree, key);

	key.flags = GPROFX_CONTEXT_INLINED;
	for (uint32_t i = measuring->first[place]; i < measuring->first[place + 1]; i++) {
		key.parent = context;
		key.place = measuring->inlined[i];
		context = contexts_child(measuring->run, measuring->tree, key);
	}
	return context;
}

/* One sweep down. */
static void
make_contexts(struct measuring *measuring)
{
	const struct stacks *stacks = measuring->stacks;
	struct stack_sweep at = {0};

	memory_array(measuring->run, measuring->context_of, stacks->frame_count);
	while (stacks_sweep(stacks, &at)) {
		uint32_t above = at.above == NO_FRAME ? GPROFX_NO_CONTEXT
		                                      : measuring->context_of[at.above];

		measuring->context_of[at.frame] = GPROFX_NO_CONTEXT;
		if (measuring->whole[at.frame] > 0)
			measuring->context_of[at.frame] = context_of(measuring, above,
			                                             stacks->place[at.frame]);
	}
	if (measuring->nowhere > 0)
		measuring->nowhere_context = contexts_child(
			measuring->run, measuring->tree,
			(struct context_key){GPROFX_NO_CONTEXT, measuring->graph->symbols->count, 0,
		                             GPROFX_NO_PLACE});
}

/* What contexts have by such weights: their own, then sums up the tree.  Returns the sum of all. */
static double
add_up(const struct measuring *measuring, const uint64_t *weights, double nowhere, double *self,
       double *below)
{
	const struct context_tree *tree = measuring->tree;
	double whole = 0;

	for (uint32_t i = 0; i < measuring->stacks->count; i++) {
		uint32_t context = measuring->context_of[stacks_end(measuring->stacks, i)];

		if (context != GPROFX_NO_CONTEXT)
			self[context] += weight_of(measuring, weights, i);
	}
	if (measuring->nowhere > 0)
		self[measuring->nowhere_context] += nowhere;
	for (uint32_t i = tree->count; i-- > 0;) {
		double total = self[i] + below[i];

		if (tree->parent[i] == GPROFX_NO_CONTEXT)
			whole += total;
		else
			below[tree->parent[i]] += total;
	}
	return whole;
}

/* The same of squares, as far as stacks have some; weights can be their own. */
static void
set_squares(struct measuring *measuring)
{
	const struct stacks *stacks = measuring->stacks;
	struct context_tree *tree = measuring->tree;
	const double *below = tree->below[0];

	if (stacks->metric_kind != GPROFX_SAMPLED || (!stacks->are_squares && !stacks->squares))
		return;
	memory_array(measuring->run, tree->total_squares, tree->count);
	tree->self_squares = tree->self[0];
	if (!stacks->are_squares) {
		memory_array(measuring->run, tree->self_squares, tree->count);
		add_up(measuring, stacks->squares->weight, (double)stacks->squares->nowhere,
		       tree->self_squares, tree->total_squares);
		below = tree->total_squares;
	}
	for (uint32_t i = 0; i < tree->count; i++)
		tree->total_squares[i] = tree->self_squares[i] + below[i];
}

/* What contexts have themselves, where doubles do not hold all integers. */
static void
set_ticks(struct measuring *measuring)
{
	const struct stacks *stacks = measuring->stacks;
	uint64_t *ticks;

	if (stacks->total <= MOST_EXACT)
		return;
	memory_array(measuring->run, ticks, measuring->tree->count);
	for (uint32_t i = 0; i < stacks->count; i++) {
		uint32_t end = stacks_end(stacks, i), context = measuring->context_of[end];

		if (context != GPROFX_NO_CONTEXT && (!measuring->counts || measuring->counts[end]))
			sum_add(&ticks[context], stacks->weight[i]);
	}
	if (measuring->nowhere > 0)
		sum_add(&ticks[measuring->nowhere_context], stacks->nowhere);
	measuring->tree->self_ticks = ticks;
}

/* At which lines stacks end. */
static void
set_hottest(struct measuring *measuring)
{
	const struct stacks *stacks = measuring->stacks;
	struct context_tree *tree = measuring->tree;
	struct context_lines lines = {.count = 0};

	if (!measuring->line)
		return;
	for (uint32_t i = 0; i < stacks->count; i++) {
		uint32_t end = stacks_end(stacks, i), context = measuring->context_of[end];

		if (context != GPROFX_NO_CONTEXT)
			contexts_add_line(measuring->run, &lines, context,
			                  &measuring->line[stacks->place[end]],
			                  weight_of(measuring, stacks->weight, i));
	}
	tree->hottest = contexts_hottest(measuring->run, measuring->source, &lines, tree->count);
}

static void
set_values(struct measuring *measuring)
{
	struct context_tree *tree = measuring->tree;

	contexts_make_values(measuring->run, tree, 1);
	tree->whole[0] = add_up(measuring, measuring->stacks->weight, measuring->nowhere,
	                        tree->self[0], tree->below[0]);
	set_squares(measuring);
	set_ticks(measuring);
}

void
contexts_measure(struct run *run, struct context_source *source, struct context_tree *tree)
{
	const struct graph *graph = source->graph;
	bool *counts = graph_counted_stacks(run, graph);
	struct measuring measuring = {
		.run = run,
		.source = source,
		.graph = graph,
		.stacks = graph->stacks,
		.tree = tree,
		.counts = counts,
	};

	if (filter_selects(graph->filters, ENGINE_FILTER_TIME, graph->symbols->count))
		measuring.nowhere = (double)graph->stacks->nowhere;
	sum_up(&measuring);
	make_places(&measuring);
	make_contexts(&measuring);
	/* There can be millions: what is not needed any more makes room for their values. */
	memory_release(run, measuring.whole);
	slots_release(run, &tree->slots);
	set_values(&measuring);
	set_hottest(&measuring);
	memory_release(run, counts);
	memory_release(run, measuring.context_of);
	memory_release(run, measuring.own);
	memory_release(run, measuring.first);
	memory_release(run, measuring.inlined);
	memory_release(run, measuring.line);
}
