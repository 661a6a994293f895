/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Whose samples an address holds.  For gprof a symbol's space ends where the next symbol starts,
 * and the last symbol has none.
 */
#include "base/memory.h"
#include "base/run.h"
#include "base/sort.h"
#include "symbols/symbols.h"

/* Spaces under construction. */
struct building {
	uint64_t *start;
	uint32_t *owner;
	uint32_t count;
};

static void
add_space(struct building *building, uint64_t start, uint32_t owner)
{
	building->start[building->count] = start;
	building->owner[building->count++] = owner;
}

/* Cuts the gaps out of the symbols, and gives those of clones to others. */
static struct symbol_spaces
cut_spaces(struct run *run, const struct symbols *symbols)
{
	bool has_gaps = run_corrects(run, GPROFX_CORRECT_GAPS);
	struct symbol_gaps gaps = {0};
	struct building building = {0};
	uint32_t gap = 0;
	size_t most;

	if (has_gaps)
		gaps = symbols_gaps(run, symbols);
	most = (size_t)symbols->count + 2 * (size_t)gaps.count;
	memory_array(run, building.start, most + 1);
	memory_array(run, building.owner, most + 1);
	for (uint32_t i = 0; i < symbols->count; i++) {
		bool is_last = i + 1 == symbols->count;
		bool is_lost = is_last && !run_corrects(run, GPROFX_CORRECT_LAST_SYMBOL);
		uint64_t next = is_last ? UINT64_MAX : symbols->address[i + 1];
		uint32_t owner = is_lost ? LOST_SYMBOL : symbols->owner ? symbols->owner[i] : i;

		add_space(&building, symbols->address[i], owner);
		for (; gap < gaps.count && gaps.items[gap].start < next; gap++) {
			add_space(&building, gaps.items[gap].start, NO_SYMBOL);
			if (gaps.items[gap].end < next)
				add_space(&building, gaps.items[gap].end, owner);
		}
	}
	/* With gaps, what is behind the last symbol is the last of them. */
	building.start[building.count] = has_gaps ? UINT64_MAX : symbols->address[symbols->count];
	memory_release(run, gaps.items);
	return (struct symbol_spaces){building.start, building.owner, building.count, has_gaps};
}

struct symbol_spaces
symbols_spaces(struct run *run, const struct symbols *symbols)
{
	struct symbol_spaces spaces = {.start = symbols->address, .count = symbols->count};

	if (run_corrects(run, GPROFX_CORRECT_GAPS) || symbols->owner)
		return cut_spaces(run, symbols);
	if (!run_corrects(run, GPROFX_CORRECT_LAST_SYMBOL) && spaces.count > 0)
		spaces.count--;
	return spaces;
}

uint32_t
symbols_space_owner(const struct symbol_spaces *spaces, uint64_t address)
{
	uint32_t past = sorted_up_to(spaces->start, spaces->count, address), space = past - 1;

	if (past == 0 || address >= spaces->start[past])
		return NO_SYMBOL;
	return spaces->owner ? spaces->owner[space] : space;
}
