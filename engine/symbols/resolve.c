/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Order and duplicates: sorts candidates by address and chooses, among those of one address, the
 * name that the report shows.
 */
#include <string.h>

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

/* A name up to its version, which the symbol tables of libraries can have behind an '@'. */
static size_t
unversioned(const char *name)
{
	return name[0] == '@' ? strlen(name) : strcspn(name, "@");
}

/* The length of a name without the type that C23 puts behind it, as f64 in expf64; 0: it has none.
 */
static size_t
untyped(const char *name, size_t length)
{
	static const char *const types[] = {"f32", "f64", "f128", "f32x", "f64x"};

	for (size_t i = 0; i < sizeof types / sizeof types[0]; i++) {
		size_t type = strlen(types[i]);

		if (length > type && strncmp(name + length - type, types[i], type) == 0)
			return length - type;
	}
	return 0;
}

/*
 * Whether a name is the one that people write of two that differ in what is behind them: exp of
 * expf64, sinf of sinf32, strtod of strtof64, exp of expl, exp of exp@@GLIBC_2.29.
 */
static bool
is_plainer(const char *name, const char *other)
{
	static const char *const usual[] = {"", "f", "l", "d", "ld"};
	size_t length = unversioned(name), other_length = unversioned(other);
	size_t base = untyped(other, other_length);

	if (length == other_length)
		return strncmp(name, other, length) == 0 && name[length] == '\0' &&
		       other[length] != '\0';
	if (other_length == length + 1 && other[length] == 'l' && strncmp(name, other, length) == 0)
		return true;
	if (base == 0 || length < base || strncmp(name, other, base) != 0)
		return false;
	for (size_t i = 0; i < sizeof usual / sizeof usual[0]; i++)
		if (length - base == strlen(usual[i]) &&
		    strncmp(name + base, usual[i], length - base) == 0)
			return true;
	return false;
}

static bool
is_better(const struct gprofx_symtab *table, uint32_t candidate, uint32_t kept, bool as_gprof)
{
	const struct gprofx_symbol_rows *rows = &table->rows;
	const char *name = rows->name[candidate], *other = rows->name[kept];
	uint8_t kinds = GPROFX_SYMBOL_LOCAL | GPROFX_SYMBOL_FUNCTION;

	if (as_gprof || ((rows->flags[candidate] ^ rows->flags[kept]) & kinds) != 0)
		return symbols_is_better(rows->flags[candidate], name, rows->flags[kept], other);
	if (strspn(name, "_") != strspn(other, "_"))
		return strspn(name, "_") < strspn(other, "_");
	return is_plainer(name, other);
}

/*
 * The winner among ids[0 … count-1], all at one address and in table order.  They are met in the
 * order function-typed before untyped, global before local.
 */
static uint32_t
winner(const struct gprofx_symtab *table, const uint32_t *ids, uint32_t count, bool as_gprof)
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
			    (kept == NO_SYMBOL || is_better(table, ids[i], kept, as_gprof)))
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
		ids[kept++] = next == i + 1
		                      ? ids[i]
		                      : winner(table, ids + i, next - i,
		                               !run_corrects(run, GPROFX_CORRECT_PLAIN_NAMES));
	}
	return kept;
}
