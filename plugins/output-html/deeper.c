/* SPDX-License-Identifier: Apache-2.0 */
#include "deeper.h"

#include <stdlib.h>
#include <string.h>

#include "../shared/inlined.h"
#include "../shared/names.h"

/* A place that a function was called from. */
struct origin {
	uint32_t function;
	const char *name; /* NULL: the function's own code */
	double ticks;
};

/* The name of the inlined subroutine that a context is one of; NULL: of none. */
static const char *
subroutine_of(const struct gprofx_report_contexts *contexts, uint32_t context)
{
	uint32_t place = contexts->place[context];

	if (!(contexts->flags[context] & GPROFX_CONTEXT_INLINED) || place == GPROFX_NO_PLACE)
		return NULL;
	return contexts->place_name[place];
}

/* Whether a context is code that its program's people wrote. */
static bool
is_own(const struct gprofx_report *report, struct names *names, uint32_t context)
{
	const char *const *objects = report->functions->object_name;
	const struct gprofx_report_contexts *contexts = report->contexts;
	const char *name = subroutine_of(contexts, context);
	uint32_t node = contexts->node[context];
	struct gprofx_text text;

	if (node >= report->functions->count || (objects && objects[node]))
		return false;
	if (!(contexts->flags[context] & GPROFX_CONTEXT_INLINED))
		return true;
	/* Frames that the profile itself has are nodes of their own. */
	text = name ? (struct gprofx_text){name, strlen(name)}
	            : report->services->name(report, node);
	return !inlined_is_of_library(names_shorten(names, text));
}

void
deeper_begin(struct deeper *deeper, struct gprofx *gx, const struct gprofx_report *report)
{
	const struct gprofx_report_contexts *contexts = report->contexts;
	struct names names;

	*deeper = (struct deeper){.gx = gx, .report = report};
	if (!contexts || contexts->is_estimated || !contexts->place || contexts->count == 0)
		return;
	names_begin(&names, gx, report, NAME_NO_TEMPLATES);
	deeper->own = gprofx_alloc(gx, contexts->count * sizeof *deeper->own);
	/* A parent has a lower number. */
	for (uint32_t i = 0; i < contexts->count; i++)
		deeper->own[i] = is_own(report, &names, i) ? i
		                 : contexts->parent[i] == GPROFX_NO_CONTEXT
		                         ? GPROFX_NO_CONTEXT
		                         : deeper->own[contexts->parent[i]];
}

/* By function and name: those of one place follow each other. */
static int
compare_places(const void *a, const void *b)
{
	const struct origin *x = a, *y = b;

	if (x->function != y->function)
		return x->function < y->function ? -1 : 1;
	if (!x->name || !y->name)
		return !y->name - !x->name;
	return strcmp(x->name, y->name);
}

/* The places that a function was called from, each time; sum: of its time. */
static uint32_t
list_origins(const struct deeper *deeper, uint32_t function, struct origin *list, double *sum)
{
	const struct gprofx_report_contexts *contexts = deeper->report->contexts;
	bool *is_inside = gprofx_alloc(deeper->gx, contexts->count);
	uint32_t count = 0;

	*sum = 0;
	for (uint32_t i = 0; i < contexts->count; i++) {
		uint32_t parent = contexts->parent[i], own;
		bool is_within = parent != GPROFX_NO_CONTEXT && is_inside[parent];
		double ticks = gprofx_real(&contexts->columns->self, i) +
		               gprofx_real(&contexts->columns->below, i);

		is_inside[i] = is_within || contexts->node[i] == function;
		/* Recursion counts once. */
		if (is_within || contexts->node[i] != function)
			continue;
		*sum += ticks;
		own = parent == GPROFX_NO_CONTEXT ? GPROFX_NO_CONTEXT : deeper->own[parent];
		if (own != GPROFX_NO_CONTEXT)
			list[count++] = (struct origin){contexts->node[own],
			                                subroutine_of(contexts, own), ticks};
	}
	deeper->gx->host->release(deeper->gx, is_inside);
	return count;
}

bool
deeper_find(const struct deeper *deeper, uint32_t function, struct deeper_origin *origin)
{
	struct origin *list, most = {0, NULL, 0};
	uint32_t count;
	double sum;

	if (!deeper->own)
		return false;
	list = gprofx_alloc(deeper->gx, deeper->report->contexts->count * sizeof *list);
	count = list_origins(deeper, function, list, &sum);
	qsort(list, count, sizeof *list, compare_places);
	for (uint32_t i = 0, end; i < count; i = end) {
		struct origin all = list[i];

		for (end = i + 1; end < count && compare_places(&list[i], &list[end]) == 0; end++)
			all.ticks += list[end].ticks;
		if (all.ticks > most.ticks)
			most = all;
	}
	deeper->gx->host->release(deeper->gx, list);
	if (!most.name || !(sum > 0))
		return false;
	*origin = (struct deeper_origin){most.function, most.name, most.ticks / sum};
	return true;
}

void
deeper_release(struct deeper *deeper)
{
	if (deeper->own)
		deeper->gx->host->release(deeper->gx, deeper->own);
}
