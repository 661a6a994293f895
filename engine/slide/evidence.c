/* SPDX-License-Identifier: Apache-2.0 */
/* Counts what speaks for a slide. */
#include "slide/evidence.h"

#include <string.h>

#include "base/memory.h"
#include "base/sort.h"
#include "scan/scan.h"

/* Code that may be scanned in all files of a run, in bytes. */
enum { MOST_SCANNED = 64 << 20 };

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

/* Notes where runtimes let histograms begin and end. */
static void
note_anchor(struct slide_entries *entries, const char *name, uint64_t address)
{
	static const char *const starts[] = {"executable_start", "eprol", "start", "stext"};
	static const char *const ends[] = {"etext"};

	if (name[0] != '_' && name[0] != 'e')
		return;
	name += strspn(name, "_");
	for (size_t i = 0; i < sizeof starts / sizeof starts[0]; i++)
		if (strcmp(name, starts[i]) == 0 && entries->start_count < SLIDE_MOST_ANCHORS)
			entries->starts[entries->start_count++] = address & entries->mask;
	for (size_t i = 0; i < sizeof ends / sizeof ends[0]; i++)
		if (strcmp(name, ends[i]) == 0 && entries->end_count < SLIDE_MOST_ANCHORS)
			entries->ends[entries->end_count++] = address & entries->mask;
}

struct slide_entries *
slide_entries_make(struct run *run, struct scan *scan)
{
	const struct symbols *symbols = scan->symbols;
	const struct gprofx_symtab *table = &symbols->table;
	struct slide_entries *entries = memory_alloc(run, sizeof *entries);

	entries->symbols = symbols;
	entries->scan = scan;
	entries->mask = table->target.pointer_bytes == 4 ? UINT32_MAX : UINT64_MAX;
	memory_array(run, entries->address, table->count);
	entries->bytes_left = MOST_SCANNED;
	/* Other objects are where no process has them. */
	for (uint32_t i = 0; i < table->count; i++) {
		if (!symbols_is_program(symbols, table->rows.address[i]))
			continue;
		entries->address[entries->count++] = table->rows.address[i] & entries->mask;
		note_anchor(entries, table->rows.name[i], table->rows.address[i]);
	}
	entries->count = slide_sort_unique(run, entries->address, entries->count);
	entries->code_start = table->text_start & entries->mask;
	entries->code_end = table->text_end & entries->mask;
	for (uint32_t i = 0; i < table->code_count; i++) {
		uint64_t start = table->code[i].address & entries->mask;
		uint64_t end = start + table->code[i].bytes;

		if (!symbols_is_program(symbols, table->code[i].address))
			break;
		if (start < entries->code_start)
			entries->code_start = start;
		if (end > entries->code_end && end > start)
			entries->code_end = end;
	}
	return entries;
}

uint32_t
slide_entry_below(const struct slide_entries *entries, uint64_t address)
{
	uint32_t below = sorted_up_to(entries->address, entries->count, address);

	return below == 0 ? NO_SYMBOL : below - 1;
}

/* The distance from the entry at or below an address, or more than SLIDE_FARTHEST. */
static uint64_t
distance(const struct slide_entries *entries, uint64_t address)
{
	uint32_t entry = slide_entry_below(entries, address);

	return entry == NO_SYMBOL ? UINT64_MAX : address - entries->address[entry];
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
	struct call_site call;

	if (!witness.inside)
		return witness;
	witness.distance = distance(entries, address);
	/* The table of code has addresses as the image has them. */
	witness.calls = scan_call_before(entries->symbols, slide_image_address(entries, address),
	                                 &call);
	witness.target = call.to;
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
