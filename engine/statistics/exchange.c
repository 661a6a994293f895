/* SPDX-License-Identifier: Apache-2.0 */
#include "statistics/exchange.h"

#include <math.h>

#include <gprofx/reader.h>

#include "base/loose.h"
#include "base/memory.h"
#include "graph/samples.h"
#include "profile/profile.h"
#include "statistics/divided-bins.h"
#include "statistics/file-values.h"
#include "statistics/late.h"
#include "statistics/series.h"
#include "statistics/state.h"

/* Bytes of a row, at least. */
enum { SERIES_BYTES = 3, HISTOGRAM_BYTES = 3, BIN_BYTES = 4, KNOWN_BYTES = 3, LATE_BYTES = 6 };

/* Series by symbol, of those that have any. */
static void
write_series(const struct series_table *series, uint32_t rows, struct bytes_out *to)
{
	uint32_t count = 0, last = 0;

	for (uint32_t i = 0; i < rows; i++)
		count += !series_is_empty(&series->rows[i]);
	bytes_put_number(to, count);
	for (uint32_t i = 0; i < rows; i++) {
		const struct series one = series_at(series, i);

		if (series_is_empty(&one.row))
			continue;
		bytes_put_number(to, i - last);
		series_write(&one, to);
		last = i;
	}
}

/* Bins refer to the histograms by number, since other processes number theirs otherwise. */
static void
write_histograms(const struct profile *profile, struct bytes_out *to)
{
	bytes_put_number(to, profile->histogram_count);
	for (uint32_t i = 0; i < profile->histogram_count; i++) {
		bytes_put_number(to, profile->histograms[i].low);
		bytes_put_number(to, profile->histograms[i].high);
		bytes_put_number(to, profile->histograms[i].rate);
	}
}

static void
write_bins(const struct statistics *statistics, struct bytes_out *to)
{
	const struct shared_bin *bins = statistics->bins.items;
	const struct known_ticks *known = statistics->known.items;

	write_histograms(statistics->profile, to);
	bytes_put_number(to, statistics->bins.count);
	for (size_t i = 0; i < statistics->bins.count; i++) {
		bytes_put_number(to, bins[i].file);
		bytes_put_number(to, bins[i].histogram);
		bytes_put_number(to, bins[i].bin);
		bytes_put_number(to, bins[i].samples);
	}
	bytes_put_number(to, statistics->known.count);
	for (size_t i = 0; i < statistics->known.count; i++) {
		bytes_put_number(to, known[i].file);
		bytes_put_number(to, known[i].symbol);
		bytes_put_amount(to, known[i].ticks);
	}
}

static void
write_late_calls(const struct statistics *statistics, struct bytes_out *to)
{
	const struct late_calls *late = statistics->late.items;

	bytes_put_number(to, statistics->late.count);
	for (size_t i = 0; i < statistics->late.count; i++) {
		bytes_put_number(to, late[i].file);
		bytes_put_number(to, late[i].callee);
		bytes_put_number(to, late[i].is_arc);
		bytes_put_number(to, late[i].arc.from);
		bytes_put_number(to, late[i].arc.self);
		bytes_put_number(to, late[i].arc.count);
	}
}

void
statistics_write(const void *watcher, struct bytes_out *to)
{
	const struct statistics *statistics = watcher;
	const struct loose_list *late = &statistics->late, *bins = &statistics->bins,
				*known = &statistics->known;
	uint32_t rows = statistics_rows(statistics);

	if (late->failed || bins->failed || known->failed)
		memory_exhausted(statistics->run, late->room + bins->room + known->room);
	bytes_put_number(to, rows);
	bytes_put_number(to, statistics->quantum);
	bytes_put_number(to, statistics->file_count);
	bytes_put_text(to, statistics->crowded);
	write_series(&statistics->self, rows, to);
	write_series(&statistics->calls, rows, to);
	file_values_write(statistics->values, to);
	write_bins(statistics, to);
	write_late_calls(statistics, to);
}

/* What is being read, of files that come behind those there were. */
struct reading {
	struct statistics *statistics;
	struct bytes_in *from;
	uint32_t first, files; /* the number of the first file, and how many there are */
};

/* How many files of the profile can be distinguished. */
static uint32_t
count_files(const struct profile *profile)
{
	uint32_t count = 0;

	for (uint32_t i = 0; i < profile->file_count; i++)
		count += !profile_is_source_only(&profile->files[i]);
	return count;
}

/* What the numbers of everything else depend on. */
static bool
read_header(struct reading *at)
{
	struct statistics *statistics = at->statistics;
	const char *crowded;
	uint32_t most;

	if (bytes_take_number(at->from) != statistics_rows(statistics) ||
	    bytes_take_number(at->from) != statistics->quantum)
		return false;
	most = count_files(statistics->profile);
	if (at->from->has_failed || statistics->file_count > most)
		return false;
	at->first = statistics->file_count;
	at->files = (uint32_t)bytes_take_up_to(at->from, most - at->first);
	crowded = bytes_take_text(statistics->run, at->from);
	if (crowded)
		statistics->crowded = crowded;
	return !at->from->has_failed;
}

/* Adds series; sets how many values each symbol has. */
static bool
read_series(const struct reading *at, const struct series_table *series, uint32_t *counts)
{
	uint32_t rows = statistics_rows(at->statistics), symbol = 0;
	uint32_t count = bytes_take_count(at->from, SERIES_BYTES);

	for (uint32_t i = 0; i < count; i++) {
		uint32_t distance = (uint32_t)bytes_take_up_to(at->from, rows - 1 - symbol);
		struct series more;

		symbol += distance;
		if ((distance == 0 && i > 0) || !series_read(&more, at->from, at->files))
			return false;
		series_table_merge(series, symbol, &more, at->first);
		counts[symbol] = more.row.count;
	}
	return !at->from->has_failed;
}

static bool
read_values(const struct reading *at)
{
	struct statistics *statistics = at->statistics;
	struct file_values_group group = {.first = at->first, .count = at->files};
	bool is_right;

	memory_array(statistics->run, group.self, statistics_rows(statistics));
	memory_array(statistics->run, group.calls, statistics_rows(statistics));
	is_right = read_series(at, &statistics->self, group.self) &&
	           read_series(at, &statistics->calls, group.calls) &&
	           file_values_read(statistics->run, statistics->values, at->from, &group);
	memory_release(statistics->run, group.self);
	memory_release(statistics->run, group.calls);
	return is_right;
}

/* The profile's numbers of the histograms, NO_HISTOGRAM for those that it does not have. */
static uint32_t *
read_histograms(const struct reading *at, uint32_t *count)
{
	struct statistics *statistics = at->statistics;
	uint32_t *numbers;

	*count = bytes_take_count(at->from, HISTOGRAM_BYTES);
	memory_array(statistics->run, numbers, *count);
	for (uint32_t i = 0; i < *count; i++) {
		uint64_t low = bytes_take_number(at->from), high = bytes_take_number(at->from);
		uint32_t rate = (uint32_t)bytes_take_up_to(at->from, UINT32_MAX);

		numbers[i] = profile_find_histogram(statistics->run, statistics->profile, low, high,
		                                    rate);
	}
	return numbers;
}

/* The file of a row, none before that of the row before. */
static bool
take_file(const struct reading *at, uint32_t *last, uint32_t *file)
{
	uint64_t number = bytes_take_number(at->from);

	if (at->from->has_failed || number < *last || number >= at->files)
		return false;
	*last = (uint32_t)number;
	*file = at->first + (uint32_t)number;
	return true;
}

static bool
read_shared(const struct reading *at, const uint32_t *numbers, uint32_t histograms)
{
	const struct profile *profile = at->statistics->profile;
	uint32_t count = bytes_take_count(at->from, BIN_BYTES), last = 0;

	for (uint32_t i = 0; i < count; i++) {
		struct shared_bin row;
		uint64_t histogram, bin;

		if (!take_file(at, &last, &row.file))
			return false;
		histogram = bytes_take_number(at->from);
		bin = bytes_take_number(at->from);
		row.samples = bytes_take_number(at->from);
		if (at->from->has_failed || histogram >= histograms ||
		    numbers[histogram] == NO_HISTOGRAM ||
		    bin >= profile->histograms[numbers[histogram]].bin_count || row.samples == 0)
			return false;
		row.histogram = numbers[histogram];
		row.bin = (uint32_t)bin;
		loose_add(&at->statistics->bins, &row, sizeof row, 1);
	}
	return !at->from->has_failed;
}

static bool
read_known(const struct reading *at)
{
	uint32_t rows = statistics_rows(at->statistics), last = 0;
	uint32_t count = bytes_take_count(at->from, KNOWN_BYTES);

	for (uint32_t i = 0; i < count; i++) {
		struct known_ticks row;

		if (!take_file(at, &last, &row.file))
			return false;
		row.symbol = (uint32_t)bytes_take_up_to(at->from, rows - 1);
		row.ticks = bytes_take_amount(at->from);
		if (!(row.ticks >= 0 && row.ticks < (double)INFINITY))
			return false;
		loose_add(&at->statistics->known, &row, sizeof row, 1);
	}
	return !at->from->has_failed;
}

static bool
read_bins(const struct reading *at)
{
	uint32_t histograms, *numbers = read_histograms(at, &histograms);
	bool is_right = read_shared(at, numbers, histograms) && read_known(at);

	memory_release(at->statistics->run, numbers);
	return is_right;
}

static bool
read_late_calls(const struct reading *at)
{
	uint32_t rows = statistics_rows(at->statistics), last = 0;
	uint32_t count = bytes_take_count(at->from, LATE_BYTES);

	for (uint32_t i = 0; i < count; i++) {
		struct late_calls row = {.file = 0};

		if (!take_file(at, &last, &row.file))
			return false;
		row.callee = (uint32_t)bytes_take_up_to(at->from, rows - 1);
		row.is_arc = bytes_take_up_to(at->from, 1) == 1;
		row.arc.from = bytes_take_number(at->from);
		row.arc.self = bytes_take_number(at->from);
		row.arc.count = bytes_take_number(at->from);
		loose_add(&at->statistics->late, &row, sizeof row, 1);
	}
	return !at->from->has_failed;
}

bool
statistics_read(void *watcher, struct bytes_in *from)
{
	struct statistics *statistics = watcher;
	struct reading reading = {.statistics = statistics, .from = from};

	statistics_prepare(statistics);
	if (!read_header(&reading) || !read_values(&reading) || !read_bins(&reading) ||
	    !read_late_calls(&reading)) {
		statistics_drop_waiting(statistics);
		return false;
	}
	statistics->file_count += reading.files;
	return true;
}
