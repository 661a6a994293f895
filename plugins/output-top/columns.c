/* SPDX-License-Identifier: Apache-2.0 */
#include "columns.h"

#include <string.h>

#include <gprofx/report.h>

#include "../shared/names.h"
#include "../shared/width.h"
#include "apart.h"
#include "callers.h"
#include "fit.h"

/* Columns of screens: those that are narrower lose parts of the table. */
enum { ROOM_FOR_CALLERS = 80, ROOM_FOR_PLACES = 64, ROOM_FOR_CALLS = 46, ROOM_FOR_TOTAL = 36 };

static bool
is_in_brackets(struct gprofx_text name, const char *place)
{
	size_t length = strlen(place);

	return name.length == length + 2 && name.bytes[0] == '[' && name.bytes[length + 1] == ']' &&
	       memcmp(name.bytes + 1, place, length) == 0;
}

/* Names need not say again what the column of places does, nor that what names do. */
static void
name_rows(struct table *table, size_t width)
{
	bool shows_objects = table->has_places && width >= ROOM_FOR_PLACES;

	for (uint32_t i = 0; i < table->count; i++) {
		struct table_row *row = &table->rows[i];

		row->whole = table_name(table, row->function);
		if (shows_objects && !row->file)
			row->whole = table_without_object(table->report, row->function, row->whole);
		/* "[libm.so.6]" has said where it is. */
		if (!row->file && is_in_brackets(row->whole, row->place))
			row->place = "-";
	}
}

/* Columns that the texts of all rows would take. */
struct needs {
	size_t name, place, callers;
};

static size_t
larger(size_t a, size_t b)
{
	return a > b ? a : b;
}

static size_t
smaller(size_t a, size_t b)
{
	return a < b ? a : b;
}

const char *
columns_names_heading(const struct table *table)
{
	return table->report->origin->by_line ? "line" : "function";
}

static struct needs
find_needs(const struct table *table)
{
	struct needs needs = {strlen(columns_names_heading(table)), sizeof "at" - 1, 0};

	for (uint32_t i = 0; i < table->count; i++) {
		const struct table_row *row = &table->rows[i];

		needs.name = larger(needs.name, width_of(row->whole));
		needs.place = larger(needs.place, width_of(fit_text(row->place)));
		needs.callers = larger(needs.callers, callers_width(table, row));
	}
	if (needs.callers > 0)
		needs.callers = larger(needs.callers, strlen(callers_heading(table)));
	return needs;
}

/* Whether the place or a caller of a row is cut in a word. */
static bool
cuts_words(const struct table_row *row)
{
	struct gprofx_text place = fit_text(row->place);

	return row->cuts_callers || !fit_keeps_words(&place, 1, row->place_shown, false);
}

/* Shortens the names of all rows to so many columns, distinguished; array of the table's rows. */
static void
shorten_names(struct table *table, struct apart_name *all, size_t width)
{
	for (uint32_t i = 0; i < table->count; i++) {
		const struct table_row *row = &table->rows[i];
		struct gprofx_text name = table_name_in_room(table, row->function, row->whole,
		                                             width);

		all[i] = (struct apart_name){.whole = row->whole,
		                             .shown = fit_name(table->names, name, width),
		                             .row = i};
	}
	apart_names(table->names, all, table->count, width);
}

/*
 * Names that do not fit lose more than they have to, but no part of a word: then they have a line
 * of their own, of "wide" columns.  Returns what the widest name of the others takes.
 */
static size_t
fit_names(struct table *table, size_t width, size_t wide)
{
	struct gprofx *gx = table->names->gx;
	struct apart_name *all = gprofx_alloc(gx, sizeof *all * (table->count + (size_t)1));
	size_t widest = strlen(columns_names_heading(table));
	bool has_wide = false;

	shorten_names(table, all, width);
	for (uint32_t i = 0; i < table->count; i++) {
		struct table_row *row = &table->rows[all[i].row];
		bool is_wide;

		row->name = all[i].shown;
		row->is_apart = all[i].is_apart;
		is_wide = width < wide &&
		          !fit_keeps_words(&row->whole, 1, row->name, row->is_apart);
		row->lines = is_wide ? 2 : 1;
		has_wide |= is_wide;
		if (!is_wide)
			widest = larger(widest, width_of(row->name));
	}
	if (has_wide)
		shorten_names(table, all, wide);
	for (uint32_t i = 0; i < table->count && has_wide; i++)
		if (table->rows[all[i].row].lines > 1)
			table->rows[all[i].row].name = all[i].shown;
	gx->host->release(gx, all);
	return smaller(widest, width);
}

/* A place as there is room for it: a file without the line, libstdc++.so without its version, or
 * libstdc++. */
static struct gprofx_text
place_in_room(struct gprofx *gx, const struct table_row *row, size_t width)
{
	static const char ending[] = ".so.";
	struct gprofx_text text = fit_text(row->place);
	const char *at = row->file ? NULL : strstr(row->place, ending);

	if (width_of(text) > width && row->file)
		text = fit_text(row->file_shown);
	if (width_of(text) > width && at)
		text.length = (size_t)(at - row->place) + sizeof ending - 2;
	if (width_of(text) > width && at)
		text.length = (size_t)(at - row->place);
	return width_of(text) > width ? fit_cut(gx, text, width) : text;
}

/* The place and the callers of a row, as its columns or its lines have room for them. */
static void
fit_row(struct table *table, struct table_row *row, size_t room)
{
	struct gprofx *gx = table->names->gx;
	size_t place = table->place_width, callers = table->callers_width;

	row->place_shown = row->callers_shown = row->callers_below = fit_text("");
	if (row->lines > 1 && place > 0)
		place = room - (row->lines == 2 && callers > 0 ? callers + COLUMN_GAP : 0);
	if (place > 0)
		row->place_shown = place_in_room(gx, row, place);
	if (row->lines > 1 && callers > 0)
		callers = room - (row->lines == 2 && place > 0
		                          ? width_of(row->place_shown) + COLUMN_GAP
		                          : 0);
	if (callers > 0)
		callers_fit(table, row, callers);
}

/* Rows take one more line, and another one, as long as their columns would cut words. */
static void
fit_rows(struct table *table, size_t room)
{
	const uint32_t columns = 1U + (table->place_width > 0 ? 1 : 0) +
	                         (table->callers_width > 0 ? 1 : 0);

	for (uint32_t i = 0; i < table->count; i++) {
		struct table_row *row = &table->rows[i];

		fit_row(table, row, room);
		while (row->lines < columns && cuts_words(row)) {
			row->lines++;
			fit_row(table, row, room);
		}
	}
}

/* The columns that calls take; without recursive ones where names have little room. */
static size_t
widest_calls(struct table *table, size_t width)
{
	size_t widest = COLUMN_CALLS;

	for (uint32_t i = 0; i < table->count; i++) {
		char *calls = table->rows[i].calls;

		if (width < ROOM_FOR_PLACES)
			calls[strcspn(calls, "+")] = '\0';
		widest = larger(widest, strlen(calls));
	}
	return widest;
}

void
columns_choose(struct table *table, size_t width)
{
	struct needs needs;
	size_t room = width, columns, more;

	name_rows(table, width);
	needs = find_needs(table);
	table->shows_total = table->has_total && width >= ROOM_FOR_TOTAL;
	table->shows_other = table->other && width >= ROOM_FOR_PLACES;
	table->shows_calls = table->has_calls && (!table->has_times || width >= ROOM_FOR_CALLS);
	table->calls_width = widest_calls(table, width);
	if (table->has_times)
		room -= COLUMN_SELF + COLUMN_GAP;
	if (table->shows_total)
		room -= COLUMN_TOTAL + COLUMN_GAP;
	if (table->shows_other)
		room -= COLUMN_OTHER + COLUMN_GAP;
	if (table->shows_calls)
		room -= table->calls_width + COLUMN_GAP;
	if (!table->has_places || width < ROOM_FOR_PLACES)
		needs.place = 0;
	if (width < ROOM_FOR_CALLERS)
		needs.callers = 0;
	columns = room;
	/* Places get a quarter at first, callers three tenths, and names the rest. */
	table->place_width = smaller(needs.place, room / 4);
	table->callers_width = smaller(needs.callers,
	                               larger(room * 3 / 10, strlen(callers_heading(table))));
	room -= table->place_width + (table->place_width > 0 ? COLUMN_GAP : 0);
	room -= table->callers_width + (table->callers_width > 0 ? COLUMN_GAP : 0);
	table->name_width = fit_names(table, smaller(room, needs.name), columns);
	/* What names leave goes to the others: to line numbers first. */
	more = smaller(room - table->name_width, needs.place - table->place_width);
	table->place_width += more;
	room -= more;
	table->callers_width += smaller(room - table->name_width,
	                                needs.callers - table->callers_width);
	fit_rows(table, columns);
}
