/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Symbols of a run without a program: profiles bring the names of functions.  They get addresses
 * that mean nothing but their order.
 */
#include "base/memory.h"
#include "base/run.h"
#include "symbols/symbols.h"

enum { NAME_BYTES = 16 };

/* The rows behind the last symbol. */
static void
set_more_rows(struct symbols *symbols)
{
	uint32_t outside = symbols->count, indirect = symbols_indirect(symbols);

	symbols->address[outside] = ((uint64_t)outside + 1) * NAME_BYTES;
	symbols->end[outside] = UINT64_MAX;
	symbols->name[outside] = "<outside any function>";
	symbols->address[indirect] = symbols->end[indirect] = UINT64_MAX;
	symbols->name[indirect] = "<indirect child>";
}

void
symbols_set_names(struct run *run, struct symbols *symbols, const char *const *names,
                  uint32_t count)
{
	symbols->count = count;
	memory_array(run, symbols->address, (size_t)count + SYMBOL_MORE_ROWS);
	memory_array(run, symbols->end, (size_t)count + SYMBOL_MORE_ROWS);
	memory_array(run, symbols->name, (size_t)count + SYMBOL_MORE_ROWS);
	memory_array(run, symbols->flags, (size_t)count + SYMBOL_MORE_ROWS);
	memory_array(run, symbols->bytes, count);
	for (uint32_t i = 0; i < count; i++) {
		symbols->address[i] = ((uint64_t)i + 1) * NAME_BYTES;
		symbols->end[i] = symbols->address[i] + NAME_BYTES - 1;
		symbols->name[i] = names[i];
		symbols->flags[i] = GPROFX_SYMBOL_FUNCTION;
	}
	set_more_rows(symbols);
	symbols_index(run, symbols);
}

struct symbols *
symbols_without_image(struct run *run)
{
	struct symbols *symbols = memory_alloc(run, sizeof *symbols);

	symbols->image.size = sizeof symbols->image;
	symbols->list = symbols->image;
	symbols->located = &symbols->image;
	symbols->table.size = sizeof symbols->table;
	symbols->table.target.size = sizeof symbols->table.target;
	symbols->table.target.pointer_bytes = 8;
	symbols_set_names(run, symbols, NULL, 0);
	return symbols;
}
