/* SPDX-License-Identifier: Apache-2.0 */
#include "table.h"

#include <stdio.h>
#include <string.h>

#include "../shared/names.h"
#include "../shared/width.h"
#include "fit.h"
#include "head.h"
#include "rows.h"

enum {
	SELF = 6,  /* "100.0%" */
	TOTAL = 6, /* "100.0%"; a mark stands in the gap before it */
	CALLS = 6, /* "1.20 M" */
	GAP = 2,
	/* Screens that are narrower lose columns. */
	ROOM_FOR_CALLERS = 80,
	ROOM_FOR_PLACES = 64,
	ROOM_FOR_CALLS = 46,
	ROOM_FOR_TOTAL = 36,
	BOLD_ROWS = 3
};

static const char unknown[] = "-";

static void
put_share(char to[TABLE_CELL], const char *mark, double ticks, double total)
{
	snprintf(to, TABLE_CELL, "%s%.1f%%", mark, 100.0 * ticks / total);
}

/* The figures of a row. */
static void
fill_cells(struct table *table, struct table_row *row)
{
	const struct gprofx_report *report = table->report;
	uint32_t f = row->function;
	double calls, total = rows_total(report, f);
	/* Without time of callees, the total is what was measured. */
	bool is_estimated = table->total_is_estimated && gprofx_below_of(report, f) > 0;

	memcpy(row->self, unknown, sizeof unknown);
	memcpy(row->total, unknown, sizeof unknown);
	memcpy(row->calls, unknown, sizeof unknown);
	if (table->has_times)
		put_share(row->self, "", gprofx_self_of(report, f), table->total);
	if (table->has_total && total >= 0) {
		put_share(row->total, is_estimated ? "~" : "", total, table->total);
		row->is_estimated = is_estimated;
	}
	if (rows_calls(report, f, &calls))
		fit_count(row->calls, calls);
}

static void
add_caller(struct table_row *row, struct table_caller caller)
{
	struct table_caller other;

	row->weight += caller.weight;
	for (int i = 0; i < TABLE_CALLERS; i++)
		if (caller.weight > row->callers[i].weight) {
			other = row->callers[i];
			row->callers[i] = caller;
			caller = other;
		}
}

/*
 * Looks for callers in all arcs, once.  They are weighed by calls; where stacks have measured the
 * times, by these.
 */
static void
find_callers(struct gprofx *gx, const struct table *table)
{
	const struct gprofx_report_graph *graph = table->report->graph;
	uint32_t *row_of;

	if (graph->arcs.count == 0)
		return;
	row_of = gprofx_alloc(gx, sizeof *row_of * graph->node_count);
	for (uint32_t i = 0; i < table->count; i++)
		row_of[table->rows[i].function] = i + 1;
	for (uint32_t a = 0; a < graph->arcs.count; a++) {
		uint32_t callee = gprofx_id(&graph->arcs.callee, a);
		struct gprofx_arc arc;
		struct table_caller caller;

		if (row_of[callee] == 0)
			continue;
		arc = gprofx_arc_at(&graph->arcs, a);
		caller.node = arc.caller;
		caller.weight = rows_weight(table->report, a, &arc);
		caller.is_guess = graph->arc_divided && graph->arc_divided[a];
		if (caller.weight > 0)
			add_caller(&table->rows[row_of[callee] - 1], caller);
	}
	gx->host->release(gx, row_of);
}

/* The file without as many folders as may be, so that no other file of the table looks the same. */
static const char *
shortest_place(const struct table *table, const struct table_row *row)
{
	enum { COMPARED = 32 }; /* rows: of more, some may look the same */
	const char *from = head_base_name(row->file);
	uint32_t count = table->count < COMPARED ? table->count : COMPARED;

	for (uint32_t i = 0; i < count && from > row->file; i++) {
		const char *other = table->rows[i].file;
		size_t length = strlen(from), others = other ? strlen(other) : 0;

		if (!other || others < length || strcmp(other, row->file) == 0 ||
		    strcmp(other + others - length, from) != 0)
			continue;
		/* One folder more, and once more from the first row on. */
		for (from--; from > row->file && from[-1] != '/'; from--)
			;
		i = UINT32_MAX;
	}
	return from;
}

static void
find_places(struct gprofx *gx, struct table *table)
{
	const struct gprofx_report *report = table->report;
	const char *const *objects = report->functions->object_name;
	uint32_t *lines = gprofx_alloc(gx, sizeof *lines * (table->count + (size_t)1));

	/* What names say already needs no column. */
	for (uint32_t i = 0; i < table->count && !report->origin->positioned; i++)
		table->rows[i].file = report->services->source(report, table->rows[i].function,
		                                               &lines[i]);
	for (uint32_t i = 0; i < table->count; i++) {
		struct table_row *row = &table->rows[i];
		const char *object = objects ? objects[row->function] : NULL;

		if (row->file) {
			size_t bytes;
			char *text;

			row->file_shown = shortest_place(table, row);
			bytes = strlen(row->file_shown) + TABLE_CELL;
			text = gprofx_alloc(gx, bytes);
			snprintf(text, bytes, lines[i] > 0 ? "%s:%u" : "%s", row->file_shown,
			         lines[i]);
			row->place = text;
		} else if (object) {
			row->place = head_base_name(object);
		} else {
			row->place = unknown;
			continue;
		}
		table->has_places = true;
	}
	gx->host->release(gx, lines);
}

static struct gprofx_text
text_at(const char *text)
{
	return (struct gprofx_text){text, strlen(text)};
}

static struct gprofx_text
name_of(const struct table *table, uint32_t node)
{
	return page_printable(table->names->gx, table->report->services->name(table->report, node));
}

/* " 92%": nothing if there is no other, and never 0 or 100 of what is less. */
static void
share_of(char to[TABLE_CELL], const struct table_row *row, int i)
{
	const struct table_caller *caller = &row->callers[i];
	double share = 100.0 * caller->weight / row->weight;
	const char *mark = share < 0.5 ? "<" : share >= 99.5 ? ">" : caller->is_guess ? "~" : "";

	if (caller->weight == row->weight)
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
 * "main 92%, load 8%": the first "count" callers, with this room for each name.  Returns false if a
 * name does not fit; it is cut.
 */
static bool
list_callers(const struct table *table, const struct table_row *row, int count, size_t room,
             struct gprofx_text *list)
{
	struct gprofx *gx = table->names->gx;
	struct gprofx_text names[TABLE_CALLERS];
	bool fits = true;
	size_t bytes = 1;
	char *text;

	for (int i = 0; i < count; i++) {
		names[i] = name_of(table, row->callers[i].node);
		if (!fit_whole_name(table->names, &names[i], room)) {
			names[i] = fit_cut(gx, names[i], room);
			fits = false;
		}
		bytes += names[i].length + TABLE_CELL;
	}
	text = gprofx_alloc(gx, bytes);
	*list = (struct gprofx_text){text, 0};
	for (int i = 0; i < count; i++) {
		char share[TABLE_CELL];

		share_of(share, row, i);
		list->length += (size_t)snprintf(text + list->length, bytes - list->length,
		                                 "%s%.*s%s", i > 0 ? ", " : "",
		                                 (int)names[i].length, names[i].bytes, share);
	}
	return fits;
}

/* Both callers if they fit, their names shortened but not cut; else the first one. */
static struct gprofx_text
fit_callers(const struct table *table, const struct table_row *row, size_t width)
{
	struct gprofx_text list = {unknown, sizeof unknown - 1};

	for (int count = callers_of(row); count > 0; count--)
		for (size_t room = width; room > 0; room--) {
			bool fits = list_callers(table, row, count, room, &list);

			if ((fits || count == 1) && width_of(list) <= width)
				return list;
			if (!fits && count > 1)
				break;
		}
	return list;
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

static struct needs
find_needs(const struct table *table)
{
	struct needs needs = {sizeof "function" - 1, sizeof "at" - 1, 0};

	for (uint32_t i = 0; i < table->count; i++) {
		const struct table_row *row = &table->rows[i];
		struct gprofx_text callers;

		needs.name = larger(needs.name, width_of(name_of(table, row->function)));
		needs.place = larger(needs.place, width_of(text_at(row->place)));
		if (callers_of(row) == 0)
			continue;
		list_callers(table, row, callers_of(row), SIZE_MAX, &callers);
		needs.callers = larger(larger(needs.callers, sizeof "called by" - 1),
		                       width_of(callers));
	}
	return needs;
}

/* What names take of so many columns: those that do not fit lose more than they have to. */
static size_t
widest_name(const struct table *table, size_t width)
{
	size_t widest = sizeof "function" - 1;

	for (uint32_t i = 0; i < table->count; i++) {
		struct gprofx_text name = name_of(table, table->rows[i].function);

		widest = larger(widest, width_of(fit_name(table->names, name, width)));
	}
	return smaller(widest, width);
}

/* What columns get of the screen. */
static void
choose_widths(struct table *table, size_t width)
{
	struct needs needs = find_needs(table);
	size_t room = width, more;

	table->shows_total = table->has_total && width >= ROOM_FOR_TOTAL;
	table->shows_calls = table->has_calls && (!table->has_times || width >= ROOM_FOR_CALLS);
	if (table->has_times)
		room -= SELF + GAP;
	if (table->shows_total)
		room -= TOTAL + GAP;
	if (table->shows_calls)
		room -= CALLS + GAP;
	if (!table->has_places || width < ROOM_FOR_PLACES)
		needs.place = 0;
	if (width < ROOM_FOR_CALLERS)
		needs.callers = 0;
	/* Places get a quarter at first, callers three tenths, and names the rest. */
	table->place_width = smaller(needs.place, room / 4);
	table->callers_width = smaller(needs.callers, room * 3 / 10);
	room -= table->place_width + (table->place_width > 0 ? GAP : 0);
	room -= table->callers_width + (table->callers_width > 0 ? GAP : 0);
	table->name_width = widest_name(table, smaller(room, needs.name));
	/* What names leave goes to the others: to line numbers first. */
	more = smaller(room - table->name_width, needs.place - table->place_width);
	table->place_width += more;
	room -= more;
	table->callers_width += smaller(room - table->name_width,
	                                needs.callers - table->callers_width);
}

static bool
is_same(double a, double b)
{
	const double PART = 1e-6;

	return a - b <= PART * b && b - a <= PART * b;
}

struct table
table_make(struct names *names, const struct gprofx_report *report, uint32_t most, size_t width)
{
	const struct gprofx_report_graph *graph = report->graph;
	const struct gprofx_column *column = graph->columns;
	struct table table = {
		.report = report,
		.names = names,
		.count = graph->flat_count < most ? graph->flat_count : most,
		.has_times = report->origin->has_histogram && column->flat_total > 0,
		.total = column->flat_total,
	};

	table.has_total = table.has_times && report->origin->has_arcs &&
	                  column->total_origin != GPROFX_UNKNOWN;
	/* Shares of two columns refer to one time, unless functions were selected for one of them.
	 */
	table.total_differs = table.has_total && !is_same(column->graph_total, column->flat_total);
	table.has_total = table.has_total && !table.total_differs;
	table.total_is_estimated = column->total_origin == GPROFX_ESTIMATED;
	table.order = rows_order(names->gx, report, table.count);
	table.rows = gprofx_alloc(names->gx, sizeof *table.rows * (table.count + (size_t)1));
	for (uint32_t i = 0; i < table.count; i++) {
		double calls;

		table.rows[i].function = table.order[i];
		fill_cells(&table, &table.rows[i]);
		table.has_calls = table.has_calls || rows_calls(report, table.order[i], &calls);
	}
	find_places(names->gx, &table);
	if (report->origin->has_arcs)
		find_callers(names->gx, &table);
	choose_widths(&table, width);
	return table;
}

/* A figure that ends at a column. */
static void
put_right(struct page *page, size_t *end, size_t width, const char *text)
{
	size_t length = strlen(text);

	*end += width;
	page_to(page, *end > length ? *end - length : 0);
	page_puts(page, text);
	*end += GAP;
}

static void
put_left(struct page *page, size_t *begin, size_t width, struct gprofx_text text)
{
	page_to(page, *begin);
	if (width_of(text) > width)
		text = fit_cut(page->gx, text, width);
	page_put(page, text.bytes, text.length);
	*begin += width + GAP;
}

static void
put_word(struct page *page, size_t *begin, size_t width, const char *word)
{
	put_left(page, begin, width, text_at(word));
}

static void
put_heading(struct page *page, const struct table *table)
{
	size_t at = 0;

	page_style(page, PAGE_BOLD);
	if (table->has_times)
		put_right(page, &at, SELF, "self");
	if (table->shows_total)
		put_right(page, &at, TOTAL, "total");
	if (table->shows_calls)
		put_right(page, &at, CALLS, "calls");
	put_word(page, &at, table->name_width, "function");
	if (table->place_width > 0)
		put_word(page, &at, table->place_width, "at");
	if (table->callers_width > 0)
		put_word(page, &at, table->callers_width, "called by");
	page_style(page, NULL);
	page_end_line(page);
}

static void
put_row(struct page *page, const struct table *table, const struct table_row *row, bool is_bold)
{
	struct gprofx_text name = fit_name(table->names, name_of(table, row->function),
	                                   table->name_width);
	size_t at = 0;

	if (table->has_times)
		put_right(page, &at, SELF, row->self);
	if (table->shows_total) {
		page_style(page, row->is_estimated ? PAGE_DIM : "");
		put_right(page, &at, TOTAL, row->total);
		page_style(page, NULL);
	}
	if (table->shows_calls)
		put_right(page, &at, CALLS, row->calls);
	if (is_bold) {
		page_to(page, at);
		page_style(page, PAGE_BOLD);
	}
	put_left(page, &at, table->name_width, name);
	if (is_bold)
		page_style(page, NULL);
	if (table->place_width > 0)
		put_word(page, &at, table->place_width,
		         width_of(text_at(row->place)) > table->place_width && row->file
		                 ? row->file_shown
		                 : row->place);
	if (table->callers_width > 0) {
		struct gprofx_text callers = fit_callers(table, row, table->callers_width);

		put_left(page, &at, table->callers_width, callers);
	}
	page_end_line(page);
}

/* What the functions without a row come to. */
static void
put_rest(struct page *page, const struct table *table, uint32_t count)
{
	const struct gprofx_report_graph *graph = table->report->graph;
	uint32_t rest = graph->flat_count - count;
	const char *others = rest == 1 ? "one" : page_text(page, "%u", rest);
	double ticks = 0;
	const char *text;

	for (uint32_t i = count; i < graph->flat_count; i++)
		ticks += gprofx_self_of(table->report, table->order[i]);
	text = page_text(page, "%u of %u %s", count, graph->flat_count,
	                 table->report->origin->by_line ? "lines" : "functions");
	if (table->has_times && ticks > 0)
		text = page_text(page, "%s; the other %s %s %.1f %%", text, others,
		                 rest == 1 ? "takes" : "take", 100.0 * ticks / table->total);
	else if (table->has_times)
		text = page_text(page, "%s; the other %s %s no self time", text, others,
		                 rest == 1 ? "has" : "have");
	page_fill(page, GAP, text);
	page_end_line(page);
}

/* Whether one of the first "count" totals has the mark of an estimate. */
static bool
shows_estimates(const struct table *table, uint32_t count)
{
	for (uint32_t i = 0; i < count && table->shows_total; i++)
		if (table->rows[i].is_estimated)
			return true;
	return false;
}

/* What explains the columns, or that they are not there. */
static void
put_notes(struct page *page, const struct table *table, uint32_t count)
{
	const struct gprofx_report_origin *origin = table->report->origin;
	const struct {
		bool is_there;
		const char *text;
	} notes[] = {
		{shows_estimates(table, count),
	         "~ estimated: the profile does not say how long each call took"},
		{table->total_differs,
	         "no column of total: what is selected for it differs from these functions"},
		{!table->has_times, origin->has_histogram
	                                    ? "no times: there are no samples; sorted by calls"
	                                    : "no times were measured; sorted by calls"},
		{table->has_calls && table->shows_calls &&
	                 table->report->findings->can_start_threads,
	         "calls are lower bounds if several threads ran, which the program can start"},
		{!table->has_calls, "no column of calls: no calls of these functions were counted"},
		{table->count > 0 && !table->has_places && origin->image && !origin->positioned,
	         "no column of places: these functions have no debug information (-g)"},
	};

	for (size_t i = 0; i < sizeof notes / sizeof notes[0]; i++) {
		if (!notes[i].is_there)
			continue;
		page_style(page, PAGE_DIM);
		page_fill(page, GAP, notes[i].text);
		page_style(page, NULL);
		page_end_line(page);
	}
}

uint32_t
table_notes(struct page *page, const struct table *table)
{
	struct page notes;

	page_begin(&notes, page->gx, page->width, false);
	put_rest(&notes, table, 0);
	put_notes(&notes, table, table->count);
	return notes.lines;
}

void
table_put(struct page *page, struct table *table, uint32_t count)
{
	put_heading(page, table);
	for (uint32_t i = 0; i < count; i++)
		put_row(page, table, &table->rows[i], i < BOLD_ROWS);
	if (count < table->report->graph->flat_count)
		put_rest(page, table, count);
	put_notes(page, table, count);
}
