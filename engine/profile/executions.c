/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Functions of the source have a name and a file; an image can have several symbols of a name, and
 * a function several names, of which the report shows one.
 */
#include "profile/executions.h"

#include "base/memory.h"
#include "base/name-table.h"
#include "profile/source-counts.h"

/* A symbol by a name that was counted. */
struct named_symbol {
	uint32_t symbol;
	uint32_t next; /* of the same name, plus 1; or 0 */
};

struct matching {
	struct run *run;
	struct symbols *symbols;
	const struct profile *profile;
	struct executions *executions;
	struct named_symbol *named;
	uint32_t named_count, named_room;
	uint32_t *first_symbol;   /* per name: number in "named" plus 1, or 0 */
	uint32_t *function_count; /* per name: functions of the source */
};

/* All names of an address count: a constructor has several, and one of them is the symbol's. */
static void
list_symbols(struct matching *m)
{
	const struct symbols *symbols = m->symbols;
	const struct gprofx_symbol_rows *rows = &symbols->table.rows;

	for (uint32_t row = 0; row < symbols->table.count; row++) {
		uint32_t name, symbol, *first;

		if ((rows->flags[row] & GPROFX_SYMBOL_DATA) || !rows->name[row])
			continue;
		name = name_table_lookup(&m->profile->source_names, rows->name[row]);
		if (name == NO_NAME)
			continue;
		symbol = symbols_lookup(symbols, rows->address[row]);
		if (symbol == NO_SYMBOL || symbols->address[symbol] != rows->address[row])
			continue;
		first = &m->first_symbol[name];
		if (*first != 0 && m->named[*first - 1].symbol == symbol)
			continue;
		m->named = memory_room(m->run, m->named, sizeof *m->named, m->named_count,
		                       &m->named_room, 1);
		m->named[m->named_count] = (struct named_symbol){symbol, *first};
		*first = ++m->named_count;
	}
}

/* Whether a name stands for one function: then all its symbols are copies of that. */
static bool
is_unique(const struct matching *m, uint32_t name)
{
	return m->function_count[name] == 1;
}

/* Finds the files of symbols whose names do not say which function they are. */
static void
locate_others(struct matching *m)
{
	uint32_t *ids, count = 0;

	memory_array(m->run, ids, m->named_count);
	for (uint32_t name = 0; name < m->profile->source_names.count; name++)
		for (uint32_t at = is_unique(m, name) ? 0 : m->first_symbol[name];
		     m->named && at != 0; at = m->named[at - 1].next)
			ids[count++] = m->named[at - 1].symbol;
	if (count > 0)
		symbols_locate(m->run, m->symbols, ids, count);
	memory_release(m->run, ids);
}

/* The number of the source file that a symbol is in, or NO_NAME. */
static uint32_t
file_of(struct matching *m, uint32_t symbol)
{
	const struct symbols *symbols = m->symbols;

	if (!symbols->is_located || symbols->file[symbol] == 0)
		return NO_NAME;
	return source_counts_file(m->run, m->profile, symbols->files[symbols->file[symbol]].path);
}

/* Finds the symbols of a function: where the name does not tell, the file has to be the same. */
static void
match_function(struct matching *m, uint32_t number)
{
	const struct source_function *function = &m->profile->source_functions[number];
	uint32_t at = m->first_symbol[function->name], found = 0;
	bool is_only = is_unique(m, function->name);

	m->executions->symbol[number] = NO_SYMBOL;
	for (; m->named && at != 0; at = m->named[at - 1].next) {
		uint32_t symbol = m->named[at - 1].symbol;

		if (m->executions->function[symbol] != 0 ||
		    (!is_only && file_of(m, symbol) != function->file))
			continue;
		m->executions->function[symbol] = number + 1;
		m->executions->symbol[number] = found++ == 0 ? symbol : NO_SYMBOL;
	}
}

/* Functions of a file begin in the order of their lines; those within others are innermost. */
static void
place_lines(struct matching *m)
{
	const struct profile *profile = m->profile;
	const struct source_function *functions = profile->source_functions;
	uint32_t *open, count = 0, next = 0;

	memory_array(m->run, open, profile->source_function_count);
	for (uint32_t i = 0; i < profile->source_count_count; i++) {
		const struct source_count *line = &profile->source_counts[i];

		for (; next < profile->source_function_count &&
		       (functions[next].file < line->file ||
		        (functions[next].file == line->file &&
		         functions[next].first_line <= line->line));
		     next++)
			open[count++] = next;
		while (count > 0 && (functions[open[count - 1]].file != line->file ||
		                     functions[open[count - 1]].last_line < line->line))
			count--;
		m->executions->line_function[i] = count > 0 ? open[count - 1] + 1 : 0;
	}
	memory_release(m->run, open);
}

void
executions_match(struct run *run, struct symbols *symbols, struct profile *profile)
{
	struct matching m = {.run = run, .symbols = symbols, .profile = profile};

	if (!profile->has_source)
		return;
	m.executions = memory_alloc(run, sizeof *m.executions);
	memory_array(run, m.executions->symbol, profile->source_function_count);
	memory_array(run, m.executions->function, (size_t)symbols->count + 1);
	memory_array(run, m.executions->line_function, profile->source_count_count);
	memory_array(run, m.first_symbol, profile->source_names.count);
	memory_array(run, m.function_count, profile->source_names.count);
	for (uint32_t i = 0; i < profile->source_function_count; i++)
		m.function_count[profile->source_functions[i].name]++;
	list_symbols(&m);
	locate_others(&m);
	for (uint32_t i = 0; i < profile->source_function_count; i++)
		match_function(&m, i);
	place_lines(&m);
	memory_release(run, m.named);
	memory_release(run, m.first_symbol);
	memory_release(run, m.function_count);
	profile->executions = m.executions;
}
