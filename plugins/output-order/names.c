/* SPDX-License-Identifier: Apache-2.0 */
/* What the orders are called. */
#include "names.h"

#include <stdlib.h>
#include <string.h>

#include "order.h"

static struct name_list
new_list(struct gprofx *gx, uint32_t most)
{
	return (struct name_list){order_array(gx, sizeof(const char *), most), 0};
}

static int
compare_names(const void *left_row, const void *right_row)
{
	const struct name_row *left = left_row, *right = right_row;
	int order = strcmp(left->name, right->name);

	if (order != 0)
		return order;
	return left->position < right->position ? -1 : left->position > right->position;
}

struct name_rows
names_sort(struct gprofx *gx, const struct name_list *list)
{
	struct name_rows rows = {order_array(gx, sizeof *rows.items, list->count), list->count};

	for (uint32_t i = 0; i < list->count; i++)
		rows.items[i] = (struct name_row){list->items[i], i};
	qsort(rows.items, rows.count, sizeof *rows.items, compare_names);
	return rows;
}

uint32_t
names_find(const struct name_rows *rows, const char *name, size_t length)
{
	uint32_t low = 0, high = rows->count;

	while (low < high) {
		uint32_t middle = low + (high - low) / 2;
		const char *here = rows->items[middle].name;
		int order = strncmp(here, name, length);

		if (order < 0)
			low = middle + 1;
		else
			high = middle;
	}
	if (low < rows->count && strncmp(rows->items[low].name, name, length) == 0 &&
	    rows->items[low].name[length] == '\0')
		return low;
	return rows->count;
}

void
names_unique(struct gprofx *gx, struct name_list *list)
{
	struct name_rows rows = names_sort(gx, list);
	uint32_t count = 0;

	for (uint32_t i = 1; i < rows.count; i++)
		if (strcmp(rows.items[i].name, rows.items[i - 1].name) == 0)
			list->items[rows.items[i].position] = NULL;
	for (uint32_t i = 0; i < list->count; i++)
		if (list->items[i])
			list->items[count++] = list->items[i];
	list->count = count;
	gx->host->release(gx, rows.items);
}

/* The files of the map, as many as the map has functions. */
static struct name_list
map_files(struct gprofx *gx, const struct gprofx_report *r)
{
	struct name_list files = new_list(gx, r->functions->map_count);

	for (uint32_t i = 0; i < r->functions->map_count; i++)
		files.items[files.count++] = r->functions->map_file[i];
	return files;
}

/* Adds the files that no function has the name of, sorted. */
static void
add_other_files(struct gprofx *gx, const struct gprofx_report *r, struct name_list *names)
{
	struct name_rows present = names_sort(gx, names);
	struct name_list files = map_files(gx, r);
	struct name_rows all = names_sort(gx, &files);

	for (uint32_t i = 0; i < all.count; i++) {
		const char *name = all.items[i].name;

		if ((i == 0 || strcmp(name, all.items[i - 1].name) != 0) &&
		    names_find(&present, name, strlen(name)) == present.count)
			names->items[names->count++] = name;
	}
	gx->host->release(gx, all.items);
	gx->host->release(gx, files.items);
	gx->host->release(gx, present.items);
}

struct name_list
names_in_order(struct gprofx *gx, const struct gprofx_report *r)
{
	struct order order = r->functions->has_map ? order_files(gx, r) : order_functions(gx, r);
	struct name_list names = new_list(gx, order.count + r->functions->map_count);

	for (uint32_t i = 0; i < order.count; i++)
		names.items[names.count++] = r->functions->raw_name[order.items[i]];
	if (r->functions->has_map)
		add_other_files(gx, r, &names);
	return names;
}

struct name_list
names_of_active(struct gprofx *gx, const struct gprofx_report *r)
{
	struct order order = order_functions(gx, r);
	struct name_list names = new_list(gx, order.count);
	uint8_t *calls_others = order_array(gx, 1, r->functions->count);

	for (uint32_t i = 0; i < r->graph->arcs.count; i++)
		if (gprofx_count(&r->graph->arcs.calls->calls, i) != 0)
			calls_others[gprofx_id(&r->graph->arcs.caller, i)] = 1;
	for (uint32_t i = 0; i < order.count; i++) {
		uint32_t f = order.items[i];

		/* What is in a library was linked with that. */
		if (r->functions->object_name && r->functions->object_name[f])
			continue;
		if (calls_others[f] || gprofx_calls_of(r, f) != 0 || gprofx_self_of(r, f) > 0)
			names.items[names.count++] = r->functions->raw_name[f];
	}
	gx->host->release(gx, calls_others);
	names_unique(gx, &names);
	return names;
}

struct name_list
names_in_files(struct gprofx *gx, const struct gprofx_report *r, const struct name_list *files)
{
	struct name_list all = map_files(gx, r), names = new_list(gx, r->functions->map_count);
	struct name_rows rows = names_sort(gx, &all);

	for (uint32_t i = 0; i < files->count; i++) {
		const char *file = files->items[i];

		for (uint32_t k = names_find(&rows, file, strlen(file));
		     k < rows.count && strcmp(rows.items[k].name, file) == 0; k++)
			names.items[names.count++] = r->functions
			                                     ->map_function[rows.items[k].position];
	}
	gx->host->release(gx, rows.items);
	gx->host->release(gx, all.items);
	names_unique(gx, &names);
	return names;
}
