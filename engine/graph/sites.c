/* SPDX-License-Identifier: Apache-2.0 */
#include "graph/sites.h"

#include "base/memory.h"
#include "base/sort.h"

void
sites_add(struct run *run, struct sites *sites, uint32_t line, uint32_t caller, uint32_t callee,
          uint64_t calls)
{
	sites->items = memory_room(run, sites->items, sizeof *sites->items, sites->count,
	                           &sites->room, 1);
	sites->items[sites->count++] = (struct site_calls){line, caller, callee, calls};
}

void
sites_begin_again(struct run *run, struct graph *graph, struct sites *sites)
{
	for (uint32_t i = 0; i < graph->arc_count; i++) {
		const struct graph_arc *arc = &graph->arcs[i];

		for (uint32_t k = graph->site_first[i]; k < graph->site_first[i + 1]; k++)
			sites_add(run, sites, graph->sites[k].node, arc->caller, arc->callee,
			          graph->sites[k].calls);
	}
	memory_release(run, graph->sites);
	memory_release(run, graph->site_first);
}

static uint64_t
pair_key(uint32_t caller, uint32_t callee)
{
	return (uint64_t)caller << 32 | callee;
}

/* Calls by caller, callee and line. */
static uint32_t *
sort_calls(struct run *run, const struct sites *sites, uint64_t *keys)
{
	uint32_t *ids;

	memory_array(run, ids, sites->count);
	for (uint32_t i = 0; i < sites->count; i++) {
		ids[i] = i;
		keys[i] = sites->items[i].line;
	}
	sort_ascending(run, keys, ids, sites->count);
	for (uint32_t i = 0; i < sites->count; i++)
		keys[i] = pair_key(sites->items[ids[i]].caller, sites->items[ids[i]].callee);
	sort_ascending(run, keys, ids, sites->count);
	return ids;
}

/* Arcs by caller and callee. */
static uint32_t *
sort_arcs(struct run *run, const struct graph *graph, uint64_t *keys)
{
	uint32_t *arcs;

	memory_array(run, arcs, graph->arc_count);
	for (uint32_t i = 0; i < graph->arc_count; i++) {
		arcs[i] = i;
		keys[i] = pair_key(graph->arcs[i].caller, graph->arcs[i].callee);
	}
	sort_ascending(run, keys, arcs, graph->arc_count);
	return arcs;
}

/*
 * Adds up the calls of each line and arc, to rows in the order of the sorted arcs; rows_of: the
 * number of rows of each arc.
 */
static uint32_t
add_up(const struct graph *graph, const struct sites *sites, const uint32_t *ids,
       const uint32_t *arcs, struct gprofx_site *rows, uint32_t *rows_of)
{
	uint32_t arc = 0, count = 0;

	for (uint32_t i = 0; i < sites->count; i++) {
		const struct site_calls *calls = &sites->items[ids[i]];

		/* All calls that were kept have their arc. */
		while (graph->arcs[arcs[arc]].caller != calls->caller ||
		       graph->arcs[arcs[arc]].callee != calls->callee)
			arc++;
		if (rows_of[arcs[arc]] == 0 || rows[count - 1].node != calls->line) {
			rows_of[arcs[arc]]++;
			rows[count++] = (struct gprofx_site){.node = calls->line};
		}
		rows[count - 1].calls += calls->calls;
	}
	return count;
}

void
sites_finish(struct run *run, struct graph *graph, struct sites *sites)
{
	struct gprofx_site *rows;
	uint64_t *keys;
	uint32_t *ids, *arcs, *first, *rows_of, count, next = 0;

	memory_array(run, keys, sites->count > graph->arc_count ? sites->count : graph->arc_count);
	ids = sort_calls(run, sites, keys);
	arcs = sort_arcs(run, graph, keys);
	memory_array(run, rows, sites->count);
	memory_array(run, rows_of, graph->arc_count);
	memory_array(run, first, (size_t)graph->arc_count + 1);
	count = add_up(graph, sites, ids, arcs, rows, rows_of);
	for (uint32_t arc = 0; arc < graph->arc_count; arc++)
		first[arc + 1] = first[arc] + rows_of[arc];
	memory_array(run, graph->sites, count);
	for (uint32_t i = 0; i < graph->arc_count; i++)
		for (uint32_t k = 0; k < rows_of[arcs[i]]; k++)
			graph->sites[first[arcs[i]] + k] = rows[next++];
	graph->site_first = first;
	memory_release(run, keys);
	memory_release(run, ids);
	memory_release(run, arcs);
	memory_release(run, rows);
	memory_release(run, rows_of);
	memory_release(run, sites->items);
}
