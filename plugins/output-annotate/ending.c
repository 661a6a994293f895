/* SPDX-License-Identifier: Apache-2.0 */
#include "ending.h"

#include <stdlib.h>
#include <string.h>

#include "../shared/line-calls.h"
#include "counts.h"

double
ending_units(const struct gprofx_report *report, double ticks)
{
	return report->origin->metrics->ticks_per_unit > 0
	               ? ticks / report->origin->metrics->ticks_per_unit
	               : ticks;
}

void
ending_put_unit(const struct listing *listing, struct gprofx_writer *w, size_t width)
{
	/* A profile can call it anything. */
	const char *unit = listing->report->origin->metrics->unit;
	size_t length;

	if (unit[0] == '\0')
		unit = "time";
	length = strlen(unit);
	gprofx_blanks(w, length < width ? width - length : 0);
	w->services->text(w, unit, length);
}

/* A line of the table of the busiest. */
struct busy {
	double ticks, total;
	uint64_t count;
	uint32_t line;
};

static int
compare_busy(const void *left, const void *right)
{
	const struct busy *a = left, *b = right;

	if (a->ticks != b->ticks)
		return a->ticks > b->ticks ? -1 : 1;
	if (a->total != b->total)
		return a->total > b->total ? -1 : 1;
	if (a->count != b->count)
		return a->count > b->count ? -1 : 1;
	return a->line < b->line ? -1 : a->line > b->line;
}

/* What a line of a row counts for in totals. */
static uint64_t
total_of(const struct gprofx_report *report, struct listed_rows rows, const struct met *met,
         uint32_t row)
{
	if (!corrects(report, GPROFX_CORRECT_LINE_TOTALS))
		return line_calls(report, row);
	/* The source can be shorter than it was. */
	return row < met->row ? met->numbers[row - rows.first]
	                      : gprofx_source_line_at(report, row)->count;
}

/* Ticks of all lines of a file. */
double
listing_ticks(const struct gprofx_report *report, struct listed_rows rows)
{
	double ticks = 0;

	for (uint32_t row = rows.first; row < rows.end; row++)
		ticks += gprofx_source_line_at(report, row)->ticks;
	return ticks;
}

/* Whether a line of a file took time, or something that it called did. */
static bool
has_time(const struct gprofx_report *report, struct listed_rows rows)
{
	for (uint32_t row = rows.first; row < rows.end; row++) {
		const struct gprofx_source_line *line = gprofx_source_line_at(report, row);

		if (line->ticks > 0 || line->total > 0)
			return true;
	}
	return false;
}

/* Puts a line among so many of the busiest, of which there are "count" yet, in order. */
static uint32_t
take_busy(struct busy *busy, uint32_t count, uint64_t most, const struct busy *taken)
{
	uint32_t at = count < most ? count++ : count;

	if (at == count && compare_busy(taken, &busy[--at]) >= 0)
		return count;
	for (; at > 0 && compare_busy(taken, &busy[at - 1]) < 0; at--)
		busy[at] = busy[at - 1];
	busy[at] = *taken;
	return count;
}

/*
 * The lines of a file that took time, or ran, the busiest first: by time, if there are times.  Most
 * tables are much shorter than files, so that few lines have to be sorted.
 */
static uint32_t
sort_busy(const struct listing *listing, struct listed_rows rows, const struct met *met,
          bool by_time, struct busy *busy)
{
	enum { FEW = 32 };
	bool is_short = listing->table_length <= FEW;
	uint32_t count = 0;

	for (uint32_t row = rows.first; row < rows.end; row++) {
		const struct gprofx_source_line *line = gprofx_source_line_at(listing->report, row);
		const struct busy found = {by_time ? line->ticks : 0, by_time ? line->total : 0,
		                           total_of(listing->report, rows, met, row), line->line};

		if (!(found.ticks > 0) && !(found.total > 0) && found.count == 0)
			continue;
		if (is_short)
			count = take_busy(busy, count, listing->table_length, &found);
		else
			busy[count++] = found;
	}
	if (!is_short && count > 1)
		qsort(busy, count, sizeof *busy, compare_busy);
	return count;
}

static void
put_busy(const struct listing *listing, struct gprofx_writer *w, const struct busy *busy,
         bool by_time)
{
	enum { LINE = 9, TIME = 11, SHARE = 7, TOTAL = 9, COUNT = 10 };
	bool has_totals = by_time && listing->report->source->has_line_totals;
	double total = listing->report->source->total;

	w->services->number(w, busy->line, LINE);
	if (by_time) {
		w->services->fixed(w, ending_units(listing->report, busy->ticks), TIME, 2);
		w->services->fixed(w, 100 * busy->ticks / total, SHARE, 1);
		gprofx_putc(w, '%');
	}
	if (has_totals) {
		w->services->fixed(w, 100 * busy->total / total, TOTAL, 1);
		gprofx_putc(w, '%');
	}
	/* Without a count, there is nothing to say behind the time. */
	if (!by_time || busy->count > 0) {
		gprofx_putc(w, ' ');
		w->services->number(w, busy->count, COUNT);
	}
	gprofx_putc(w, '\n');
}

static void
put_table(const struct listing *listing, struct gprofx_writer *w, struct listed_rows rows,
          const struct met *met)
{
	bool by_time = listing->has_times && has_time(listing->report, rows);
	struct busy *busy;
	uint32_t count;

	if (listing->table_length == 0)
		return;
	busy = gprofx_alloc(listing->gx, (size_t)(rows.end - rows.first) * sizeof *busy);
	count = sort_busy(listing, rows, met, by_time, busy);
	gprofx_out(w, "\n\nTop %llu Lines:\n\n     Line",
	           (unsigned long long)listing->table_length);
	if (by_time) {
		ending_put_unit(listing, w, 11);
		gprofx_puts(w, listing->report->source->has_line_totals ? "   share     total"
		                                                        : "   share");
	}
	gprofx_puts(w, "      Count\n\n");
	for (uint32_t i = 0; i < count && i < listing->table_length; i++)
		put_busy(listing, w, &busy[i], by_time);
	listing->gx->host->release(listing->gx, busy);
}

/* A file can have little time of its own, and call what takes most of it. */
static void
put_largest_total(const struct gprofx_report *report, struct gprofx_writer *w,
                  struct listed_rows rows)
{
	const struct gprofx_source_line *largest = NULL;

	for (uint32_t row = rows.first; row < rows.end; row++) {
		const struct gprofx_source_line *line = gprofx_source_line_at(report, row);

		if (line->total > (largest ? largest->total : 0))
			largest = line;
	}
	if (!largest)
		return;
	w->services->fixed(w, 100 * largest->total / report->source->total, 9, 1);
	gprofx_out(w, "   percent of all while line %u is active, with what it calls\n",
	           largest->line);
}

static void
put_times(const struct listing *listing, struct gprofx_writer *w, struct listed_rows rows)
{
	const struct gprofx_report *report = listing->report;
	double ticks = listing_ticks(report, rows);

	gprofx_out(w, "\n%9.2f   ", ending_units(report, ticks));
	ending_put_unit(listing, w, 0);
	gprofx_out(w, " in this file, %.1f%% of all\n",
	           report->source->total > 0 ? 100 * ticks / report->source->total : 0);
	if (report->source->has_line_totals)
		put_largest_total(report, w, rows);
}

/* What the numbers of the summary are of: lines, or functions that stand for lines. */
struct summary_words {
	const char *executable, *percent, *total, *average;
};

static const struct summary_words of_lines = {
	"   Executable lines in this file\n",
	"   Percent of the file executed\n\n",
	"   Total number of line executions\n",
	"   Average executions per line\n",
};
static const struct summary_words of_functions = {
	"   Lines with functions in this file (-l counts more lines)\n",
	"   Percent of these lines executed\n\n",
	"   Total number of calls\n",
	"   Average calls per line\n",
};

static const struct summary_words *
summary_words(const struct listing *listing, struct listed_rows rows)
{
	for (uint32_t row = rows.first; row < rows.end; row++)
		if (gprofx_source_line_at(listing->report, row)->is_exact)
			return &of_lines;
	return listing->by_function ? &of_functions : &of_lines;
}

static void
put_summary(const struct listing *listing, struct gprofx_writer *w, struct listed_rows rows,
            const struct met *met)
{
	uint64_t known = met->executable - met->unknown, counted = met->executable - met->uncounted;
	const struct summary_words *words = summary_words(listing, rows);
	uint64_t total = 0;

	for (uint32_t row = rows.first; row < rows.end; row++)
		total += total_of(listing->report, rows, met, row);
	gprofx_puts(w, "\nExecution Summary:\n\n");
	w->services->number(w, met->executable, 9);
	gprofx_puts(w, words->executable);
	w->services->number(w, met->executed, 9);
	gprofx_puts(w, "   Lines executed\n");
	if (met->unknown > 0) {
		w->services->number(w, met->unknown, 9);
		gprofx_puts(w, "   Lines not known to have been executed or not\n");
	}
	if (met->executable > 0 && known == 0)
		gprofx_puts(w, "        -");
	else
		w->services->fixed(
			w, known > 0 ? 100.0 * (double)met->executed / (double)known : 100.0, 9, 2);
	gprofx_puts(w, met->unknown > 0 ? "   Percent executed of the lines that are known\n\n"
	                                : words->percent);
	w->services->number(w, total, 9);
	gprofx_puts(w, words->total);
	w->services->fixed(w, counted > 0 ? (double)total / (double)counted : 0.0, 9, 2);
	gprofx_puts(w, words->average);
	if (listing->has_times)
		put_times(listing, w, rows);
}

void
ending_put(const struct listing *listing, struct gprofx_writer *w, struct listed_rows rows,
           const struct met *met)
{
	put_table(listing, w, rows, met);
	put_summary(listing, w, rows, met);
}
