/* SPDX-License-Identifier: Apache-2.0 */
#include "statistics/divided-bins.h"

#include "base/memory.h"
#include "base/sort.h"
#include "symbols/symbols.h"

/* What each function gets of one sample of a bin. */
struct part {
	uint32_t symbol;
	double ticks;
};

/* Each bin once, ascending; its parts are those from first[i] to below first[i + 1]. */
struct divided {
	uint64_t *keys;
	uint32_t *first, count;
	struct part *parts;
	uint32_t part_count, part_room;
};

/* Where the values of files go. */
struct finishing {
	struct sample_credits *to;
	const struct series_table *self;
	struct file_values *values;
};

static uint64_t
key_of(const struct shared_bin *row)
{
	return (uint64_t)row->histogram << 32 | row->bin;
}

static void
divide(struct run *run, const struct sample_rules *rules, const struct profile *profile,
       const struct shared_bin *row, struct sample_credits *to, struct divided *divided)
{
	samples_credit_late(run, rules, profile, row, to);
	divided->parts = memory_room(run, divided->parts, sizeof *divided->parts,
	                             divided->part_count, &divided->part_room, to->count);
	for (uint32_t i = 0; i < to->count; i++) {
		uint32_t symbol = to->credited[i];

		divided->parts[divided->part_count++] = (struct part){symbol, to->self[symbol]};
		to->self[symbol] = 0;
	}
	to->count = 0;
}

static struct divided
divide_all(struct run *run, const struct sample_rules *rules, const struct profile *profile,
           const struct shared_bin *rows, uint32_t count, struct sample_credits *to)
{
	struct divided divided = {0};
	uint64_t *keys;
	uint32_t *ids;

	memory_array(run, keys, count);
	memory_array(run, ids, count);
	memory_array(run, divided.first, (size_t)count + 1);
	for (uint32_t i = 0; i < count; i++) {
		keys[i] = key_of(&rows[i]);
		ids[i] = i;
	}
	sort_ascending(run, keys, ids, count);
	for (uint32_t i = 0; i < count; i++) {
		if (i > 0 && keys[i] == keys[divided.count - 1])
			continue;
		keys[divided.count] = keys[i];
		divided.first[divided.count++] = divided.part_count;
		divide(run, rules, profile, &rows[ids[i]], to, &divided);
	}
	divided.first[divided.count] = divided.part_count;
	divided.keys = keys;
	memory_release(run, ids);
	return divided;
}

/* Adds what one file has; known: so many rows of it. */
static void
finish_file(const struct finishing *at, uint32_t file, const struct known_ticks *known,
            size_t known_count)
{
	struct sample_credits *to = at->to;

	for (size_t i = 0; i < known_count; i++)
		if (to->self[known[i].symbol] == 0)
			series_lack(&at->self->rows[known[i].symbol], file);
	sort_numbers(to->credited, to->count);
	for (uint32_t i = 0; i < to->count; i++) {
		uint32_t symbol = to->credited[i];

		series_table_add(at->self, symbol, file, to->self[symbol]);
		file_values_add_self(at->values, file, symbol, to->self[symbol]);
		to->self[symbol] = 0;
	}
	to->count = 0;
}

static void
credit(struct sample_credits *to, uint32_t symbol, double ticks)
{
	if (to->self[symbol] == 0 && ticks != 0)
		to->credited[to->count++] = symbol;
	to->self[symbol] += ticks;
}

/* Credits the files one by one. */
static void
finish_files(const struct finishing *at, const struct divided *divided,
             const struct loose_list *bins, const struct loose_list *known)
{
	const struct known_ticks *ticks = known->items;
	const struct shared_bin *rows = bins->items;
	size_t next = 0;

	for (size_t i = 0; i < bins->count || next < known->count;) {
		uint32_t file = i < bins->count ? rows[i].file : UINT32_MAX;
		size_t first = next;

		if (next < known->count && ticks[next].file < file)
			file = ticks[next].file;
		for (; next < known->count && ticks[next].file == file; next++)
			credit(at->to, ticks[next].symbol, ticks[next].ticks);
		for (; i < bins->count && rows[i].file == file; i++) {
			uint32_t bin = sorted_up_to(divided->keys, divided->count,
			                            key_of(&rows[i])) -
			               1;

			for (uint32_t p = divided->first[bin]; p < divided->first[bin + 1]; p++)
				credit(at->to, divided->parts[p].symbol,
				       divided->parts[p].ticks * (double)rows[i].samples);
		}
		finish_file(at, file, next > first ? &ticks[first] : NULL, next - first);
	}
}

void
bins_finish(struct run *run, const struct sample_rules *rules, const struct profile *profile,
            struct loose_list *bins, struct loose_list *known, const struct series_table *self,
            struct file_values *values)
{
	size_t symbols = (size_t)rules->symbols->count + SYMBOL_MORE_ROWS;
	struct sample_credits to = {0};
	const struct finishing finishing = {&to, self, values};
	struct divided divided;

	if (bins->failed || known->failed || bins->count >= UINT32_MAX)
		memory_exhausted(run, (bins->room + known->room) * sizeof(struct shared_bin));
	memory_array(run, to.self, symbols);
	memory_array(run, to.credited, symbols);
	divided = divide_all(run, rules, profile, bins->items, (uint32_t)bins->count, &to);
	finish_files(&finishing, &divided, bins, known);
	file_values_bound(run, values);
	memory_release(run, divided.keys);
	memory_release(run, divided.first);
	memory_release(run, divided.parts);
	memory_release(run, to.self);
	memory_release(run, to.credited);
	loose_free(bins);
	loose_free(known);
}
