/* SPDX-License-Identifier: Apache-2.0 */
/* Where the samples lie: in no code at all, or in code without a name. */
#include "base/memory.h"
#include "base/run.h"
#include "findings/parts.h"
#include "profile/kept-rows.h"
#include "profile/profile.h"
#include "symbols/symbols.h"

/* From how many samples without a name, and from which share of all (1/N), it is reported.
 */
enum { LEAST_NAMELESS = 16, NAMELESS_SHARE = 4 };

/* Blocks of bins that are looked at; of more of them evenly spaced ones stand for all. */
enum { MOST_BLOCKS = 512 };

/* One bin with samples: the addresses [first, past). */
struct bin {
	uint64_t first, past, samples;
};

/* What a walk over the bins keeps between two of them. */
struct walk {
	struct findings *findings;
	uint32_t symbol; /* the last one at or below the bin, or 0 */
	void (*visit)(struct walk *walk, const struct bin *bin);
	uint64_t named_low, named_past; /* addresses of a function of the report, in code */
	uint64_t nameless;
	/* Per range of code: its nameless samples; NULL: not wanted. */
	uint64_t *by_range;
};

static uint64_t
offset_of(const struct histogram *histogram, double bin)
{
	double units = histogram->scale * bin;

	return units > 0 && units < 0x1p62 ? 2 * (uint64_t)units : 0;
}

static uint32_t
block_count(const struct histogram *histogram)
{
	return (histogram->bin_count + HISTOGRAM_BLOCK - 1) / HISTOGRAM_BLOCK;
}

/* So many blocks of bins as there is one to look at. */
static uint64_t
stride_of(const struct profile *profile)
{
	uint64_t used = 0;

	for (uint32_t r = 0; r < profile->histogram_count; r++)
		for (uint32_t b = 0; b < block_count(&profile->histograms[r]); b++)
			used += profile->histograms[r].is_used[b];
	return used / MOST_BLOCKS + 1;
}

static void
walk_block(struct walk *walk, const struct histogram *histogram, uint32_t block)
{
	uint32_t begin = block * HISTOGRAM_BLOCK, left = histogram->bin_count - begin;
	uint32_t end = left > HISTOGRAM_BLOCK ? begin + HISTOGRAM_BLOCK : histogram->bin_count;

	for (uint32_t i = begin; i < end; i++) {
		struct bin bin = {.samples = histogram_bin(histogram, i)};

		if (bin.samples == 0)
			continue;
		bin.first = histogram->low + offset_of(histogram, i);
		bin.past = histogram->low + offset_of(histogram, (double)i + 1);
		if (bin.past <= bin.first)
			bin.past = bin.first + 1;
		walk->visit(walk, &bin);
	}
}

/* Sparse samples, each of which is as long as an address. */
static void
walk_sparse(struct walk *walk)
{
	const struct kept_rows *rows = &walk->findings->profile->sparse;
	const struct sparse_sample *samples = sparse_rows(rows);
	uint32_t stride = rows->count / (MOST_BLOCKS * HISTOGRAM_BLOCK) + 1;

	walk->symbol = 0;
	for (uint64_t i = 0; i < rows->count; i += stride) {
		const struct bin bin = {.first = samples[i].address,
		                        .past = symbols_past(samples[i].address, 1),
		                        .samples = samples[i].weight};

		walk->visit(walk, &bin);
	}
}

static void
walk_bins(struct walk *walk)
{
	const struct profile *profile = walk->findings->profile;
	uint64_t stride = stride_of(profile), turn = 0;

	for (uint32_t r = 0; r < profile->histogram_count; r++) {
		const struct histogram *histogram = &profile->histograms[r];

		walk->symbol = 0;
		for (uint32_t b = 0; b < block_count(histogram); b++)
			if (histogram->is_used[b] && turn++ % stride == 0)
				walk_block(walk, histogram, b);
	}
	walk_sparse(walk);
}

/* The last symbol at or below an address, searched from where the last one was found. */
static uint32_t
symbol_below(const struct symbols *symbols, uint32_t from, uint64_t address)
{
	uint32_t low = from, high, step = 1;

	while (low + step < symbols->count && symbols->address[low + step] <= address) {
		low += step;
		step *= 2;
	}
	high = symbols->count - low > step ? low + step : symbols->count;
	while (high - low > 1) {
		uint32_t middle = low + (high - low) / 2;

		if (symbols->address[middle] <= address)
			low = middle;
		else
			high = middle;
	}
	return low;
}

/* Whether a function of the report covers a part of the bin. */
static bool
is_named(struct walk *walk, const struct bin *bin)
{
	const struct symbols *symbols = walk->findings->symbols;
	uint32_t s = walk->symbol = symbol_below(symbols, walk->symbol, bin->first);

	if (symbols->address[s] > bin->first)
		return symbols->address[s] < bin->past;
	if (symbols->bytes[s] == 0 || bin->first - symbols->address[s] < symbols->bytes[s])
		return true;
	return s + 1 < symbols->count && symbols->address[s + 1] < bin->past;
}

/* Whether anything with a name covers a part of it, known to the report or not. */
static bool
is_named_at_all(struct walk *walk, const struct bin *bin)
{
	const struct entries *entries = findings_entries(walk->findings);
	uint32_t last = entries_at_or_below(entries, bin->past - 1);

	return last != NO_SYMBOL && entries->covered[last] > bin->first;
}

/* Notes where the function that was just found lies, if all of that is code. */
static void
remember_function(struct walk *walk)
{
	const struct symbols *symbols = walk->findings->symbols;
	const struct gprofx_symtab *table = &symbols->table;
	uint64_t low = symbols->address[walk->symbol], bytes = symbols->bytes[walk->symbol];

	if (low < table->text_start || low > table->text_end || bytes > table->text_end - low)
		return;
	walk->named_low = low;
	walk->named_past = low + bytes;
}

static void
visit_first(struct walk *walk, const struct bin *bin)
{
	struct places *places = &walk->findings->places;

	if (places->samples == 0 || bin->first < places->first)
		places->first = bin->first;
	if (bin->past - 1 > places->last)
		places->last = bin->past - 1;
	places->samples += bin->samples;
	/* Mostly it is the function of the last bin again. */
	if (bin->first >= walk->named_low && bin->past <= walk->named_past) {
		places->in_code += bin->samples;
		return;
	}
	if (!symbols_overlap_code(walk->findings->symbols, bin->first, bin->past))
		return;
	places->in_code += bin->samples;
	if (is_named(walk, bin))
		remember_function(walk);
	else
		walk->nameless += bin->samples;
}

static void
visit_nameless(struct walk *walk, const struct bin *bin)
{
	const struct gprofx_symtab *table = &walk->findings->symbols->table;

	if (!symbols_overlap_code(walk->findings->symbols, bin->first, bin->past) ||
	    is_named(walk, bin) || is_named_at_all(walk, bin))
		return;
	walk->nameless += bin->samples;
	for (uint32_t i = 0; i < table->code_count; i++)
		if (bin->first - table->code[i].address < table->code[i].bytes)
			walk->by_range[i] += bin->samples;
}

static bool
is_large_share(uint64_t part, uint64_t whole)
{
	return part >= LEAST_NAMELESS && part >= whole / NAMELESS_SHARE;
}

void
findings_find_places(struct findings *findings)
{
	struct walk walk = {.findings = findings, .visit = visit_first};

	if (findings->samples == 0 || findings->symbols->count == 0)
		return;
	walk_bins(&walk);
	findings->places.nameless = walk.nameless;
}

static void
tell_nothing_fits(struct findings *findings)
{
	const struct places *places = &findings->places;
	uint64_t begin, end;

	findings_code_bounds(findings, &begin, &end);
	finding_add(
		findings, FINDING_NO_SAMPLE_FITS, findings->run->settings->image,
		"no sample is in the code of this program",
		text_format(
			findings->run,
			"the samples (%llu checked) are at 0x%llx-0x%llx, the code of the image at "
			"0x%llx-0x%llx",
			(unsigned long long)places->samples, (unsigned long long)places->first,
			(unsigned long long)places->last, (unsigned long long)begin,
			(unsigned long long)end - 1));
	findings_advise_slide(findings, FINDING_NO_SAMPLE_FITS);
}

static void
tell_nameless(struct findings *findings, const struct walk *walk)
{
	const struct gprofx_symtab *table = &findings->symbols->table;
	uint64_t most = 0;
	const char *section = NULL;

	for (uint32_t i = 0; i < table->code_count; i++)
		if (walk->by_range[i] > most) {
			most = walk->by_range[i];
			section = table->code[i].name;
		}
	finding_add(
		findings, FINDING_OUTSIDE, findings->run->settings->image,
		run_corrects(findings->run, GPROFX_CORRECT_GAPS)
			? "a large share of the samples is in code without a symbol: its time is "
			  "in no function's row, and its calls are charged to the function before "
			  "it"
			: "a large share of the samples is in code without a symbol, which is "
			  "charged to the function before it",
		text_format(
			findings->run,
			"%llu of %llu samples checked (%.0f %%) are outside of all symbols, most "
			"of them in %s",
			(unsigned long long)walk->nameless,
			(unsigned long long)findings->places.samples,
			100 * (double)walk->nameless / (double)findings->places.samples,
			section ? section : "no code section"));
}

void
findings_inspect_places(struct findings *findings)
{
	struct places *places = &findings->places;
	struct walk walk = {.findings = findings, .visit = visit_nameless};

	if (places->samples > 0 && places->in_code == 0)
		tell_nothing_fits(findings);
	/* Samples of another program lie anywhere. */
	if (finding_is_there(findings, FINDING_NO_SAMPLE_FITS) ||
	    finding_is_there(findings, FINDING_OTHER_PROGRAM) ||
	    finding_is_there(findings, FINDING_NO_CALL_FITS) ||
	    !is_large_share(places->nameless + places->samples - places->in_code, places->samples))
		return;
	/* Now with all that the report has no name for, though the image has. */
	memory_array(findings->run, walk.by_range, findings->symbols->table.code_count);
	walk.nameless = places->samples - places->in_code;
	walk_bins(&walk);
	if (is_large_share(walk.nameless, places->samples))
		tell_nameless(findings, &walk);
}
