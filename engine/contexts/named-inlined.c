/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Inlined subroutines that the user named, with the time of all their copies: rows of contexts, of
 * functions alone or of stacks, that are named so, and what is below these.
 */
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/name-table.h"
#include "base/run.h"
#include "contexts/contexts.h"
#include "contexts/parts.h"
#include "graph/graph.h"
#include "profile/profile.h"
#include "report/model.h"
#include "select/filters.h"
#include "select/shown.h"
#include "symbols/inlined.h"
#include "symbols/line-rows.h"
#include "symbols/symbols.h"

/* Rows and what each has itself, of the first metric. */
struct timed_rows {
	const struct context_tree *tree;
	const double *self;
	double whole;
};

/*
 * Samples of rows.  The graph has those of functions only that the flat profile shows, of which an
 * inlined subroutine is none.
 */
static struct timed_rows
count_samples(struct run *run, const struct graph *graph, const struct context_inside *inside)
{
	struct timed_rows rows = {.tree = inside ? &inside->tree : NULL};
	double *self;

	if (!inside)
		return rows;
	memory_array(run, self, inside->tree.count);
	for (uint32_t row = 0; row < inside->tree.count; row++) {
		if (!filter_selects(graph->filters, ENGINE_FILTER_TIME, inside->tree.node[row]))
			continue;
		self[row] = inside->ticks[row];
		rows.whole += self[row];
	}
	rows.self = self;
	return rows;
}

static struct timed_rows
find_rows(struct run *run, struct context_source *source, struct context_tree *tree)
{
	if (!source->graph->stacks)
		return count_samples(run, source->graph, contexts_look_inside(run, source, 1));
	contexts_measure(run, source, tree);
	return (struct timed_rows){tree, tree->self[0], tree->whole[0]};
}

/* Per place whether its name is shown as one that was asked for; how many names there are. */
static bool *
find_places(struct run *run, const struct context_source *source, const char *const *names,
            const char *wanted, uint32_t *count)
{
	bool *is_named;

	memory_array(run, is_named, source->place_count);
	*count = 0;
	for (uint32_t i = 0; i < source->code->rows.names.count; i++) {
		uint32_t place = source->place_of_name[i + 1];

		if (place == 0 || strcmp(names[i], wanted) != 0)
			continue;
		is_named[place - 1] = true;
		++*count;
	}
	return is_named;
}

static int
compare_owners(const void *left, const void *right)
{
	const struct gprofx_inlined_owner *a = left, *b = right;

	if (a->total != b->total)
		return a->total > b->total ? -1 : 1;
	return a->function < b->function ? -1 : a->function > b->function;
}

/* Lists the functions with time in copies. */
static void
list_owners(struct run *run, const double *of_function, uint32_t functions,
            struct gprofx_inlined *inlined)
{
	struct gprofx_inlined_owner *owners;

	for (uint32_t f = 0; f < functions; f++)
		inlined->owner_count += of_function[f] > 0;
	memory_array(run, owners, inlined->owner_count);
	for (uint32_t f = 0, count = 0; f < functions; f++)
		if (of_function[f] > 0)
			owners[count++] = (struct gprofx_inlined_owner){f, of_function[f]};
	if (inlined->owner_count > 0)
		qsort(owners, inlined->owner_count, sizeof *owners, compare_owners);
	inlined->owner = owners;
}

/* Adds up the rows that are named so, and those below: each once. */
static void
add_up(struct run *run, const struct context_source *source, const struct timed_rows *rows,
       const bool *is_named, struct gprofx_inlined *inlined)
{
	const struct context_tree *tree = rows->tree;
	uint32_t functions = source->graph->node_count + 1, *owner;
	double *of_function;

	memory_array(run, owner, tree->count);
	memory_array(run, of_function, functions);
	for (uint32_t row = 0; row < tree->count; row++) {
		uint32_t place = tree->place[row], above = tree->parent[row];
		bool is_copy = place != GPROFX_NO_PLACE && is_named[place];

		/* A parent has a lower number. */
		owner[row] = above == GPROFX_NO_CONTEXT ? NO_SYMBOL : owner[above];
		if (is_copy && owner[row] == NO_SYMBOL)
			owner[row] = tree->node[row];
		inlined->self += is_copy ? rows->self[row] : 0;
		if (owner[row] == NO_SYMBOL)
			continue;
		inlined->total += rows->self[row];
		of_function[owner[row]] += rows->self[row];
	}
	list_owners(run, of_function, source->graph->function_count, inlined);
	memory_release(run, owner);
	memory_release(run, of_function);
}

void
contexts_report_inlined(struct run *run, const struct profile *profile,
                        const struct filters *filters, struct report_model *model)
{
	struct context_source source = {.model = model,
	                                .graph = model->graph,
	                                .profile = profile,
	                                .form = REPORT_CONTEXTS_INLINED};
	struct context_tree tree = {.count = 0};
	struct gprofx_report_inlined *report;
	struct gprofx_inlined *list;
	struct timed_rows rows;
	const char **names;

	if (!filters || filters->inlined_count == 0)
		return;
	contexts_read_code(run, &source);
	if (!source.code)
		return;
	rows = find_rows(run, &source, &tree);
	names = shown_short_names(run, model->symbols, source.code->rows.names.items,
	                          source.code->rows.names.count);
	report = memory_alloc(run, sizeof *report);
	memory_array(run, list, filters->inlined_count);
	for (uint32_t i = 0; i < filters->inlined_count; i++) {
		const struct select_inlined *wanted = &filters->inlined[i];
		bool *is_named;

		list[i] = (struct gprofx_inlined){.size = sizeof list[i],
		                                  .listings = wanted->listings,
		                                  .name = wanted->name};
		is_named = find_places(run, &source, names, wanted->name, &list[i].variant_count);
		if (rows.tree)
			add_up(run, &source, &rows, is_named, &list[i]);
		memory_release(run, is_named);
	}
	*report = (struct gprofx_report_inlined){.size = sizeof *report,
	                                         .count = filters->inlined_count,
	                                         .row = list,
	                                         .whole = rows.whole,
	                                         .has_callees = source.graph->stacks != NULL};
	contexts_release_code(run, &source);
	model->inlined = report;
}
