/* SPDX-License-Identifier: Apache-2.0 */
/* Histograms and sparse samples, metric by metric; of histograms, the bins that have samples. */
#include "profile/metrics.h"

#include <string.h>

#include "base/memory.h"
#include "base/sums.h"
#include "partial/parts.h"
#include "profile/kept-rows.h"
#include "profile/parts.h"

enum {
	/* Beyond, no program has code. */
	MOST_BINS = 1 << 28,
	/* So many may be there however small the program is, in all partial profiles together. */
	ANY_BINS = 1 << 24,
	/* A byte of a partial profile stands for so many bins, most of which have no samples. */
	BINS_OF_BYTE = 64
};

/* What a metric is, and what its records have in common. */
struct metric {
	struct declared_metric declared;
	uint32_t rate;
	bool has_sparse;
	uint64_t sparse_total;
};

static void
code_metric(struct codec *codec, struct metric *metric)
{
	uint8_t abbreviation = (uint8_t)metric->declared.abbreviation;

	codec_words(codec, metric->declared.name, sizeof metric->declared.name);
	codec_words(codec, metric->declared.unit, sizeof metric->declared.unit);
	codec_u8(codec, &abbreviation);
	metric->declared.abbreviation = (char)abbreviation;
	codec_up_to(codec, &metric->declared.kind, GPROFX_CLOCKED);
	codec_u32(codec, &metric->rate);
	codec_bool(codec, &metric->has_sparse);
	codec_u64(codec, &metric->sparse_total);
}

static void
write_bins(struct codec *codec, const struct histogram *histogram)
{
	uint32_t count = 0, last = 0;

	for (uint32_t i = histogram_next(histogram, 0); i < histogram->bin_count;
	     i = histogram_next(histogram, i + 1))
		count++;
	bytes_put_number(&codec->out, count);
	for (uint32_t i = histogram_next(histogram, 0); i < histogram->bin_count;
	     i = histogram_next(histogram, i + 1)) {
		bytes_put_number(&codec->out, i - last);
		bytes_put_number(&codec->out, histogram_bin(histogram, i));
		last = i;
	}
}

static void
write_metric(struct partial *partial, struct profile *of)
{
	struct codec *codec = &partial->codec;
	struct metric metric = {
		.declared = {.abbreviation = of->abbreviation, .kind = of->metric_kind},
		.rate = of->rate,
		.has_sparse = of->has_sparse,
		.sparse_total = of->sparse_total,
	};

	/* Both were copied from arrays of these sizes. */
	strncpy(metric.declared.name, of->metric_name ? of->metric_name : "",
	        sizeof metric.declared.name - 1);
	memcpy(metric.declared.unit, of->dimension, sizeof metric.declared.unit - 1);
	code_metric(codec, &metric);
	bytes_put_number(&codec->out, of->histogram_count);
	for (uint32_t i = 0; i < of->histogram_count; i++) {
		const struct histogram *histogram = &of->histograms[i];

		bytes_put_number(&codec->out, histogram->low);
		bytes_put_number(&codec->out, histogram->high);
		bytes_put_number(&codec->out, histogram->bin_count);
		bytes_put_number(&codec->out, histogram->rate);
		write_bins(codec, histogram);
	}
	kept_rows_merge(partial->run, &of->sparse, sizeof(struct sparse_sample), true);
	bytes_put_number(&codec->out, of->sparse.count);
	for (uint32_t i = 0; i < of->sparse.count; i++) {
		const struct sparse_sample *row = sparse_rows(&of->sparse) + i;

		bytes_put_number(&codec->out, row->slice);
		bytes_put_number(&codec->out, row->rate);
		bytes_put_number(&codec->out, row->address);
		bytes_put_number(&codec->out, row->weight);
	}
	partial_names(partial, &of->histogram_files);
	partial_names(partial, &of->sparse_files);
}

/* The bins of a histogram, ascending, are added to those that it has. */
static void
read_bins(struct partial *partial, struct profile *of, uint32_t number)
{
	struct codec *codec = &partial->codec;
	struct histogram *histogram = &of->histograms[number];
	uint32_t bin_count = histogram->bin_count;
	struct bin_sum *rows;
	uint64_t bin = 0;
	uint32_t count;

	count = bytes_take_count(&codec->in, 2);
	memory_array(partial->run, rows, (size_t)count + 1);
	for (uint32_t i = 0; i < count && !codec_has_failed(codec); i++) {
		bin += bytes_take_up_to(&codec->in, bin_count);
		rows[i] = (struct bin_sum){(uint32_t)bin, bytes_take_number(&codec->in)};
		if (bin >= bin_count || (i > 0 && rows[i].bin <= rows[i - 1].bin))
			codec_fail(codec);
	}
	if (!codec_has_failed(codec) && !partial->is_base) {
		profile_add_bin_sums(partial->run, histogram, rows, count);
		for (uint32_t i = 0; of == partial->profile && partial->needs_bins && i < count;
		     i++)
			slices_add_bin(partial->run, &of->slices,
			               (struct slice_bin){0, number, rows[i].bin, rows[i].samples});
	}
	memory_release(partial->run, rows);
}

/* Whether there may be so many more bins: as code has bytes, which profiles of it have to cover. */
static bool
may_have_bins(struct partial *partial, uint32_t more)
{
	struct profile *profile = partial->profile;
	const struct symbols *symbols = profile->image_symbols;
	uint64_t most = ANY_BINS + BINS_OF_BYTE * partial->file->length;

	for (uint32_t i = 0; symbols && i < symbols->image_count; i++)
		sum_add(&most, symbols->images[i].bytes);
	for (uint32_t i = 0; symbols && symbols->late && i < symbols->late->count; i++)
		sum_add(&most, symbols->late->items[i].file_bytes);
	profile->partial_bins += more;
	return profile->partial_bins <= most;
}

/* A record of the metric, which is the only one that is declared meanwhile. */
static struct gprofx_histogram
record_of(const struct metric *metric)
{
	struct gprofx_histogram record = {.size = sizeof record,
	                                  .metric = 1,
	                                  .rate = metric->rate,
	                                  .abbreviation = metric->declared.abbreviation};

	memcpy(record.dimension, metric->declared.unit, sizeof record.dimension);
	return record;
}

static enum gprofx_result
read_histogram(struct partial *partial, struct profile **of, const struct metric *metric)
{
	struct profile *profile = partial->profile;
	struct codec *codec = &partial->codec;
	struct gprofx_histogram record = record_of(metric);
	uint64_t low, bytes;
	uint32_t entered, count;

	record.low = bytes_take_number(&codec->in);
	record.high = bytes_take_number(&codec->in);
	record.bin_count = (uint32_t)bytes_take_up_to(&codec->in, MOST_BINS);
	record.rate = (uint32_t)bytes_take_up_to(&codec->in, UINT32_MAX);
	if (codec_has_failed(codec))
		return GPROFX_FAILED;
	low = partial_location(partial, record.low);
	bytes = record.high > record.low ? record.high - record.low : 0;
	/* Bins of other objects have a width of their own. */
	record.process = symbols_is_program(profile->image_symbols, low) ? 0 : 1;
	record.high = low + bytes < low ? UINT64_MAX : low + bytes;
	record.low = bytes > 0 ? low : record.low;
	record.high = bytes > 0 ? record.high : record.low;
	*of = metrics_enter(partial->run, profile, partial->file, &record);
	if (!*of || profile_check_record(partial->run, *of, partial->file, &record) != GPROFX_OK)
		return GPROFX_FAILED;
	count = (*of)->histogram_count;
	entered = profile_enter_record(partial->run, *of, &record);
	if ((*of)->histogram_count > count && !may_have_bins(partial, record.bin_count))
		return partial_fail(partial);
	if (*of == profile) {
		partial->histograms = memory_room(
			partial->run, partial->histograms, sizeof *partial->histograms,
			partial->histogram_count, &partial->histogram_room, 1);
		partial->histograms[partial->histogram_count++] = entered;
	}
	read_bins(partial, *of, entered);
	return codec_has_failed(codec) ? GPROFX_FAILED : GPROFX_OK;
}

static enum gprofx_result
read_sparse(struct partial *partial, struct profile *of, const struct metric *metric)
{
	struct codec *codec = &partial->codec;
	struct sparse_sample *rows;
	uint32_t count;

	count = bytes_take_count(&codec->in, 4);
	if (codec_has_failed(codec) || (count > 0 && !of))
		return GPROFX_FAILED;
	if (!of)
		return GPROFX_OK;
	memory_array(partial->run, rows, (size_t)count + 1);
	for (uint32_t i = 0; i < count; i++) {
		rows[i].slice = partial_slice(partial, bytes_take_number(&codec->in));
		rows[i].rate = (uint32_t)bytes_take_up_to(&codec->in, UINT32_MAX);
		rows[i].address = partial_location(partial, bytes_take_number(&codec->in));
		rows[i].weight = bytes_take_number(&codec->in);
	}
	if (!codec_has_failed(codec) && !partial->is_base && count > 0) {
		memcpy(kept_rows_add(partial->run, &of->sparse, sizeof *rows, count), rows,
		       count * sizeof *rows);
		sum_add(&of->sparse_total, metric->sparse_total);
	}
	memory_release(partial->run, rows);
	return GPROFX_OK;
}

/* The profile of a metric that has sparse samples, maybe with histograms. */
static struct profile *
enter_sparse(struct partial *partial, const struct metric *metric)
{
	struct gprofx_histogram record = record_of(metric);
	struct profile *of = metrics_enter(partial->run, partial->profile, partial->file, &record);

	if (!of || (profile_is_measured(of) &&
	            profile_check_unit(partial->run, of, partial->file, &record) != GPROFX_OK))
		return NULL;
	profile_learn_metric(partial->run, of, &record);
	of->has_sparse = true;
	return of;
}

/* Times of single files are by the rate of the first one. */
static enum gprofx_result
check_rate(const struct profile *profile, const struct partial *partial,
           const struct metric *metric)
{
	const struct gprofx_diagnostic diagnostic = {
		.id = "partial.other-rate",
		.file = partial->file->name,
		.hint = "write partial profiles with the first file of all as their base",
	};

	if (!profile->watch_read || metric->rate == profile->rate)
		return GPROFX_OK;
	return run_fail(partial->run, &diagnostic,
	                "expected times of single files at a sampling rate of %u as before, found "
	                "some at %u",
	                profile->rate, metric->rate);
}

static enum gprofx_result
read_metric(struct partial *partial, const struct metric *metric)
{
	struct codec *codec = &partial->codec;
	enum gprofx_result result = GPROFX_OK;
	struct profile *of = NULL;
	struct file_names none = {0};
	uint32_t count;

	count = bytes_take_count(&codec->in, 5);
	for (uint32_t i = 0; i < count && result == GPROFX_OK; i++)
		result = read_histogram(partial, &of, metric);
	if (result == GPROFX_OK && metric->has_sparse) {
		of = enter_sparse(partial, metric);
		result = of ? GPROFX_OK : GPROFX_FAILED;
	}
	if (result == GPROFX_OK)
		result = read_sparse(partial, of, metric);
	if (result != GPROFX_OK)
		return result;
	partial_names(partial, of ? &of->histogram_files : &none);
	partial_names(partial, of ? &of->sparse_files : &none);
	if (of && of->rate == 0)
		of->rate = metric->rate;
	if (!of || of != partial->profile)
		return GPROFX_OK;
	partial->rate = metric->rate;
	return check_rate(of, partial, metric);
}

enum gprofx_result
partial_metrics(struct partial *partial)
{
	struct codec *codec = &partial->codec;
	struct profile *profile = partial->profile;
	enum gprofx_result result = GPROFX_OK;
	uint32_t others = profile->other_count;

	codec_up_to(codec, &others, METRICS_AT_MOST - 1);
	if (codec->writes) {
		write_metric(partial, profile);
		for (uint32_t i = 0; i < others; i++)
			write_metric(partial, profile->others[i]);
		return GPROFX_OK;
	}
	if (!profile->declared)
		memory_array(partial->run, profile->declared, METRICS_AT_MOST);
	profile->declared_count = 0;
	for (uint32_t i = 0; i <= others && result == GPROFX_OK; i++) {
		struct metric metric = {.rate = 0};

		code_metric(codec, &metric);
		if (codec_has_failed(codec))
			return GPROFX_FAILED;
		profile->declared[0] = metric.declared;
		profile->declared_count = 1;
		result = read_metric(partial, &metric);
	}
	return result;
}
