/* SPDX-License-Identifier: Apache-2.0 */
/* Which rows of the provider's table are symbols of the report, and why the others are none. */
#include <string.h>

#include "base/memory.h"
#include "base/run.h"
#include "symbols/parts.h"
#include "symbols/symbols.h"

/* Whether the image, which is known to have code, has none at an address. */
static bool
is_outside_code(const struct symbols *symbols, uint64_t address)
{
	return symbols->table.code_count > 0 && symbols_code_end(symbols, address) == address;
}

/* Whether a row counts, by all but calls: see symbols_find_called(). */
static enum symbol_fate
row_fate(const struct symbols *symbols, struct name_rule *rule, uint32_t row)
{
	const struct engine_settings *settings = rule->run->settings;
	const struct gprofx_symbol_rows *rows = &rule->table->rows;
	const char *name = rows->name[row];
	uint8_t flags = rows->flags[row];

	if (symbols_is_nowhere(symbols, rows->address[row]))
		return FATE_DATA;
	if (rule->knows_names && (flags & GPROFX_SYMBOL_DATA) &&
	    is_outside_code(symbols, rows->address[row]))
		return FATE_DATA;
	if (!(flags & GPROFX_SYMBOL_LOCAL))
		return FATE_KEPT;
	if (settings->drop_static)
		return FATE_STATIC;
	if (settings->drop_untyped_static && !(flags & GPROFX_SYMBOL_FUNCTION))
		return FATE_UNTYPED;
	/* The dot is not the program's, but put before the name of a descriptor. */
	if ((flags & GPROFX_SYMBOL_SYNTHETIC) != 0 && name[0] == '.') {
		if (!run_corrects(rule->run, GPROFX_CORRECT_DESCRIPTORS))
			return symbols_name_counts(rule, name) ? FATE_KEPT : FATE_NAME;
		name++;
	}
	return symbols_name_fate(rule, name, flags, rows->bytes[row]);
}

/*
 * Names may share bytes, as the end of a longer name is a name, too.  In a sound image that saves a
 * little; in a hostile one a million names can be ends of one that fills half of the file, and to
 * compare them would take hours.
 */
static uint64_t
most_name_bytes(uint64_t bytes)
{
	enum { SLACK = 1 << 20, LARGEST_TIMES = 4 };
	const uint64_t most = UINT32_MAX;

	return bytes < (most - SLACK) / LARGEST_TIMES ? bytes * LARGEST_TIMES + SLACK : most;
}

enum gprofx_result
symbols_check_names(struct run *run, const struct gprofx_symtab *table, const char *file,
                    uint64_t bytes)
{
	const struct gprofx_diagnostic diagnostic = {
		.id = "image.bad-symtab",
		.file = file,
		.hint = "the file is damaged; copy or link it again",
		.text = {"bad value"},
	};
	uint64_t most = most_name_bytes(bytes), left = most;

	for (uint32_t i = 0; i < table->count; i++) {
		size_t length = strnlen(table->rows.name[i], left + 1);

		if (length > left)
			return run_fail(run, &diagnostic,
			                "expected function names of at most %llu bytes together, "
			                "found more",
			                (unsigned long long)most);
		left -= length;
	}
	return GPROFX_OK;
}

/* Decides about rows from the first one on; returns of how many only calls can tell. */
static uint32_t
judge_rows(struct run *run, struct symbols *symbols, uint32_t first)
{
	struct gprofx_symtab *table = &symbols->table;
	struct name_rule rule = {
		.run = run,
		.table = table,
		.knows_clones = run_corrects(run, GPROFX_CORRECT_CLONES),
		.drops_clones = run->settings->clones == ENGINE_CLONES_DROP,
		.knows_names = run_corrects(run, GPROFX_CORRECT_LOCAL_NAMES),
		.lacks_sizes = run->settings->symbol_list != NULL,
	};
	uint32_t uncalled = 0;

	for (uint32_t i = first; i < table->count; i++) {
		if (table->untyped_format)
			table->rows.flags[i] |= GPROFX_SYMBOL_FUNCTION;
		if (symbols->is_literal)
			continue;
		symbols->fate[i] = (uint8_t)row_fate(symbols, &rule, i);
		uncalled += symbols->fate[i] == FATE_UNCALLED;
	}
	memory_release(run, rule.verdicts);
	return uncalled;
}

/* Lets the map name a row that counts; false: it leaves it out. */
static bool
apply_map(struct gprofx_symtab *table, const struct file_map *map, uint32_t row)
{
	const char *name = symbols_mapped_name(map, table->rows.name[row]);

	if (!name)
		return false;
	if (name != table->rows.name[row])
		table->rows.flags[row] |= SYMBOL_IS_FILE;
	table->rows.name[row] = name;
	return true;
}

/* Notes the rows that count from the first one on. */
static void
list_accepted(struct symbols *symbols, uint32_t first, const struct file_map *map)
{
	struct gprofx_symtab *table = &symbols->table;

	for (uint32_t i = first; i < table->count; i++) {
		if (symbols->fate[i] != FATE_KEPT)
			continue;
		if (map && !symbols->is_literal && !apply_map(table, map, i))
			symbols->fate[i] = FATE_MAP;
		else
			symbols->accepted[symbols->accepted_count++] = i;
	}
}

enum gprofx_result
symbols_accept_rows(struct run *run, struct symbols *symbols, const struct file_map *map)
{
	uint32_t uncalled;

	memory_array(run, symbols->fate, symbols->table.count);
	if (symbols_check_names(run, &symbols->table, symbols->list.name,
	                        symbols_file_bytes(symbols)) != GPROFX_OK)
		return GPROFX_FAILED;
	uncalled = judge_rows(run, symbols, 0);
	if (uncalled > 0)
		symbols_find_called(run, symbols, uncalled);
	memory_array(run, symbols->accepted, symbols->table.count);
	if (map) {
		memory_array(run, symbols->own_name, symbols->table.count);
		for (uint32_t i = 0; i < symbols->table.count; i++)
			symbols->own_name[i] = symbols->table.rows.name[i];
		symbols->own_name_count = symbols->table.count;
	}
	list_accepted(symbols, 0, map);
	return GPROFX_OK;
}

void
symbols_accept_more(struct run *run, struct symbols *symbols, uint32_t first)
{
	/* Code of the program calls nothing in them by its address. */
	judge_rows(run, symbols, first);
	/* What the map leaves out belongs to the function before, but these are of other images. */
	list_accepted(symbols, first, NULL);
}
