/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Copies a source with a margin before each line.  Sources can be of any size and hold anything:
 * they pass through a buffer of fixed size, and the host decides what becomes of odd bytes.
 */
#include "listing.h"

#include <errno.h>
#include <string.h>
#include <unistd.h>

#include "../shared/kept.h"
#include "../shared/lines.h"
#include "../shared/options.h"
#include "counts.h"
#include "ending.h"

enum { MARGIN = 16 };

#define ARROW " -> "

/* Digits of a number, from the end; returns how many. */
static size_t
digits_of(char digits[20], uint64_t number)
{
	size_t count = 0;

	do {
		digits[19 - count++] = (char)('0' + number % 10);
		number /= 10;
	} while (number > 0);
	return count;
}

static size_t
length_of(const struct counts *counts)
{
	char digits[20];
	size_t length = sizeof ARROW - 1 + counts->count - 1;

	for (uint32_t i = 0; i < counts->count; i++)
		length += digits_of(digits, counts->items[i]);
	return length;
}

/* At most "most" characters of the numbers with the arrow behind them. */
static void
put_numbers(struct gprofx_writer *w, const struct counts *counts, size_t most)
{
	for (uint32_t i = 0; i <= counts->count && most > 0; i++) {
		char digits[20], text[24];
		size_t length = 0;

		if (i < counts->count) {
			size_t count = digits_of(digits, counts->items[i]);

			if (i > 0)
				text[length++] = ',';
			memcpy(text + length, digits + 20 - count, count);
			length += count;
		} else {
			memcpy(text, ARROW, sizeof ARROW - 1);
			length = sizeof ARROW - 1;
		}
		length = length < most ? length : most;
		gprofx_put(w, text, length);
		most -= length;
	}
}

/* The numbers of a line, or that it did not run often enough.  Returns the columns that it took. */
static size_t
put_counts(const struct listing *listing, struct gprofx_writer *w, const struct counts *counts)
{
	static const char seldom[] = "       #####" ARROW;
	size_t length;

	if (!counts->is_known || counts->is_repeated) {
		gprofx_blanks(w, MARGIN);
		return MARGIN;
	}
	if (counts->number < listing->least) {
		gprofx_put(w, seldom, sizeof seldom - 1);
		return sizeof seldom - 1;
	}
	length = length_of(counts);
	if (length < MARGIN)
		gprofx_blanks(w, MARGIN - length);
	if (!corrects(listing->report, GPROFX_CORRECT_LONG_COUNTS)) {
		put_numbers(w, counts, MARGIN);
		return MARGIN;
	}
	put_numbers(w, counts, SIZE_MAX);
	return length > MARGIN ? length : MARGIN;
}

enum { TIME_MARGIN = 18, TOTAL_MARGIN = 8 };

/* The time of a line, its share of all, and whether that is much. */
static void
put_time(const struct listing *listing, struct gprofx_writer *w, double ticks)
{
	double percent = listing->report->source->total > 0
	                         ? 100 * ticks / listing->report->source->total
	                         : 0;
	const char *color = writer_takes_color(w) ? color_of_share(percent) : "";

	if (ticks == 0) {
		gprofx_blanks(w, TIME_MARGIN);
		return;
	}
	gprofx_puts(w, color);
	w->services->fixed(w, ending_units(listing->report, ticks), 8, 2);
	gprofx_putc(w, ' ');
	w->services->fixed(w, percent, 5, 1);
	gprofx_puts(w, percent >= listing->hot ? "% *" : "%  ");
	if (color[0] != '\0')
		gprofx_puts(w, COLOR_END);
	gprofx_putc(w, ' ');
}

/* The share of the time while a line is active, with all that it calls. */
static void
put_total(const struct listing *listing, struct gprofx_writer *w, double ticks)
{
	if (ticks == 0) {
		gprofx_blanks(w, TOTAL_MARGIN);
		return;
	}
	w->services->fixed(w, 100 * ticks / listing->report->source->total, TOTAL_MARGIN - 2, 1);
	gprofx_puts(w, "% ");
}

void
listing_put_heading(const struct listing *listing, struct gprofx_writer *w)
{
	if (!listing->has_times)
		return;
	ending_put_unit(listing, w, 8);
	gprofx_puts(w, listing->report->source->has_line_totals
	                       ? "   share     total         count    source\n"
	                       : "   share         count    source\n");
}

/* The columns before a source line that nothing is known about. */
static size_t
margin_of(const struct listing *listing)
{
	size_t margin = MARGIN;

	if (listing->has_times)
		margin += TIME_MARGIN;
	if (listing->has_times && listing->report->source->has_line_totals)
		margin += TOTAL_MARGIN;
	return margin;
}

static void
put_margin(const struct listing *listing, struct gprofx_writer *w, struct listed_rows rows,
           struct met *met, uint64_t line)
{
	const struct gprofx_source_line *known = NULL;
	const struct counts *counts;
	uint32_t row = met->row;
	bool is_executable;

	if (row < rows.end)
		known = gprofx_source_line_at(listing->report, row);
	if (!known || known->line != line) {
		met->column = margin_of(listing);
		gprofx_blanks(w, met->column);
		return;
	}
	met->row++;
	if (listing->has_times)
		put_time(listing, w, known->ticks);
	if (listing->has_times && listing->report->source->has_line_totals)
		put_total(listing, w, known->total);
	counts = counter_at(listing->counter, row);
	met->numbers[row - rows.first] = counts->number;
	met->column = margin_of(listing) - MARGIN + put_counts(listing, w, counts);
	is_executable = known->is_counted ||
	                (!known->is_exact &&
	                 listing->report->source->functions.first[row] !=
	                         listing->report->source->functions.first[row + 1]);
	met->executable += is_executable;
	if (is_executable && !counts->is_known && listing->counter->is_unsure) {
		met->uncounted++;
		met->unknown += !counts->ran;
		met->executed += counts->ran;
	}
	if (!counts->is_known)
		return;
	met->executed += !corrects(listing->report, GPROFX_CORRECT_LINE_TOTALS) ||
	                 counts->number > 0;
}

/*
 * How much of the bytes, which do not end with their line, to write now: up to a character of which
 * all is there, with a neighbor that says nothing about it, as joiners would (0xe2 begins these).
 */
static size_t
whole_characters(const char *bytes, size_t count)
{
	enum { FAR = 64, LONGEST_CHARACTER = 4 };
	size_t last = count;

	for (size_t at = count; at > 0 && count - at < FAR; at--) {
		unsigned char first = (unsigned char)bytes[at - 1];

		if ((first & 0xc0) == 0x80)
			continue;
		if (last == count && count - at < LONGEST_CHARACTER)
			last = at - 1;
		if (first != 0xe2 && (at < 4 || (unsigned char)bytes[at - 4] != 0xe2))
			return at - 1;
	}
	return last;
}

/* Text of a source, which continues below where it does not fit the screen. */
static void
put_text(const struct listing *listing, struct gprofx_writer *w, struct met *met, const char *bytes,
         size_t count)
{
	enum { MORE = 4 };
	struct kept kept;
	struct gprofx_writer *printable;

	if (listing->row_width == 0) {
		w->services->text(w, bytes, count);
		return;
	}
	printable = kept_begin(&kept, listing->gx);
	printable->services->text(printable, bytes, count);
	met->column = lines_put(
		w, (struct gprofx_text){kept.text, (size_t)(printable->at - kept.text)},
		met->column, margin_of(listing) + MORE, listing->row_width);
	kept_release(&kept);
}

/* A line, or a part of one: with its end, which is "\n" or "\r\n", or without. */
static void
put_line(const struct listing *listing, struct gprofx_writer *w, struct met *met, const char *bytes,
         size_t count)
{
	size_t end = count;

	if (end > 0 && bytes[end - 1] == '\n') {
		end--;
		end -= end > 0 && bytes[end - 1] == '\r';
	}
	put_text(listing, w, met, bytes, end);
	gprofx_put(w, bytes + end, count - end);
}

/* Whether a line is near enough to one of a row. */
static bool
is_shown(const struct listing *listing, struct listed_rows rows, const struct met *met,
         uint64_t line)
{
	const struct gprofx_report *report = listing->report;

	if (listing->context == UINT64_MAX)
		return true;
	if (met->row < rows.end &&
	    gprofx_source_line_at(report, met->row)->line <= line + listing->context)
		return true;
	return met->row > rows.first &&
	       line - gprofx_source_line_at(report, met->row - 1)->line <= listing->context;
}

/* Stands for the lines up to this one that are left out, if there are any. */
static void
put_gap(const struct listing *listing, struct gprofx_writer *w, struct met *met, uint64_t last)
{
	if (met->left_out == 0)
		return;
	gprofx_blanks(w, margin_of(listing));
	if (met->left_out == 1)
		gprofx_out(w, "... 1 line left out: %llu\n", (unsigned long long)last);
	else
		gprofx_out(w, "... %llu lines left out: %llu-%llu\n",
		           (unsigned long long)met->left_out,
		           (unsigned long long)(last - met->left_out + 1),
		           (unsigned long long)last);
	met->left_out = 0;
}

/* The start of a line, unless it is left out. */
static bool
begin_line(const struct listing *listing, struct gprofx_writer *w, struct listed_rows rows,
           struct met *met, uint64_t line)
{
	if (!is_shown(listing, rows, met, line)) {
		met->left_out++;
		return false;
	}
	put_gap(listing, w, met, line - 1);
	put_margin(listing, w, rows, met, line);
	return true;
}

static uint64_t
put_lines(const struct listing *listing, struct gprofx_writer *w, int source,
          struct listed_rows rows, struct met *met, int *error)
{
	char *buffer = (char *)listing->buffer;
	size_t kept = 0; /* at the start of the buffer, of the line before */
	uint64_t line = 0;
	bool is_begun = false, shows = true;

	*error = 0;
	for (;;) {
		ssize_t got = read(source, buffer + kept, LISTING_BUFFER - kept);
		const char *at = buffer, *end;

		if (got < 0 && errno == EINTR)
			continue;
		if (got < 0)
			*error = errno;
		if (got <= 0) {
			if (shows)
				put_line(listing, w, met, buffer, kept);
			put_gap(listing, w, met, line);
			return line;
		}
		for (end = at + kept + got; at < end;) {
			const char *newline = memchr(at, '\n', (size_t)(end - at));
			size_t count = newline ? (size_t)(newline + 1 - at)
			                       : whole_characters(at, (size_t)(end - at));

			if (!is_begun)
				shows = begin_line(listing, w, rows, met, ++line);
			if (shows)
				put_line(listing, w, met, at, count);
			is_begun = !newline;
			at += count;
			if (is_begun)
				break;
		}
		kept = (size_t)(end - at);
		memmove(buffer, at, kept);
	}
}

uint64_t
listing_put(const struct listing *listing, struct gprofx_writer *w, int source,
            struct listed_rows rows, int *error)
{
	struct met met = {.row = rows.first};
	uint64_t lines;

	met.numbers = gprofx_alloc(listing->gx,
	                           (size_t)(rows.end - rows.first) * sizeof *met.numbers);
	lines = put_lines(listing, w, source, rows, &met, error);
	ending_put(listing, w, rows, &met);
	listing->gx->host->release(listing->gx, met.numbers);
	return lines;
}
