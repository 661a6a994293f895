/* SPDX-License-Identifier: Apache-2.0 */
/* The functions that lines of source are parts of. */
#include "base/memory.h"
#include "base/run.h"
#include "symbols/symbols.h"

void
symbols_find_wholes(struct run *run, struct symbols *symbols)
{
	uint32_t function = NO_SYMBOL;
	bool has_lines = false;

	/* A sum in GNU gprof's way has the calls of each line. */
	if (!run_corrects(run, GPROFX_CORRECT_LINE_GRAPH) || run->settings->sum_as_gprof)
		return;
	for (uint32_t i = 0; i < symbols->count && !has_lines; i++)
		has_lines = (symbols->flags[i] & SYMBOL_LINE) != 0;
	if (!has_lines)
		return;
	memory_array(run, symbols->whole, (size_t)symbols->count + SYMBOL_MORE_ROWS);
	for (uint32_t i = 0; i < symbols->count; i++) {
		if (!(symbols->flags[i] & SYMBOL_LINE)) {
			function = i;
			symbols->whole[i] = i;
			continue;
		}
		/* Lines can lie in code that is of no function of the report. */
		symbols->whole[i] = function != NO_SYMBOL &&
		                                    symbols->address[i] <= symbols->end[function]
		                            ? function
		                            : NO_SYMBOL;
	}
	for (uint32_t i = symbols->count; i < symbols->count + SYMBOL_MORE_ROWS; i++)
		symbols->whole[i] = i;
}
