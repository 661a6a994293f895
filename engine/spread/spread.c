/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Takes the samples and calls of each file from what waits to be added up.  Files are looked at by
 * several threads, each of which has room for one of them; what they found is added in the order
 * of the files.
 */
#include "spread/spread.h"

#include <string.h>

#include "base/loose.h"
#include "base/memory.h"
#include "base/parallel.h"
#include "graph/arcs.h"
#include "graph/samples.h"
#include "spread/bins.h"
#include "spread/labels.h"
#include "spread/late.h"
#include "spread/series.h"

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

/* What a worker found in the file that it is at. */
struct found {
	struct sample_credits samples;
	uint64_t *calls; /* per symbol */
	uint32_t *called, called_count;
	struct loose_list late; /* of struct late_calls */
	struct late_samples late_samples;
};

/* A file that waits. */
struct part {
	uint32_t file;
	uint32_t number;      /* among those that are told apart */
	uint32_t first, past; /* records that wait */
	uint32_t first_arc, past_arc;
	uint32_t first_call, past_call; /* those without a known caller */
};

struct spread {
	struct run *run;
	struct sample_rules samples;
	struct arc_rules arcs;
	bool has_rules; /* which cost something, and need no profile */
	struct labels *labels;
	struct series *self, *calls; /* per symbol, and one more for what lies in none */
	struct found *found;         /* per worker */
	uint32_t found_count;
	const char *crowded;    /* a file of too many records, or NULL */
	uint32_t file_count;    /* told apart so far: those that are of a run */
	uint32_t quantum;       /* so far, at most, call sites were rounded; 1: not at all */
	bool *is_late;          /* per symbol: its calls wait, with those in doubt, in "late" */
	struct loose_list late; /* of struct late_calls */
	/* The same for ticks, with bins that functions share and known ticks, by file. */
	bool *has_late_ticks;
	struct loose_list bins, known;
	/* Under way. */
	struct profile *profile;
	struct part *parts;
	uint32_t part_count, part_room;
};

bool
spread_is_wanted(const struct engine_settings *settings)
{
	if (settings->per_file)
		return true;
	for (uint32_t i = 0; i < settings->output_count; i++)
		if (strcmp(settings->outputs[i].format, SPREAD_FORMAT) == 0)
			return true;
	return false;
}

/* Whether a file tells of the source alone: it is of no single run. */
static bool
is_source_only(const struct profile *profile, const struct part *part)
{
	return profile->files[part->file].has_source && part->first == part->past &&
	       part->first_arc == part->past_arc && part->first_call == part->past_call;
}

/* The files since the last time, with their records and arcs, which stand behind all others. */
static void
list_parts(struct spread *spread)
{
	const struct profile *profile = spread->profile;
	uint32_t files = profile->file_count - profile->added_files, record = 0;
	uint32_t arc = profile->arc_count, call = profile->call_count;

	spread->part_count = 0;
	spread->parts = memory_room(spread->run, spread->parts, sizeof *spread->parts, 0,
	                            &spread->part_room, files);
	for (uint32_t f = profile->added_files; f < profile->file_count; f++) {
		arc -= profile->files[f].arc_count;
		call -= profile->files[f].call_count;
	}
	for (uint32_t f = profile->added_files; f < profile->file_count; f++) {
		struct part part = {.file = f, .first_arc = arc, .first_call = call};

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
		if (is_source_only(profile, &part))
			continue;
		if (part.past - part.first > MOST_RECORDS &&
		    (uint64_t)(part.past - part.first) * spread->samples.symbols->count >
		            MOST_DIVISIONS) {
			spread->crowded = profile->files[f].name;
			continue;
		}
		part.number = spread->file_count++;
		spread->parts[spread->part_count++] = part;
	}
}

static void
count_call(const struct spread *spread, const struct part *part, const struct gprofx_raw_arc *arc,
           bool has_caller, struct found *found)
{
	const struct filters *filters = spread->samples.filters;
	uint32_t caller, callee;

	arcs_resolve(&spread->arcs, arc, has_caller, &caller, &callee);
	if (callee == NO_SYMBOL || arc->count == 0 ||
	    !filter_selects(filters, ENGINE_FILTER_FLAT, callee) ||
	    !filter_keeps_arc(filters, spread->samples.symbols, caller, callee))
		return;
	if (has_caller && spread->quantum > 1 &&
	    late_may_change(spread->samples.symbols, arc, spread->quantum, caller, callee)) {
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
count_calls(const struct spread *spread, const struct part *part, struct found *found)
{
	const struct profile *profile = spread->profile;

	for (uint32_t i = part->first_arc; i < part->past_arc; i++)
		count_call(spread, part, &profile->arcs[i], true, found);
	for (uint32_t i = part->first_call; i < part->past_call; i++) {
		const struct gprofx_raw_arc arc = {.self = profile->calls[i].self,
		                                   .count = profile->calls[i].count};

		count_call(spread, part, &arc, false, found);
	}
}

static void
look_at(void *argument, uint32_t worker, uint32_t task)
{
	const struct spread *spread = argument;
	const struct profile *profile = spread->profile;
	const struct part *part = &spread->parts[task];
	struct found *found = &spread->found[worker];

	for (uint32_t i = part->first; i < part->past; i++) {
		const struct pending *pending = &profile->pending[i];
		const struct histogram *histogram = &profile->histograms[pending->histogram];

		if (pending->is_left_out)
			continue;
		found->samples.file = part->number;
		found->samples.late = &found->late_samples;
		samples_credit(spread->run, &spread->samples, profile, histogram, &pending->record,
		               &found->samples);
	}
	count_calls(spread, part, found);
}

static void
merge_samples(struct spread *spread, struct found *found, uint32_t file)
{
	struct late_samples *late = &found->late_samples;
	const uint32_t *sharers = late->sharers.items;

	for (size_t i = 0; i < late->sharers.count; i++)
		spread->has_late_ticks[sharers[i]] = true;
	loose_add(&spread->bins, late->bins.items, sizeof(struct shared_bin), late->bins.count);
	spread->bins.failed = spread->bins.failed || late->bins.failed || late->sharers.failed;
	late->bins.count = late->sharers.count = 0;
	for (uint32_t i = 0; i < found->samples.count; i++) {
		uint32_t symbol = found->samples.credited[i];
		const struct known_ticks known = {file, symbol, found->samples.self[symbol]};

		if (spread->has_late_ticks[symbol])
			loose_add(&spread->known, &known, sizeof known, 1);
		else
			series_add(&spread->self[symbol], file, known.ticks);
		found->samples.self[symbol] = 0;
	}
	found->samples.count = 0;
}

/* Adds what was found, and forgets it. */
static void
merge(void *argument, uint32_t worker, uint32_t task)
{
	struct spread *spread = argument;
	struct found *found = &spread->found[worker];
	const struct late_calls *late = found->late.items;
	uint32_t file = spread->parts[task].number;

	spread->profile->files[spread->parts[task].file].ticks = found->samples.all;
	merge_samples(spread, found, file);
	for (size_t i = 0; i < found->late.count; i++)
		spread->is_late[late[i].callee] = true;
	loose_add(&spread->late, late, sizeof *late, found->late.count);
	for (uint32_t i = 0; i < found->called_count; i++) {
		uint32_t symbol = found->called[i];
		const struct late_calls known = {file,
		                                 symbol,
		                                 false,
		                                 {.count = found->calls[symbol]}};

		if (spread->is_late[symbol])
			loose_add(&spread->late, &known, sizeof known, 1);
		else
			series_add(&spread->calls[symbol], file, (double)found->calls[symbol]);
		found->calls[symbol] = 0;
	}
	spread->late.failed = spread->late.failed || found->late.failed;
	found->late.count = 0;
	found->samples.all = found->samples.total = 0;
	found->called_count = 0;
}

/* Room for the workers, which they keep. */
static void
make_room(struct spread *spread, uint32_t workers)
{
	size_t rows = (size_t)spread->samples.symbols->count + SYMBOL_MORE_ROWS;
	struct run *run = spread->run;

	spread->found = memory_grow(
		run, spread->found, spread->found_count * sizeof *spread->found,
		(workers > spread->found_count ? workers : spread->found_count) *
			sizeof *spread->found);
	for (; spread->found_count < workers; spread->found_count++) {
		struct found *found = &spread->found[spread->found_count];

		memory_array(run, found->samples.self, rows);
		memory_array(run, found->samples.credited, rows);
		memory_array(run, found->calls, rows);
		memory_array(run, found->called, rows);
	}
}

static void
look(void *watcher, struct profile *profile)
{
	struct spread *spread = watcher;
	struct run *run = spread->run;
	uint64_t work = 0;
	uint32_t workers;

	if (profile->file_count == profile->added_files)
		return;
	if (!spread->has_rules) {
		samples_prepare(run, &spread->samples);
		spread->arcs = arcs_rules(run, spread->samples.symbols);
		spread->has_rules = true;
	}
	list_parts(spread);
	for (uint32_t i = 0; i < profile->pending_count; i++)
		work += profile->pending[i].record.bin_count;
	for (uint32_t i = 0; i < spread->part_count; i++)
		work += (uint64_t)ARC_BINS *
		        ((uint64_t)spread->parts[i].past_arc - spread->parts[i].first_arc +
		         spread->parts[i].past_call - spread->parts[i].first_call);
	workers = parallel_workers(run, work < UINT32_MAX ? (uint32_t)work : UINT32_MAX,
	                           WORKER_BINS);
	workers = workers < spread->part_count ? workers : spread->part_count;
	make_room(spread, workers);
	parallel_ordered(run, spread->part_count, workers, look_at, merge, spread);
}

struct spread *
spread_new(struct run *run, const struct symbols *symbols, const struct filters *filters,
           struct profile *profile)
{
	struct spread *spread = memory_alloc(run, sizeof *spread);

	spread->run = run;
	spread->samples.symbols = symbols;
	spread->samples.filters = filters;
	spread->profile = profile;
	memory_array(run, spread->self, (size_t)symbols->count + SYMBOL_MORE_ROWS);
	memory_array(run, spread->calls, (size_t)symbols->count + SYMBOL_MORE_ROWS);
	memory_array(run, spread->is_late, (size_t)symbols->count + SYMBOL_MORE_ROWS);
	memory_array(run, spread->has_late_ticks, (size_t)symbols->count + SYMBOL_MORE_ROWS);
	spread->quantum = callers_quantum_most(run);
	if (labels_prepare(run, &spread->labels) != GPROFX_OK)
		return NULL;
	profile->watch = look;
	profile->watcher = spread;
	return spread;
}

void
spread_divide(struct spread *spread, const struct profile *profile)
{
	if (!spread->has_rules)
		return;
	for (uint32_t i = 0; i < spread->found_count; i++) {
		loose_free(&spread->found[i].late_samples.bins);
		loose_free(&spread->found[i].late_samples.sharers);
	}
	bins_finish(spread->run, &spread->samples, profile, &spread->bins, &spread->known,
	            spread->self);
	samples_finish(spread->run, &spread->samples);
}

static enum gprofx_result
report_files(struct spread *spread, const struct profile *profile, struct gprofx_report *report)
{
	struct gprofx_labelled_file *files;
	uint32_t count = 0;

	memory_array(spread->run, files, profile->file_count);
	for (uint32_t i = 0; i < profile->file_count; i++) {
		const struct profile_file *file = &profile->files[i];

		if (profile_is_source_only(file))
			continue;
		files[count] = (struct gprofx_labelled_file){
			.size = sizeof *files,
			.name = file->name,
			.samples = file->samples - file->copied_samples,
			.ticks = file->ticks,
		};
		if (labels_make(spread->run, spread->labels, file->name, &files[count].label) !=
		    GPROFX_OK)
			return GPROFX_FAILED;
		count++;
	}
	report->labelled = files;
	report->labelled_count = count;
	return GPROFX_OK;
}

enum gprofx_result
spread_report(struct spread *spread, const struct profile *profile, const struct callers *callers,
              struct gprofx_report *report)
{
	struct gprofx_function_spread *rows;
	uint32_t count = 0, files = spread->file_count;
	const struct gprofx_diagnostic diagnostic = {
		.id = "report.many-histograms",
		.file = spread->crowded,
		.hint = "add the file up first, with --sum=FILE, and name the sum",
	};

	if (spread->crowded)
		return run_fail(
			spread->run, &diagnostic,
			"expected a file with fewer histograms to be told apart from others");

	for (uint32_t i = 0; i < spread->found_count; i++)
		loose_free(&spread->found[i].late);
	late_finish(spread->run, &spread->late, callers, &spread->arcs, spread->calls);

	for (uint32_t i = 0; i < report->function_count; i++)
		count += spread->self[i].count > 0 || spread->calls[i].count > 0;
	memory_array(spread->run, rows, count);
	report->spread = rows;
	report->spread_count = count;
	for (uint32_t i = 0; i < report->function_count; i++)
		if (spread->self[i].count > 0 || spread->calls[i].count > 0)
			*rows++ = (struct gprofx_function_spread){
				.size = sizeof *rows,
				.function = i,
				.self = series_finish(&spread->self[i], files),
				.calls = series_finish(&spread->calls[i], files),
			};
	return report_files(spread, profile, report);
}
