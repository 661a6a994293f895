/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Order and duplicates: sorts candidates by address and chooses, among those of one address, the
 * name that the report shows.
 */
#include "base/run.h"
#include "base/sort.h"
#include "symbols/symbols.h"

static uint32_t
underscores(const char *name)
{
	return name[0] != '_' ? 0 : name[1] != '_' ? 1 : 2;
}

bool
symbols_is_better(uint8_t new_flags, const char *new_name, uint8_t old_flags, const char *old_name)
{
	uint8_t differ = new_flags ^ old_flags;

	if (differ & GPROFX_SYMBOL_LOCAL)
		return (old_flags & GPROFX_SYMBOL_LOCAL) != 0;
	if (differ & GPROFX_SYMBOL_FUNCTION)
		return (new_flags & GPROFX_SYMBOL_FUNCTION) != 0;
	return underscores(new_name) < underscores(old_name);
}

static bool
is_better(const struct gprofx_symtab *table, uint32_t candidate, uint32_t kept)
{
	const struct gprofx_symbol_rows *rows = &table->rows;

	return symbols_is_better(rows->flags[candidate], rows->name[candidate], rows->flags[kept],
	                         rows->name[kept]);
}

/*
 * The winner among ids[0 … count-1], all at one address and in table order.  They are met in the
 * order function-typed before untyped, global before local.
 */
static uint32_t
winner(const struct gprofx_symtab *table, const uint32_t *ids, uint32_t count)
{
	static const uint8_t order[] = {GPROFX_SYMBOL_FUNCTION,
	                                GPROFX_SYMBOL_FUNCTION | GPROFX_SYMBOL_LOCAL, 0,
	                                GPROFX_SYMBOL_LOCAL};
	uint32_t kept = NO_SYMBOL;

	for (size_t kind = 0; kind < sizeof order; kind++) {
		for (uint32_t i = 0; i < count; i++) {
			uint8_t flags = table->rows.flags[ids[i]] &
			                (GPROFX_SYMBOL_FUNCTION | GPROFX_SYMBOL_LOCAL);

			if (flags == order[kind] &&
			    (kept == NO_SYMBOL || is_better(table, ids[i], kept)))
				kept = ids[i];
		}
	}
	return kept;
}

uint32_t
symbols_resolve(struct run *run, const struct gprofx_symtab *table, uint64_t *keys, uint32_t *ids,
                uint32_t count)
{
	uint32_t kept = 0;

	sort_ascending(run, keys, ids, count);
	for (uint32_t i = 0, next; i < count; i = next) {
		for (next = i + 1; next < count && keys[next] == keys[i]; next++)
			;
		keys[kept] = keys[i];
		ids[kept++] = next == i + 1 ? ids[i] : winner(table, ids + i, next - i);
	}
	return kept;
}
