/* SPDX-License-Identifier: Apache-2.0 */
#include "table.h"

#include <stdio.h>
#include <string.h>

#include "../shared/fit-texts.h"
#include "../shared/names.h"
#include "../shared/rows.h"
#include "../shared/width.h"
#include "callers.h"
#include "columns.h"
#include "fit.h"
#include "notes.h"

enum { MOST_MOVED = 64 }; /* rows that are sorted by totals */

static const char unknown[] = "-";

static void
put_share(char to[TABLE_CELL], const char *mark, double ticks, double total)
{
	snprintf(to, TABLE_CELL, "%s%.1f%%", mark, 100.0 * ticks / total);
}

/* "750+182 k", as other tables have calls by others and by itself, or those by others alone. */
static void
put_calls(char to[TABLE_CELL], double calls, double recursive)
{
	char own[FIT_COUNT_BYTES];
	size_t length = strlen(fit_count(to, calls)), more = strlen(fit_count(own, recursive));

	if (recursive <= 0 || length + 1 + more > COLUMN_MOST_CALLS)
		return;
	to[length] = '+';
	memcpy(to + length + 1, own, more + 1);
}

/* The share of the other time that is in a function and in what it called. */
static void
fill_other(const struct table *table, struct table_row *row)
{
	uint32_t f = row->function;

	memcpy(row->other, unknown, sizeof unknown);
	if (table->other && rows_total(table->report, f) >= 0)
		put_share(row->other, "",
		          gprofx_whole_self_in(table->other, f) +
		                  gprofx_real(&table->other->below, f),
		          table->other->flat_total);
}

/* The figures of a row. */
static void
fill_cells(struct table *table, struct table_row *row)
{
	const struct gprofx_report *report = table->report;
	uint32_t f = row->function;
	double calls, recursive, total = rows_total(report, f);
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
	fill_other(table, row);
	if (rows_calls(report, f, &calls, &recursive)) {
		put_calls(row->calls, calls, recursive);
		table->has_calls = true;
	}
}

/* The file without as many folders as may be, so that no other file of the table looks the same. */
static const char *
shortest_place(const struct table *table, const struct table_row *row)
{
	enum { COMPARED = 32 }; /* rows: of more, some may look the same */
	const char *others[COMPARED];
	uint32_t count = table->count < COMPARED ? table->count : COMPARED;

	for (uint32_t i = 0; i < count; i++)
		others[i] = table->rows[i].file;
	return fit_path(row->file, others, count);
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
			row->place = fit_base_name(object);
		} else {
			row->place = unknown;
			continue;
		}
		table->has_places = true;
	}
	gx->host->release(gx, lines);
}

struct gprofx_text
table_name(const struct table *table, uint32_t node)
{
	return page_printable(table->names->gx, table->report->services->name(table->report, node));
}

struct gprofx_text
table_without_object(const struct gprofx_report *report, uint32_t function, struct gprofx_text name)
{
	const char *const *objects = report->functions->object_name;
	const char *object = objects ? objects[function] : NULL;
	size_t end = name.length, bytes, length;

	if (!object || end == 0 || name.bytes[end - 1] != ')')
		return name;
	while (end > 1 && (name.bytes[end - 2] != ' ' || name.bytes[end - 1] != '('))
		end--;
	if (end <= 1)
		return name;
	/* What stands there can be parameters. */
	bytes = name.length - 1 - end;
	length = strlen(object);
	if (bytes <= length && memcmp(object + length - bytes, name.bytes + end, bytes) == 0)
		name.length = end - 2;
	return name;
}

struct gprofx_text
table_name_in_room(const struct table *table, uint32_t node, struct gprofx_text name, size_t width)
{
	return node >= table->report->functions->count || fit_with_scopes(table->names, name, width)
	               ? name
	               : table_without_object(table->report, node, name);
}

static bool
is_same(double a, double b)
{
	const double PART = 1e-6;

	return a - b <= PART * b && b - a <= PART * b;
}

/* The total of a function of the user's, whose source is known; 0: it is none. */
static double
total_of_user(const struct gprofx_report *report, uint32_t function)
{
	double total = rows_total(report, function);
	uint32_t line;

	return total > 0 && report->services->source(report, function, &line) && line > 0 ? total
	                                                                                  : 0;
}

/* Functions without self time, those with the largest totals first. */
struct busy_callers {
	uint32_t function[MOST_MOVED];
	double total[MOST_MOVED];
	uint32_t count, most;
};

static void
add_caller(struct busy_callers *found, uint32_t function, double total)
{
	uint32_t at = found->count;

	if (total == 0 || found->most == 0 || (at == found->most && total <= found->total[at - 1]))
		return;
	if (at < found->most)
		found->count++;
	else
		at--;
	for (; at > 0 && total > found->total[at - 1]; at--) {
		found->function[at] = found->function[at - 1];
		found->total[at] = found->total[at - 1];
	}
	found->function[at] = function;
	found->total[at] = total;
}

static bool
is_among(const struct busy_callers *found, uint32_t function)
{
	for (uint32_t i = 0; i < found->count; i++)
		if (found->function[i] == function)
			return true;
	return false;
}

/*
 * Which functions have rows: those of the flat profile, in its order.  Behind those with self time,
 * measured totals tell more than numbers of calls: what calls that takes the time comes first.
 */
static void
choose_functions(struct table *table)
{
	const struct gprofx_report *report = table->report;
	const struct gprofx_report_graph *graph = report->graph;
	struct busy_callers found = {.count = 0};
	uint32_t with_self = 0, row;

	while (with_self < table->count && gprofx_self_of(report, graph->flat[with_self]) > 0)
		with_self++;
	found.most = table->count - with_self < MOST_MOVED ? table->count - with_self : MOST_MOVED;
	if (!table->has_total || !gprofx_is_measured(report))
		found.most = 0;
	for (uint32_t i = with_self; i < graph->flat_count && found.most > 0; i++) {
		/* The user sorts in another way. */
		if (gprofx_self_of(report, graph->flat[i]) > 0)
			found.most = found.count = 0;
		else
			add_caller(&found, graph->flat[i], total_of_user(report, graph->flat[i]));
	}
	for (row = 0; row < with_self; row++)
		table->rows[row].function = graph->flat[row];
	for (uint32_t i = 0; i < found.count; i++)
		table->rows[row++].function = found.function[i];
	for (uint32_t i = with_self; row < table->count; i++)
		if (!is_among(&found, graph->flat[i]))
			table->rows[row++].function = graph->flat[i];
}

/* Of two metrics in seconds, the second one, if stacks have measured where it is. */
static void
find_other(struct table *table)
{
	const struct gprofx_report *report = table->report;
	const struct gprofx_metric *metric;
	const struct gprofx_column *column;

	if (report->origin->metric_count != 2 || report->origin->by_line ||
	    strcmp(report->origin->metrics->unit, "seconds") != 0)
		return;
	metric = gprofx_metric_at(report, 1);
	column = gprofx_column_at(report->graph->columns, 1);
	if (strcmp(metric->unit, "seconds") != 0 || column->total_origin != GPROFX_MEASURED ||
	    !(column->flat_total > 0) || !is_same(column->graph_total, column->flat_total) ||
	    strlen(metric->name) > COLUMN_OTHER)
		return;
	table->other = column;
	table->other_name = metric->name;
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

	/* Of a line it is not known what it called. */
	table.has_total = table.has_times && report->origin->has_arcs && !report->origin->by_line &&
	                  column->total_origin != GPROFX_UNKNOWN;
	/* Shares of two columns refer to one time, unless functions were selected for one of them.
	 */
	table.total_differs = table.has_total && !is_same(column->graph_total, column->flat_total);
	table.has_total = table.has_total && !table.total_differs;
	table.total_is_estimated = column->total_origin == GPROFX_ESTIMATED;
	find_other(&table);
	table.rows = gprofx_alloc(names->gx, sizeof *table.rows * (table.count + (size_t)1));
	choose_functions(&table);
	for (uint32_t i = 0; i < table.count; i++)
		fill_cells(&table, &table.rows[i]);
	find_places(names->gx, &table);
	if (report->origin->has_arcs)
		callers_find(names->gx, &table);
	columns_choose(&table, width);
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
	*end += COLUMN_GAP;
}

static void
put_left(struct page *page, size_t *begin, size_t width, struct gprofx_text text)
{
	page_to(page, *begin);
	if (width_of(text) > width)
		text = fit_cut(page->gx, text, width);
	page_put(page, text.bytes, text.length);
	*begin += width + COLUMN_GAP;
}

static void
put_word(struct page *page, size_t *begin, size_t width, const char *word)
{
	put_left(page, begin, width, fit_text(word));
}

static void
put_heading(struct page *page, const struct table *table)
{
	size_t at = 0;

	page_style(page, PAGE_BOLD);
	if (table->has_times)
		put_right(page, &at, COLUMN_SELF, "self");
	if (table->shows_total)
		put_right(page, &at, COLUMN_TOTAL, "total");
	if (table->shows_other)
		put_right(page, &at, COLUMN_OTHER, table->other_name);
	if (table->shows_calls)
		put_right(page, &at, table->calls_width, "calls");
	put_word(page, &at, table->name_width, columns_names_heading(table));
	if (table->place_width > 0)
		put_word(page, &at, table->place_width, "at");
	if (table->callers_width > 0)
		put_word(page, &at, table->callers_width, callers_heading(table));
	page_style(page, NULL);
	page_end_line(page);
}

/* Where a text begins that has a column, and has to end there, or further left if it is longer. */
static size_t
begin_of(size_t column, size_t width, size_t end, struct gprofx_text text)
{
	size_t taken = width_of(text), last = column + width < end ? column + width : end;

	return column + taken <= last ? column : last > taken ? last - taken : 0;
}

/* The place and the first callers; in a row of several lines, they can begin further left. */
static void
put_place_and_callers(struct page *page, const struct table *table, const struct table_row *row,
                      size_t at)
{
	size_t end = SIZE_MAX, callers = 0, of_callers = at;

	if (table->place_width > 0)
		of_callers += table->place_width + COLUMN_GAP;
	if (table->callers_width > 0) {
		callers = begin_of(of_callers, table->callers_width, end, row->callers_shown);
		end = row->lines == 3 ? of_callers + table->callers_width : callers - COLUMN_GAP;
	}
	if (table->place_width > 0) {
		page_to(page, begin_of(at, table->place_width, end, row->place_shown));
		page_put(page, row->place_shown.bytes, row->place_shown.length);
	}
	if (row->lines == 3)
		page_end_line(page);
	if (table->callers_width > 0) {
		page_to(page, callers);
		page_put(page, row->callers_shown.bytes, row->callers_shown.length);
	}
}

static void
put_row_name(struct page *page, const struct table_row *row, size_t at, bool is_bold)
{
	page_to(page, at);
	if (is_bold)
		page_style(page, PAGE_BOLD);
	page_put(page, row->name.bytes, row->name.length);
	if (is_bold)
		page_style(page, NULL);
}

static void
put_row(struct page *page, const struct table *table, const struct table_row *row, bool is_bold,
        bool has_second)
{
	size_t at = 0, below;

	if (table->has_times)
		put_right(page, &at, COLUMN_SELF, row->self);
	if (table->shows_total) {
		page_style(page, row->is_estimated ? PAGE_DIM : "");
		put_right(page, &at, COLUMN_TOTAL, row->total);
		page_style(page, NULL);
	}
	if (table->shows_other)
		put_right(page, &at, COLUMN_OTHER, row->other);
	if (table->shows_calls)
		put_right(page, &at, table->calls_width, row->calls);
	put_row_name(page, row, at, is_bold);
	if (row->lines > 1)
		page_end_line(page);
	at += table->name_width + COLUMN_GAP;
	put_place_and_callers(page, table, row, at);
	below = at + (table->place_width > 0 ? table->place_width + COLUMN_GAP : 0);
	if (has_second && row->callers_below.length > 0) {
		page_end_line(page);
		put_left(page, &below, table->callers_width, row->callers_below);
	}
	page_end_line(page);
}

/* Some of the rows: functions, and code that belongs to none. */
struct some_rows {
	uint32_t functions, with_time;
	double ticks, outside;
};

static struct some_rows
sum_rows(const struct table *table, uint32_t from, uint32_t to)
{
	const struct gprofx_report_graph *graph = table->report->graph;
	struct some_rows sum = {0, 0, 0, 0};

	for (uint32_t i = from; i < to; i++) {
		double self = gprofx_self_of(table->report, graph->flat[i]);

		if (graph->flags[graph->flat[i]] & GPROFX_NODE_OUTSIDE) {
			sum.outside += self;
		} else {
			sum.functions++;
			sum.with_time += self > 0;
			sum.ticks += self;
		}
	}
	return sum;
}

/* What the functions without a row come to. */
static void
put_rest(struct page *page, const struct table *table, uint32_t count)
{
	struct some_rows shown = sum_rows(table, 0, count);
	struct some_rows rest = sum_rows(table, count, table->report->graph->flat_count);
	const char *others = rest.functions == 1 ? "one" : page_text(page, "%u", rest.functions);
	uint32_t all = shown.functions + rest.functions;
	const char *text;

	text = page_text(page, "%u of %u %s", shown.functions, all,
	                 table->report->origin->by_line ? "lines" : "functions");
	if (table->has_times && rest.ticks > 0)
		text = page_text(page, "%s; the other %s %s %.1f %%", text, others,
		                 rest.functions == 1 ? "takes" : "take",
		                 100.0 * rest.ticks / table->total);
	else if (table->has_times && rest.functions > 0 && shown.with_time < shown.functions)
		text = page_text(page, "%s; only %u of the %u %s self time", text, shown.with_time,
		                 all, shown.with_time == 1 ? "has" : "have");
	else if (table->has_times && rest.functions > 0)
		text = page_text(page, "%s; the other %s %s no self time", text, others,
		                 rest.functions == 1 ? "has" : "have");
	if (table->has_times && rest.outside > 0)
		text = page_text(page, "%s, code outside of all %.1f %%", text,
		                 100.0 * rest.outside / table->total);
	page_fill(page, COLUMN_GAP, text);
	page_end_line(page);
}

uint32_t
table_notes(struct page *page, const struct table *table)
{
	struct page notes;

	page_begin(&notes, page->gx, page->width, false);
	put_rest(&notes, table, 0);
	notes_put(&notes, table, table->count);
	return notes.lines;
}

uint32_t
table_row_lines(const struct table *table, uint32_t count)
{
	uint32_t lines = 0;

	for (uint32_t i = 0; i < count; i++)
		lines += table->rows[i].lines;
	return lines;
}

uint32_t
table_second_lines(const struct table *table, uint32_t count)
{
	uint32_t lines = 0;

	for (uint32_t i = 0; i < count; i++)
		lines += table->rows[i].callers_below.length > 0;
	return lines;
}

void
table_put(struct page *page, const struct table *table, uint32_t count, uint32_t with_second)
{
	put_heading(page, table);
	for (uint32_t i = 0; i < count; i++)
		put_row(page, table, &table->rows[i], i < TABLE_FIRST, i < with_second);
	if (count < table->report->graph->flat_count)
		put_rest(page, table, count);
	notes_put(page, table, count);
}
