/* SPDX-License-Identifier: Apache-2.0 */
/* Writes the sum, in the tagged format, or, for GNU gprof's -O, in those of BSD. */
#include "profile-writer/profile-writer.h"

#include "emit/writer.h"
#include "graph/graph.h"
#include "profile-writer/parts.h"
#include "statistics/statistics.h"

enum {
	TAG_HISTOGRAM = 0,
	TAG_ARC = 1,
	TAG_BLOCKS = 2,
	TAGGED_VERSION = 1,
	TAGGED_SPARE = 12,
	UNIT_BYTES = 15,
	COUNT_BYTES = 4,
	BSD_VERSION = 0x00051879,
	BSD_SPARE = 12,
	CLOCK_TICK = 100 /* the rate that the older format stands for */
};

void
sum_put(struct sum *sum, uint64_t value, uint32_t bytes)
{
	struct gprofx_writer *writer = &sum->writer->public;

	if (writer->end - writer->at < (ptrdiff_t)sizeof value)
		writer_flush(sum->writer);
	for (uint32_t i = 0; i < bytes; i++)
		*writer->at++ = (char)(value >> 8 * (sum->target->big_endian ? bytes - 1 - i : i));
}

void
sum_put_address(struct sum *sum, uint64_t address)
{
	sum_put(sum, address, sum->target->pointer_bytes);
}

static void
put_bytes(struct sum *sum, const char *bytes, size_t count)
{
	gprofx_put(&sum->writer->public, bytes, count);
}

static enum gprofx_result
fail_too_large(const struct sum *sum, const char *what)
{
	const struct gprofx_diagnostic diagnostic = {
		.id = "sum.too-large",
		.file = sum->run->settings->sum_file,
		.hint = "add up fewer profiles at a time",
		.text = {what, NULL},
	};

	return run_fail(sum->run, &diagnostic,
	                "the sum needs more than %d records besides the first ones for %s",
	                MOST_EXTRA_RECORDS, what);
}

/* An arc without a caller would be none to those who read the sum. */
static enum gprofx_result
fail_unknown_callers(const struct sum *sum)
{
	const struct gprofx_diagnostic diagnostic = {
		.id = "sum.callers-unknown",
		.file = sum->run->settings->sum_file,
		.hint = "report these profiles together, without writing a sum",
	};

	return run_fail(sum->run, &diagnostic,
	                "the format cannot store calls without callers, which %u functions have",
	                sum->profile->call_count);
}

/* Counts of source are not by address, which is all that the format knows. */
static enum gprofx_result
fail_source_counts(const struct sum *sum)
{
	const struct gprofx_diagnostic diagnostic = {
		.id = "sum.source-counts",
		.file = sum->run->settings->sum_file,
		.hint = "sum the other profiles, and name those with source counts next to the "
			"sum; gcov-tool merge adds up the files that gcov reads",
	};

	return run_fail(sum->run, &diagnostic,
	                "the format cannot store source counts, which %u files have",
	                sum->profile->source_file_count);
}

/* GNU gprof reads no file whose records differ in their dimension, and other formats have none. */
static enum gprofx_result
fail_metrics(const struct sum *sum)
{
	const struct gprofx_diagnostic diagnostic = {
		.id = "sum.several-metrics",
		.file = sum->run->settings->sum_file,
		.hint = "add up the profiles of each metric separately",
	};

	return run_fail(sum->run, &diagnostic,
	                "expected samples of one metric, found \"%s\" and \"%s\", which only "
	                "gprofx could read from one file",
	                sum->profile->has_histogram ? sum->profile->metric_name
	                                            : sum->profile->others[1]->metric_name,
	                sum->profile->others[0]->metric_name);
}

/* Notes the first address that would be another one where the sum is read. */
static void
check_address(const struct sum *sum, uint64_t address, uint64_t *wide)
{
	const struct gprofx_target *target = sum->target;
	bool fits = target->pointer_bytes == 8 || address <= UINT32_MAX >> target->sign_extends ||
	            (target->sign_extends && address >= (uint64_t)INT32_MIN);

	if (!fits && *wide == 0)
		*wide = address;
}

/* A profile can have wider addresses than the program that was named. */
static enum gprofx_result
check_addresses(const struct sum *sum)
{
	const struct profile *profile = sum->profile;
	struct gprofx_diagnostic diagnostic = {
		.id = "sum.wide-address",
		.file = sum->run->settings->sum_file,
		.hint = "name the program that wrote the profiles, on the machine it ran on",
	};
	uint64_t wide = 0;

	for (uint32_t i = 0; i < profile->histogram_count; i++) {
		check_address(sum, profile->histograms[i].low, &wide);
		check_address(sum, profile->histograms[i].high, &wide);
	}
	for (uint32_t i = 0; i < sum->arc_count; i++) {
		check_address(sum, sum->arcs[i].from, &wide);
		check_address(sum, sum->arcs[i].self, &wide);
	}
	for (uint32_t i = 0; i < profile->block_count; i++)
		check_address(sum, profile->blocks[i].address, &wide);
	if (wide == 0)
		return GPROFX_OK;
	diagnostic.number[0] = wide;
	return run_fail(sum->run, &diagnostic,
	                "expected addresses of %u bytes as in the program, found 0x%llx",
	                sum->target->pointer_bytes, (unsigned long long)wide);
}

static void
warn_cut(const struct sum *sum)
{
	const struct gprofx_diagnostic diagnostic = {
		.id = "sum.saturated",
		.file = sum->run->settings->sum_file,
		.hint = "add up fewer profiles at a time",
	};

	run_warn(sum->run, &diagnostic,
	         "some counts are too large for the format: the largest possible value is stored");
}

static void
warn_rates(const struct sum *sum)
{
	const struct gprofx_diagnostic diagnostic = {
		.id = "sum.rates-differ",
		.file = sum->run->settings->sum_file,
		.hint = "report the sum with gprofx, or add up profiles of one rate each",
	};

	run_warn(sum->run, &diagnostic,
	         "the sampling rates have no common multiple: each record has its own rate, but "
	         "GNU gprof applies the first one to all");
}

/* Who asks for nothing but a sum gets no findings. */
static void
warn_copies(const struct sum *sum)
{
	const struct profile *profile = sum->profile;
	const struct gprofx_diagnostic diagnostic = {
		.id = "sum.copies-left-out",
		.file = sum->run->settings->sum_file,
		.hint = "add --correct=no-forked-copies to add up everything in the files",
	};
	uint64_t samples = 0, calls = 0;
	uint32_t files = 0;

	for (uint32_t i = 0; i < profile->file_count; i++) {
		files += profile->files[i].copied_from != NULL;
		samples += profile->files[i].copied_samples;
		calls += profile->files[i].copied_calls;
	}
	if (files > 0)
		run_warn(
			sum->run, &diagnostic,
			"files of forked children (%u) are summed without what they copied from their "
			"parents: %llu samples and %llu calls",
			files, (unsigned long long)samples, (unsigned long long)calls);
}

static void
put_histogram(struct sum *sum, const struct sum_range *range)
{
	const struct profile *profile = sum->profile;
	const struct histogram *histogram = &profile->histograms[range->histogram];

	for (uint32_t record = 0; record < range->records; record++) {
		sum_put(sum, TAG_HISTOGRAM, 1);
		sum_put_address(sum, histogram->low);
		sum_put_address(sum, histogram->high);
		sum_put(sum, histogram->bin_count, 4);
		sum_put(sum, range->rate, 4);
		put_bytes(sum, profile->dimension, UNIT_BYTES);
		put_bytes(sum, &profile->abbreviation, 1);
		sum_put_bins(sum, range, record);
	}
}

/* The bytes of a count, and the most that it can hold. */
static uint32_t
count_bytes(const struct sum *sum)
{
	return sum->is_untagged ? sum->target->pointer_bytes : COUNT_BYTES;
}

static uint64_t
most_of(uint32_t bytes)
{
	return bytes == COUNT_BYTES ? UINT32_MAX : UINT64_MAX;
}

/* How many records a count takes besides the first, or more than there may be. */
static uint32_t
extra_for(uint64_t count, uint32_t bytes)
{
	uint64_t extra = count == 0 ? 0 : (count - 1) / most_of(bytes);

	return extra > MOST_EXTRA_RECORDS ? MOST_EXTRA_RECORDS + 1 : (uint32_t)extra;
}

static bool
arcs_fit(const struct sum *sum)
{
	struct arc_walk walk = {.sum = sum};
	uint32_t left = MOST_EXTRA_RECORDS;
	struct gprofx_raw_arc arc;

	while (sum_next_arc(&walk, &arc)) {
		uint32_t extra = extra_for(arc.count, count_bytes(sum));

		if (extra > left)
			return false;
		left -= extra;
	}
	return true;
}

static void
put_arcs(struct sum *sum)
{
	struct arc_walk walk = {.sum = sum};
	uint32_t left = MOST_EXTRA_RECORDS, bytes = count_bytes(sum);
	struct gprofx_raw_arc arc;

	while (sum_next_arc(&walk, &arc)) {
		uint32_t extra = extra_for(arc.count, bytes);

		sum->is_cut = sum->is_cut || extra > left;
		extra = extra < left ? extra : left;
		left -= extra;
		for (uint32_t record = 0; record <= extra; record++) {
			uint64_t part = arc.count < most_of(bytes) ? arc.count : most_of(bytes);

			if (!sum->is_untagged)
				sum_put(sum, TAG_ARC, 1);
			sum_put_address(sum, arc.from);
			sum_put_address(sum, arc.self);
			sum_put(sum, part, bytes);
			arc.count -= part;
		}
	}
}

/* All blocks stand in one record, those that take several rows included. */
static enum gprofx_result
put_blocks(struct sum *sum)
{
	uint32_t bytes = sum->target->pointer_bytes, count, extra = 0;
	bool cuts;
	const struct gprofx_block *blocks = sum_blocks(sum, &count);

	for (uint32_t i = 0; i < count && extra <= MOST_EXTRA_RECORDS; i++)
		extra += extra_for(blocks[i].count, bytes);
	cuts = extra > MOST_EXTRA_RECORDS || count > UINT32_MAX - extra;
	if (cuts && !sum->graph)
		return fail_too_large(sum, "counts of basic blocks");
	sum->is_cut = sum->is_cut || cuts;
	extra = cuts ? 0 : extra;
	sum_put(sum, TAG_BLOCKS, 1);
	sum_put(sum, count + extra, 4);
	for (uint32_t i = 0; i < count; i++) {
		uint64_t left = blocks[i].count;
		uint32_t rows = cuts ? 0 : extra_for(left, bytes);

		for (uint32_t row = 0; row <= rows; row++) {
			uint64_t part = left < most_of(bytes) ? left : most_of(bytes);

			sum_put_address(sum, blocks[i].address);
			sum_put(sum, part, bytes);
			left -= part;
		}
	}
	return GPROFX_OK;
}

static enum gprofx_result
put_tagged(struct sum *sum, const struct histogram_plan *plan)
{
	const struct profile *profile = sum->profile;

	put_bytes(sum, "gmon", 4);
	sum_put(sum, TAGGED_VERSION, 4);
	for (int i = 0; i < TAGGED_SPARE; i++)
		sum_put(sum, 0, 1);
	for (uint32_t i = 0; i < plan->count; i++)
		put_histogram(sum, &plan->ranges[i]);
	if (profile->has_arcs)
		put_arcs(sum);
	return profile->has_blocks ? put_blocks(sum) : GPROFX_OK;
}

/* One histogram, then the arcs; the older header has neither a version nor a rate. */
static void
put_untagged(struct sum *sum, const struct histogram_plan *plan)
{
	static const struct histogram none = {.sibling = NO_HISTOGRAM};
	const struct profile *profile = sum->profile;
	const struct histogram *histogram = plan->count > 0 ? &profile->histograms[0] : &none;
	bool has_version = sum->run->settings->sum_format == ENGINE_SUM_BSD44 ||
	                   profile->rate != CLOCK_TICK;
	uint32_t header = 2 * sum->target->pointer_bytes + 4 + (has_version ? 8 + BSD_SPARE : 0);

	sum_put_address(sum, histogram->low);
	sum_put_address(sum, histogram->high);
	sum_put(sum, header + 2 * (uint64_t)histogram->bin_count, 4);
	if (has_version) {
		sum_put(sum, BSD_VERSION, 4);
		sum_put(sum, profile->rate, 4);
		for (int i = 0; i < BSD_SPARE; i++)
			sum_put(sum, 0, 1);
	}
	if (plan->count > 0) {
		struct sum_range only = plan->ranges[0];

		/* A second record would be read as arcs. */
		only.records = 1;
		sum_put_bins(sum, &only, 0);
	}
	put_arcs(sum);
}

static enum gprofx_result
put_all(struct sum *sum, const struct histogram_plan *plan)
{
	if (!sum->is_untagged)
		return put_tagged(sum, plan);
	put_untagged(sum, plan);
	return GPROFX_OK;
}

bool
profile_writes_sum_only(const struct engine_settings *settings)
{
	return settings->sum_file && !engine_has_outputs(settings) && settings->report_parts == 0 &&
	       settings->report_contexts == 0 && !statistics_is_aim(settings) &&
	       !slices_are_aim(settings);
}

enum gprofx_result
profile_write_sum(struct run *run, const struct symbols *symbols, struct profile *profile,
                  const struct graph *graph)
{
	const struct engine_settings *settings = run->settings;
	struct sum sum = {
		.run = run,
		.symbols = symbols,
		.profile = profile,
		.graph = settings->sum_as_gprof ? graph : NULL,
		.target = &symbols->table.target,
		.is_untagged = settings->sum_format != ENGINE_SUM_TAGGED,
	};
	bool is_recorded = profile_sum_takes_recordings(symbols, profile);
	struct histogram_plan plan;
	struct profile taken;
	struct sum_rest rest = {0};
	enum gprofx_result result;

	profile_merge_repeats(run, profile);
	sum.arcs = profile->kept_arcs ? profile->kept_arcs : profile->arcs;
	sum.arc_count = profile->kept_arcs ? profile->kept_arc_count : profile->arc_count;
	if (is_recorded && sum_take_recordings(&sum, &taken, &rest) != GPROFX_OK)
		return GPROFX_FAILED;
	plan = sum_plan_histograms(&sum);
	if (sum.profile->call_count > 0)
		return fail_unknown_callers(&sum);
	if (profile->has_source)
		return fail_source_counts(&sum);
	if (profile->other_count > 0)
		return fail_metrics(&sum);
	/* Rather none than one that is not the sum; GNU mode has to write one. */
	if (!sum.graph && check_addresses(&sum) != GPROFX_OK)
		return GPROFX_FAILED;
	if (!sum.graph && !plan.fits)
		return fail_too_large(&sum, "histograms");
	if (!sum.graph && !arcs_fit(&sum))
		return fail_too_large(&sum, "calls");
	symbols_note_source(run, symbols, settings->sum_file);
	run_doing(run, "writing %s", settings->sum_file);
	sum.writer = writer_to_file(run, settings->sum_file, "sum.write-failed");
	if (!sum.writer)
		return GPROFX_FAILED;
	result = put_all(&sum, &plan);
	if (writer_close(run, sum.writer, result == GPROFX_OK) != GPROFX_OK)
		result = GPROFX_FAILED;
	run_doing_nothing(run);
	if (result == GPROFX_OK && sum.is_cut)
		warn_cut(&sum);
	if (result == GPROFX_OK && plan.differ)
		warn_rates(&sum);
	if (result == GPROFX_OK)
		warn_copies(&sum);
	if (result == GPROFX_OK && is_recorded)
		sum_warn_rest(&sum, &rest);
	return result;
}
