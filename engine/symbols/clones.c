/* SPDX-License-Identifier: Apache-2.0 */
/* Which function a clone was made from. */
#include <string.h>

#include "base/memory.h"
#include "base/run.h"
#include "symbols/parts.h"
#include "symbols/readable.h"
#include "symbols/symbols.h"

const char *const engine_clones_words[] = {
	[ENGINE_CLONES_KEEP] = "keep",
	[ENGINE_CLONES_FOLD] = "fold",
	[ENGINE_CLONES_DROP] = "drop",
	NULL,
};

/*
 * So many symbols are looked at for a clone at most.  No sound program has more of one name, and
 * one that was made to have them must not cost their number squared.
 */
enum { LOOKED_AT_MOST = 4096 };

/* Symbols by name. */
struct names {
	uint32_t *first; /* per hash value: a symbol plus 1, or 0 */
	uint32_t *next;  /* per symbol */
	uint32_t mask;
};

static uint32_t
hash_name(const char *name, size_t length)
{
	uint64_t hash = 14695981039346656037u;

	for (size_t i = 0; i < length; i++)
		hash = (hash ^ (uint8_t)name[i]) * 1099511628211u;
	return (uint32_t)(hash >> 32);
}

static struct names
index_names(struct run *run, const struct symbols *symbols)
{
	struct names names = {.mask = 15};

	while (names.mask < symbols->count && names.mask < UINT32_MAX / 2)
		names.mask = names.mask * 2 + 1;
	memory_array(run, names.first, (size_t)names.mask + 1);
	memory_array(run, names.next, symbols->count);
	for (uint32_t i = 0; i < symbols->count; i++) {
		const char *name = symbols->name[i];
		uint32_t *slot;

		if (symbols->flags[i] & SYMBOL_LINE)
			continue;
		slot = &names.first[hash_name(name, strlen(name)) & names.mask];

		names.next[i] = *slot;
		*slot = i + 1;
	}
	return names;
}

/* The number of the image that a symbol is of, before lookups are ready. */
static uint32_t
image_of(const struct symbols *symbols, uint32_t symbol)
{
	uint32_t low = 0, high = symbols->image_count;

	while (high - low > 1) {
		uint32_t middle = low + (high - low) / 2;

		if (symbols->images[middle].first <= symbols->address[symbol])
			low = middle;
		else
			high = middle;
	}
	return low;
}

/*
 * The function of this name: in the clone's own object file if it is known, else a global one, else
 * one that has no namesake.
 */
static uint32_t
find_function(const struct symbols *symbols, const struct names *names, uint32_t clone,
              const char *name, size_t length)
{
	uint32_t unit = symbols->table.unit[symbols->row[clone]];
	uint32_t global = NO_SYMBOL, local = NO_SYMBOL, locals = 0, seen = 0;

	for (uint32_t k = names->first[hash_name(name, length) & names->mask]; k != 0;
	     k = names->next[k - 1]) {
		uint32_t symbol = k - 1;

		if (++seen > LOOKED_AT_MOST)
			return NO_SYMBOL;
		if (strncmp(symbols->name[symbol], name, length) != 0 ||
		    symbols->name[symbol][length] != '\0' ||
		    image_of(symbols, symbol) != image_of(symbols, clone))
			continue;
		if (!(symbols->flags[symbol] & GPROFX_SYMBOL_LOCAL)) {
			global = symbol;
			continue;
		}
		if (unit != 0 && symbols->table.unit[symbols->row[symbol]] == unit)
			return symbol;
		local = symbol;
		locals++;
	}
	return global != NO_SYMBOL ? global : locals == 1 ? local : NO_SYMBOL;
}

/* The shortest name wins: a fragment of a clone belongs to the function that was cloned. */
static uint32_t
find_original(const struct symbols *symbols, const struct names *names, uint32_t clone,
              const char *suffix)
{
	for (const char *end = suffix; end; end = strchr(end + 1, '.')) {
		const char *name = symbols->name[clone];
		uint32_t found = find_function(symbols, names, clone, name, (size_t)(end - name));

		if (found != NO_SYMBOL && found != clone)
			return found;
	}
	return clone;
}

/* The function that a symbol was made from; the symbol itself: none.  *is_fragment: see above. */
static uint32_t
original_of(struct run *run, const struct symbols *symbols, struct names *names, uint32_t symbol,
            bool *is_fragment)
{
	const char *name = symbols->name[symbol];
	const char *suffix = symbols_clone_suffix(name, is_fragment);
	struct derived_name derived = {0};
	uint32_t original;

	if (run_corrects(run, GPROFX_CORRECT_LOCAL_NAMES))
		derived = derived_name(name);
	if (!suffix && !derived.suffix)
		return symbol;
	if (!names->first)
		*names = index_names(run, symbols);
	original = suffix ? find_original(symbols, names, symbol, suffix) : symbol;
	if (original != symbol || !derived.suffix)
		return original;
	*is_fragment = *is_fragment || derived.is_part;
	original = find_function(symbols, names, symbol, derived.base, derived.base_length);
	return original == NO_SYMBOL ? symbol : original;
}

void
symbols_own_each(struct run *run, struct symbols *symbols)
{
	if (symbols->owner)
		return;
	memory_array(run, symbols->owner, (size_t)symbols->count + SYMBOL_MORE_ROWS);
	for (uint32_t i = 0; i < symbols->count + SYMBOL_MORE_ROWS; i++)
		symbols->owner[i] = i;
}

void
symbols_fold_clones(struct run *run, struct symbols *symbols, uint32_t first)
{
	struct names names = {0};

	if (!run_corrects(run, GPROFX_CORRECT_CLONES) ||
	    run->settings->clones != ENGINE_CLONES_FOLD)
		return;
	for (uint32_t i = first; i < symbols->count; i++) {
		bool is_fragment = false;
		uint32_t original = symbols->flags[i] & SYMBOL_LINE
		                            ? i
		                            : original_of(run, symbols, &names, i, &is_fragment);

		if (original == i)
			continue;
		symbols_own_each(run, symbols);
		symbols->owner[i] = original;
		symbols->flags[i] |= SYMBOL_FOLDED;
		if (is_fragment)
			symbols->flags[i] |= SYMBOL_FRAGMENT;
	}
	/* An original can be a clone itself; its name is shorter, so this comes to an end. */
	for (uint32_t i = first; symbols->owner && i < symbols->count; i++)
		while (symbols->owner[symbols->owner[i]] != symbols->owner[i])
			symbols->owner[i] = symbols->owner[symbols->owner[i]];
	memory_release(run, names.first);
	memory_release(run, names.next);
}
