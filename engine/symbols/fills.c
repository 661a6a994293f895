/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Bytes that only align the next function, and that are never executed.  Scanners know by the code;
 * for machines without one the size that a function states has to do.
 */
#include "base/run.h"
#include "plugin/plugins.h"
#include "symbols/symbols.h"

enum { FILL_AT_MOST = 64, CODE_BEFORE = 64 };

void
symbols_open_fills(struct run *run, struct code_fills *fills)
{
	uint16_t machine = fills->symbols->table.target.machine;
	bool errors_were_warnings = run->errors_are_warnings;
	struct plugin *plugin;

	if (fills->is_open)
		return;
	/* The report can do without. */
	run->errors_are_warnings = true;
	plugin = plugin_by_machine(run, machine, plugin_usual_scanner(machine));
	run->errors_are_warnings = errors_were_warnings;
	fills->image = symbols_scanned_image(fills->symbols);
	if (plugin)
		fills->fill = plugin->findcall.fill;
	fills->is_open = true;
}

/* How many bytes before an address the function that holds them does not have by its size. */
static uint64_t
stated_fill(const struct symbols *symbols, uint64_t past)
{
	uint32_t symbol = symbols_lookup(symbols, past - 1);
	uint64_t end;

	if (symbol != NO_SYMBOL)
		symbol = symbols_whole(symbols, symbol);
	if (symbol >= symbols->count || (symbols->flags[symbol] & SYMBOL_LINE) ||
	    symbols->bytes[symbol] == 0)
		return 0;
	end = symbols_past(symbols->address[symbol], symbols->bytes[symbol]);
	return end < past && past - end < FILL_AT_MOST ? past - end : 0;
}

uint64_t
symbols_fill_before(const struct code_fills *fills, uint64_t start, uint64_t past)
{
	const struct symbols *symbols = fills->symbols;
	const struct gprofx_code_range *range;
	struct gprofx_code code;
	uint64_t stated, fill;

	if (past <= start)
		return 0;
	stated = stated_fill(symbols, past);
	range = symbols_code_before(symbols, past);
	if (!fills->fill || !range || !symbols_has_code(symbols, range))
		return stated < past - start ? stated : 0;
	start = start > range->address ? start : range->address;
	if (past - start > FILL_AT_MOST + CODE_BEFORE)
		start = past - (FILL_AT_MOST + CODE_BEFORE);
	code = (struct gprofx_code){
		.size = sizeof code,
		.bytes = symbols->image.bytes + range->file_offset + (start - range->address),
		.byte_count = past - start,
		.readable = range->bytes - (start - range->address),
		.address = start,
		.image = &fills->image,
		.section = range->name,
	};
	fill = stated < past - start ? fills->fill(&code, stated) : 0;
	return fill < past - start ? fill : 0;
}
