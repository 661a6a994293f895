/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Functions by name.  Tools that walk stacks write names demangled, and mostly without arguments:
 * these forms are made only while some name is not found, each for all symbols at once.
 */
#include "symbols/by-name.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/name-table.h"
#include "symbols/demangle.h"
#include "symbols/readable.h"

enum form { FORM_RAW, FORM_WHOLE, FORM_SHORT, FORMS };

enum {
	/* Sound programs have fewer functions of one name, and others must not cost their square.
	 */
	LOOKED_AT_MOST = 4096
};

/* In the place of a symbol. */
#define SEVERAL (UINT32_MAX - 1)

struct search {
	struct run *run;
	const struct symbols *symbols;
	struct engine_settings settings; /* by which names are demangled */
	struct demangle_text text;
	uint64_t left;           /* bytes of names that may still be made */
	struct name_table names; /* that are looked for in one form */
	/* Candidates: all symbols, then rows of the table that options leave out. */
	uint32_t count;
	/* Candidates of each name, a chain of numbers plus 1. */
	uint32_t *first, *next;
};

/* Whether an option leaves out a row, so that what it does counts for the symbol before it. */
static bool
is_left_out(const struct symbols *symbols, uint32_t row)
{
	return symbols->fate[row] == FATE_MAP || symbols->fate[row] == FATE_STATIC ||
	       symbols->fate[row] == FATE_UNTYPED;
}

/* The symbol that a candidate is or counts for; NO_SYMBOL: none. */
static uint32_t
symbol_of(const struct symbols *symbols, uint32_t candidate)
{
	uint32_t row = candidate - symbols->count;

	if (candidate < symbols->count)
		return symbols->flags[candidate] & SYMBOL_LINE ? NO_SYMBOL : candidate;
	return is_left_out(symbols, row) ? symbols_lookup(symbols, symbols->table.rows.address[row])
	                                 : NO_SYMBOL;
}

/* The name that a candidate has in the table, whatever a map of files calls it. */
static const char *
raw_name(const struct symbols *symbols, uint32_t candidate)
{
	bool is_symbol = candidate < symbols->count;
	uint32_t row = candidate - symbols->count;

	if (is_symbol && (!symbols->own_name || !symbols->row))
		return symbols->name[candidate];
	row = is_symbol ? symbols->row[candidate] : row;
	if (row < symbols->own_name_count)
		return symbols->own_name[row];
	return is_symbol ? symbols->name[candidate] : symbols->table.rows.name[row];
}

static void
warn_cut(struct run *run, const struct symbols *symbols)
{
	const struct gprofx_diagnostic diagnostic = {
		.id = "report.long-names",
		.file = symbols->image.name,
		.hint = "write frames with names as in the symbol table, or with addresses",
	};

	run_warn(run, &diagnostic,
	         "the names have more than %llu bytes together; frames with other names may not be "
	         "found",
	         (unsigned long long)readable_most_text(symbols));
}

/* The name of a candidate in some form, up to the next call; NULL: it has no other one. */
static const char *
name_of(struct search *search, enum form form, uint32_t candidate)
{
	const struct gprofx_symtab *table = &search->symbols->table;
	const char *raw = raw_name(search->symbols, candidate);
	struct demangle_text *text = &search->text;
	uint64_t cost;
	bool is_made;

	if (form == FORM_RAW)
		return raw;
	if (search->left == 0)
		return NULL;
	text->length = text->wasted = 0;
	is_made = form == FORM_WHOLE ? readable_add_fortran(text, raw, strlen(raw)) ||
	                                       demangle_symbol(&search->settings, table, raw, text)
	                             : demangle_short(&search->settings, table, raw, text);
	cost = text->length + text->wasted;
	search->left -= cost < search->left ? cost : search->left;
	if (search->left == 0)
		warn_cut(search->run, search->symbols);
	is_made = is_made && demangle_add(text, "", 1);
	if (text->failed) {
		free(text->bytes);
		memory_exhausted(search->run, text->length);
	}
	return is_made ? text->bytes : NULL;
}

/* Finds the candidates that have one of the names in this form. */
static void
match(struct search *search, enum form form)
{
	const struct symbols *symbols = search->symbols;

	memory_array(search->run, search->first, search->names.count);
	memory_array(search->run, search->next, search->count);
	for (uint32_t i = 0; i < search->count; i++) {
		bool is_function = symbol_of(symbols, i) != NO_SYMBOL;
		const char *name = is_function ? name_of(search, form, i) : NULL;
		uint32_t number = name ? name_table_lookup(&search->names, name) : NO_NAME;

		if (number == NO_NAME)
			continue;
		search->next[i] = search->first[number];
		search->first[number] = i + 1;
	}
	/* It is no memory of the run's: nothing that can end this comes in between. */
	free(search->text.bytes);
	search->text = (struct demangle_text){0};
}

/* One of both paths may lack folders in front. */
static bool
is_same_path(const char *left, const char *right)
{
	size_t more = strlen(left), bytes = strlen(right);

	if (more < bytes)
		return is_same_path(right, left);
	more -= bytes;
	return strcmp(left + more, right) == 0 && (more == 0 || left[more - 1] == '/');
}

static bool
is_in_file(const struct symbols *symbols, uint32_t symbol, const char *file)
{
	return file && symbol < symbols->count && symbols->is_located &&
	       symbols->file[symbol] != 0 &&
	       is_same_path(symbols->files[symbols->file[symbol]].path, file);
}

/* Whether both are stubs by which the same function is called. */
static bool
are_same_import(const struct symbols *symbols, uint32_t left, uint32_t right)
{
	const struct symbol_import *one = symbols_import(symbols, left);
	const struct symbol_import *other = symbols_import(symbols, right);

	return one && other && one->callee == other->callee;
}

/* What is found once more is the same one, or there are several.  Of several stubs the first. */
static void
join(const struct symbols *symbols, uint32_t *found, uint32_t function)
{
	if (*found == NO_SYMBOL)
		*found = function;
	else if (are_same_import(symbols, *found, function))
		*found = function < *found ? function : *found;
	else if (*found != function)
		*found = SEVERAL;
}

/* Decides which of the symbols of its name a function is; no other form of the name counts then. */
static void
settle(const struct search *search, struct wanted_function *wanted)
{
	const struct symbols *symbols = search->symbols;
	uint32_t found = NO_SYMBOL, in_file = NO_SYMBOL, clone = NO_SYMBOL, seen = 0;
	bool is_fragment;

	for (uint32_t k = search->first[wanted->number]; k != 0; k = search->next[k - 1]) {
		uint32_t function = symbols_function(symbols, symbol_of(symbols, k - 1));
		const char *name = raw_name(symbols, k <= symbols->count ? function : k - 1);

		if (++seen > LOOKED_AT_MOST) {
			found = in_file = SEVERAL;
			break;
		}
		/* Without arguments a clone has the name of its function, which is meant. */
		if (symbols_clone_suffix(name, &is_fragment)) {
			join(symbols, &clone, function);
			continue;
		}
		join(symbols, &found, function);
		if (is_in_file(symbols, k - 1, wanted->file))
			join(symbols, &in_file, function);
	}
	found = found == NO_SYMBOL ? clone : found;
	wanted->is_settled = found != NO_SYMBOL;
	if (found < symbols->count)
		wanted->symbol = found;
	else if (in_file < symbols->count)
		wanted->symbol = in_file;
}

/* Looks for all that are not settled; how many are left. */
static uint32_t
try_form(struct search *search, enum form form, struct wanted_function *wanted, uint32_t count)
{
	struct run *run = search->run;
	uint32_t left = 0;

	for (uint32_t i = 0; i < count; i++)
		if (!wanted[i].is_settled)
			wanted[i].number = name_table_add_kept(run, &search->names, wanted[i].name);
	match(search, form);
	for (uint32_t i = 0; i < count; i++) {
		if (!wanted[i].is_settled)
			settle(search, &wanted[i]);
		left += !wanted[i].is_settled;
	}
	name_table_release(run, &search->names);
	memory_release(run, search->first);
	memory_release(run, search->next);
	return left;
}

void
symbols_find_by_name(struct run *run, const struct symbols *symbols, struct wanted_function *wanted,
                     uint32_t count)
{
	struct search search = {.run = run,
	                        .symbols = symbols,
	                        .settings = *run->settings,
	                        .left = readable_most_text(symbols),
	                        .count = symbols->count};
	uint32_t left = count;

	if (symbols->fate &&
	    (symbols->own_name || run->settings->drop_static || run->settings->drop_untyped_static))
		search.count += symbols->table.count;

	/* How the tables of this run show names says nothing of those in a profile. */
	search.settings.raw_names = false;
	if (search.settings.demangling == ENGINE_DEMANGLE_NONE)
		search.settings.demangling = ENGINE_DEMANGLE_AUTO;
	for (uint32_t i = 0; i < count; i++) {
		wanted[i].symbol = NO_SYMBOL;
		wanted[i].is_settled = false;
	}
	for (int form = FORM_RAW; form < FORMS && left > 0; form++)
		left = try_form(&search, (enum form)form, wanted, count);
}
