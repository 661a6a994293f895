/* SPDX-License-Identifier: Apache-2.0 */
/* Counts what speaks for a slide. */
#include "slide/evidence.h"

#include "base/memory.h"
#include "base/sort.h"

uint32_t
slide_sort_unique(struct run *run, uint64_t *values, uint32_t count)
{
	uint32_t *ids, kept = 0;

	memory_array(run, ids, count);
	sort_ascending(run, values, ids, count);
	memory_release(run, ids);
	for (uint32_t i = 0; i < count; i++)
		if (kept == 0 || values[kept - 1] != values[i])
			values[kept++] = values[i];
	return kept;
}

struct slide_entries *
slide_entries_make(struct run *run, const struct symbols *symbols)
{
	const struct gprofx_symtab *table = &symbols->table;
	struct slide_entries *entries = memory_alloc(run, sizeof *entries);

	entries->symbols = symbols;
	entries->mask = table->target.pointer_bytes == 4 ? UINT32_MAX : UINT64_MAX;
	memory_array(run, entries->address, table->count);
	for (uint32_t i = 0; i < table->count; i++)
		entries->address[i] = table->rows.address[i] & entries->mask;
	entries->count = slide_sort_unique(run, entries->address, table->count);
	entries->code_start = table->text_start & entries->mask;
	entries->code_end = table->text_end & entries->mask;
	for (uint32_t i = 0; i < table->code_count; i++) {
		uint64_t start = table->code[i].address & entries->mask;
		uint64_t end = start + table->code[i].bytes;

		if (start < entries->code_start)
			entries->code_start = start;
		if (end > entries->code_end && end > start)
			entries->code_end = end;
	}
	return entries;
}

/* The distance from the entry at or below an address, or more than SLIDE_FARTHEST. */
static uint64_t
distance(const struct slide_entries *entries, uint64_t address)
{
	uint32_t below = sorted_up_to(entries->address, entries->count, address);

	return below == 0 ? UINT64_MAX : address - entries->address[below - 1];
}

/* What a callee says: its distance, and what the code before it calls. */
struct witness {
	bool inside, calls;
	uint64_t distance, target;
};

static struct witness
ask(const struct slide_entries *entries, uint64_t address)
{
	struct witness witness = {.inside = address >= entries->code_start &&
	                                    address < entries->code_end};

	if (!witness.inside)
		return witness;
	witness.distance = distance(entries, address);
	/* The table of code has addresses as the image has them. */
	if (entries->mask == UINT32_MAX && entries->symbols->table.target.sign_extends)
		address = (uint64_t)(int64_t)(int32_t)(uint32_t)address;
	witness.calls = slide_follows_call(entries->symbols, address, &witness.target);
	return witness;
}

struct slide_score
slide_rate(const struct slide_entries *entries, const uint64_t *callees, uint32_t count,
           uint32_t step, uint64_t slide)
{
	struct slide_score score = {0};
	uint32_t at[SLIDE_FARTHEST + 1] = {0}, lead = 0;
	uint64_t major = 0; /* what more than half call, if anything */

	for (uint32_t i = 0; i < count; i += step) {
		struct witness witness = ask(entries, (callees[i] - slide) & entries->mask);

		score.count++;
		if (!witness.inside)
			continue;
		score.inside++;
		if (witness.distance <= SLIDE_FARTHEST) {
			score.near++;
			at[witness.distance]++;
		}
		if (!witness.calls)
			continue;
		score.calls++;
		if (lead == 0)
			major = witness.target;
		lead = lead == 0 || major == witness.target ? lead + 1 : lead - 1;
	}
	for (uint32_t i = 0; i <= SLIDE_FARTHEST; i++)
		score.common = at[i] > score.common ? at[i] : score.common;
	for (uint32_t i = 0; i < count && step == 1 && score.calls > 0; i++) {
		struct witness witness = ask(entries, (callees[i] - slide) & entries->mask);

		score.same += witness.calls && witness.target == major;
	}
	return score;
}

/* How many bytes of the code a record covers with a slide taken off, and how it misses the end. */
static uint64_t
covered(const struct slide_entries *entries, const struct gprofx_histogram *range, uint64_t slide,
        uint64_t *missed)
{
	uint64_t low = (range->low - slide) & entries->mask;
	uint64_t high = low + slide_range_bytes(&entries->symbols->table.target, range);
	uint64_t first = low > entries->code_start ? low : entries->code_start;
	uint64_t past = high < entries->code_end ? high : entries->code_end;

	*missed = high > past ? high - past : entries->code_end - past;
	return first < past ? past - first : 0;
}

bool
slide_moves_range(const struct slide_entries *entries, const struct gprofx_histogram *range,
                  uint64_t slide)
{
	uint64_t missed_unmoved, missed_moved;
	uint64_t unmoved = covered(entries, range, 0, &missed_unmoved);
	uint64_t moved = covered(entries, range, slide, &missed_moved);

	return moved > unmoved || (moved == unmoved && missed_moved <= missed_unmoved);
}
