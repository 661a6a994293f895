/* SPDX-License-Identifier: Apache-2.0 */
/*
 * How well files were recorded, as their readers say, and in which code calls were not counted
 * while others were.
 */
#include <math.h>
#include <string.h>

#include <gprofx/gxc.h>

#include "base/memory.h"
#include "base/run.h"
#include "base/sums.h"
#include "findings/parts.h"
#include "profile/profile.h"
#include "symbols/late.h"
#include "symbols/symbols.h"

enum {
	WHOLE_PERCENT = 95, /* of the samples with all their callers: fewer are worth a word */
	MUCH = 2,           /* of samples without counted calls, one part of so many */
	OVERHEAD = 5,       /* of samples in the collector: more than one part of so many */
	EXCESS = 20,        /* of what was taken off, one part of so many could not be */
	FEW_SAMPLES = 10
};

/* Of all recordings of a run. */
struct recordings {
	uint32_t count, unfinished, snapshots, attached, other_clock, stopped, unwritten;
	const char *first_unfinished, *first_snapshot, *first_stopped;
	uint64_t lost_calls, lost_samples;
	uint64_t ticks, cut, broken; /* weights of stacks */
	uint64_t left_out;           /* of these, in other phases than the chosen one */
	uint64_t broken_by_pointers; /* of these, where frame pointers were followed */
	uint64_t bare;               /* of files that have no callers at all */
	uint32_t rate;               /* of the first */
	uint64_t clocked_calls, taken_ns, emptied_calls, excess_ns;
};

static struct recordings
add_recordings(const struct profile *profile)
{
	struct recordings all = {0};

	for (uint32_t i = 0; i < profile->file_count; i++) {
		const struct profile_file *file = &profile->files[i];
		const struct gprofx_raw_recording *row = &file->recording;

		if (!file->is_recording)
			continue;
		if (all.count++ == 0)
			all.rate = file->stack_rate;
		if ((row->flags & GPROFX_RECORDING_UNFINISHED) && all.unfinished++ == 0)
			all.first_unfinished = file->name;
		if ((row->flags & GPROFX_RECORDING_SNAPSHOT) && all.snapshots++ == 0)
			all.first_snapshot = file->name;
		if ((row->flags & GPROFX_RECORDING_STOPPED) && all.stopped++ == 0)
			all.first_stopped = file->name;
		all.attached += (row->flags & GPROFX_RECORDING_ATTACHED) != 0;
		all.unwritten += (row->flags & GPROFX_RECORDING_UNWRITTEN) != 0;
		all.other_clock += (row->flags & GPROFX_RECORDING_OTHER_CLOCK) != 0;
		sum_add(&all.lost_calls, row->lost_calls);
		sum_add(&all.lost_samples, row->lost_samples);
		/* What the recording says is of the whole run. */
		sum_add(&all.ticks, file->stack_ticks);
		sum_add(&all.ticks, file->left_out_ticks);
		sum_add(&all.left_out, file->left_out_ticks);
		sum_add(&all.clocked_calls, row->clocked_calls);
		sum_add(&all.taken_ns, row->taken_ns);
		sum_add(&all.emptied_calls, row->emptied_calls);
		sum_add(&all.excess_ns, row->excess_ns);
		sum_add(&all.cut, row->cut_ticks);
		sum_add(&all.broken, row->broken_ticks);
		if (file->deepest <= 1)
			sum_add(&all.bare, file->stack_ticks);
		if (row->flags & GPROFX_RECORDING_FRAME_POINTERS)
			sum_add(&all.broken_by_pointers, row->broken_ticks);
	}
	return all;
}

static double
percent(uint64_t part, uint64_t whole)
{
	return 100 * (double)part / (double)whole;
}

static const char *
files_of(const struct findings *findings, uint32_t part, const struct recordings *all)
{
	return text_format(findings->run, "%u of %u processes", part, all->count);
}

static void
inspect_losses(struct findings *findings, const struct recordings *all)
{
	struct run *run = findings->run;
	uint64_t calls = findings->calls;
	const char *of_calls, *of_samples;
	bool is_attached = all->attached == all->count;

	if (all->stopped > 0)
		finding_add(findings, FINDING_STOPPED, all->first_stopped,
		            "the program took the signal of the samples for itself: from then on "
		            "no sample was taken, so times are too low",
		            files_of(findings, all->stopped, all));
	if (all->lost_calls == 0 && all->lost_samples == 0)
		return;
	sum_add(&calls, all->lost_calls);
	of_calls = text_format(run, "%llu of %llu calls (%.3g %%)",
	                       (unsigned long long)all->lost_calls, (unsigned long long)calls,
	                       calls > 0 ? percent(all->lost_calls, calls) : 0);
	of_samples = text_format(run, "%llu of %llu samples", (unsigned long long)all->lost_samples,
	                         (unsigned long long)(all->ticks > UINT64_MAX - all->lost_samples
	                                                      ? UINT64_MAX
	                                                      : all->ticks + all->lost_samples));
	finding_add(findings, FINDING_LOST, NULL,
	            text_format(run, "%s%s%s were lost, since %s: these figures are too low",
	                        all->lost_calls > 0 ? of_calls : "",
	                        all->lost_calls > 0 && all->lost_samples > 0 ? " and " : "",
	                        all->lost_samples > 0 ? of_samples : "",
	                        is_attached ? "gprofx record --pid could not keep up with them"
	                        : all->unwritten > 0 ? "the file could not be enlarged"
	                                             : "there was no memory for them"),
	            text_format(run, "%s, %s", of_calls, of_samples));
	if (is_attached)
		finding_advise(findings, FINDING_LOST,
		               "attach again with a lower --rate, or when processors are free");
	else if (all->unwritten > 0)
		finding_advise(findings, FINDING_LOST,
		               "make room on the disk, or allow larger files (ulimit -f)");
}

/* Nothing but what ran was recorded: as if all these samples were of a function that calls none. */
static bool
inspect_bare(struct findings *findings, const struct recordings *all)
{
	if (all->bare < all->ticks - all->bare || all->ticks < FEW_SAMPLES)
		return false;
	finding_add(
		findings, FINDING_CUT_STACKS, NULL,
		text_format(findings->run,
	                    "%.0f %% of the time has no callers, as with --stack=off: the total "
	                    "times of callers lack it",
	                    percent(all->bare, all->ticks)),
		text_format(findings->run,
	                    "%llu of %llu samples are in files whose stacks have one frame each",
	                    (unsigned long long)all->bare, (unsigned long long)all->ticks));
	finding_advise(
		findings, FINDING_CUT_STACKS,
		"go by self times, which are complete; record with --stack=auto for callers");
	return true;
}

/* What a thread begins with: nothing above it is of interest, and often it cannot be followed. */
static bool
begins_thread(const char *name)
{
	static const char *const names[] = {
		"main",   "_start", "__libc_start_call_main", "__libc_start_main", "start_thread",
		"clone3", "clone",  "libc_start_main_stage2", "__clone3",          "__clone",
	};

	for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
		if (strcmp(name, names[i]) == 0)
			return true;
	return false;
}

/* Of what broken stacks weigh, at most what stacks weigh that do not begin where threads do. */
static uint64_t
without_whole(struct findings *findings, uint64_t broken)
{
	const struct stacks *stacks = &findings->profile->stacks;
	const struct symbols *symbols = findings->symbols;
	struct stack_sweep at = {0};
	uint64_t others = stacks->nowhere;
	bool *is_whole;

	if (!stacks->function)
		return broken;
	memory_array(findings->run, is_whole, (size_t)stacks->frame_count + 1);
	while (stacks_sweep(stacks, &at)) {
		uint32_t function = stacks->function[stacks->place[at.frame]];

		is_whole[at.frame] = at.above != NO_FRAME
		                             ? is_whole[at.above]
		                             : function < symbols->count &&
		                                       begins_thread(symbols->name[function]);
	}
	for (uint32_t i = 0; i < stacks->weighed; i++) {
		uint32_t end = stacks_end(stacks, i);

		if (end != NO_FRAME && !is_whole[end])
			sum_add(&others, stacks->weight[i]);
	}
	memory_release(findings->run, is_whole);
	return others < broken ? others : broken;
}

/* Stacks without their outermost callers: the times of these callers lack the weight of them. */
static void
inspect_stacks(struct findings *findings, const struct recordings *all)
{
	struct run *run = findings->run;
	uint64_t incomplete = all->cut, broken;
	double share;

	/* The system's code that starts threads often has no frames: nothing is missing there. */
	broken = all->broken > 0 ? without_whole(findings, all->broken) : 0;
	sum_add(&incomplete, broken);
	if (incomplete > all->ticks)
		incomplete = all->ticks;
	/* As doubles, so that no product is too large. */
	if (all->ticks == 0 ||
	    percent(all->ticks - incomplete, all->ticks) >= (double)WHOLE_PERCENT)
		return;
	share = percent(incomplete, all->ticks);
	finding_add(findings, FINDING_CUT_STACKS, NULL,
	            text_format(run,
	                        "%.0f %% of the time has no outer callers: the total times of "
	                        "such callers, main among them, lack it",
	                        share),
	            text_format(run,
	                        "%.1f %% of the samples have more frames than were kept, and of "
	                        "%.1f %% a caller could not be found; self times, and total times "
	                        "of the frames that are there, are still measured",
	                        percent(all->cut, all->ticks), percent(broken, all->ticks)));
	if (all->cut >= broken)
		finding_advise(findings, FINDING_CUT_STACKS,
		               "keep more frames: gprofx record --depth=1024 PROGRAM");
	else if (all->broken_by_pointers * 2 < all->broken)
		finding_advise(findings, FINDING_CUT_STACKS,
		               "go by self times, which are complete; compile all code with "
		               "-fasynchronous-unwind-tables, or with -fno-omit-frame-pointer and "
		               "record with --stack=fp");
}

static void
inspect_clock(struct findings *findings, const struct recordings *all)
{
	if (all->other_clock > 0)
		finding_add(findings, FINDING_CLOCK, NULL,
		            "the finer clock (clock=task) was refused: samples were taken at "
		            "the ticks of the kernel, mostly every 4 ms, and each stands for more "
		            "time",
		            files_of(findings, all->other_clock, all));
}

static void
inspect_end(struct findings *findings, const struct recordings *all)
{
	bool is_attached = all->attached == all->count;

	if (all->snapshots > 0)
		finding_add(
			findings, FINDING_SNAPSHOT, all->first_snapshot,
			is_attached
				? "a recording of a program that ran before and after: it has what "
				  "was sampled while gprofx record --pid was attached"
				: "a snapshot of a program that was still running: it has what was "
				  "measured until then",
			files_of(findings, all->snapshots, all));
	if (all->snapshots > 0 && is_attached)
		finding_advise(findings, FINDING_SNAPSHOT,
		               "nothing is needed; attach again, for longer, for more of it");
	if (all->unfinished > 0)
		finding_add(
			findings, FINDING_UNFINISHED, all->first_unfinished,
			"a signal or _exit ended the program, or it still runs: the recording "
			"is complete up to then, but the last libraries that it loaded can lack "
			"names",
			files_of(findings, all->unfinished, all));
}

/* No sample of the first metric, at all or in the chosen phase. */
static void
inspect_nothing(struct findings *findings, const struct recordings *all, const struct stacks *waits)
{
	struct run *run = findings->run;
	bool is_of_phase = all->left_out > 0;
	const char *who = is_of_phase ? "the phase" : "the program";

	if (waits == &findings->profile->stacks) {
		finding_add(findings, FINDING_NO_SAMPLES, NULL,
		            text_format(run, "no thread was seen waiting%s",
		                        is_of_phase ? " in this phase" : ""),
		            text_format(run, "no samples of waiting at %u Hz in %u %s", all->rate,
		                        all->count, all->count == 1 ? "process" : "processes"));
		finding_advise(findings, FINDING_NO_SAMPLES,
		               "leave out --metric=wait, to see where threads run");
		return;
	}
	finding_add(
		findings, FINDING_NO_SAMPLES, NULL,
		is_of_phase ? "no sample was taken in this phase: it used too little processor time"
			    : "no sample was taken: the program used too little processor time "
			      "while sampling was on",
		is_of_phase ? text_format(run, "0 of %llu samples are in it",
	                                  (unsigned long long)all->left_out)
			    : text_format(run, "no samples at %u Hz in %u %s", all->rate,
	                                  all->count, all->count == 1 ? "process" : "processes"));
	finding_advise(findings, FINDING_NO_SAMPLES,
	               text_format(run,
	                           waits ? "let %s do more, or see where it waits: add "
	                                   "--metric=wait"
	                                 : "let %s do more; to see where it waits, use gprofx "
	                                   "record --clock=wall PROGRAM",
	                           who));
}

/* What was taken off the times of calls. */
static void
inspect_instrumentation(struct findings *findings, const struct recordings *all)
{
	const double NS = 1e9;
	struct run *run = findings->run;
	const struct stacks *stacks = &findings->profile->stacks;
	double taken = (double)all->taken_ns / NS;
	const char *emptied = "", *excess = "";

	if (all->clocked_calls == 0 || stacks->metric_kind != GPROFX_CLOCKED)
		return;
	/* Functions that do next to nothing; or the collector took less than it was measured to. */
	if (all->emptied_calls > 0) {
		emptied = text_format(run, "; nothing is left of %llu calls",
		                      (unsigned long long)all->emptied_calls);
		excess = text_format(run, ", and %.3g s that could not be taken off",
		                     (double)all->excess_ns / NS);
	}
	finding_add(findings, FINDING_INSTRUMENTATION, NULL,
	            text_format(run, "measuring took %.3g s, which are taken off these times%s",
	                        taken, emptied),
	            text_format(run, "%llu calls, of %.0f ns each on average%s",
	                        (unsigned long long)all->clocked_calls,
	                        (double)all->taken_ns / (double)all->clocked_calls, excess));
	if (all->excess_ns > all->taken_ns / EXCESS)
		finding_advise(
			findings, FINDING_INSTRUMENTATION,
			"what a call takes was measured too high, so times are too low: record "
			"the program again when the machine is less busy");
}

/* Too few to say where the time is. */
static void
inspect_amount(struct findings *findings, const struct recordings *all)
{
	struct run *run = findings->run;
	const struct stacks *stacks = &findings->profile->stacks,
			    *waits = findings_metric(stacks, "wait");
	uint64_t ticks = all->ticks - all->left_out;

	if (!stacks->is_there || all->count < findings->profile->file_count ||
	    ticks >= FEW_SAMPLES || all->rate == 0)
		return;
	if (ticks == 0) {
		inspect_nothing(findings, all, waits);
		return;
	}
	finding_add(findings, FINDING_FEW, NULL,
	            "the run was too short: too few samples for meaningful times",
	            text_format(run, "%llu %s of %g s; the standard error of their sum is %.0f %%",
	                        (unsigned long long)ticks, ticks == 1 ? "sample" : "samples",
	                        1.0 / all->rate, 100 / sqrt((double)ticks)));
	finding_advise(findings, FINDING_FEW,
	               "run for longer, or take more samples: gprofx record --rate=1000 "
	               "--clock=task PROGRAM");
}

/* Weights of samples by what they are in. */
struct uncounted {
	double all, found, most; /* found: without counted calls; most: of these, in one object */
	double overhead;         /* in the collector */
	const struct symbol_image *where; /* which that is */
};

/* Per symbol, whether calls of its function were counted. */
static bool *
find_counted(struct run *run, const struct profile *profile, const struct symbols *symbols)
{
	bool *is_counted;

	memory_array(run, is_counted, symbols->count + SYMBOL_MORE_ROWS);
	for (uint32_t i = 0; i < profile->arc_count + profile->call_count; i++) {
		uint64_t callee = i < profile->arc_count
		                          ? profile->arcs[i].self
		                          : profile->calls[i - profile->arc_count].self;
		uint32_t symbol = symbols_lookup(symbols, callee);

		if (symbol != NO_SYMBOL)
			is_counted[symbols_function(symbols, symbol)] = true;
	}
	return is_counted;
}

/* Whether it is the collector, to which its reader gives this name. */
static bool
is_collector(const struct symbol_image *image)
{
	return image->late && image->late->kind == GPROFX_IMAGE_NAMES &&
	       strcmp(image->late->name, GXC_OVERHEAD) == 0;
}

static struct uncounted
find_uncounted(struct findings *findings)
{
	const struct profile *profile = findings->profile;
	const struct symbols *symbols = findings->symbols;
	const struct stacks *stacks = &profile->stacks;
	bool *is_counted = find_counted(findings->run, profile, symbols);
	double *by_image;
	struct uncounted sum = {0};

	memory_array(findings->run, by_image, symbols->image_count);
	for (uint32_t i = 0; i < stacks->weighed; i++) {
		uint32_t frame = stacks_end(stacks, i), symbol;
		const struct symbol_image *image;

		if (frame == NO_FRAME)
			continue;
		sum.all += (double)stacks->weight[i];
		symbol = stacks->function[stacks->place[frame]];
		if (symbol >= symbols->count || symbols_import(symbols, symbol))
			continue;
		image = symbols_image_at(symbols, symbols->address[symbol]);
		if (is_collector(image))
			sum.overhead += (double)stacks->weight[i];
		if (is_counted[symbols_function(symbols, symbol)] || !findings_is_users_code(image))
			continue;
		sum.found += (double)stacks->weight[i];
		by_image[image - symbols->images] += (double)stacks->weight[i];
	}
	for (uint32_t i = 0; i < symbols->image_count; i++)
		if (by_image[i] > sum.most) {
			sum.most = by_image[i];
			sum.where = &symbols->images[i];
		}
	memory_release(findings->run, by_image);
	memory_release(findings->run, is_counted);
	return sum;
}

/* Whether the collector counted basic blocks, be they in the report or not. */
static bool
counts_blocks(const struct profile *profile)
{
	for (uint32_t i = 0; i < profile->file_count; i++)
		if (profile->files[i].recording.flags & GPROFX_RECORDING_BLOCK_CALLS)
			return true;
	return false;
}

/* Counting that takes this much is not what a user looks for, though it can be the first row. */
static void
inspect_overhead(struct findings *findings, const struct uncounted *sum)
{
	const char *what = counts_blocks(findings->profile)
	                           ? "calls and basic blocks, which -pg and -fsanitize-coverage ask"
	                           : "calls, which -pg asks";

	if (sum->overhead < FEW_SAMPLES || sum->overhead * OVERHEAD <= sum->all)
		return;
	finding_add(findings, FINDING_OVERHEAD, NULL,
	            text_format(findings->run,
	                        "%.0f %% of the time is the counting of %s for: "
	                        "shares of other functions are of the time with it",
	                        100 * sum->overhead / sum->all, what),
	            text_format(findings->run, "%.0f of %.0f samples are in the collector",
	                        sum->overhead, sum->all));
}

/* Where nothing was counted at all, the tables show no calls. */
static void
inspect_uncounted(struct findings *findings)
{
	const struct profile *profile = findings->profile;
	struct run *run = findings->run;
	struct uncounted sum;

	if (!profile->stacks.is_there || findings->calls == 0 || !profile->stacks.function)
		return;
	sum = find_uncounted(findings);
	inspect_overhead(findings, &sum);
	if (!sum.where || sum.all < FEW_SAMPLES || sum.found * MUCH < sum.all)
		return;
	finding_add(findings, FINDING_UNCOUNTED, NULL,
	            text_format(run,
	                        "%.0f %% of the time is in code without counted calls, mostly in "
	                        "%s: it was compiled without -pg",
	                        100 * sum.found / sum.all, sum.where->name),
	            text_format(run, "%.0f of %.0f samples, of these %.0f in %s", sum.found,
	                        sum.all, sum.most, sum.where->name));
}

void
findings_inspect_recordings(struct findings *findings)
{
	struct recordings all = add_recordings(findings->profile);

	if (all.count == 0)
		return;
	/* Weights are nanoseconds then, and no samples. */
	if (findings->profile->stacks.metric_kind == GPROFX_CLOCKED)
		all.ticks = all.bare = 0;
	inspect_losses(findings, &all);
	if (!inspect_bare(findings, &all))
		inspect_stacks(findings, &all);
	inspect_clock(findings, &all);
	inspect_end(findings, &all);
	inspect_instrumentation(findings, &all);
	if (findings->profile->stacks.metric_kind != GPROFX_CLOCKED)
		inspect_amount(findings, &all);
	if (symbols_have_image(findings->symbols))
		inspect_uncounted(findings);
	findings_inspect_waiting(findings);
}
