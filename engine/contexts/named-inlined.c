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

/* Per name how it is shown, if it has a place; else NULL.  Most names have no sample. */
static const char *const *
name_places(struct run *run, const struct context_source *source)
{
	const struct name_table *all = &source->code->rows.names;
	const char **raw = memory_alloc_array(run, sizeof *raw, all->count), **names;

	for (uint32_t i = 0; i < all->count; i++)
		if (source->place_of_name[i + 1] != 0)
			raw[i] = all->items[i];
	names = shown_short_names(run, source->model->symbols, raw, all->count);
	memory_release(run, (void *)raw);
	return names;
}

/* What a report of inlined subroutines is made from. */
struct inlined_source {
	struct context_source source;
	struct context_tree tree;
	struct timed_rows rows;
	const char *const *names; /* as they are shown */
};

/* Names one subroutine, and adds up its copies. */
static struct gprofx_inlined
look_for(struct run *run, const struct inlined_source *all, const char *name, uint32_t listings)
{
	struct gprofx_inlined found = {.size = sizeof found, .listings = listings, .name = name};
	bool *is_named = find_places(run, &all->source, all->names, name, &found.variant_count);

	if (all->rows.tree)
		add_up(run, &all->source, &all->rows, is_named, &found);
	memory_release(run, is_named);
	return found;
}

static const struct gprofx_report_inlined *
report_of(struct run *run, const struct inlined_source *all, const struct gprofx_inlined *list,
          uint32_t count)
{
	struct gprofx_report_inlined *report = memory_alloc(run, sizeof *report);

	*report = (struct gprofx_report_inlined){.size = sizeof *report,
	                                         .count = count,
	                                         .row = list,
	                                         .whole = all->rows.whole,
	                                         .has_callees = all->source.graph->stacks != NULL};
	return report;
}

static const struct gprofx_report_inlined *
report_named(struct run *run, const struct inlined_source *all, const struct filters *filters)
{
	struct gprofx_inlined *list;

	memory_array(run, list, filters->inlined_count);
	for (uint32_t i = 0; i < filters->inlined_count; i++)
		list[i] = look_for(run, all, filters->inlined[i].name,
		                   filters->inlined[i].listings);
	return report_of(run, all, list, filters->inlined_count);
}

/*
 * What names have with all that is below them, to choose from: recursion counts again, and a little
 * of their own time, which decides among subroutines in each other.
 */
static double *
weigh_names(struct run *run, const struct inlined_source *all, struct name_table *shown)
{
	const struct context_tree *tree = all->rows.tree;
	const double LITTLE = 1e-6;
	uint32_t *name_of_place; /* plus 1, or 0 */
	double *below, *weight;

	memory_array(run, name_of_place, all->source.place_count);
	memory_array(run, below, tree->count);
	for (uint32_t i = 0; i < all->source.code->rows.names.count; i++)
		if (all->source.place_of_name[i + 1] != 0)
			name_of_place[all->source.place_of_name[i + 1] - 1] =
				name_table_add_kept(run, shown, all->names[i]) + 1;
	memory_array(run, weight, shown->count);
	/* A parent has a lower number. */
	for (uint32_t row = tree->count; row-- > 0;) {
		below[row] += all->rows.self[row];
		if (tree->parent[row] != GPROFX_NO_CONTEXT)
			below[tree->parent[row]] += below[row];
		if (tree->place[row] != GPROFX_NO_PLACE && name_of_place[tree->place[row]] > 0)
			weight[name_of_place[tree->place[row]] - 1] += below[row] +
			                                               LITTLE * all->rows.self[row];
	}
	memory_release(run, name_of_place);
	memory_release(run, below);
	return weight;
}

static int
compare_inlined(const void *left, const void *right)
{
	const struct gprofx_inlined *a = left, *b = right;

	if (a->total != b->total)
		return a->total > b->total ? -1 : 1;
	/* Of those that are in each other, the ones whose code it is. */
	if (a->self != b->self)
		return a->self > b->self ? -1 : 1;
	return strcmp(a->name, b->name);
}

static const struct gprofx_report_inlined *
report_heavy(struct run *run, const struct inlined_source *all)
{
	enum { MOST = 8, LEAST_PARTS = 100 };
	struct name_table shown = {0};
	struct gprofx_inlined *list;
	uint32_t count = 0;
	double *weight;

	if (!all->rows.tree)
		return NULL;
	weight = weigh_names(run, all, &shown);
	memory_array(run, list, MOST);
	while (count < MOST) {
		uint32_t heaviest = NO_NAME;

		for (uint32_t i = 0; i < shown.count; i++)
			if (weight[i] * LEAST_PARTS >= all->rows.whole && weight[i] > 0 &&
			    (heaviest == NO_NAME || weight[i] > weight[heaviest]))
				heaviest = i;
		if (heaviest == NO_NAME)
			break;
		weight[heaviest] = 0;
		list[count++] = look_for(run, all, shown.items[heaviest], 0);
	}
	if (count > 0)
		qsort(list, count, sizeof *list, compare_inlined);
	memory_release(run, weight);
	name_table_release(run, &shown);
	return report_of(run, all, list, count);
}

void
contexts_report_inlined(struct run *run, const struct profile *profile,
                        const struct filters *filters, uint32_t parts, struct report_model *model)
{
	struct inlined_source all = {.source = {.model = model,
	                                        .graph = model->graph,
	                                        .profile = profile,
	                                        .form = REPORT_CONTEXTS_INLINED}};
	bool has_named = filters && filters->inlined_count > 0;
	bool wants_heavy = (parts & GPROFX_PART_HEAVY_INLINED) && model->symbols &&
	                   inlined_is_read_quickly(model->symbols);
	bool was_silent = run->is_silent;

	if (!has_named && !wants_heavy)
		return;
	/* What was not asked for is not missed. */
	run->is_silent = was_silent || !has_named;
	contexts_read_code(run, &all.source);
	run->is_silent = was_silent;
	if (!all.source.code)
		return;
	all.rows = find_rows(run, &all.source, &all.tree);
	all.names = name_places(run, &all.source);
	if (has_named)
		model->inlined = report_named(run, &all, filters);
	if (wants_heavy)
		model->heavy_inlined = report_heavy(run, &all);
	contexts_release_code(run, &all.source);
}
