/* SPDX-License-Identifier: Apache-2.0 */
#include "statistics/file-values.h"

#include <math.h>
#include <string.h>

#include "base/memory.h"
#include "base/sort.h"

/* What was written, and before what. */
enum { VALUES_UNWANTED, VALUES_TOO_MANY, VALUES_KEPT };

/* The values of a file that stand together. */
struct run_of_values {
	uint32_t file;
	bool is_calls;
	struct bytes_in bytes;
	uint32_t symbol; /* the last one that was taken */
};

struct file_values *
file_values_new(struct run *run, size_t most, size_t most_bytes, uint32_t symbol_count,
                const struct series_row *self, const struct series_row *calls)
{
	struct file_values *values = memory_alloc(run, sizeof *values);

	values->most = most;
	values->most_bytes = most_bytes;
	values->symbol_count = symbol_count;
	values->self_series = self;
	values->call_series = calls;
	return values;
}

/* Adds a value, which already is bytes. */
static void
add(struct file_values *values, struct file_value_list *list, uint32_t file, uint32_t symbol,
    const uint8_t *value, size_t count)
{
	struct file_record *records = list->records.items, *last;
	uint8_t distance[BYTES_NUMBER];
	size_t bytes;

	if (values->is_full)
		return;
	if (list->records.count == 0 || records[list->records.count - 1].file != file) {
		const struct file_record record = {file, 0};

		loose_add(&list->records, &record, sizeof record, 1);
		list->symbol = 0;
	}
	if (list->records.failed)
		return;
	bytes = bytes_of_number(distance, symbol - list->symbol);
	loose_add(&list->bytes, distance, 1, bytes);
	loose_add(&list->bytes, value, 1, count);
	list->symbol = symbol;
	records = list->records.items;
	last = &records[list->records.count - 1];
	last->bytes += (uint32_t)(bytes + count);
	values->bytes += bytes + count;
	values->is_full = values->bytes > values->most_bytes;
}

void
file_values_add_self(struct file_values *values, uint32_t file, uint32_t symbol, double ticks)
{
	uint8_t value[BYTES_AMOUNT];

	if (values)
		add(values, &values->self, file, symbol, value,
		    bytes_of_amount(value, series_rounded(ticks)));
}

void
file_values_add_calls(struct file_values *values, uint32_t file, uint32_t symbol, uint64_t calls)
{
	uint8_t value[BYTES_NUMBER];

	if (values)
		add(values, &values->calls, file, symbol, value,
		    bytes_of_number(value, calls < GPROFX_CALLS_UNKNOWN ? calls : calls - 1));
}

static void
append(struct file_value_list *list, struct file_value_block *block)
{
	if (list->last)
		list->last->next = block;
	else
		list->first = block;
	list->last = block;
}

/* Memory for a block, or NULL. */
static struct file_value_block *
new_block(struct run *run, size_t records, size_t bytes)
{
	struct file_value_block *block = memory_try(run, sizeof *block);

	if (!block)
		return NULL;
	block->records = memory_try(run, records * sizeof *block->records);
	block->bytes = memory_try(run, bytes);
	block->count = (uint32_t)records;
	return block->records && block->bytes ? block : NULL;
}

/* What threads added has no owner yet, so it is freed before the run can give up. */
static void
take(struct run *run, struct file_value_list *list)
{
	size_t records = list->records.count, bytes = list->bytes.count;
	bool failed = list->records.failed || list->bytes.failed;
	struct file_value_block *block = NULL;

	if (records > 0 && !failed) {
		block = new_block(run, records, bytes);
		failed = !block;
	}
	if (block) {
		memcpy(block->records, list->records.items, records * sizeof *block->records);
		if (bytes > 0)
			memcpy(block->bytes, list->bytes.items, bytes);
		append(list, block);
	}
	loose_free(&list->records);
	loose_free(&list->bytes);
	if (failed)
		memory_exhausted(run, bytes + records * sizeof(struct file_record));
}

static void
forget(struct run *run, struct file_value_list *list)
{
	struct file_value_block *next;

	for (struct file_value_block *block = list->first; block; block = next) {
		next = block->next;
		memory_release(run, block->records);
		memory_release(run, block->bytes);
		memory_release(run, block);
	}
	list->first = list->last = NULL;
}

void
file_values_bound(struct run *run, struct file_values *values)
{
	if (!values)
		return;
	take(run, &values->self);
	take(run, &values->calls);
	if (values->is_full) {
		forget(run, &values->self);
		forget(run, &values->calls);
	}
}

/* Most numbers are of one byte. */
static inline uint64_t
take_number(struct bytes_in *in)
{
	return in->at < in->end && *in->at < 128 ? *in->at++ : bytes_take_number(in);
}

/* The symbol of the next value, which then has to be taken; false: there is none. */
static bool
next_symbol(struct run_of_values *at, uint32_t *symbol)
{
	if (at->bytes.at == at->bytes.end)
		return false;
	at->symbol += (uint32_t)take_number(&at->bytes);
	*symbol = at->symbol;
	return true;
}

/* Sorts so that the series with the largest values come first. */
static void
sort_by_most(struct run *run, const struct series_row *series, uint64_t *keys, uint32_t *ids,
             uint32_t count)
{
	for (uint32_t i = 0; i < count; i++)
		keys[i] = ~sort_key(series[ids[i]].most);
	sort_ascending(run, keys, ids, count);
}

/*
 * All symbols, those first whose values are to be kept: by the ticks, then by the calls, of the
 * file that has most.
 */
static uint32_t *
rank(struct run *run, const struct file_values *values)
{
	uint32_t count = values->symbol_count, *ids;
	uint64_t *keys;

	memory_array(run, ids, count);
	memory_array(run, keys, count);
	for (uint32_t i = 0; i < count; i++)
		ids[i] = i;
	sort_by_most(run, values->call_series, keys, ids, count);
	sort_by_most(run, values->self_series, keys, ids, count);
	memory_release(run, keys);
	return ids;
}

/* Which symbols have no values of a kind in the report, where there are too many. */
static bool *
cut(struct run *run, const struct file_values *values, const struct series_row *series)
{
	size_t left = values->most, all = 0;
	uint32_t *ranked;
	bool *is_cut;

	memory_array(run, is_cut, values->symbol_count);
	for (uint32_t i = 0; i < values->symbol_count; i++)
		all += series[i].count;
	if (all <= left)
		return is_cut;
	ranked = rank(run, values);
	for (uint32_t i = 0; i < values->symbol_count; i++) {
		uint32_t count = series[ranked[i]].count;

		if (count > left)
			left = 0;
		is_cut[ranked[i]] = count > left;
		left -= count > left ? 0 : count;
	}
	memory_release(run, ranked);
	return is_cut;
}

/* All that was kept, by file. */
struct kept_values {
	struct run_of_values *runs;
	uint32_t *order; /* numbers of runs */
	uint32_t count;
};

static void
list_runs(const struct file_value_list *list, bool is_calls, struct kept_values *kept)
{
	for (const struct file_value_block *block = list->first; block; block = block->next) {
		const uint8_t *bytes = block->bytes;

		for (uint32_t i = 0; i < block->count; i++) {
			const struct file_record *record = &block->records[i];

			kept->runs[kept->count++] = (struct run_of_values){
				.file = record->file,
				.is_calls = is_calls,
				.bytes = {.at = bytes, .end = bytes + record->bytes}};
			bytes += record->bytes;
		}
	}
}

static size_t
count_runs(const struct file_value_list *list)
{
	size_t count = 0;

	for (const struct file_value_block *block = list->first; block; block = block->next)
		count += block->count;
	return count;
}

static struct kept_values
sort_by_file(struct run *run, const struct file_values *values)
{
	size_t count = count_runs(&values->self) + count_runs(&values->calls);
	struct kept_values kept = {.count = 0};
	uint64_t *keys;

	memory_array(run, kept.runs, count);
	memory_array(run, kept.order, count);
	memory_array(run, keys, count);
	list_runs(&values->self, false, &kept);
	list_runs(&values->calls, true, &kept);
	for (uint32_t i = 0; i < kept.count; i++) {
		kept.order[i] = i;
		keys[i] = kept.runs[i].file;
	}
	sort_ascending(run, keys, kept.order, kept.count);
	memory_release(run, keys);
	return kept;
}

/* Values on their way into the report, which are counted first. */
struct placing {
	uint32_t *row_of;     /* per symbol: the row of the spread, plus one; 0: left out */
	const bool *no_calls; /* per symbol: its calls are left out */
	uint32_t *file_of;    /* per row: the file of its last value, plus one */
	uint32_t *past;       /* per row: behind its last value, or how many it has */
	struct gprofx_file_value *values; /* NULL: they are counted */
};

static void
put_in_place(struct placing *at, struct run_of_values values)
{
	uint32_t symbol;

	while (next_symbol(&values, &symbol)) {
		double ticks = values.is_calls ? 0 : bytes_take_amount(&values.bytes);
		uint64_t calls = values.is_calls ? take_number(&values.bytes) : 0;
		uint32_t row = at->row_of[symbol];
		struct gprofx_file_value *value;

		if (row == 0 || (values.is_calls && at->no_calls[symbol]))
			continue;
		if (at->file_of[--row] != values.file + 1) {
			at->file_of[row] = values.file + 1;
			at->past[row]++;
			if (at->values)
				at->values[at->past[row] - 1] = (struct gprofx_file_value){
					.file = values.file,
					.calls = at->no_calls[symbol] ? GPROFX_CALLS_UNKNOWN : 0,
				};
		}
		if (!at->values)
			continue;
		value = &at->values[at->past[row] - 1];
		if (values.is_calls)
			value->calls = calls;
		else
			value->self = ticks;
	}
}

static void
place_all(struct placing *at, const struct kept_values *kept)
{
	for (uint32_t i = 0; i < kept->count; i++)
		put_in_place(at, kept->runs[kept->order[i]]);
}

/* Counts the values of each row, makes room for them, and puts them there. */
static void
fill(struct run *run, struct placing *at, const struct kept_values *kept,
     struct gprofx_report_files *files)
{
	struct gprofx_file_value *values;
	uint32_t *first, count = 0;

	memory_array(run, at->file_of, files->spread_count);
	memory_array(run, at->past, files->spread_count);
	memory_array(run, first, (size_t)files->spread_count + 1);
	place_all(at, kept);
	for (uint32_t i = 0; i < files->spread_count; i++) {
		first[i] = count;
		if (at->past[i] == 0)
			files->values_left_out++;
		count += at->past[i];
		at->past[i] = first[i];
		at->file_of[i] = 0;
	}
	first[files->spread_count] = count;
	memory_array(run, values, count);
	at->values = values;
	place_all(at, kept);
	files->value_first = first;
	files->value = values;
	memory_release(run, at->file_of);
	memory_release(run, at->past);
}

void
file_values_report(struct run *run, struct file_values *values, struct gprofx_report_files *files)
{
	struct placing placing = {.row_of = NULL};
	struct kept_values kept;
	bool *no_self, *no_calls;

	file_values_bound(run, values);
	kept = sort_by_file(run, values);
	no_self = cut(run, values, values->self_series);
	no_calls = cut(run, values, values->call_series);
	memory_array(run, placing.row_of, values->symbol_count);
	for (uint32_t i = 0; i < files->spread_count; i++)
		if (!no_self[files->spread[i].function])
			placing.row_of[files->spread[i].function] = i + 1;
	placing.no_calls = no_calls;
	fill(run, &placing, &kept, files);
	memory_release(run, placing.row_of);
	memory_release(run, no_self);
	memory_release(run, no_calls);
	memory_release(run, kept.runs);
	memory_release(run, kept.order);
	forget(run, &values->self);
	forget(run, &values->calls);
}

static void
write_list(const struct file_value_list *list, struct bytes_out *to)
{
	bytes_put_number(to, count_runs(list));
	for (const struct file_value_block *block = list->first; block; block = block->next) {
		const uint8_t *bytes = block->bytes;

		for (uint32_t i = 0; i < block->count; i++) {
			const struct file_record *record = &block->records[i];

			bytes_put_number(to, record->file);
			bytes_put_number(to, record->bytes);
			bytes_put(to, bytes, record->bytes);
			bytes += record->bytes;
		}
	}
}

void
file_values_write(const struct file_values *values, struct bytes_out *to)
{
	bytes_put_number(to, !values           ? VALUES_UNWANTED
	                     : values->is_full ? VALUES_TOO_MANY
	                                       : VALUES_KEPT);
	if (!values || values->is_full)
		return;
	write_list(&values->self, to);
	write_list(&values->calls, to);
}

/* Whether the bytes are values as they are added; takes each off the counts. */
static bool
check_values(struct run_of_values values, uint32_t symbols, uint32_t *counts)
{
	uint32_t symbol = 0;
	bool is_first = true;

	while (values.bytes.at != values.bytes.end) {
		uint64_t distance = bytes_take_up_to(&values.bytes, symbols - 1 - symbol);
		double value;

		symbol += (uint32_t)distance;
		if (values.is_calls)
			value = (double)bytes_take_up_to(&values.bytes, GPROFX_CALLS_UNKNOWN - 1);
		else
			value = bytes_take_amount(&values.bytes);
		if (values.bytes.has_failed || (distance == 0 && !is_first) ||
		    !(value > 0 && value < (double)INFINITY) || counts[symbol] == 0)
			return false;
		counts[symbol]--;
		is_first = false;
	}
	return true;
}

/* Adds values of a file that are packed already. */
static void
add_record(struct file_values *values, struct file_value_list *list, uint32_t file,
           const uint8_t *bytes, uint32_t count)
{
	const struct file_record record = {file, count};

	if (values->is_full)
		return;
	loose_add(&list->records, &record, sizeof record, 1);
	loose_add(&list->bytes, bytes, 1, count);
	values->bytes += count;
	values->is_full = values->bytes > values->most_bytes;
}

static bool
read_list(struct file_values *values, bool is_calls, struct bytes_in *from,
          const struct file_values_group *group)
{
	struct file_value_list *list = is_calls ? &values->calls : &values->self;
	uint32_t records = bytes_take_count(from, 2), next = 0;

	for (uint32_t i = 0; i < records; i++) {
		uint64_t file = bytes_take_number(from);
		uint32_t count = (uint32_t)bytes_take_up_to(from, UINT32_MAX);
		const uint8_t *bytes = bytes_take(from, count);
		const struct run_of_values one = {
			.is_calls = is_calls,
			.bytes = {.at = bytes, .end = bytes ? bytes + count : NULL}};

		if (!bytes || file < next || file >= group->count ||
		    !check_values(one, values->symbol_count, is_calls ? group->calls : group->self))
			return false;
		next = (uint32_t)file + 1;
		add_record(values, list, group->first + (uint32_t)file, bytes, count);
	}
	return !from->has_failed;
}

static bool
are_zero(const uint32_t *counts, uint32_t count)
{
	uint32_t all = 0;

	for (uint32_t i = 0; i < count; i++)
		all |= counts[i];
	return all == 0;
}

bool
file_values_read(struct run *run, struct file_values *values, struct bytes_in *from,
                 const struct file_values_group *group)
{
	uint64_t state = bytes_take_up_to(from, VALUES_KEPT);
	bool is_right;

	if (from->has_failed || !values != (state == VALUES_UNWANTED))
		return false;
	if (!values)
		return true;
	if (state == VALUES_TOO_MANY) {
		values->is_full = true;
		file_values_bound(run, values);
		return true;
	}
	is_right = read_list(values, false, from, group) && read_list(values, true, from, group) &&
	           are_zero(group->self, values->symbol_count) &&
	           are_zero(group->calls, values->symbol_count);
	file_values_bound(run, values);
	return is_right;
}
