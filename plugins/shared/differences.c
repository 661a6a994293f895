/* SPDX-License-Identifier: Apache-2.0 */
#include "differences.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "compared-rows.h"
#include "costed.h"
#include "differences-looks.h"
#include "folded.h"
#include "names.h"
#include "width.h"
#include "wrap.h"

enum {
	MOST_OF_LABEL = 40, /* columns */
	MOST_EACH = 6,      /* members that have a column each by default, */
	LEAST_EACH = 9,     /* which is so wide, */
	MOST_OF_EACH = 16   /* or as wide as a label up to this */
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
	struct gprofx_text *doubtful;   /* labels in parentheses, where they are needed */
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

/* The label of a member of which it is not known whether chance explains its time. */
static struct gprofx_text
doubtful_label(struct listing *l, uint32_t member)
{
	struct gprofx_text label, *kept;
	char *copy;

	if (!l->doubtful)
		l->doubtful = gprofx_alloc(l->gx, l->members->count * sizeof *l->doubtful);
	kept = &l->doubtful[member];
	if (kept->bytes)
		return *kept;
	label = label_of(l, member);
	copy = gprofx_alloc(l->gx, label.length + 3);
	copy[0] = '(';
	memcpy(copy + 1, label.bytes, label.length);
	copy[label.length + 1] = ')';
	*kept = (struct gprofx_text){copy, label.length + 2};
	return *kept;
}

static struct gprofx_text
text_of(struct listing *l, const struct gprofx_function_spread *row, enum differences_column column)
{
	bool is_worst = column == COLUMN_WORST;
	uint32_t member = is_worst ? row->self.most_file : row->self.least_file;
	uint32_t verdict = is_worst ? row->most_verdict : row->least_verdict;

	if (column == COLUMN_NAME)
		return names_of(&l->names, row->function);
	if (verdict == GPROFX_VERDICT_EQUAL)
		return (struct gprofx_text){"-", 1};
	return verdict == GPROFX_VERDICT_UNTESTED && l->members->count > 1
	               ? doubtful_label(l, member)
	               : label_of(l, member);
}

/* Of two members, what the second one is; of others, the slowest, else the fastest one. */
static uint32_t
verdict_of(const struct listing *l, const struct gprofx_function_spread *row)
{
	if (row->most_verdict != GPROFX_VERDICT_MORE)
		return row->least_verdict;
	return l->members->count == 2 && row->self.most_file == 0 ? GPROFX_VERDICT_LESS
	                                                          : GPROFX_VERDICT_MORE;
}

static bool
is_text(uint32_t column)
{
	return column < COLUMN_MEMBER && differences_looks[column].width == 0;
}

static int
width_in(const struct listing *l, uint32_t column)
{
	return column >= COLUMN_MEMBER ? l->each[column - COLUMN_MEMBER]
	                               : differences_looks[column].width;
}

/* Columns of texts with something behind them are as wide as what they hold, up to a bound. */
static void
measure(struct listing *l)
{
	uint32_t shown = 0;

	for (uint32_t k = 0; k < l->columns.count; k++)
		if (is_text(l->columns.items[k]))
			l->widths[l->columns.items[k]] = strlen(
				differences_looks[l->columns.items[k]].upper);
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
		const char *own = lower ? differences_looks[column].lower
		                        : differences_looks[column].upper;

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
	const int width = differences_looks[column].width;
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
			s->number(l->w, row->self.files, differences_looks[column].width);
			continue;
		}
		if (column == COLUMN_IMBALANCE) {
			s->fixed(l->w, imbalance(&row->self), differences_looks[column].width, 2);
			continue;
		}
		if (column == COLUMN_VERDICT) {
			gprofx_out(l->w, "%*s", differences_looks[column].width,
			           compared_verdict(l->r, verdict_of(l, row)));
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
	static const char chance[] =
		"\nSamples are taken at random: the times of # differ by chance, and one always\n"
		"has most. A difference counts only if chance does not explain it; of those, at\n"
		"most 4 in 100 are expected to be wrong.\n";
	bool has_verdicts = columns_have(&l->columns, COLUMN_WORST) ||
	                    columns_have(&l->columns, COLUMN_BEST) ||
	                    columns_have(&l->columns, COLUMN_VERDICT);
	struct wrap wrap;
	struct gprofx_writer *w = wrap_begin(&wrap, l->names.gx, l->w,
	                                     (size_t)l->options->table.text_width);

	put_words(l, w,
	          "\nHow to read this table. Each row is a function. Times are those in its own\n"
	          "code; a @ without samples of it counts as 0.\n\n");
	for (uint32_t k = 0; k < l->columns.count; k++)
		if (l->columns.items[k] < COLUMN_MEMBER)
			put_words(l, w, differences_looks[l->columns.items[k]].explanation);
	/* One of them is the first. */
	if (columns_have(&l->columns, COLUMN_MEMBER))
		put_words(l, w, " others    the time in each of the #\n");
	/* Events that were counted are not. */
	if (has_verdicts && l->r->origin->metrics->kind != GPROFX_COUNTED)
		put_words(l, w, chance);
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
		5,
		{COLUMN_FIRST, COLUMN_SECOND, COLUMN_DIFFERENCE, COLUMN_VERDICT, COLUMN_NAME}};
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
