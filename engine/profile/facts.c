/* SPDX-License-Identifier: Apache-2.0 */
#include "profile/facts.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/sort.h"
#include "base/sums.h"
#include "profile/metrics.h"
#include "profile/parts.h"
#include "profile/source-counts.h"
#include "symbols/late.h"

/* What files are looked at with. */
struct facts_context {
	struct run *run;
	const struct symbols *symbols;
	struct symbol_spaces spaces;
};

struct file_facts {
	struct gprofx_profile_file public; /* without what struct profile_file has */
	struct gprofx_file_range *ranges;
	uint32_t range_room;
	uint32_t first_arc, first_call, first_block; /* of the profile's */
	uint32_t first_source_line, first_source_function;
	bool is_whole;
};

void
facts_want(struct run *run, struct profile *profile, const struct symbols *symbols)
{
	profile->facts = memory_alloc(run, sizeof *profile->facts);
	profile->facts->run = run;
	profile->facts->symbols = symbols;
	profile->facts->spaces = symbols_spaces(run, symbols);
}

/* Of the file being read, or NULL. */
static struct file_facts *
current_facts(struct profile *profile)
{
	struct profile_file *file = profile_current_file(profile);

	return file ? file->facts : NULL;
}

void
facts_begin_file(struct profile *profile)
{
	struct profile_file *file = profile_current_file(profile);

	if (!profile->facts || !file)
		return;
	file->facts = memory_alloc(profile->facts->run, sizeof *file->facts);
	file->facts->first_arc = profile->arc_count;
	file->facts->first_call = profile->call_count;
	file->facts->first_block = profile->block_count;
	file->facts->first_source_line = profile->source_count_count;
	file->facts->first_source_function = profile->source_function_count;
}

/* Whether the addresses from start to below end overlap a function of the report. */
static bool
is_known(const struct symbol_spaces *spaces, uint64_t start, uint64_t end)
{
	uint32_t space = sorted_up_to(spaces->start, spaces->count, start);

	for (space -= space > 0; space < spaces->count && spaces->start[space] < end; space++) {
		bool has_owner = !spaces->owner || spaces->owner[space] < LOST_SYMBOL;

		if (has_owner && spaces->start[space + 1] > start)
			return true;
	}
	return false;
}

/* Samples of a record in bins that overlap a known function; finds the largest counter as well. */
static uint64_t
known_samples(const struct facts_context *context, const struct gprofx_histogram *record,
              uint64_t *largest)
{
	uint64_t range = record->high > record->low ? record->high - record->low : 0;
	uint64_t step = range / record->bin_count, rest = range % record->bin_count;
	uint64_t known = 0;

	for (uint64_t i = 0; i < record->bin_count; i++) {
		uint64_t count = gprofx_number_at(record->bins + i * record->bin_bytes,
		                                  record->bin_bytes, record->bins_big_endian);
		uint64_t start, end;

		if (count == 0)
			continue;
		*largest = count > *largest ? count : *largest;
		/* Bins that share a byte both cover it. */
		start = i * step + i * rest / record->bin_count;
		end = (i + 1) * step + ((i + 1) * rest + record->bin_count - 1) / record->bin_count;
		if (is_known(&context->spaces, symbols_past(record->low, start),
		             symbols_past(record->low, end)) ||
		    late_is_known(context->symbols, symbols_past(record->low, start)))
			sum_add(&known, count);
	}
	return known;
}

void
facts_note_record(const struct profile *profile, const struct profile_file *file,
                  const struct counted_record *counted, uint64_t samples)
{
	const struct gprofx_histogram *record = counted->record;
	struct file_facts *facts = file->facts;
	uint64_t base = file->image ? file->image->base
	                            : late_base(profile->image_symbols, record->low);
	struct gprofx_file_range *range;
	uint64_t known;

	/* Where a format has exactly one histogram, one without bins is none. */
	if (!facts || (record->is_only && record->bin_count == 0))
		return;
	facts->ranges = memory_room(profile->facts->run, facts->ranges, sizeof *facts->ranges,
	                            facts->public.range_count, &facts->range_room, 1);
	range = &facts->ranges[facts->public.range_count++];
	*range = (struct gprofx_file_range){
		.size = sizeof *range,
		.records = 1,
		.low = record->low - base,
		.high = record->high - base,
		.bin_count = record->bin_count,
		.rate = record->lacks_rate ? profile->rate : record->rate,
		.assumes_rate = record->lacks_rate,
		.abbreviation = record->abbreviation,
		.bin_bytes = record->bin_bytes,
		.samples = samples,
		.metric = counted->metric,
	};
	memcpy(range->dimension, record->dimension, sizeof range->dimension - 1);
	facts->public.histogram_records++;
	if (samples == 0)
		return;
	known = known_samples(profile->facts, record, &range->largest);
	sum_add(&facts->public.known_samples, counted->is_other ? 0 : known);
}

/* By name; NULL: that of the unit. */
static int
compare_metrics(const char *left, const char *right)
{
	return strcmp(left ? left : "", right ? right : "");
}

/* The range that samples of a metric are noted in, which has no bins. */
static struct gprofx_file_range *
range_of_samples(const struct profile *profile, struct file_facts *facts, const struct profile *of,
                 const struct gprofx_histogram *record)
{
	const char *metric = metrics_given_name(of);
	struct gprofx_file_range *range;

	for (uint32_t i = 0; i < facts->public.range_count; i++) {
		range = &facts->ranges[i];
		if (range->bin_bytes == 0 && range->rate == record->rate &&
		    compare_metrics(range->metric, metric) == 0 &&
		    strncmp(range->dimension, record->dimension, sizeof range->dimension - 1) == 0)
			return range;
	}
	facts->ranges = memory_room(profile->facts->run, facts->ranges, sizeof *facts->ranges,
	                            facts->public.range_count, &facts->range_room, 1);
	range = &facts->ranges[facts->public.range_count++];
	*range = (struct gprofx_file_range){.size = sizeof *range,
	                                    .low = UINT64_MAX,
	                                    .rate = record->rate,
	                                    .abbreviation = record->abbreviation,
	                                    .metric = metric};
	memcpy(range->dimension, record->dimension, sizeof range->dimension - 1);
	return range;
}

void
facts_note_samples(const struct profile *profile, const struct profile *of,
                   const struct gprofx_histogram *record, const struct gprofx_raw_sample *rows,
                   uint32_t count)
{
	const struct profile_file *file = &profile->files[profile->file_count - 1];
	struct file_facts *facts = file->facts;
	struct gprofx_file_range *range;

	if (!facts)
		return;
	range = range_of_samples(profile, facts, of, record);
	range->records += count;
	for (uint32_t i = 0; i < count; i++) {
		uint64_t base = file->image ? file->image->base
		                            : late_base(profile->image_symbols, rows[i].address);
		uint64_t address = rows[i].address - base, weight = (uint64_t)rows[i].weight;
		bool known = is_known(&profile->facts->spaces, rows[i].address,
		                      symbols_past(rows[i].address, 1)) ||
		             late_is_known(profile->facts->symbols, rows[i].address);

		range->low = address < range->low ? address : range->low;
		range->high = address >= range->high ? address + 1 : range->high;
		sum_add(&range->samples, weight);
		range->largest = weight > range->largest ? weight : range->largest;
		sum_add(&facts->public.known_samples, of != profile || !known ? 0 : weight);
	}
}

void
facts_describe(struct gprofx *gx, struct gprofx_profile *public, const struct gprofx_layout *given)
{
	struct file_facts *facts = current_facts((struct profile *)public);
	struct profile_file *file = profile_current_file((struct profile *)public);
	struct gprofx_layout layout;

	profile_take((struct run *)gx, "the layout of a file", &layout, sizeof layout, given);
	if (file) {
		file->counts_plt_calls = layout.counts_plt_calls;
		file->counts_no_calls = layout.counts_no_calls;
	}
	if (!facts)
		return;
	facts->public.variant = layout.variant;
	facts->public.has_version = layout.has_version;
	facts->public.version = layout.version;
	facts->public.pointer_bytes = layout.pointer_bytes;
	facts->public.byte_order = (uint32_t)layout.byte_order;
	facts->public.block_records = layout.block_records;
}

void
facts_note_recording(struct gprofx *gx, struct gprofx_profile *public,
                     const struct gprofx_raw_recording *given)
{
	struct profile_file *file = profile_current_file((struct profile *)public);
	struct gprofx_raw_recording row;

	profile_take((struct run *)gx, "the record of a recording", &row, sizeof row, given);
	if (!file)
		return;
	file->is_recording = (row.flags & GPROFX_RECORDING_BY_OTHERS) == 0;
	file->recording = row;
}

/* Whether something at an address is in a function, or will be once all images are known. */
static bool
is_in_function(const struct facts_context *context, uint64_t address)
{
	return symbols_lookup(context->symbols, address) != NO_SYMBOL ||
	       late_is_known(context->symbols, address);
}

/* Counts the different arcs, and those of them that lie in known functions. */
static void
count_arcs(const struct facts_context *context, struct gprofx_profile_file *to,
           const struct gprofx_raw_arc *arcs, uint32_t count)
{
	struct run *run = context->run;
	bool is_known_arc = false;
	uint64_t *keys;
	uint32_t *ids;

	memory_array(run, keys, count);
	memory_array(run, ids, count);
	for (uint32_t i = 0; i < count; i++) {
		keys[i] = arcs[i].from;
		ids[i] = i;
	}
	sort_ascending(run, keys, ids, count);
	for (uint32_t i = 0; i < count; i++)
		keys[i] = arcs[ids[i]].self;
	sort_ascending(run, keys, ids, count);
	for (uint32_t i = 0; i < count; i++) {
		const struct gprofx_raw_arc *arc = &arcs[ids[i]];
		bool is_new = i == 0 || arc->self != arcs[ids[i - 1]].self ||
		              arc->from != arcs[ids[i - 1]].from;

		if (is_new)
			is_known_arc = is_in_function(context, arc->from) &&
			               is_in_function(context, arc->self);
		to->arc_count += is_new;
		to->known_arc_count += is_new && is_known_arc;
		to->known_calls += is_known_arc ? arc->count : 0;
	}
	memory_release(run, ids);
	memory_release(run, keys);
}

static void
count_calls(const struct facts_context *context, struct gprofx_profile_file *to,
            const struct gprofx_raw_call *calls, uint32_t count)
{
	for (uint32_t i = 0; i < count; i++) {
		to->calls_without_caller += calls[i].count;
		if (is_in_function(context, calls[i].self))
			to->known_calls_without_caller += calls[i].count;
	}
}

/* By address; 0 only where two ranges can be added up. */
static int
compare_ranges(const void *left, const void *right)
{
	const struct gprofx_file_range *a = left, *b = right;

	if (a->low != b->low)
		return a->low < b->low ? -1 : 1;
	if (a->high != b->high)
		return a->high < b->high ? -1 : 1;
	if (a->bin_count != b->bin_count)
		return a->bin_count < b->bin_count ? -1 : 1;
	if (a->rate != b->rate)
		return a->rate < b->rate ? -1 : 1;
	if (a->assumes_rate != b->assumes_rate)
		return a->assumes_rate ? 1 : -1;
	if (a->bin_bytes != b->bin_bytes)
		return a->bin_bytes < b->bin_bytes ? -1 : 1;
	if (a->abbreviation != b->abbreviation)
		return a->abbreviation < b->abbreviation ? -1 : 1;
	if (strcmp(a->dimension, b->dimension) != 0)
		return strcmp(a->dimension, b->dimension);
	return compare_metrics(a->metric, b->metric);
}

/* Sums that are too large for one record go on in others. */
static void
merge_ranges(struct file_facts *facts)
{
	struct gprofx_file_range *ranges = facts->ranges;
	uint32_t kept = 0;

	if (facts->public.range_count > 1)
		qsort(ranges, facts->public.range_count, sizeof *ranges, compare_ranges);
	for (uint32_t i = 0; i < facts->public.range_count; i++) {
		if (kept == 0 || compare_ranges(&ranges[kept - 1], &ranges[i]) != 0) {
			ranges[kept++] = ranges[i];
			continue;
		}
		ranges[kept - 1].records++;
		sum_add(&ranges[kept - 1].samples, ranges[i].samples);
		if (ranges[i].largest > ranges[kept - 1].largest)
			ranges[kept - 1].largest = ranges[i].largest;
	}
	facts->public.range_count = kept;
	facts->public.ranges = ranges;
}

void
facts_finish_file(struct profile *profile, const struct gprofx_file *file, const char *format,
                  const char *reader)
{
	struct file_facts *facts = current_facts(profile);
	struct gprofx_profile_file *to;

	if (!facts)
		return;
	to = &facts->public;
	to->format = format;
	to->reader = reader;
	to->bytes = file->length;
	if (profile->arc_count > facts->first_arc)
		count_arcs(profile->facts, to, profile->arcs + facts->first_arc,
		           profile->arc_count - facts->first_arc);
	if (profile->call_count > facts->first_call)
		count_calls(profile->facts, to, profile->calls + facts->first_call,
		            profile->call_count - facts->first_call);
	to->block_count = profile->block_count - facts->first_block;
	source_counts_facts(profile->facts->run, profile, facts->first_source_line,
	                    facts->first_source_function, to);
	if (to->block_records == 0 && to->block_count > 0)
		to->block_records = 1;
	facts->is_whole = true;
}

static void
code_range(struct codec *codec, struct gprofx_file_range *range)
{
	uint8_t abbreviation = (uint8_t)range->abbreviation;

	range->size = sizeof *range;
	codec_u32(codec, &range->records);
	codec_u64(codec, &range->low);
	codec_u64(codec, &range->high);
	codec_u32(codec, &range->bin_count);
	codec_u32(codec, &range->rate);
	codec_words(codec, range->dimension, sizeof range->dimension);
	codec_u8(codec, &abbreviation);
	range->abbreviation = (char)abbreviation;
	codec_u8(codec, &range->bin_bytes);
	codec_bool(codec, &range->assumes_rate);
	codec_u64(codec, &range->samples);
	codec_u64(codec, &range->largest);
	codec_text(codec, &range->metric);
}

static void
code_public(struct codec *codec, struct gprofx_profile_file *file)
{
	uint64_t *const numbers[] = {&file->bytes, &file->known_samples, &file->known_calls,
	                             &file->calls_without_caller,
	                             &file->known_calls_without_caller};
	uint32_t *const small[] = {
		&file->version,           &file->pointer_bytes, &file->byte_order,
		&file->histogram_records, &file->arc_count,     &file->known_arc_count,
		&file->block_records,     &file->block_count,   &file->source_files,
		&file->source_functions,  &file->source_lines,  &file->source_lines_run};

	codec_text(codec, &file->format);
	codec_text(codec, &file->reader);
	codec_text(codec, &file->variant);
	codec_bool(codec, &file->has_version);
	codec_each_u64(codec, numbers, sizeof numbers / sizeof numbers[0]);
	codec_each_u32(codec, small, sizeof small / sizeof small[0]);
	if (!codec->writes && (!file->format || !file->reader))
		codec_fail(codec);
}

/* What struct profile_file has, and the numbers of first rows, which only reading needs, are not
 * among it. */
void
facts_code(struct codec *codec, struct profile_file *file)
{
	bool is_whole = file->facts && file->facts->is_whole;
	struct file_facts *facts = file->facts;

	codec_bool(codec, &is_whole);
	if (!codec->writes && is_whole) {
		facts = file->facts = memory_alloc(codec->run, sizeof *facts);
		facts->is_whole = true;
	}
	if (!is_whole || !facts)
		return;
	code_public(codec, &facts->public);
	codec_count(codec, &facts->public.range_count, 12);
	if (!codec->writes)
		memory_array(codec->run, facts->ranges, (size_t)facts->public.range_count + 1);
	for (uint32_t i = 0; i < facts->public.range_count && !codec_has_failed(codec); i++)
		code_range(codec, &facts->ranges[i]);
}

const struct gprofx_profile_file *
facts_list(struct run *run, const struct profile *profile, uint32_t *count)
{
	struct gprofx_profile_file *list;

	*count = 0;
	if (!profile->facts)
		return NULL;
	memory_array(run, list, profile->file_count);
	for (uint32_t i = 0; i < profile->file_count; i++) {
		const struct profile_file *file = &profile->files[i];
		struct gprofx_profile_file *row = &list[*count];

		if (!file->facts || !file->facts->is_whole)
			continue;
		merge_ranges(file->facts);
		*row = file->facts->public;
		row->size = sizeof *row;
		row->name = file->name;
		row->modified = file->modified;
		row->slide = file->slide;
		row->samples = file->samples;
		row->copied_from = file->copied_from;
		row->copied_samples = file->copied_samples;
		row->copied_calls = file->copied_calls;
		row->delayed_ns = file->is_recording ? file->recording.delayed_ns : 0;
		row->full_bins = file->full;
		row->near_bins = file->nearly_full;
		row->stack_count = file->stack_count;
		row->stack_ticks = file->stack_ticks;
		row->stack_rate = file->stack_rate;
		memcpy(row->stack_dimension, file->stack_dimension, sizeof row->stack_dimension);
		row->deepest_stack = file->deepest;
		row->arc_records = file->arc_count;
		row->calls = file->calls - row->calls_without_caller;
		(*count)++;
	}
	return list;
}
