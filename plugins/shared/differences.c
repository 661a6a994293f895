/* SPDX-License-Identifier: Apache-2.0 */
#include "differences.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "costed.h"
#include "folded.h"
#include "names.h"
#include "width.h"
#include "wrap.h"

/* What rows are sorted by: figures of the columns up to that of totals. */
enum { SORT_KEYS = COLUMN_TOTAL + 1 };

enum {
	MOST_OF_LABEL = 40, /* columns */
	MOST_EACH = 6,      /* members that have a column each by default, */
	LEAST_EACH = 9,     /* which is so wide, */
	MOST_OF_EACH = 16   /* or as wide as a label up to this */
};

const char *const differences_columns[] = {
	"excess", "mean",   "min",        "max",   "sd",   "imbalance", "total", "files",
	"first",  "second", "difference", "worst", "best", "name",      "auto",  NULL};
const char *const differences_member_columns[] = {
	"excess", "mean",   "min",        "max",   "sd",   "imbalance", "total", "count",
	"first",  "second", "difference", "worst", "best", "name",      "auto",  NULL};
const char *const differences_sorts[] = {"excess", "mean",      "min",   "max",
                                         "sd",     "imbalance", "total", NULL};

_Static_assert(sizeof differences_sorts / sizeof differences_sorts[0] == SORT_KEYS + 1,
               "a word for each");

struct look {
	int width;                 /* 0: as wide as what is in it */
	const char *upper, *lower; /* NULL: the dimension */
	const char *explanation;
};

static const struct look looks[] = {
	[COLUMN_EXCESS] = {9, "excess", NULL,
                           " excess    how far the slowest @ is above the mean: what an even "
                           "distribution\n"
                           "           would gain where the others wait for it\n"},
	[COLUMN_MEAN] = {9, "mean", NULL, " mean      the average time over all #\n"},
	[COLUMN_MIN] = {9, "min", NULL, " min       the shortest time in any @\n"},
	[COLUMN_MAX] = {9, "max", NULL, " max       the longest time in any @\n"},
	[COLUMN_SD] = {9, "sd", NULL, " sd        the standard deviation over all #\n"},
	[COLUMN_IMBALANCE] =
		{8, "max", "/mean",
                 " max/mean  the imbalance: 1 if all # are equal, at most the number of "
                 "#\n"},
	[COLUMN_TOTAL] = {9, "total", NULL, " total     the sum of the times of all #\n"},
	[COLUMN_FILES] = {7, "", "#",
                          " #     the number of # with samples in the "
                          "function\n"},
	[COLUMN_FIRST] = {9, "first", NULL, " first      the time in the first @\n"},
	[COLUMN_SECOND] = {9, "second", NULL, " second     the time in the second @\n"},
	[COLUMN_DIFFERENCE] =
		{10, "difference", NULL,
                 " difference second minus first: by chance, a time of n samples varies by about\n"
                 "            the square root of n samples\n"},
	[COLUMN_WORST] = {0, "slowest", "@", " slowest   the @ with the longest time\n"},
	[COLUMN_BEST] = {0, "fastest", "@",
                         " fastest   the @ with the shortest time, the first of several\n"},
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
	const struct differences_options *options;
	const struct differences_members *members;
	struct table_columns columns;
	struct names names;
	struct ranked *rows;
	uint32_t count;
	double total;                   /* ticks that shares refer to; positive */
	size_t widths[COLUMN_NAME + 1]; /* of texts */
	int each[MOST_EACH];            /* of the columns of members */
};

static const struct gprofx_function_spread *
spread_at(const struct listing *l, uint32_t i)
{
	return GPROFX_ROW(struct gprofx_function_spread, l->members->spread, i);
}

static struct gprofx_text
label_of(const struct listing *l, uint32_t member)
{
	return l->members->label(l->gx, l->members->source, member);
}

/* A text in which '@' stands for a member and '#' for several. */
static void
put_words(const struct listing *l, struct gprofx_writer *w, const char *text)
{
	for (; *text != '\0'; text++)
		if (*text == '@' || *text == '#')
			gprofx_puts(w, *text == '@' ? l->members->one : l->members->many);
		else
			gprofx_putc(w, *text);
}

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
figure(const struct gprofx_spread *spread, enum differences_column column)
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
	l->rows = gprofx_alloc(l->gx, ((size_t)l->members->spread_count + 1) * sizeof *l->rows);
	for (uint32_t i = 0; i < l->members->spread_count; i++) {
		const struct gprofx_spread *spread = &spread_at(l, i)->self;
		double key = figure(spread, (enum differences_column)l->options->sort);

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
text_of(struct listing *l, const struct gprofx_function_spread *row, enum differences_column column)
{
	if (column == COLUMN_NAME)
		return names_of(&l->names, row->function);
	return label_of(l, column == COLUMN_WORST ? row->self.most_file : row->self.least_file);
}

static bool
is_text(uint32_t column)
{
	return column < COLUMN_MEMBER && looks[column].width == 0;
}

static int
width_in(const struct listing *l, uint32_t column)
{
	return column >= COLUMN_MEMBER ? l->each[column - COLUMN_MEMBER] : looks[column].width;
}

/* Columns of texts with something behind them are as wide as what they hold, up to a bound. */
static void
measure(struct listing *l)
{
	uint32_t shown = 0;

	for (uint32_t k = 0; k < l->columns.count; k++)
		if (is_text(l->columns.items[k]))
			l->widths[l->columns.items[k]] = strlen(looks[l->columns.items[k]].upper);
	for (uint32_t i = 0; i < l->count; i++) {
		const struct gprofx_function_spread *row = spread_at(l, l->rows[i].row);

		if (!takes(l, shown, &row->self))
			continue;
		shown++;
		for (uint32_t k = 0; k + 1 < l->columns.count; k++) {
			uint32_t column = l->columns.items[k];
			size_t width;

			if (!is_text(column))
				continue;
			width = width_of(text_of(l, row, (enum differences_column)column));
			width = width < MOST_OF_LABEL ? width : MOST_OF_LABEL;
			if (width > l->widths[column])
				l->widths[column] = width;
		}
	}
}

/* A label at the right end of a column; of one that is too long, what fits. */
static void
put_cut(struct gprofx_writer *w, struct gprofx_text text, size_t room)
{
	size_t length = text.length;

	while (width_of((struct gprofx_text){text.bytes, length}) > room)
		length--;
	/* No character is divided. */
	while (length < text.length && length > 0 &&
	       ((unsigned char)text.bytes[length] & 0xc0) == 0x80)
		length--;
	gprofx_blanks(w, room - width_of((struct gprofx_text){text.bytes, length}));
	gprofx_put(w, text.bytes, length);
}

static void
put_heading(const struct listing *l, uint32_t column, bool lower, int width)
{
	const char *word = l->r->origin->metrics->unit;
	struct gprofx_text text;

	if (column >= COLUMN_MEMBER && !lower) {
		text = label_of(l, column - COLUMN_MEMBER);
		put_cut(l->w, text, (size_t)width_in(l, column));
		return;
	}
	if (column < COLUMN_MEMBER) {
		const char *own = lower ? looks[column].lower : looks[column].upper;

		word = own ? own : word;
	}
	if (strcmp(word, "@") == 0)
		word = l->members->one;
	else if (strcmp(word, "#") == 0)
		word = l->members->many;
	if (is_text(column))
		gprofx_out(l->w, "%-*s", width < 0 ? (int)l->widths[column] : 0, word);
	else
		gprofx_out(l->w, "%*.*s", width_in(l, column), width_in(l, column), word);
}

static void
put_heading_line(const struct listing *l, bool lower)
{
	bool color = writer_takes_color(l->w);

	gprofx_puts(l->w, color ? COLOR_HEADING : "");
	for (uint32_t k = 0; k < l->columns.count; k++) {
		uint32_t column = l->columns.items[k];
		bool last = k + 1 == l->columns.count;

		if (k > 0)
			gprofx_blanks(l->w, is_text(column) ? 2 : 1);
		put_heading(l, column, lower, last ? 0 : -1);
	}
	gprofx_puts(l->w, color ? COLOR_END "\n" : "\n");
}

static bool
is_of_two(enum differences_column column)
{
	return column == COLUMN_FIRST || column == COLUMN_SECOND || column == COLUMN_DIFFERENCE;
}

/* A figure that is a time, or a difference of two; a dash if there are not two files. */
static void
put_time(const struct listing *l, const struct gprofx_spread *spread,
         enum differences_column column)
{
	const int width = looks[column].width;
	double time = figure(spread, column) / l->r->origin->metrics->ticks_per_unit;

	if (is_of_two(column) && l->members->count != 2)
		gprofx_out(l->w, "%*s", width, "-");
	else if (column == COLUMN_DIFFERENCE && fabs(time) >= 0.0005)
		gprofx_out(l->w, "%+*.3f", width, time);
	else
		l->w->services->fixed(l->w, fabs(time), width, 3);
}

/* The time of a function in one member. */
static void
put_time_in(const struct listing *l, uint32_t row, uint32_t column)
{
	const struct differences_members *members = l->members;
	double time = 0;

	for (uint32_t k = members->value_first[row]; k < members->value_first[row + 1]; k++)
		if (members->value[k].file == column - COLUMN_MEMBER)
			time = members->value[k].self;
	l->w->services->fixed(l->w, time / l->r->origin->metrics->ticks_per_unit,
	                      width_in(l, column), 3);
}

static void
put_row(struct listing *l, uint32_t number)
{
	const struct gprofx_function_spread *row = spread_at(l, number);
	const struct gprofx_writer_services *s = l->w->services;
	size_t at = 0;

	for (uint32_t k = 0; k < l->columns.count; k++) {
		enum differences_column column = (enum differences_column)l->columns.items[k];
		struct gprofx_text text;
		size_t width;

		if (k > 0)
			gprofx_blanks(l->w, is_text(column) ? 2 : 1);
		if (!is_text(column))
			at += (k > 0) + (size_t)width_in(l, column);
		if (column >= COLUMN_MEMBER) {
			put_time_in(l, number, column);
			continue;
		}
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

	put_words(l, w,
	          "\nHow to read this table. Each row is a function. Times are those in its own\n"
	          "code; a @ without samples of it counts as 0.\n\n");
	for (uint32_t k = 0; k < l->columns.count; k++)
		if (l->columns.items[k] < COLUMN_MEMBER)
			put_words(l, w, looks[l->columns.items[k]].explanation);
	/* One of them is the first. */
	if (columns_have(&l->columns, COLUMN_MEMBER))
		put_words(l, w, " others    the time in each of the #\n");
	wrap_end(&wrap);
}

/* Which of two files is which. */
static void
put_two_files(const struct listing *l)
{
	static const char *const words[] = {"first:  ", "second: "};

	if (l->members->count != 2 || !columns_have(&l->columns, COLUMN_FIRST))
		return;
	for (uint32_t i = 0; i < 2; i++) {
		struct gprofx_text label = label_of(l, i);

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
	put_words(l, l->w, "Time per @, of ");
	l->w->services->number(l->w, l->members->count, 0);
	put_words(l, l->w, l->members->count == 1 ? " @." : " #.");
	/* Of stacks without another unit, samples are what is counted. */
	if (costed_calls(l->r)) {
		gprofx_out(l->w, " Costs are those of functions alone, in %s;", metric->unit);
		put_words(l, l->w, " those of calls are not known by @.");
	} else if (strcmp(metric->unit, "samples") != 0)
		gprofx_out(l->w, " Each sample counts as %g %s.", 1.0 / metric->ticks_per_unit,
		           metric->unit);
	gprofx_puts(l->w, "\n\n");
	put_two_files(l);
	put_heading_line(l, false);
	put_heading_line(l, true);
	for (uint32_t i = 0; i < l->count; i++) {
		const struct gprofx_function_spread *row = spread_at(l, l->rows[i].row);

		if (takes(l, shown, &row->self)) {
			put_row(l, l->rows[i].row);
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
too_many(const struct listing *l)
{
	enum { FIGURES = 68, NAME = 20, GAPS = 4, EACH = 10 };
	size_t label = strlen("slowest"), room = (size_t)l->options->table.row_width, needed;
	uint32_t count = 0;

	if (room == 0)
		return 0;
	for (uint32_t i = 0; i < l->members->count; i++) {
		size_t width = width_of(label_of(l, i));

		width = width < MOST_OF_LABEL ? width : MOST_OF_LABEL;
		label = width > label ? width : label;
	}
	for (needed = FIGURES + NAME + GAPS + label; needed > room && count < 3; needed -= EACH)
		count++;
	return count;
}

/* Whether each member can have a column, with names of some length behind them. */
static bool
measure_each(struct listing *l)
{
	enum { OTHERS = 9 + 2 + 20 };
	size_t room = (size_t)l->options->table.row_width, needed = OTHERS;

	if (!l->members->value_first || l->members->count > MOST_EACH)
		return false;
	for (uint32_t i = 0; i < l->members->count; i++) {
		size_t width = width_of(label_of(l, i));

		width = width > MOST_OF_EACH ? MOST_OF_EACH : width;
		l->each[i] = width > LEAST_EACH ? (int)width : LEAST_EACH;
		needed += 1 + (size_t)l->each[i];
	}
	return room == 0 || needed <= room;
}

/* A column for each member, the heaviest first. */
static void
append_each(const struct listing *l, struct table_columns *columns)
{
	const struct differences_members *members = l->members;
	double times[MOST_EACH] = {0};
	bool is_there[MOST_EACH] = {false};

	for (uint32_t k = 0; k < members->value_first[members->spread_count]; k++)
		times[members->value[k].file] += members->value[k].self;
	for (uint32_t n = 0; n < members->count; n++) {
		uint32_t most = 0;

		while (is_there[most])
			most++;
		for (uint32_t i = most; i < members->count; i++)
			if (!is_there[i] && times[i] > times[most])
				most = i;
		is_there[most] = true;
		columns_append(columns, COLUMN_MEMBER + most);
	}
}

/* The usual columns. */
static struct table_columns
usual_columns(struct listing *l)
{
	/* The first ones to be left out where rows would be too wide. */
	static const uint32_t spare[] = {COLUMN_SD, COLUMN_MIN, COLUMN_TOTAL};
	static const struct table_columns of_two = {
		4,
		{COLUMN_FIRST, COLUMN_SECOND, COLUMN_DIFFERENCE, COLUMN_NAME}};
	static const uint32_t of_many[] = {COLUMN_EXCESS, COLUMN_MEAN,  COLUMN_MIN,
	                                   COLUMN_MAX,    COLUMN_SD,    COLUMN_IMBALANCE,
	                                   COLUMN_TOTAL,  COLUMN_WORST, COLUMN_NAME};
	struct table_columns left_out = {0}, columns = {0};

	if (measure_each(l)) {
		columns_append(&columns, COLUMN_TOTAL);
		append_each(l, &columns);
		columns_append(&columns, COLUMN_NAME);
		return columns;
	}
	if (l->members->count == 2)
		return of_two;
	left_out.count = too_many(l);
	memcpy(left_out.items, spare, left_out.count * sizeof spare[0]);
	for (size_t k = 0; k < sizeof of_many / sizeof of_many[0]; k++)
		if (!columns_have(&left_out, of_many[k]))
			columns_append(&columns, of_many[k]);
	return columns;
}

/* The columns that were chosen, with the usual ones in the place of "auto". */
static void
choose_columns(struct listing *l)
{
	struct table_columns chosen = columns_chosen(&l->options->table), usual;

	for (uint32_t i = 0; i < chosen.count; i++) {
		if (chosen.items[i] != COLUMN_AUTO) {
			columns_append(&l->columns, chosen.items[i]);
			continue;
		}
		usual = usual_columns(l);
		for (uint32_t k = 0; k < usual.count && l->columns.count < TABLE_MOST_COLUMNS; k++)
			columns_append(&l->columns, usual.items[k]);
	}
}

void
differences_put(struct gprofx *gx, const struct gprofx_report *report, struct gprofx_writer *writer,
                const struct differences_options *options,
                const struct differences_members *members)
{
	double total = report->graph->columns->flat_total;
	struct listing listing = {
		.gx = gx,
		.r = report,
		.w = writer,
		.options = options,
		.members = members,
		.total = total > 0 ? total : 1,
	};

	choose_columns(&listing);
	names_begin(&listing.names, gx, report, options->table.names);
	put_functions(&listing);
}
