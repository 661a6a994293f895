/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Matches names through a hash of the names asked for, so that a thousand symspecs cost one pass
 * over the symbols.
 */
#include "select/match.h"

#include <string.h>

#include "base/memory.h"
#include "base/sort.h"

enum {
	/*
	 * What all symspecs together may cost: symbols and files looked at, and ranges found.
	 * Fifty files of a program with five million lines stay below both.
	 */
	MOST_STEPS = 1 << 28,
	MOST_RANGES = 1 << 21,
	FILE_STEPS = 8 /* comparing a path is as much work as looking at so many symbols */
};

/* What is left of that. */
struct budget {
	uint64_t steps;
	uint32_t ranges;
};

/* Takes steps; false: so many are not left. */
static bool
take_steps(struct budget *budget, uint64_t steps)
{
	bool fits = steps <= budget->steps && budget->ranges > 0;

	budget->steps -= fits ? steps : budget->steps;
	return fits;
}

static enum gprofx_result
fail_costly(struct run *run)
{
	const struct gprofx_diagnostic diagnostic = {
		.id = "select.too-costly",
		.hint = "name fewer files and lines, or name functions instead",
	};

	return run_fail(run, &diagnostic, "looking up the symspecs takes more than %d steps",
	                MOST_STEPS);
}

static uint32_t
hash_name(const char *name, size_t length)
{
	uint32_t hash = 2166136261u;

	for (size_t i = 0; i < length; i++)
		hash = (hash ^ (uint8_t)name[i]) * 16777619u;
	return hash ^ hash >> 15;
}

static void
add_symbol(struct run *run, const struct symbols *symbols, struct match_half *half, uint32_t symbol,
           struct budget *budget)
{
	struct select_ranges *ranges = &half->ranges;

	if (ranges->count > 0 && half->last + 1 == symbol) {
		ranges->items[ranges->count - 1].end = symbols->end[symbol];
	} else if (budget->ranges > 0) {
		budget->ranges--;
		ranges->items = memory_room(run, ranges->items, sizeof *ranges->items,
		                            ranges->count, &ranges->room, 1);
		ranges->items[ranges->count++] = (struct select_range){symbols->address[symbol],
		                                                       symbols->end[symbol]};
	}
	half->last = symbol;
}

static bool
has_file(const struct match_half *half, uint32_t file)
{
	uint32_t low = 0, high = half->file_count;

	while (low < high) {
		uint32_t middle = low + (high - low) / 2;

		if (half->files[middle] < file)
			low = middle + 1;
		else
			high = middle;
	}
	return low < half->file_count && half->files[low] == file;
}

static bool
position_fits(const struct symbols *symbols, const struct match_half *half, uint32_t symbol)
{
	if (half->is_hopeless)
		return false;
	if (half->spec.file && !has_file(half, symbols->file[symbol]))
		return false;
	return half->spec.line == 0 || symbols->line[symbol] == half->spec.line;
}

bool
match_is_path(const char *path, const char *components)
{
	size_t length = strlen(path), end = strlen(components);

	return end <= length && strcmp(path + length - end, components) == 0 &&
	       (end == length || path[length - end - 1] == '/');
}

/* All files of that name, or of a name that ends with these folders. */
static void
find_all(struct run *run, const struct symbols *symbols, struct match_half *half)
{
	uint32_t room = 0;

	for (uint32_t file = 1; file < symbols->file_count; file++) {
		if (!match_is_path(symbols->files[file].path, half->spec.file))
			continue;
		half->files = memory_room(run, half->files, sizeof *half->files, half->file_count,
		                          &room, 1);
		half->files[half->file_count++] = file;
	}
}

/* For gprof the one that appeared last, by the symbol table's own order, is meant. */
static void
find_last(struct run *run, const struct symbols *symbols, struct match_half *half,
          const uint32_t *order, uint32_t count)
{
	while (count-- > 0) {
		if (strcmp(symbols->files[order[count]].base, half->spec.file) != 0)
			continue;
		memory_array(run, half->files, 1);
		half->files[half->file_count++] = order[count];
		return;
	}
}

/* Gives each half the numbers of the files it names, of which several can have that base name. */
static void
find_files(struct run *run, struct symbols *symbols, struct match_half *halves, uint32_t count)
{
	uint32_t *order, order_count;

	memory_array(run, order, (size_t)symbols->file_count + 1);
	order_count = symbols_order_files(run, symbols, order);
	for (uint32_t i = 0; i < count; i++) {
		struct match_half *half = &halves[i];

		if (!half->spec.file)
			continue;
		if (run_corrects(run, GPROFX_CORRECT_SPEC_FILES))
			find_all(run, symbols, half);
		else
			find_last(run, symbols, half, order, order_count);
		half->is_hopeless = half->file_count == 0;
		if (!run_traces(run, GPROFX_TRACE_SOURCE_FILES))
			continue;
		if (half->is_hopeless)
			run_trace(run, "source file %s: unknown", half->spec.file);
		for (uint32_t k = 0; k < half->file_count; k++)
			run_trace(run, "source file %s: %s", half->spec.file,
			          symbols->files[half->files[k]].path);
	}
	memory_release(run, order);
}

/* Halves without a name: everything, or everything of a file or line. */
static void
match_positions(struct run *run, const struct symbols *symbols, struct match_half *half,
                struct budget *budget)
{
	if (!half->spec.file && half->spec.line == 0) {
		add_symbol(run, symbols, half, 0, budget);
		if (half->ranges.count == 0)
			return;
		half->ranges.items[0].end = symbols->end[symbols->count - 1];
		return;
	}
	if (half->is_hopeless || !take_steps(budget, symbols->count))
		return;
	for (uint32_t symbol = 0; symbol < symbols->count; symbol++)
		if (position_fits(symbols, half, symbol))
			add_symbol(run, symbols, half, symbol, budget);
}

/* Halves by the hash of their names. */
struct name_hash {
	uint32_t *slots, mask;
	size_t longest; /* of the names asked for; of a symbol's name no more is looked at */
	bool is_empty;
};

/* wants_empty: only of halves that stand for nothing yet. */
static struct name_hash
hash_names(struct run *run, struct match_half *halves, uint32_t count, bool wants_empty)
{
	struct name_hash hash = {.mask = 16, .is_empty = true};

	while (hash.mask < count * 2 && hash.mask < 1u << 24)
		hash.mask *= 2;
	memory_array(run, hash.slots, hash.mask--);
	for (uint32_t i = 0; i < count; i++) {
		struct match_half *half = &halves[i];
		uint32_t *slot;
		size_t length;

		if (!half->spec.name || (wants_empty && half->ranges.count > 0))
			continue;
		length = strlen(half->spec.name);
		slot = &hash.slots[hash_name(half->spec.name, length) & hash.mask];
		hash.longest = length > hash.longest ? length : hash.longest;
		half->next = *slot;
		*slot = i + 1;
		hash.is_empty = false;
	}
	return hash;
}

/*
 * The first of the halves that may ask for a name, from 1 on, or 0.  Takes off the underscore that
 * the table's format puts before it.
 */
static uint32_t
first_half(const struct symbols *symbols, const struct name_hash *hash, const char **name)
{
	size_t length;

	if (symbols->table.leading_underscore && **name == '_')
		++*name;
	length = strnlen(*name, hash->longest + 1);
	return length <= hash->longest ? hash->slots[hash_name(*name, length) & hash->mask] : 0;
}

/* Adds a symbol to those of them that ask for its name; ends early where the budget does. */
static void
add_to_halves(struct run *run, const struct symbols *symbols, struct match_half *halves,
              uint32_t first, const char *name, uint32_t symbol, struct budget *budget)
{
	for (uint32_t i = first; i != 0; i = halves[i - 1].next) {
		struct match_half *half = &halves[i - 1];

		if (!take_steps(budget, FILE_STEPS))
			return;
		if (strcmp(half->spec.name, name) == 0 && position_fits(symbols, half, symbol))
			add_symbol(run, symbols, half, symbol, budget);
	}
}

static void
match_names(struct run *run, const struct symbols *symbols, struct match_half *halves,
            const struct name_hash *hash, struct budget *budget)
{
	const char *unknown = NULL;

	for (uint32_t symbol = 0; symbol < symbols->count && budget->steps > 0; symbol++) {
		const char *name = symbols->name[symbol];
		uint32_t first;

		/* Lines of a function share its name. */
		if (name == unknown)
			continue;
		unknown = name;
		first = first_half(symbols, hash, &name);
		if (first == 0)
			continue;
		unknown = NULL;
		add_to_halves(run, symbols, halves, first, name, symbol, budget);
	}
}

enum gprofx_result
match_symbols(struct run *run, struct symbols *symbols, struct match_half *halves, uint32_t count)
{
	bool needs_positions = false;
	struct budget budget = {MOST_STEPS, MOST_RANGES};
	struct name_hash hash;

	if (symbols->count == 0)
		return GPROFX_OK;
	for (uint32_t i = 0; i < count; i++)
		needs_positions = needs_positions || halves[i].spec.file ||
		                  halves[i].spec.line != 0;
	if (needs_positions) {
		symbols_locate(run, symbols, NULL, 0);
		for (uint32_t i = 0; i < count; i++)
			if (halves[i].spec.file &&
			    !take_steps(&budget, (uint64_t)FILE_STEPS * symbols->file_count))
				return fail_costly(run);
		find_files(run, symbols, halves, count);
	}
	for (uint32_t i = 0; i < count; i++)
		if (!halves[i].spec.name)
			match_positions(run, symbols, &halves[i], &budget);
	hash = hash_names(run, halves, count, false);
	if (!hash.is_empty)
		match_names(run, symbols, halves, &hash, &budget);
	memory_release(run, hash.slots);
	return budget.steps > 0 && budget.ranges > 0 ? GPROFX_OK : fail_costly(run);
}

enum gprofx_result
match_aliases(struct run *run, const struct symbols *symbols, struct match_half *halves,
              uint32_t count)
{
	const struct gprofx_symbol_rows *rows = &symbols->table.rows;
	struct budget budget = {MOST_STEPS, MOST_RANGES};
	struct name_hash hash = hash_names(run, halves, count, true);

	for (uint32_t row = 0;
	     !hash.is_empty && symbols->fate && row < symbols->table.count && budget.steps > 0;
	     row++) {
		const char *name = rows->name[row];
		uint32_t first = first_half(symbols, &hash, &name), symbol;

		if (first == 0 || symbols->fate[row] == FATE_DATA)
			continue;
		symbol = match_first_at(symbols, rows->address[row]);
		if (symbol < symbols->count && symbols->address[symbol] == rows->address[row])
			add_to_halves(run, symbols, halves, first, name, symbol, &budget);
	}
	memory_release(run, hash.slots);
	return budget.steps > 0 && budget.ranges > 0 ? GPROFX_OK : fail_costly(run);
}

uint32_t
match_first_at(const struct symbols *symbols, uint64_t address)
{
	return address > 0 ? sorted_up_to(symbols->address, symbols->count, address - 1) : 0;
}

void
match_add(struct run *run, const struct symbols *symbols, struct match_half *half, uint32_t symbol)
{
	struct select_ranges *ranges = &half->ranges;

	ranges->items = memory_room(run, ranges->items, sizeof *ranges->items, ranges->count,
	                            &ranges->room, 1);
	ranges->items[ranges->count++] = (struct select_range){symbols->address[symbol],
	                                                       symbols->end[symbol]};
}
