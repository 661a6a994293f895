/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Threads, processes or phases: what each of them took, and how the time of each function differs
 * between them.
 */
#include <string.h>

#include <gprofx/emitter.h>

#include "../shared/differences.h"
#include "../shared/options.h"
#include "../shared/whole.h"
#include "members.h"

enum what { WHAT_FUNCTIONS, WHAT_MEMBERS, WHAT_ALL };
enum by { BY_AUTO, BY_THREAD, BY_PROCESS, BY_PHASE };

static const char *const what_words[] = {"functions", "members", "all", NULL};
static const char *const by_words[] = {"auto", "thread", "process", "phase", NULL};

/* By enum by. */
static const uint32_t kinds[] = {0, GPROFX_SLICE_THREAD, GPROFX_SLICE_PROCESS, GPROFX_SLICE_PHASE};
static const struct member_words words[] = {
	[BY_THREAD] = {"thread", "threads", "Threads"},
	[BY_PROCESS] = {"process", "processes", "Processes"},
	[BY_PHASE] = {"phase", "phases", "Phases"},
};

struct options {
	struct differences_options differences;
	int64_t members; /* 0: all */
	uint32_t what;   /* enum what */
	uint32_t by;     /* enum by */
};

static const struct gprofx_option table[] = {
	TABLE_ROW_OPTIONS(differences_member_columns, "auto",
                          "number of functions, from the top; 0: all",
                          "smallest share of the time for which a function is printed, in percent"),
	DIFFERENCES_OPTIONS,
	{.key = "by",
         .type = GPROFX_CHOICE,
         .offset = offsetof(struct options, by),
         .initial = "auto",
         .choices = by_words,
         .help = "by what values are split; auto: what --per-thread and the like ask for"},
	{.key = "what",
         .type = GPROFX_CHOICE,
         .offset = offsetof(struct options, what),
         .initial = "all",
         .choices = what_words,
         .help = "tables to write: a row for each function, for each thread (members), or both "
                 "(all)"},
	{.key = "members",
         .type = GPROFX_INT,
         .offset = offsetof(struct options, members),
         .initial = "20",
         .minimum = 0,
         .maximum = UINT32_MAX,
         .help = "number of threads in the table of them, from the top; 0: all"},
};

static struct gprofx_text
label_of(struct gprofx *gx, const void *source, uint32_t member)
{
	const char *label = gprofx_member_at(source, member)->label;

	(void)gx;
	return (struct gprofx_text){label, strlen(label)};
}

static void
put_table(struct gprofx *gx, const struct gprofx_report *report, struct gprofx_writer *w,
          const struct options *options, const struct gprofx_slice_table *slices)
{
	const struct member_words *word = &words[BY_THREAD];
	struct differences_members members = {
		.count = slices->member_count,
		.label = label_of,
		.source = slices,
		.spread_count = slices->spread_count,
		.spread = slices->spread,
		.value_first = slices->value_first,
		.value = slices->value,
	};

	for (size_t i = BY_THREAD; i < sizeof kinds / sizeof kinds[0]; i++)
		if (kinds[i] == slices->kind)
			word = &words[i];
	members.one = word->one;
	members.many = word->many;
	whole_put_phase(report, w);
	if (options->what != WHAT_FUNCTIONS)
		members_put(gx, report, w, slices, word, &options->differences.table,
		            options->members, options->differences.explain);
	if (options->what == WHAT_ALL)
		gprofx_putc(w, '\n');
	if (options->what != WHAT_MEMBERS)
		differences_put(gx, report, w, &options->differences, &members);
}

static enum gprofx_result
emit(struct gprofx *gx, const struct gprofx_emission *emission, const void *opaque)
{
	static const struct gprofx_diagnostic missing = {
		.id = "report.no-thread-statistics",
		.hint = "request them with --per-thread, --per-process or --per-phase",
	};
	const struct options *options = opaque;
	const struct gprofx_report *report = emission->report;
	uint32_t count = report->slices ? report->slices->table_count : 0;

	if (count == 0)
		return gprofx_fail(gx, &missing,
		                   "no statistics by thread, process or phase were collected");
	for (uint32_t i = 0; i < count; i++) {
		const struct gprofx_slice_table *slices = gprofx_slice_table_at(report, i);

		if (options->by != BY_AUTO && slices->kind != kinds[options->by])
			continue;
		emission->writer->services->separator(emission->writer);
		put_table(gx, report, emission->writer, options, slices);
	}
	return GPROFX_OK;
}

static void
needs_with(const void *opaque, struct gprofx_needs *needs)
{
	const struct options *options = opaque;

	needs->parts = GPROFX_PART_FLAT | GPROFX_PART_SLICE_TABLES;
	needs->slices = kinds[options->by];
}

static const struct gprofx_listing listings[] = {
	{
		.size = sizeof listings[0],
		.name = "times-per-thread",
		.place = 650,
	},
};

static const struct gprofx_emitter emitter = {
	.size = sizeof emitter,
	.format = "per-thread",
	.extension = "txt",
	.emit = emit,
	.needs_with = needs_with,
	.listings = listings,
	.listing_count = 1,
};

GPROFX_PLUGIN = {
	GPROFX_ABI,
	.name = "output-per-thread",
	.version = "1.0",
	.summary =
		"Threads, processes or phases, and the differences in each function's time between "
		"them",
	GPROFX_OPTIONS(struct options, table),
	.emitter = &emitter,
};
