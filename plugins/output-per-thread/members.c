/* SPDX-License-Identifier: Apache-2.0 */
#include "members.h"

#include <stdlib.h>
#include <string.h>

#include "../shared/folded.h"
#include "../shared/names.h"
#include "../shared/width.h"
#include "../shared/wrap.h"
#include "../shared/options.h"

enum { MOST_OF_LABEL = 40 };

/* Widths of columns, with the blank in front. */
static const size_t figures = 6 + 1 + 9, cpu_column = 10, calls_column = 11;

static const double nanoseconds = 1e9;

/* A row in the order of the table. */
struct ranked {
	double ticks;
	uint64_t calls;
	uint32_t member;
};

struct listing {
	const struct gprofx_report *report;
	struct gprofx_writer *w;
	const struct gprofx_slice_table *table;
	const struct member_words *words;
	const struct table_options *options;
	struct names names;
	struct ranked *rows;
	size_t widest; /* of the labels */
	uint32_t shown;
	bool has_cpu, has_calls, has_several, has_unknown;
};

static int
compare(const void *left, const void *right)
{
	const struct ranked *a = left, *b = right;

	if (a->ticks != b->ticks)
		return a->ticks > b->ticks ? -1 : 1;
	if (a->calls != b->calls)
		return a->calls > b->calls ? -1 : 1;
	return a->member < b->member ? -1 : a->member > b->member;
}

static struct gprofx_text
label_of(const struct gprofx_member *member)
{
	return (struct gprofx_text){member->label, strlen(member->label)};
}

/* The thread that it is, or NULL. */
static const struct gprofx_thread *
thread_of(const struct listing *l, const struct gprofx_member *member)
{
	if (l->table->kind != GPROFX_SLICE_THREAD || member->row == GPROFX_NO_ROW)
		return NULL;
	return gprofx_thread_at(l->report, member->row);
}

/* Its processor time in nanoseconds, or 0. */
static uint64_t
cpu_of(const struct listing *l, const struct gprofx_member *member)
{
	const struct gprofx_thread *thread = thread_of(l, member);

	/* It is that of all phases. */
	return thread && !l->report->origin->phase ? thread->cpu_ns : 0;
}

static void
rank(struct listing *l, struct gprofx *gx, int64_t most)
{
	uint32_t count = l->table->member_count;

	l->rows = gprofx_alloc(gx, ((size_t)count + 1) * sizeof *l->rows);
	for (uint32_t i = 0; i < count; i++) {
		const struct gprofx_member *member = gprofx_member_at(l->table, i);
		uint64_t calls = member->calls == GPROFX_CALLS_UNKNOWN ? 0 : member->calls;

		l->has_cpu |= cpu_of(l, member) != 0;
		l->has_calls |= member->calls != GPROFX_CALLS_UNKNOWN;
		l->has_several |= thread_of(l, member) && thread_of(l, member)->threads > 1;
		l->has_unknown |= thread_of(l, member) && thread_of(l, member)->is_unknown;
		l->rows[i] = (struct ranked){member->ticks, calls, i};
	}
	qsort(l->rows, count, sizeof *l->rows, compare);
	l->shown = most == 0 || count < most ? count : (uint32_t)most;
	l->widest = strlen(l->words->one);
	for (uint32_t i = 0; i < l->shown; i++) {
		size_t width = width_of(label_of(gprofx_member_at(l->table, l->rows[i].member)));

		width = width < MOST_OF_LABEL ? width : MOST_OF_LABEL;
		l->widest = width > l->widest ? width : l->widest;
	}
}

static void
put_heading(const struct listing *l)
{
	bool color = writer_takes_color(l->w);

	gprofx_puts(l->w, color ? COLOR_HEADING : "");
	gprofx_out(l->w, "%6s %9.9s", "% time", l->report->origin->metrics->unit);
	if (l->has_cpu)
		gprofx_out(l->w, " %9s", "cpu time");
	if (l->has_calls)
		gprofx_out(l->w, " %10s", "calls");
	gprofx_out(l->w, "  %-*s  heaviest function", (int)l->widest, l->words->one);
	gprofx_puts(l->w, color ? COLOR_END "\n" : "\n");
}

static void
put_row(struct listing *l, const struct gprofx_member *member)
{
	const struct gprofx_writer_services *s = l->w->services;
	struct gprofx_text label = label_of(member);
	size_t width = width_of(label);
	size_t at = figures + (l->has_cpu ? cpu_column : 0) + (l->has_calls ? calls_column : 0) + 2;

	s->fixed(l->w, l->table->total > 0 ? 100.0 * member->ticks / l->table->total : 0, 6, 2);
	gprofx_putc(l->w, ' ');
	s->fixed(l->w, member->ticks / l->report->origin->metrics->ticks_per_unit, 9, 3);
	if (l->has_cpu) {
		uint64_t cpu = cpu_of(l, member);

		gprofx_putc(l->w, ' ');
		if (cpu != 0)
			s->fixed(l->w, (double)cpu / nanoseconds, 9, 3);
		else
			gprofx_blanks(l->w, 9);
	}
	if (l->has_calls) {
		gprofx_putc(l->w, ' ');
		s->number(l->w, member->calls, 10);
	}
	gprofx_puts(l->w, "  ");
	gprofx_put(l->w, label.bytes, label.length);
	if (member->heaviest != GPROFX_NO_ROW) {
		if (width < l->widest)
			gprofx_blanks(l->w, l->widest - width);
		gprofx_puts(l->w, "  ");
		at += (width < l->widest ? l->widest : width) + 2;
		folded_put(l->w, names_of(&l->names, member->heaviest), at,
		           (size_t)l->options->row_width);
	}
	gprofx_putc(l->w, '\n');
}

static void
put_others(const struct listing *l)
{
	struct table_rest rest = {.count = l->table->member_count - l->shown};
	char one[64] = "more ", many[64] = "more ";

	for (uint32_t i = l->shown; i < l->table->member_count; i++)
		rest.ticks += gprofx_member_at(l->table, l->rows[i].member)->ticks;
	strncat(one, l->words->one, sizeof one - strlen(one) - 1);
	strncat(many, l->words->many, sizeof many - strlen(many) - 1);
	table_put_rest(l->w, &rest, l->table->total > 0 ? l->table->total : 1, one, many, "time");
}

static void
put_explanation(struct listing *l)
{
	struct wrap wrap;
	struct gprofx_writer *w = wrap_begin(&wrap, l->names.gx, l->w,
	                                     (size_t)l->options->text_width);

	gprofx_out(w, "\nHow to read this table. Each row is a %s, the heaviest first.\n\n",
	           l->words->one);
	gprofx_out(w, " %% time    share of the time of all %s, including time in no function\n",
	           l->words->many);
	if (l->has_cpu)
		gprofx_puts(w,
		            " cpu time  processor time in seconds by the thread's own clock, to\n"
		            "           compare with the time by samples\n");
	if (l->has_calls)
		gprofx_puts(w, " calls     the number of calls of all functions\n");
	gprofx_puts(w, " heaviest  the function in whose own code most of its time is\n");
	if (l->has_several)
		gprofx_puts(w, " N threads ran one after the other and are not distinguished: see\n"
		               "           --threads of gprofx record\n");
	if (l->has_unknown)
		gprofx_puts(w,
		            " not known of no thread above: of code that was unloaded, and waits\n"
		            "           of threads that --threads does not keep apart\n");
	wrap_end(&wrap);
}

void
members_put(struct gprofx *gx, const struct gprofx_report *report, struct gprofx_writer *writer,
            const struct gprofx_slice_table *table, const struct member_words *words,
            const struct table_options *options, int64_t most, bool explain)
{
	struct listing listing = {
		.report = report,
		.w = writer,
		.table = table,
		.words = words,
		.options = options,
	};

	names_begin(&listing.names, gx, report, options->names);
	rank(&listing, gx, most);
	gprofx_out(writer, "%s:\n\n", words->title);
	put_heading(&listing);
	for (uint32_t i = 0; i < listing.shown; i++)
		put_row(&listing, gprofx_member_at(table, listing.rows[i].member));
	put_others(&listing);
	if (explain)
		put_explanation(&listing);
	gx->host->release(gx, listing.rows);
}
