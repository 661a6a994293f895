/* SPDX-License-Identifier: Apache-2.0 */
#include "parts.h"

#include <stdlib.h>
#include <string.h>

/* By function and name; of equal ones the heaviest context first. */
static int
compare_contexts(const void *a, const void *b)
{
	const struct part *x = a, *y = b;

	if (x->node != y->node)
		return x->node < y->node ? -1 : 1;
	if (x->name != y->name)
		return x->name < y->name ? -1 : 1;
	if (x->self != y->self)
		return x->self > y->self ? -1 : 1;
	return x->context < y->context ? -1 : x->context > y->context;
}

/* By function, the heaviest first: names that are shown alike are one for a reader. */
static int
compare_weights(const void *a, const void *b)
{
	const struct part *x = a, *y = b;

	if (x->node != y->node)
		return x->node < y->node ? -1 : 1;
	if (x->self != y->self)
		return x->self > y->self ? -1 : 1;
	return x->context < y->context ? -1 : x->context > y->context;
}

/* The heaviest contexts of each name, in functions that have names, as far as lines are known. */
static uint32_t
keep_heaviest(struct part *part, uint32_t count)
{
	uint32_t kept = 0;

	for (uint32_t i = 0, end; i < count; i = end) {
		bool has_names = false;

		for (end = i; end < count && part[end].node == part[i].node; end++)
			has_names = has_names || part[end].name != GPROFX_NO_PLACE;
		for (uint32_t k = i; has_names && k < end; k++) {
			bool is_first = kept == 0 || part[kept - 1].node != part[k].node ||
			                part[kept - 1].name != part[k].name;

			if (is_first && part[k].hottest != GPROFX_NO_PLACE)
				part[kept++] = part[k];
		}
	}
	return kept;
}

void
parts_find(struct parts *parts, struct gprofx *gx, const struct gprofx_report *report)
{
	const struct gprofx_report_contexts *contexts = report->contexts;

	*parts = (struct parts){.count = 0};
	if (!contexts->hottest || !contexts->place)
		return;
	parts->part = gprofx_alloc(gx, ((size_t)contexts->count + 1) * sizeof *parts->part);
	for (uint32_t i = 0; i < contexts->count; i++) {
		double self = gprofx_real(&contexts->columns->self, i);

		if (self > 0)
			parts->part[parts->count++] = (struct part){
				contexts->node[i],
				contexts->place[i],
				contexts->hottest[i],
				i,
				self,
				NODES_NONE,
			};
	}
	qsort(parts->part, parts->count, sizeof *parts->part, compare_contexts);
	parts->count = keep_heaviest(parts->part, parts->count);
	qsort(parts->part, parts->count, sizeof *parts->part, compare_weights);
}

static int
compare_lines(const void *a, const void *b)
{
	const struct parts_line *x = a, *y = b;
	int order = strcmp(x->file, y->file);

	if (order != 0)
		return order;
	return x->line < y->line ? -1 : x->line > y->line;
}

uint32_t
parts_lines(const struct parts *parts, struct gprofx *gx, const struct gprofx_report *report,
            struct parts_line **lines)
{
	const struct gprofx_report_contexts *contexts = report->contexts;
	struct parts_line *line = gprofx_alloc(gx, ((size_t)parts->count + 1) * sizeof *line);
	uint32_t count = 0;

	for (uint32_t i = 0; i < parts->count; i++) {
		uint32_t place = parts->part[i].hottest;

		line[i] = (struct parts_line){contexts->place_file[place],
		                              contexts->place_line[place], parts->part[i].self};
	}
	qsort(line, parts->count, sizeof *line, compare_lines);
	for (uint32_t i = 0; i < parts->count; i++) {
		if (count > 0 && compare_lines(&line[count - 1], &line[i]) == 0)
			line[count - 1].ticks += line[i].ticks;
		else
			line[count++] = line[i];
	}
	*lines = line;
	return count;
}

void
parts_add_texts(struct parts *parts, const struct gprofx_report *report, struct strings *texts)
{
	const struct gprofx_report_contexts *contexts = report->contexts;

	for (uint32_t i = 0; i < parts->count; i++)
		parts->part[i].file = strings_add(texts,
		                                  contexts->place_file[parts->part[i].hottest]);
}

void
parts_put(const struct parts *parts, struct values *c, const struct nodes *nodes,
          const struct strings *texts, const uint32_t *name)
{
	const struct gprofx_report_contexts *contexts = nodes->report->contexts;

	values_key(c, "parts");
	if (parts->count == 0) {
		values_null(c);
		return;
	}
	values_open(c, '{');
	values_open_column(c, "node", VALUES_STEPS);
	for (uint32_t i = 0; i < parts->count; i++)
		values_count(c, nodes->number[parts->part[i].node]);
	values_close_column(c);
	values_open_column(c, "name", VALUES_INTEGERS);
	for (uint32_t i = 0; i < parts->count; i++) {
		uint32_t place = parts->part[i].name;

		values_index(
			c,
			strings_number(texts, place == GPROFX_NO_PLACE ? NODES_NONE : name[place]),
			NODES_NONE);
	}
	values_close_column(c);
	values_open_column(c, "file", VALUES_INTEGERS);
	for (uint32_t i = 0; i < parts->count; i++)
		values_index(c, strings_number(texts, parts->part[i].file), NODES_NONE);
	values_close_column(c);
	values_open_column(c, "line", VALUES_INTEGERS);
	for (uint32_t i = 0; i < parts->count; i++)
		values_count(c, contexts->place_line[parts->part[i].hottest]);
	values_close_column(c);
	values_close(c, '}');
}
