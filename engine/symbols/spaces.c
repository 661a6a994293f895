/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Whose samples an address holds.  For gprof a symbol's space ends where the next symbol starts,
 * and the last symbol has none.
 */
#include "base/memory.h"
#include "symbols/symbols.h"

uint64_t
symbols_code_end(const struct symbols *symbols, uint64_t address)
{
	const struct gprofx_symtab *table = &symbols->table;

	for (uint32_t i = 0; i < table->code_count; i++) {
		const struct gprofx_code_range *code = &table->code[i];

		if (address >= code->address && address - code->address < code->bytes)
			return symbols_past(code->address, code->bytes);
	}
	/* Providers need not tell of sections other than .text. */
	return address >= table->text_start && address < table->text_end ? table->text_end
	                                                                 : address;
}

struct symbol_spaces
symbols_spaces(struct run *run, const struct symbols *symbols)
{
	struct symbol_spaces spaces = {.start = symbols->address, .count = symbols->count - 1};

	if (run_corrects(run, GPROFX_CORRECT_LAST_SYMBOL))
		spaces.count++;
	return spaces;
}
