/* SPDX-License-Identifier: Apache-2.0 */
/*
 * How the time of each function differs between the profile files, as between the ranks of a
 * parallel program: where one waits for another comes first.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <gprofx/emitter.h>

#include "../shared/folded.h"
#include "../shared/names.h"
#include "../shared/options.h"
#include "../shared/whole.h"
#include "../shared/width.h"
#include "../shared/wrap.h"
#include "files.h"

enum column {
	COLUMN_EXCESS,
	COLUMN_MEAN,
	COLUMN_MIN,
	COLUMN_MAX,
	COLUMN_SD,
	COLUMN_IMBALANCE,
	COLUMN_TOTAL,
	COLUMN_FILES,
	COLUMN_FIRST,
	COLUMN_SECOND,
	COLUMN_DIFFERENCE,
	COLUMN_WORST,
	COLUMN_BEST,
	COLUMN_NAME,
	COLUMN_AUTO /* no column: the usual ones */
};

/* What rows are sorted by: figures of the columns up to that of totals. */
enum { SORT_KEYS = COLUMN_TOTAL + 1 };

enum { MOST_OF_LABEL = 40 }; /* columns */

enum what { WHAT_FUNCTIONS, WHAT_FILES, WHAT_ALL };

static const char *const column_words[] = {
	"excess", "mean",   "min",        "max",   "sd",   "imbalance", "total", "files",
	"first",  "second", "difference", "worst", "best", "name",      "auto",  NULL};
static const char *const sort_words[] = {"excess", "mean",      "min",   "max",
                                         "sd",     "imbalance", "total", NULL};
static const char *const what_words[] = {"functions", "files", "all", NULL};

_Static_assert(sizeof sort_words / sizeof sort_words[0] == SORT_KEYS + 1, "a word for each");

struct options {
	struct table_options table;
	uint32_t sort; /* enum column */
	uint32_t what; /* enum what */
	bool explain;
};

static const struct gprofx_option table[] = {
	TABLE_ROW_OPTIONS(column_words, "auto", "number of rows, from the top; 0: all",
                          "smallest share of the time for which a row is printed, in percent"),
	TABLE_ROW_WIDTH,
	{.key = "sort",
         .type = GPROFX_CHOICE,
         .offset = offsetof(struct options, sort),
         .initial = "excess",
         .choices = sort_words,
         .help = "the column that rows are sorted by, in descending order"},
	{.key = "what",
         .type = GPROFX_CHOICE,
         .offset = offsetof(struct options, what),
         .initial = "functions",
         .choices = what_words,
         .help = "tables to write: a row for each function, for each file, or both (all)"},
	{.key = "explain",
         .type = GPROFX_BOOL,
         .offset = offsetof(struct options, explain),
         .initial = "true",
         .help = "explain the columns below the listing"},
};

struct look {
	int width;                 /* 0: as wide as what is in it */
	const char *upper, *lower; /* NULL: the dimension */
	const char *explanation;
};

static const struct look looks[] = {
	[COLUMN_EXCESS] = {9, "excess", NULL,
                           " excess    how far the slowest file is above the mean: what an even "
                           "distribution\n"
                           "           would gain where the others wait for it\n"},
	[COLUMN_MEAN] = {9, "mean", NULL, " mean      the average time over all files\n"},
	[COLUMN_MIN] = {9, "min", NULL, " min       the shortest time in any file\n"},
	[COLUMN_MAX] = {9, "max", NULL, " max       the longest time in any file\n"},
	[COLUMN_SD] = {9, "sd", NULL, " sd        the standard deviation over all files\n"},
	[COLUMN_IMBALANCE] =
		{8, "max", "/mean",
                 " max/mean  the imbalance: 1 if all files are equal, at most the number of "
                 "files\n"},
	[COLUMN_TOTAL] = {9, "total", NULL, " total     the sum of the times of all files\n"},
	[COLUMN_FILES] = {7, "", "files",
                          " files     the number of files with samples in the "
                          "function\n"},
	[COLUMN_FIRST] = {9, "first", NULL, " first      the time in the first file\n"},
	[COLUMN_SECOND] = {9, "second", NULL, " second     the time in the second file\n"},
	[COLUMN_DIFFERENCE] =
		{10, "difference", NULL,
                 " difference second minus first: by chance, a time of n samples varies by about\n"
                 "            the square root of n samples\n"},
	[COLUMN_WORST] = {0, "slowest", "file", " slowest   the file with the longest time\n"},
	[COLUMN_BEST] = {0, "fastest", "file",
                         " fastest   the file with the shortest time, the first of several\n"},
	[COLUMN_NAME] = {0, "", "name", ""},
};

/* A row in the order of the table. */
struct ranked {
	double key;
	uint32_t row;
};

/* A listing under way. */
struct listing {
	struct gprofx *gx;
	const struct gprofx_report *r;
	struct gprofx_writer *w;
	const struct options *options;
	struct table_columns columns;
	struct names names;
	struct ranked *rows;
	uint32_t count;
	double total; /* ticks that shares refer to; positive */
	size_t widths[COLUMN_NAME + 1];
};

static double
imbalance(const struct gprofx_spread *spread)
{
	return spread->mean > 0 ? spread->most / spread->mean : (double)NAN;
}

/* The time in one of two files: of equal ones, either is the first of both. */
static double
time_in(const struct gprofx_spread *spread, uint32_t file)
{
	return spread->most_file == file ? spread->most : spread->least;
}

static double
figure(const struct gprofx_spread *spread, enum column column)
{
	switch (column) {
	case COLUMN_FIRST:
		return time_in(spread, 0);
	case COLUMN_SECOND:
		return time_in(spread, 1);
	case COLUMN_DIFFERENCE:
		return time_in(spread, 1) - time_in(spread, 0);
	case COLUMN_EXCESS:
		return spread->most - spread->mean;
	case COLUMN_MEAN:
		return spread->mean;
	case COLUMN_MIN:
		return spread->least;
	case COLUMN_MAX:
		return spread->most;
	case COLUMN_SD:
		return spread->deviation;
	case COLUMN_IMBALANCE:
		return imbalance(spread);
	default:
		return spread->total;
	}
}

/* The largest first, then by address. */
static int
compare(const void *left, const void *right)
{
	const struct ranked *a = left, *b = right;

	if (a->key != b->key)
		return a->key > b->key ? -1 : 1;
	return a->row < b->row ? -1 : a->row > b->row;
}

static void
rank(struct listing *l)
{
	l->rows = gprofx_alloc(l->gx, ((size_t)l->r->files->spread_count + 1) * sizeof *l->rows);
	for (uint32_t i = 0; i < l->r->files->spread_count; i++) {
		const struct gprofx_spread *spread = &gprofx_spread_at(l->r, i)->self;
		double key = figure(spread, (enum column)l->options->sort);

		if (spread->files == 0)
			continue;
		/* What is no number has no place in an order. */
		l->rows[l->count++] = (struct ranked){key == key ? key : -1, i};
	}
	qsort(l->rows, l->count, sizeof *l->rows, compare);
}

static bool
takes(const struct listing *l, uint32_t shown, const struct gprofx_spread *spread)
{
	return table_takes(&l->options->table, shown, 100.0 * spread->total / l->total);
}

static struct gprofx_text
text_of(struct listing *l, const struct gprofx_function_spread *row, enum column column)
{
	if (column == COLUMN_NAME)
		return names_of(&l->names, row->function);
	return per_file_label(l->gx, l->r,
	                      column == COLUMN_WORST ? row->self.most_file : row->self.least_file);
}

static bool
is_text(uint32_t column)
{
	return looks[column].width == 0;
}

/* Columns of texts with something behind them are as wide as what they hold, up to a bound. */
static void
measure(struct listing *l)
{
	uint32_t shown = 0;

	for (uint32_t k = 0; k < l->columns.count; k++)
		l->widths[l->columns.items[k]] = strlen(looks[l->columns.items[k]].upper);
	for (uint32_t i = 0; i < l->count; i++) {
		const struct gprofx_function_spread *row = gprofx_spread_at(l->r, l->rows[i].row);

		if (!takes(l, shown, &row->self))
			continue;
		shown++;
		for (uint32_t k = 0; k + 1 < l->columns.count; k++) {
			uint32_t column = l->columns.items[k];
			size_t width;

			if (!is_text(column))
				continue;
			width = width_of(text_of(l, row, (enum column)column));
			width = width < MOST_OF_LABEL ? width : MOST_OF_LABEL;
			if (width > l->widths[column])
				l->widths[column] = width;
		}
	}
}

static void
put_heading_line(const struct listing *l, bool lower)
{
	bool color = writer_takes_color(l->w);

	gprofx_puts(l->w, color ? COLOR_HEADING : "");
	for (uint32_t k = 0; k < l->columns.count; k++) {
		uint32_t column = l->columns.items[k];
		const char *word = lower ? looks[column].lower : looks[column].upper;
		bool last = k + 1 == l->columns.count;

		if (k > 0)
			gprofx_blanks(l->w, is_text(column) ? 2 : 1);
		if (!is_text(column))
			gprofx_out(l->w, "%*.*s", looks[column].width, looks[column].width,
			           word ? word : l->r->origin->metrics->unit);
		else
			gprofx_out(l->w, "%-*s", last ? 0 : (int)l->widths[column], word);
	}
	gprofx_puts(l->w, color ? COLOR_END "\n" : "\n");
}

static bool
is_of_two(enum column column)
{
	return column == COLUMN_FIRST || column == COLUMN_SECOND || column == COLUMN_DIFFERENCE;
}

/* A figure that is a time, or a difference of two; a dash if there are not two files. */
static void
put_time(const struct listing *l, const struct gprofx_spread *spread, enum column column)
{
	const int width = looks[column].width;
	double time = figure(spread, column) / l->r->origin->metrics->ticks_per_unit;

	if (is_of_two(column) && l->r->files->labelled_count != 2)
		gprofx_out(l->w, "%*s", width, "-");
	else if (column == COLUMN_DIFFERENCE && fabs(time) >= 0.0005)
		gprofx_out(l->w, "%+*.3f", width, time);
	else
		l->w->services->fixed(l->w, fabs(time), width, 3);
}

static void
put_row(struct listing *l, const struct gprofx_function_spread *row)
{
	const struct gprofx_writer_services *s = l->w->services;
	size_t at = 0;

	for (uint32_t k = 0; k < l->columns.count; k++) {
		enum column column = (enum column)l->columns.items[k];
		struct gprofx_text text;
		size_t width;

		if (k > 0)
			gprofx_blanks(l->w, is_text(column) ? 2 : 1);
		if (!is_text(column))
			at += (k > 0) + (size_t)looks[column].width;
		if (column == COLUMN_FILES) {
			s->number(l->w, row->self.files, looks[column].width);
			continue;
		}
		if (column == COLUMN_IMBALANCE) {
			s->fixed(l->w, imbalance(&row->self), looks[column].width, 2);
			continue;
		}
		if (!is_text(column)) {
			put_time(l, &row->self, column);
			continue;
		}
		text = text_of(l, row, column);
		width = width_of(text);
		if (k + 1 == l->columns.count) {
			folded_put(l->w, text, at + 2, (size_t)l->options->table.row_width);
			break;
		}
		gprofx_put(l->w, text.bytes, text.length);
		if (width < l->widths[column])
			gprofx_blanks(l->w, l->widths[column] - width);
		at += 2 + (width < l->widths[column] ? l->widths[column] : width);
	}
	gprofx_putc(l->w, '\n');
}

static void
put_explanation(const struct listing *l)
{
	struct wrap wrap;
	struct gprofx_writer *w = wrap_begin(&wrap, l->names.gx, l->w,
	                                     (size_t)l->options->table.text_width);

	gprofx_puts(w,
	            "\nHow to read this table. Each row is a function. Times are those in its own\n"
	            "code; a file without samples of it counts as 0.\n\n");
	for (uint32_t k = 0; k < l->columns.count; k++)
		gprofx_puts(w, looks[l->columns.items[k]].explanation);
	wrap_end(&wrap);
}

/* Which of two files is which. */
static void
put_two_files(const struct listing *l)
{
	static const char *const words[] = {"first:  ", "second: "};

	if (l->r->files->labelled_count != 2 || !columns_have(&l->columns, COLUMN_FIRST))
		return;
	for (uint32_t i = 0; i < 2; i++) {
		struct gprofx_text label = per_file_label(l->gx, l->r, i);

		gprofx_puts(l->w, words[i]);
		gprofx_put(l->w, label.bytes, label.length);
		gprofx_putc(l->w, '\n');
	}
	gprofx_putc(l->w, '\n');
}

static void
put_functions(struct listing *l)
{
	const struct gprofx_metric *metric = l->r->origin->metrics;
	struct table_rest rest = {0};
	uint32_t shown = 0;

	rank(l);
	measure(l);
	whole_put_phase(l->r, l->w);
	gprofx_puts(l->w, "Time per file, of ");
	l->w->services->number(l->w, l->r->files->labelled_count, 0);
	gprofx_puts(l->w, l->r->files->labelled_count == 1 ? " file." : " files.");
	/* Of stacks without another unit, samples are what is counted. */
	if (strcmp(metric->unit, "samples") != 0)
		gprofx_out(l->w, " Each sample counts as %g %s.", 1.0 / metric->ticks_per_unit,
		           metric->unit);
	gprofx_puts(l->w, "\n\n");
	put_two_files(l);
	put_heading_line(l, false);
	put_heading_line(l, true);
	for (uint32_t i = 0; i < l->count; i++) {
		const struct gprofx_function_spread *row = gprofx_spread_at(l->r, l->rows[i].row);

		if (takes(l, shown, &row->self)) {
			put_row(l, row);
			shown++;
		} else {
			rest.count++;
			rest.ticks += row->self.total;
		}
	}
	table_put_rest(l->w, &rest, l->total, "more function", "more functions", "time");
	if (l->options->explain)
		put_explanation(l);
}

/* How many of the least telling columns are left out, so that rows and names of some length fit. */
static uint32_t
too_many(struct gprofx *gx, const struct options *options, const struct gprofx_report *report)
{
	enum { FIGURES = 68, NAME = 20, GAPS = 4, EACH = 10 };
	size_t label = strlen("slowest"), room = (size_t)options->table.row_width, needed;
	uint32_t count = 0;

	if (room == 0)
		return 0;
	for (uint32_t i = 0; i < report->files->labelled_count; i++) {
		size_t width = width_of(per_file_label(gx, report, i));

		width = width < MOST_OF_LABEL ? width : MOST_OF_LABEL;
		label = width > label ? width : label;
	}
	for (needed = FIGURES + NAME + GAPS + label; needed > room && count < 3; needed -= EACH)
		count++;
	return count;
}

/* The columns that were chosen, with the usual ones in the place of "auto". */
static struct table_columns
choose_columns(struct gprofx *gx, const struct options *options, const struct gprofx_report *report)
{
	/* The first ones to be left out where rows would be too wide. */
	static const uint32_t spare[] = {COLUMN_SD, COLUMN_MIN, COLUMN_TOTAL};
	static const uint32_t of_two[] = {COLUMN_FIRST, COLUMN_SECOND, COLUMN_DIFFERENCE,
	                                  COLUMN_NAME};
	static const uint32_t of_many[] = {COLUMN_EXCESS, COLUMN_MEAN,  COLUMN_MIN,
	                                   COLUMN_MAX,    COLUMN_SD,    COLUMN_IMBALANCE,
	                                   COLUMN_TOTAL,  COLUMN_WORST, COLUMN_NAME};
	bool are_two = report->files->labelled_count == 2;
	const uint32_t *usual = are_two ? of_two : of_many;
	size_t count = are_two ? sizeof of_two / sizeof of_two[0]
	                       : sizeof of_many / sizeof of_many[0];
	struct table_columns chosen = columns_chosen(&options->table), columns = {0};
	struct table_columns left_out = {.count = are_two ? 0 : too_many(gx, options, report)};

	memcpy(left_out.items, spare, left_out.count * sizeof spare[0]);

	for (uint32_t i = 0; i < chosen.count; i++)
		if (chosen.items[i] != COLUMN_AUTO)
			columns_append(&columns, chosen.items[i]);
		else
			for (size_t k = 0; k < count; k++)
				if (!columns_have(&left_out, usual[k]))
					columns_append(&columns, usual[k]);
	return columns;
}

static enum gprofx_result
emit(struct gprofx *gx, const struct gprofx_emission *emission, const void *opaque)
{
	static const struct gprofx_diagnostic missing = {
		.id = "report.no-statistics",
		.hint = "request them with --per-file",
	};
	const struct options *options = opaque;
	const struct gprofx_report *report = emission->report;
	struct gprofx_writer *w = emission->writer;
	struct listing listing = {
		.gx = gx,
		.r = report,
		.w = w,
		.options = options,
		.columns = choose_columns(gx, options, report),
		.total = report->graph->columns->flat_total > 0 ? report->graph->columns->flat_total
	                                                        : 1,
	};

	if (!report->files->spread)
		return gprofx_fail(gx, &missing, "no per-file statistics were collected");
	w->services->separator(w);
	names_begin(&listing.names, gx, report, options->table.names);
	if (options->what != WHAT_FILES)
		put_functions(&listing);
	if (options->what == WHAT_ALL)
		gprofx_putc(w, '\n');
	if (options->what != WHAT_FUNCTIONS)
		per_file_put_files(gx, report, w, options->explain,
		                   (size_t)options->table.text_width);
	return GPROFX_OK;
}

static const struct gprofx_needs needs = {
	.size = sizeof needs,
	.parts = GPROFX_PART_FLAT | GPROFX_PART_PER_FILE,
};

static const struct gprofx_listing listings[] = {
	{
		.size = sizeof listings[0],
		.name = "times-per-file",
		.data = GPROFX_DATA_TIMES,
		.subject = "times per file",
		.hint = "the profiles have no samples; --output=json has the calls",
		.place = 600,
	},
};

static const struct gprofx_emitter emitter = {
	.size = sizeof emitter,
	.format = "per-file",
	.extension = "txt",
	.emit = emit,
	.needs = &needs,
	.listings = listings,
	.listing_count = 1,
};

GPROFX_PLUGIN = {
	GPROFX_ABI,
	.name = "output-per-file",
	.version = "1.0",
	.summary = "The differences in each function's time between profile files",
	GPROFX_OPTIONS(struct options, table),
	.emitter = &emitter,
};
