/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Takes the samples and calls of each file from what waits to be added up.  Files are looked at by
 * several threads, each of which has room for one of them; what they found is added in the order
 * of the files.  Sums are exact, and what a file has depends on no other file, so that files that
 * another process took can be added behind them.
 */
#include "statistics/statistics.h"

#include "base/loose.h"
#include "base/memory.h"
#include "base/parallel.h"
#include "base/sort.h"
#include "graph/arcs.h"
#include "graph/samples.h"
#include "profile/kept-rows.h"
#include "statistics/by-slice.h"
#include "statistics/chance.h"
#include "statistics/divided-bins.h"
#include "statistics/exchange.h"
#include "statistics/file-values.h"
#include "statistics/labels.h"
#include "statistics/late.h"
#include "statistics/series.h"
#include "statistics/state.h"

enum {
	/*
	 * A record may have bins that are each divided among all symbols, and a file many of them;
	 * a program has a handful of records.
	 */
	MOST_DIVISIONS = 1 << 26,
	MOST_RECORDS = 64,    /* that are never too many */
	WORKER_BINS = 131072, /* so many are worth another worker */
	ARC_BINS = 8          /* looking up an arc is as much work as so many bins */
};

/* Whether a file has counts of source alone: it is of no single run. */
static bool
is_source_only(const struct profile *profile, const struct part *part)
{
	return profile->files[part->file].has_source && part->first == part->past &&
	       part->first_arc == part->past_arc && part->first_call == part->past_call &&
	       part->first_sparse == part->past_sparse;
}

/* The files since the last time, with their records and arcs, which stand behind all others. */
static void
list_parts(struct statistics *statistics)
{
	const struct profile *profile = statistics->profile;
	uint32_t files = profile->file_count - profile->added_files, record = 0;
	uint32_t arc = profile->arc_count, call = profile->call_count;
	uint32_t sparse = profile->sparse.count;

	statistics->part_count = 0;
	statistics->parts = memory_room(statistics->run, statistics->parts,
	                                sizeof *statistics->parts, 0, &statistics->part_room,
	                                files);
	for (uint32_t f = profile->added_files; f < profile->file_count; f++) {
		arc -= profile->files[f].arc_count;
		call -= profile->files[f].call_count;
		sparse -= profile->files[f].sparse_count;
	}
	for (uint32_t f = profile->added_files; f < profile->file_count; f++) {
		struct part part = {.file = f,
		                    .first_arc = arc,
		                    .first_call = call,
		                    .first_sparse = sparse};

		while (record < profile->pending_count && profile->pending[record].file < f)
			record++;
		part.first = record;
		while (record < profile->pending_count && profile->pending[record].file == f)
			record++;
		part.past = record;
		arc += profile->files[f].arc_count;
		call += profile->files[f].call_count;
		part.past_arc = arc;
		part.past_call = call;
		sparse += profile->files[f].sparse_count;
		part.past_sparse = sparse;
		if (is_source_only(profile, &part))
			continue;
		if (part.past - part.first > MOST_RECORDS &&
		    (uint64_t)(part.past - part.first) * statistics->samples.symbols->count >
		            MOST_DIVISIONS) {
			statistics->crowded = profile->files[f].name;
			continue;
		}
		part.number = statistics->file_count++;
		statistics->parts[statistics->part_count++] = part;
	}
}

static void
count_call(const struct statistics *statistics, const struct part *part,
           const struct gprofx_raw_arc *arc, bool has_caller, struct found *found)
{
	const struct filters *filters = statistics->samples.filters;
	uint32_t caller, callee;

	arcs_resolve(&statistics->arcs, arc, has_caller, &caller, &callee);
	if (callee == NO_SYMBOL || arc->count == 0 ||
	    !filter_selects(filters, ENGINE_FILTER_FLAT, callee) ||
	    !filter_keeps_arc(filters, statistics->samples.symbols, caller, callee))
		return;
	if (has_caller && statistics->quantum > 1 &&
	    late_may_change(statistics->samples.symbols, arc, statistics->quantum, caller,
	                    callee)) {
		const struct late_calls late = {part->number, callee, true, *arc};

		loose_add(&found->late, &late, sizeof late, 1);
		return;
	}
	if (caller == callee)
		return;
	if (found->calls[callee] == 0)
		found->called[found->called_count++] = callee;
	/* Nothing real is lost, and a function stands there once. */
	found->calls[callee] += arc->count;
	if (found->calls[callee] < arc->count)
		found->calls[callee] = UINT64_MAX;
}

static void
count_calls(const struct statistics *statistics, const struct part *part, struct found *found)
{
	const struct profile *profile = statistics->profile;

	for (uint32_t i = part->first_arc; i < part->past_arc; i++)
		count_call(statistics, part, &profile->arcs[i], true, found);
	for (uint32_t i = part->first_call; i < part->past_call; i++) {
		const struct gprofx_raw_arc arc = {.self = profile->calls[i].self,
		                                   .count = profile->calls[i].count};

		count_call(statistics, part, &arc, false, found);
	}
}

/* Has symbols ascend, those whose ticks wait each once. */
static void
sort_found(const struct statistics *statistics, struct found *found)
{
	struct loose_list *sharers = &found->late_samples.sharers;
	uint32_t *symbols = sharers->items;
	size_t count = 0;

	sort_numbers(symbols, (uint32_t)sharers->count);
	for (size_t i = 0; i < sharers->count; i++)
		if (i == 0 || symbols[i] != symbols[i - 1])
			symbols[count++] = symbols[i];
	sharers->count = count;
	if (!statistics->values)
		return;
	sort_numbers(found->samples.credited, found->samples.count);
	sort_numbers(found->called, found->called_count);
}

static void
look_at(void *argument, uint32_t worker, uint32_t task)
{
	const struct statistics *statistics = argument;
	const struct profile *profile = statistics->profile;
	const struct part *part = &statistics->parts[task];
	struct found *found = &statistics->found[worker];

	for (uint32_t i = part->first; i < part->past; i++) {
		const struct pending *pending = &profile->pending[i];
		const struct histogram *histogram = &profile->histograms[pending->histogram];

		if (pending->is_left_out)
			continue;
		found->samples.file = part->number;
		found->samples.late = &found->late_samples;
		samples_credit(statistics->run, &statistics->samples, profile, histogram,
		               &pending->record, &found->samples);
	}
	if (part->past_sparse > part->first_sparse)
		samples_credit_sparse(statistics->run, &statistics->samples, profile,
		                      sparse_rows(&profile->sparse) + part->first_sparse,
		                      part->past_sparse - part->first_sparse, NULL,
		                      &found->samples);
	count_calls(statistics, part, found);
	sort_found(statistics, found);
}

static void
add_self(const struct statistics *statistics, uint32_t file, uint32_t symbol, double ticks)
{
	series_table_add(&statistics->self, symbol, file, ticks);
	file_values_add_self(statistics->values, file, symbol, ticks);
}

static void
add_calls(const struct statistics *statistics, uint32_t file, uint32_t symbol, uint64_t calls)
{
	series_table_add(&statistics->calls, symbol, file, (double)calls);
	file_values_add_calls(statistics->values, file, symbol, calls);
}

/* Shared bins wait, and what else the file has of functions that may get some of them. */
static void
merge_samples(struct statistics *statistics, struct found *found, uint32_t file)
{
	struct late_samples *late = &found->late_samples;
	const uint32_t *sharers = late->sharers.items;

	for (size_t i = 0; i < late->sharers.count; i++) {
		uint32_t symbol = sharers[i];
		const struct known_ticks known = {file, symbol, found->samples.self[symbol]};

		loose_add(&statistics->known, &known, sizeof known, 1);
		series_wait(&statistics->self.rows[symbol], file);
		found->samples.self[symbol] = 0;
	}
	loose_add(&statistics->bins, late->bins.items, sizeof(struct shared_bin), late->bins.count);
	statistics->bins.failed = statistics->bins.failed || late->bins.failed ||
	                          late->sharers.failed;
	late->bins.count = late->sharers.count = 0;
	for (uint32_t i = 0; i < found->samples.count; i++) {
		uint32_t symbol = found->samples.credited[i];

		if (found->samples.self[symbol] != 0)
			add_self(statistics, file, symbol, found->samples.self[symbol]);
		found->samples.self[symbol] = 0;
	}
	found->samples.count = 0;
}

/* Calls in doubt wait, and the other ones of the same functions. */
static void
merge_calls(struct statistics *statistics, struct found *found, uint32_t file)
{
	const struct late_calls *late = found->late.items;

	loose_add(&statistics->late, late, sizeof *late, found->late.count);
	for (size_t i = 0; i < found->late.count; i++) {
		uint32_t symbol = late[i].callee;
		const struct late_calls known = {file,
		                                 symbol,
		                                 false,
		                                 {.count = found->calls[symbol]}};

		series_wait(&statistics->calls.rows[symbol], file);
		if (found->calls[symbol] != 0)
			loose_add(&statistics->late, &known, sizeof known, 1);
		found->calls[symbol] = 0;
	}
	statistics->late.failed = statistics->late.failed || found->late.failed;
	found->late.count = 0;
	for (uint32_t i = 0; i < found->called_count; i++) {
		uint32_t symbol = found->called[i];

		if (found->calls[symbol] != 0)
			add_calls(statistics, file, symbol, found->calls[symbol]);
		found->calls[symbol] = 0;
	}
	found->called_count = 0;
}

/* Adds what was found, and forgets it. */
static void
merge(void *argument, uint32_t worker, uint32_t task)
{
	struct statistics *statistics = argument;
	struct found *found = &statistics->found[worker];
	uint32_t file = statistics->parts[task].number;

	statistics->profile->files[statistics->parts[task].file].ticks = found->samples.all;
	merge_samples(statistics, found, file);
	merge_calls(statistics, found, file);
	found->samples.all = found->samples.total = 0;
}

/* Room for the workers, which they keep. */
static void
make_room(struct statistics *statistics, uint32_t workers)
{
	size_t rows = statistics_rows(statistics);
	struct run *run = statistics->run;

	statistics->found = memory_grow(
		run, statistics->found, statistics->found_count * sizeof *statistics->found,
		(workers > statistics->found_count ? workers : statistics->found_count) *
			sizeof *statistics->found);
	for (; statistics->found_count < workers; statistics->found_count++) {
		struct found *found = &statistics->found[statistics->found_count];

		memory_array(run, found->samples.self, rows);
		memory_array(run, found->samples.credited, rows);
		memory_array(run, found->calls, rows);
		memory_array(run, found->called, rows);
	}
}

void
statistics_prepare(struct statistics *statistics)
{
	if (statistics->has_rules)
		return;
	samples_prepare(statistics->run, &statistics->samples);
	statistics->arcs = arcs_rules(statistics->run, statistics->samples.symbols);
	statistics->has_rules = true;
}

static void
look(void *watcher, struct profile *profile)
{
	struct statistics *statistics = watcher;
	struct run *run = statistics->run;
	uint64_t work = 0;
	uint32_t workers;

	/* Their slices have all that they have. */
	if (profile->file_count == profile->added_files || slices_are_by_file(profile))
		return;
	statistics_prepare(statistics);
	list_parts(statistics);
	for (uint32_t i = 0; i < profile->pending_count; i++)
		work += profile->pending[i].record.bin_count;
	for (uint32_t i = 0; i < statistics->part_count; i++)
		work += (uint64_t)ARC_BINS *
		        ((uint64_t)statistics->parts[i].past_arc - statistics->parts[i].first_arc +
		         statistics->parts[i].past_call - statistics->parts[i].first_call);
	workers = parallel_workers(run, work < UINT32_MAX ? (uint32_t)work : UINT32_MAX,
	                           WORKER_BINS);
	workers = workers < statistics->part_count ? workers : statistics->part_count;
	make_room(statistics, workers);
	parallel_ordered(run, statistics->part_count, workers, look_at, merge, statistics);
	file_values_bound(run, statistics->values);
}

/* Room for what files have of each symbol. */
static void
make_series(struct statistics *statistics, bool keeps_values)
{
	uint32_t rows = statistics_rows(statistics);
	struct run *run = statistics->run;

	statistics->self = series_table_new(run, rows);
	statistics->calls = series_table_new(run, rows);
	if (keeps_values)
		statistics->values = file_values_new(run, FILE_VALUES_AT_MOST, FILE_VALUES_BYTES,
		                                     rows, statistics->self.rows,
		                                     statistics->calls.rows);
}

struct statistics *
statistics_new(struct run *run, const struct symbols *symbols, const struct filters *filters,
               struct scan *scan, struct profile *profile, bool keeps_values)
{
	struct statistics *statistics = memory_alloc(run, sizeof *statistics);

	statistics->run = run;
	statistics->samples.symbols = symbols;
	statistics->samples.filters = filters;
	statistics->samples.scan = scan;
	statistics->profile = profile;
	make_series(statistics, keeps_values);
	statistics->quantum = attribution_quantum_most(run);
	if (labels_prepare(run, &statistics->labels) != GPROFX_OK)
		return NULL;
	profile->watch = look;
	profile->watch_write = statistics_write;
	profile->watch_read = statistics_read;
	profile->watcher = statistics;
	return statistics;
}

/* What workers held of the samples. */
static void
free_late_samples(struct statistics *statistics)
{
	for (uint32_t i = 0; i < statistics->found_count; i++) {
		loose_free(&statistics->found[i].late_samples.bins);
		loose_free(&statistics->found[i].late_samples.sharers);
	}
}

static void
free_late_calls(struct statistics *statistics)
{
	for (uint32_t i = 0; i < statistics->found_count; i++)
		loose_free(&statistics->found[i].late);
}

void
statistics_drop_waiting(struct statistics *statistics)
{
	free_late_samples(statistics);
	free_late_calls(statistics);
	loose_free(&statistics->bins);
	loose_free(&statistics->known);
	loose_free(&statistics->late);
}

void
statistics_forget(struct statistics *statistics)
{
	statistics->profile->watch = NULL;
	statistics->profile->watch_write = NULL;
	statistics->profile->watch_read = NULL;
	statistics_drop_waiting(statistics);
	if (statistics->has_rules)
		samples_finish(statistics->run, &statistics->samples);
}

void
statistics_divide(struct statistics *statistics, const struct profile *profile)
{
	if (!statistics->has_rules)
		return;
	free_late_samples(statistics);
	bins_finish(statistics->run, &statistics->samples, profile, &statistics->bins,
	            &statistics->known, &statistics->self, statistics->values);
	samples_finish(statistics->run, &statistics->samples);
}

void
statistics_take_slices(struct statistics *statistics, struct profile *profile,
                       const struct sliced *sliced)
{
	struct run *run = statistics->run;

	statistics_forget(statistics);
	statistics->has_rules = false;
	statistics->crowded = NULL;
	/* Images brought further symbols since. */
	make_series(statistics, statistics->values != NULL);
	statistics->file_count = by_slice_add(run, profile, sliced, statistics_rows(statistics),
	                                      &statistics->self, &statistics->calls,
	                                      statistics->values);
}

/* Samples, which have a weight if they are stacks. */
static uint64_t
samples_of(const struct profile *profile, const struct profile_file *file)
{
	if (profile->stacks.is_there)
		return file->has_stacks ? file->stack_ticks : 0;
	return file->samples - file->copied_samples;
}

static enum gprofx_result
report_files(struct statistics *statistics, const struct profile *profile,
             struct report_parts *parts)
{
	struct gprofx_labelled_file *files;
	uint32_t count = 0;

	memory_array(statistics->run, files, profile->file_count);
	for (uint32_t i = 0; i < profile->file_count; i++) {
		const struct profile_file *file = &profile->files[i];

		if (profile_is_source_only(file))
			continue;
		files[count] = (struct gprofx_labelled_file){
			.size = sizeof *files,
			.name = file->name,
			.samples = samples_of(profile, file),
			.ticks = file->ticks,
		};
		if (labels_make(statistics->run, statistics->labels, file->name,
		                &files[count].label) != GPROFX_OK)
			return GPROFX_FAILED;
		count++;
	}
	parts->files.labelled = files;
	parts->files.labelled_count = count;
	return GPROFX_OK;
}

/*
 * Nothing shows what another metric would have been in a file that did not measure it, nor values
 * of other files beside recordings.
 */
static void
warn_unmeasured(struct run *run, const struct profile *profile)
{
	bool has_stacks = profile->stacks.is_there;
	bool by_slice = slices_are_by_file(profile);
	const struct gprofx_diagnostic diagnostic = {
		.id = "report.unmeasured-files",
		.hint = has_stacks ? "name only files whose call stacks measure the same"
	                : by_slice ? "name only recordings, or none"
	                           : "take per-file statistics of one metric alone",
	};
	uint32_t files = 0;

	for (uint32_t i = 0; i < profile->file_count; i++) {
		const struct profile_file *file = &profile->files[i];

		files += by_slice ? !by_slice_has_file(profile, file)
		                  : !file->has_histogram && !file->has_sparse &&
		                            file->has_other_metric;
	}
	if (files == 0)
		return;
	if (has_stacks)
		run_warn(run, &diagnostic,
		         "expected files that all have call stacks that measure %s, found %u of %u "
		         "that have none: they count as 0 in the statistics",
		         profile->stacks.dimension, files, profile->file_count);
	else if (by_slice)
		run_warn(run, &diagnostic,
		         "expected files that are all recordings, found %u of %u that are none: "
		         "they count as 0 in the statistics",
		         files, profile->file_count);
	else
		run_warn(run, &diagnostic,
		         "expected files that all measure \"%s\", found %u of %u that do not: they "
		         "count as 0 in the statistics",
		         profile->metric_name, files, profile->file_count);
}

/* A file has too many records to be looked at one by one: an error if statistics are required. */
static enum gprofx_result
tell_crowded(const struct statistics *statistics, bool is_optional)
{
	static const char text[] = "the file has too many histograms to be distinguished from "
				   "others";
	const struct gprofx_diagnostic diagnostic = {
		.id = "report.many-histograms",
		.file = statistics->crowded,
		.hint = "add up the file first with --sum=FILE, and name the sum",
	};

	if (!is_optional)
		return run_fail(statistics->run, &diagnostic, "%s", text);
	run_warn(statistics->run, &diagnostic, "%s", text);
	return GPROFX_OK;
}

/* Makes a row for each function that any file has something of, and returns them. */
static struct gprofx_function_spread *
report_spread(const struct statistics *statistics, struct report_parts *parts)
{
	const struct series_row *self = statistics->self.rows, *calls = statistics->calls.rows;
	struct gprofx_function_spread *rows, *next;
	uint32_t count = 0, files = statistics->file_count;

	for (uint32_t i = 0; i < parts->functions.count; i++)
		count += self[i].count > 0 || calls[i].count > 0;
	memory_array(statistics->run, rows, count);
	parts->files.spread = rows;
	parts->files.spread_count = count;
	next = rows;
	for (uint32_t i = 0; i < parts->functions.count; i++) {
		const struct series ticks = series_at(&statistics->self, i);
		const struct series called = series_at(&statistics->calls, i);

		if (self[i].count > 0 || calls[i].count > 0)
			*next++ = (struct gprofx_function_spread){
				.size = sizeof *rows,
				.function = i,
				.self = series_finish(&ticks, files),
				.calls = series_finish(&called, files),
			};
	}
	return rows;
}

enum gprofx_result
statistics_report(struct statistics *statistics, const struct profile *profile,
                  const struct attribution *callers, bool is_optional, struct report_parts *parts)
{
	const struct chance_basis basis = chance_basis_of(parts);
	struct chance_rows rows;

	free_late_calls(statistics);
	late_finish(statistics->run, &statistics->late, callers, &statistics->arcs,
	            &statistics->calls, statistics->values);
	if (statistics->crowded)
		return tell_crowded(statistics, is_optional);
	warn_unmeasured(statistics->run, profile);
	rows.row = report_spread(statistics, parts);
	if (statistics->values)
		file_values_report(statistics->run, statistics->values, &parts->files);
	rows.count = parts->files.spread_count;
	rows.files = statistics->file_count;
	rows.value_first = parts->files.value_first;
	rows.value = parts->files.value;
	chance_judge(statistics->run, &basis, &rows);
	return report_files(statistics, profile, parts);
}
