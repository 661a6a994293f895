/* SPDX-License-Identifier: Apache-2.0 */
/* Symbols that code is named after where debug information has no name for it. */
#include "base/memory.h"
#include "base/run.h"
#include "base/sort.h"
#include "symbols/line-rows.h"
#include "symbols/parts.h"
#include "symbols/symbols.h"

void
symbols_set_labels_aside(struct run *run, struct symbols *symbols)
{
	struct gprofx_symtab *table = &symbols->table;
	struct gprofx_symbol_rows *rows = &table->rows;
	uint32_t kept = 0;

	for (uint32_t row = 0; row < table->count; row++)
		symbols->label_count += (rows->flags[row] & GPROFX_SYMBOL_LABEL) != 0;
	if (symbols->label_count == 0)
		return;
	memory_array(run, symbols->labels, symbols->label_count);
	symbols->label_count = 0;
	for (uint32_t row = 0; row < table->count; row++) {
		if (rows->flags[row] & GPROFX_SYMBOL_LABEL) {
			symbols->labels[symbols->label_count++] = (struct symbol_label){
				{rows->address[row], rows->bytes[row], rows->name[row],
			         rows->flags[row]},
				kept,
			};
			continue;
		}
		rows->address[kept] = rows->address[row];
		rows->bytes[kept] = rows->bytes[row];
		rows->name[kept] = rows->name[row];
		rows->flags[kept] = rows->flags[row];
		table->unit[kept++] = table->unit[row];
	}
	table->count = kept;
}

struct code_name
covers_name(const struct symbols *symbols, uint32_t id)
{
	const struct gprofx_symbol_rows *rows = &symbols->table.rows;

	if (id >= symbols->table.count)
		return symbols->labels[id - symbols->table.count].is;
	return (struct code_name){rows->address[id], rows->bytes[id], rows->name[id],
	                          rows->flags[id]};
}

/* By address; of those of one address the largest comes first. */
static int
compare_candidates(const void *context, uint32_t left, uint32_t right)
{
	struct code_name one = covers_name(context, left), other = covers_name(context, right);

	if (one.address != other.address)
		return one.address < other.address ? -1 : 1;
	return one.bytes > other.bytes ? -1 : one.bytes < other.bytes;
}

/* Functions and labels in .text or other objects, in the order of the provider's table. */
static uint32_t
find_candidates(const struct symbols *symbols, bool others, uint32_t *ids)
{
	const struct gprofx_symtab *table = &symbols->table;
	uint32_t count = 0, row = 0, label = 0;

	while (row < table->count || label < symbols->label_count) {
		bool is_label = label < symbols->label_count &&
		                symbols->labels[label].before <= row;
		uint32_t id = is_label ? table->count + label++ : row++;
		struct code_name name = covers_name(symbols, id);

		if (!(name.flags & GPROFX_SYMBOL_DATA) &&
		    ((name.address >= table->text_start && name.address < table->text_end) ||
		     (others && !symbols_is_program(symbols, name.address))))
			ids[count++] = id;
	}
	return count;
}

uint64_t
symbols_named_from(const struct symbols *symbols)
{
	const struct gprofx_symtab *table = &symbols->table;
	uint32_t first = table->text_start > 0 ? sorted_up_to(symbols->address, symbols->count,
	                                                      table->text_start - 1)
	                                       : 0;
	uint64_t from = table->text_end;

	/* Mostly a function comes first, and so what is in front of it does not matter. */
	if (first < symbols->count && !(symbols->flags[first] & GPROFX_SYMBOL_DATA))
		return table->text_start;
	for (uint32_t id = 0; id < table->count + symbols->label_count; id++) {
		struct code_name name = covers_name(symbols, id);

		if (!(name.flags & GPROFX_SYMBOL_DATA) && name.address >= table->text_start &&
		    name.address < from)
			from = name.address;
	}
	return from;
}

struct covers
covers_find(struct run *run, const struct symbols *symbols, bool others)
{
	struct covers covers = {0};
	uint32_t most = symbols->table.count + symbols->label_count, count;

	memory_array(run, covers.id, most);
	count = find_candidates(symbols, others, covers.id);
	sort_ids(run, covers.id, count, compare_candidates, symbols);
	memory_array(run, covers.address, count);
	for (uint32_t i = 0; i < count; i++) {
		uint64_t address = covers_name(symbols, covers.id[i]).address;

		if (covers.count > 0 && covers.address[covers.count - 1] == address)
			continue;
		covers.address[covers.count] = address;
		covers.id[covers.count++] = covers.id[i];
	}
	return covers;
}
