/* SPDX-License-Identifier: Apache-2.0 */
/* Tarjan's strongly connected components, without recursion: time and memory as of all arcs. */
#include "cycles.h"

/* The walk.  Orders are from 1; 0: not reached yet. */
struct walk {
	const struct gprofx_arcs *arcs;
	const bool *is_there;
	uint32_t *first;            /* per function its first arc; then the number of arcs */
	uint32_t *next;             /* per function its next arc to follow */
	uint32_t *order, reached;   /* per function when it was reached */
	uint32_t *earliest;         /* per function the earliest one that it leads back to */
	uint32_t *path, depth;      /* the functions under way */
	uint32_t *open, open_count; /* functions whose cycle is not complete yet */
	bool *is_open;
	uint32_t *cycle, cycle_count;
};

static uint32_t *
room_for(struct gprofx *gx, uint32_t count)
{
	return gprofx_alloc(gx, ((size_t)count + 2) * sizeof(uint32_t));
}

static void
enter(struct walk *w, uint32_t function)
{
	w->order[function] = w->earliest[function] = ++w->reached;
	w->path[w->depth++] = function;
	w->open[w->open_count++] = function;
	w->is_open[function] = true;
}

static void
lower(struct walk *w, uint32_t function, uint32_t order)
{
	if (order < w->earliest[function])
		w->earliest[function] = order;
}

/* Closes what was reached from a function that leads no further back than to itself. */
static void
close_cycle(struct walk *w, uint32_t function)
{
	bool is_alone = w->open[w->open_count - 1] == function;
	uint32_t member;

	w->cycle_count += !is_alone;
	do {
		member = w->open[--w->open_count];
		w->is_open[member] = false;
		w->cycle[member] = is_alone ? 0 : w->cycle_count;
	} while (member != function);
}

static void
leave(struct walk *w, uint32_t function)
{
	w->depth--;
	if (w->earliest[function] == w->order[function])
		close_cycle(w, function);
	if (w->depth > 0)
		lower(w, w->path[w->depth - 1], w->earliest[function]);
}

static void
walk_from(struct walk *w, uint32_t root)
{
	enter(w, root);
	while (w->depth > 0) {
		uint32_t function = w->path[w->depth - 1], arc = w->next[function], callee;

		if (arc == w->first[function + 1]) {
			leave(w, function);
			continue;
		}
		w->next[function]++;
		if (!w->is_there[arc])
			continue;
		callee = gprofx_id(&w->arcs->callee, arc);
		if (w->order[callee] == 0)
			enter(w, callee);
		else if (w->is_open[callee])
			lower(w, function, w->order[callee]);
	}
}

uint32_t *
cycles_find(struct gprofx *gx, const struct gprofx_arcs *arcs, const bool *is_there,
            uint32_t function_count)
{
	struct walk w = {
		.arcs = arcs,
		.is_there = is_there,
		.first = room_for(gx, function_count),
		.next = room_for(gx, function_count),
		.order = room_for(gx, function_count),
		.earliest = room_for(gx, function_count),
		.path = room_for(gx, function_count),
		.open = room_for(gx, function_count),
		.is_open = gprofx_alloc(gx, (size_t)function_count + 1),
		.cycle = room_for(gx, function_count),
	};

	for (uint32_t i = 0; i < arcs->count; i++)
		w.first[gprofx_id(&arcs->caller, i) + 1]++;
	for (uint32_t i = 0; i < function_count; i++) {
		w.first[i + 1] += w.first[i];
		w.next[i] = w.first[i];
	}
	for (uint32_t i = 0; i < function_count; i++)
		if (w.order[i] == 0)
			walk_from(&w, i);
	gx->host->release(gx, w.first);
	gx->host->release(gx, w.next);
	gx->host->release(gx, w.order);
	gx->host->release(gx, w.earliest);
	gx->host->release(gx, w.path);
	gx->host->release(gx, w.open);
	gx->host->release(gx, w.is_open);
	return w.cycle;
}
