/* SPDX-License-Identifier: Apache-2.0 */
/* What begins where in the image, including symbols that the report does not know. */
#include <gprofx/symbols.h>

#include "base/memory.h"
#include "base/sort.h"
#include "findings/parts.h"
#include "symbols/symbols.h"

const struct entries *
findings_entries(struct findings *findings)
{
	const struct symbols *symbols = findings->symbols;
	const struct gprofx_symtab *table = &symbols->table;
	/* The provider's rows hold the report's symbols, too. */
	bool has_rows = table->count > 0;
	uint32_t count = has_rows ? table->count : symbols->count, *ids;
	const uint64_t *address = has_rows ? table->rows.address : symbols->address;
	const uint64_t *bytes = has_rows ? table->rows.bytes : symbols->bytes;
	struct entries *entries;
	uint64_t covered = 0;

	if (findings->entries)
		return findings->entries;
	entries = memory_alloc(findings->run, sizeof *entries);
	entries->count = count;
	memory_array(findings->run, entries->address, count);
	memory_array(findings->run, entries->covered, count);
	memory_array(findings->run, ids, count);
	for (uint32_t i = 0; i < count; i++) {
		entries->address[i] = address[i];
		ids[i] = i;
	}
	sort_ascending(findings->run, entries->address, ids, count);
	for (uint32_t i = 0; i < count; i++) {
		uint64_t size = bytes[ids[i]], end;

		/* Without a size it goes on to the next. */
		end = size > 0        ? symbols_past(entries->address[i], size)
		      : i + 1 < count ? entries->address[i + 1]
		                      : UINT64_MAX;
		covered = end > covered ? end : covered;
		entries->covered[i] = covered;
	}
	memory_release(findings->run, ids);
	findings->entries = entries;
	return entries;
}

uint32_t
entries_at_or_below(const struct entries *entries, uint64_t address)
{
	uint32_t below = sorted_up_to(entries->address, entries->count, address);

	return below == 0 ? NO_SYMBOL : below - 1;
}

void
findings_code_bounds(const struct findings *findings, uint64_t *begin, uint64_t *end)
{
	const struct gprofx_symtab *table = &findings->symbols->table;
	uint32_t count = table->code_count;

	*begin = table->text_start;
	*end = table->text_end;
	/* What is behind the program's is of other objects. */
	while (count > 0 && !symbols_is_program(findings->symbols, table->code[count - 1].address))
		count--;
	if (count == 0)
		return;
	*begin = table->code[0].address;
	*end = symbols_past(table->code[count - 1].address, table->code[count - 1].bytes);
}
