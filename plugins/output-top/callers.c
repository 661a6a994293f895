/* SPDX-License-Identifier: Apache-2.0 */
#include "callers.h"

#include <stdio.h>

#include "../shared/names.h"
#include "../shared/rows.h"
#include "../shared/width.h"
#include "apart.h"
#include "fit.h"

/* A second line is for callers with at least one part of so many. */
enum { WORTH_A_LINE = 10 };

void
callers_find(struct gprofx *gx, const struct table *table)
{
	const struct gprofx_report_graph *graph = table->report->graph;
	struct rows_callers *found;
	uint32_t *row_of;

	if (graph->arcs.count == 0)
		return;
	found = gprofx_alloc(gx, sizeof *found * (table->count + (size_t)1));
	row_of = gprofx_alloc(gx, sizeof *row_of * graph->node_count);
	for (uint32_t i = 0; i < table->count; i++)
		row_of[table->rows[i].function] = i + 1;
	rows_find_callers(table->report, row_of, found);
	rows_add_counted_callers(table->report, row_of, found);
	for (uint32_t i = 0; i < table->count; i++) {
		struct table_row *row = &table->rows[i];

		row->weight = found[i].weight;
		row->is_by_calls = found[i].is_by_calls;
		for (int k = 0; k < TABLE_CALLERS; k++) {
			const struct rows_caller *caller = &found[i].first[k];

			row->callers[k] = (struct table_caller){.node = caller->node,
			                                        .row = row_of[caller->node],
			                                        .weight = caller->weight,
			                                        .is_guess = caller->is_guess};
		}
	}
	gx->host->release(gx, row_of);
	gx->host->release(gx, found);
}

/*
 * " 92%": nothing if there is no other, nor of calls where the column has shares of time; and never
 * 0 or 100 of what is less.
 */
static void
share_of(char to[TABLE_CELL], const struct table_row *row, int i)
{
	const struct table_caller *caller = &row->callers[i];
	double share = 100.0 * caller->weight / row->weight;
	const char *mark = share < 0.5 ? "<" : share >= 99.5 ? ">" : caller->is_guess ? "~" : "";

	if (caller->weight == row->weight || row->is_by_calls)
		to[0] = '\0';
	else
		snprintf(to, TABLE_CELL, " %s%.0f%%", mark,
		         share < 0.5     ? 1
		         : share >= 99.5 ? 99
		                         : share);
}

/* How many callers a row can name. */
static int
callers_of(const struct table_row *row)
{
	int count = 0;

	while (count < TABLE_CALLERS && row->callers[count].weight > 0)
		count++;
	return count;
}

/*
 * The names of all callers in this room, distinguished; those that have a row, as there if that is
 * what distinguishes them.  Returns false if a name does not fit; it is cut.
 */
static bool
fit_callers(const struct table *table, const struct table_row *row, size_t room,
            struct gprofx_text fitted[TABLE_CALLERS])
{
	struct apart_name names[TABLE_CALLERS];
	uint32_t count = (uint32_t)callers_of(row);
	bool fits = true;

	for (uint32_t i = 0; i < count; i++) {
		const struct table_caller *caller = &row->callers[i];
		const struct table_row *own = caller->row ? &table->rows[caller->row - 1] : NULL;

		names[i] = (struct apart_name){.row = i};
		names[i].whole = names[i].shown = table_name(table, caller->node);
		if (own && own->is_apart && width_of(own->name) <= room) {
			names[i].shown = own->name;
			continue;
		}
		names[i].shown = table_name_in_room(table, caller->node, names[i].shown, room);
		if (!fit_whole_name(table->names, &names[i].shown, room)) {
			names[i].shown = fit_cut(table->names->gx, names[i].shown, room);
			fits = false;
		}
	}
	apart_names(table->names, names, count, room);
	for (uint32_t i = 0; i < count; i++)
		fitted[names[i].row] = names[i].shown;
	return fits;
}

/* "main 92%, load 8%": "count" callers from one on, with this room for each name, as above. */
static bool
list_callers(const struct table *table, const struct table_row *row, int from, int count,
             size_t room, struct gprofx_text *list)
{
	struct gprofx_text names[TABLE_CALLERS] = {{"", 0}};
	bool fits = fit_callers(table, row, room, names);
	size_t bytes = 1;
	char *text;

	for (int i = 0; i < count; i++)
		bytes += names[from + i].length + TABLE_CELL;
	text = gprofx_alloc(table->names->gx, bytes);
	*list = (struct gprofx_text){text, 0};
	for (int i = 0; i < count; i++) {
		struct gprofx_text name = names[from + i];
		char share[TABLE_CELL];

		share_of(share, row, from + i);
		list->length += (size_t)snprintf(text + list->length, bytes - list->length,
		                                 "%s%.*s%s", i > 0 ? ", " : "", (int)name.length,
		                                 name.bytes, share);
	}
	return fits;
}

/* All callers, their names shortened but not cut; false if they do not fit so. */
static bool
fit_several(const struct table *table, const struct table_row *row, int count, size_t width,
            struct gprofx_text *list)
{
	for (size_t room = width; room > 0; room--) {
		if (!list_callers(table, row, 0, count, room, list))
			return false;
		if (width_of(*list) <= width)
			return true;
	}
	return false;
}

/* One caller, its name cut if need be. */
static struct gprofx_text
fit_one(const struct table *table, const struct table_row *row, int i, size_t width)
{
	struct gprofx_text list = {"", 0};

	for (size_t room = width; room > 0; room--) {
		list_callers(table, row, i, 1, room, &list);
		if (width_of(list) <= width)
			break;
	}
	return list;
}

/* Whether a word of a caller's name is cut. */
static bool
cuts_words(const struct table *table, const struct table_row *row, struct gprofx_text shown)
{
	struct gprofx_text wholes[TABLE_CALLERS];
	int count = callers_of(row);

	for (int i = 0; i < count; i++)
		wholes[i] = table_name(table, row->callers[i].node);
	return !fit_keeps_words(wholes, (size_t)count, shown, false);
}

void
callers_fit(const struct table *table, struct table_row *row, size_t width)
{
	int count = callers_of(row);

	row->callers_shown = (struct gprofx_text){"-", 1};
	row->cuts_callers = false;
	if (count == 0)
		return;
	if (!fit_several(table, row, count, width, &row->callers_shown)) {
		row->callers_shown = fit_one(table, row, 0, width);
		if (row->lines == 1 && count > 1 &&
		    row->callers[1].weight * WORTH_A_LINE >= row->weight)
			row->callers_below = fit_one(table, row, 1, width);
	}
	row->cuts_callers = cuts_words(table, row, row->callers_shown) ||
	                    cuts_words(table, row, row->callers_below);
}

size_t
callers_width(const struct table *table, const struct table_row *row)
{
	struct gprofx_text list;

	if (callers_of(row) == 0)
		return 0;
	list_callers(table, row, 0, callers_of(row), SIZE_MAX, &list);
	return width_of(list);
}

const char *
callers_heading(const struct table *table)
{
	for (uint32_t i = 0; i < table->count; i++)
		if (callers_of(&table->rows[i]) > 0 && !table->rows[i].is_by_calls &&
		    table->rows[i].callers[0].weight < table->rows[i].weight)
			return gprofx_is_measured(table->report) ? "called by (time)"
			                                         : "called by (calls)";
	return "called by";
}
