/* SPDX-License-Identifier: Apache-2.0 */
/*
 * From entries to rows by address.  A function has an entry with its address, and behind it entries
 * of lines, with offsets in the function; code of a unit without functions has lines with
 * addresses.
 */
#include <stdlib.h>

#include <gprofx/symbols.h>

#include "stabs.h"

#include "../shared/grown.h"

enum { LONGEST_INSTRUCTION = 16 };

/* A place from which on entries say what code there is. */
struct start {
	uint64_t address;
	uint32_t order;      /* an entry's number; what ends something comes first at an address */
	uint32_t entry;      /* whose lines follow it; UINT32_MAX: what is known ends here */
	uint32_t base;       /* of strings */
	uint32_t path, name; /* as in a row */
	uint32_t folder;     /* of the unit */
	bool is_function;    /* else a unit without functions */
};

struct starts {
	struct start *items;
	uint32_t count, room;
};

/* Where the walk through the entries is. */
struct unit {
	uint32_t folder, path, entry, base;
	uint64_t address, last_line; /* the latter of one without functions; 0: none */
	uint32_t main_path;
	bool is_open, has_functions;
};

static void
add_start(struct stabs_table *table, struct starts *starts, struct start start)
{
	start.order = starts->count;
	starts->items = grown(table->gx, starts->items, sizeof *starts->items, &starts->room,
	                      starts->count + 1, 256);
	starts->items[starts->count++] = start;
}

static void
add_end(struct stabs_table *table, struct starts *starts, uint64_t address)
{
	if (!table->in_order)
		add_start(table, starts, (struct start){.address = address, .entry = UINT32_MAX});
}

/* Where the last instruction of a unit ends at the latest: there is another function, or far away.
 */
static uint64_t
end_of_last(const struct stabs_table *table, uint64_t address)
{
	const struct gprofx_lines *lines = table->lines;
	uint32_t bytes = 1;

	while (lines && bytes < LONGEST_INSTRUCTION &&
	       lines->builder->name_at(table->gx, table->lines, address + bytes) == 0)
		bytes++;
	return address + bytes;
}

/* is_ended: an entry says where the unit ends.  Assemblers have none: the last line is short. */
static void
close_unit(struct stabs_table *table, struct starts *starts, const struct unit *unit, bool is_ended)
{
	if (unit->is_open && !unit->has_functions && !is_ended && unit->last_line != 0)
		add_end(table, starts, end_of_last(table, unit->last_line));
	if (unit->is_open && !unit->has_functions)
		add_start(table, starts,
		          (struct start){.address = unit->address,
		                         .base = unit->base,
		                         .entry = unit->entry,
		                         .path = unit->main_path,
		                         .folder = unit->folder});
}

/* A unit begins; its folder, if there is one, stands before its file.  Returns the last entry. */
static uint32_t
open_unit(struct stabs_table *table, struct unit *unit, const struct stabs_entry *entry, uint32_t i)
{
	struct stabs_entry next = {.type = STABS_HEADER};
	uint32_t name = entry->string;

	*unit = (struct unit){.is_open = true, .base = table->base, .address = entry->value};
	if (i + 1 < table->count &&
	    table->entries[(size_t)(i + 1) * STABS_ENTRY + 4] == STABS_SOURCE)
		next = stabs_entry_at(table, i + 1);
	if (next.type == STABS_SOURCE && next.string != 0) {
		unit->folder = entry->string;
		name = next.string;
		i++;
	}
	unit->entry = i;
	unit->path = unit->main_path = stabs_path(table, unit->folder, name);
	return i;
}

static void
find_starts(struct stabs_table *table, struct starts *starts)
{
	struct unit unit = {0};
	uint64_t function = 0;

	for (uint32_t i = 0; i < table->count; i++) {
		struct stabs_entry entry;

		if (!stabs_matters(table, i))
			continue;
		entry = stabs_entry_at(table, i);
		switch (entry.type) {
		case STABS_SOURCE:
			close_unit(table, starts, &unit, stabs_is_end(&entry));
			if (!stabs_is_end(&entry)) {
				i = open_unit(table, &unit, &entry, i);
				break;
			}
			add_end(table, starts, entry.value);
			unit = (struct unit){.is_open = false};
			break;
		case STABS_INCLUDED:
			unit.path = stabs_path(table, unit.folder, entry.string);
			break;
		case STABS_FUNCTION:
			unit.has_functions = unit.has_functions || !stabs_is_end(&entry);
			if (stabs_is_end(&entry)) {
				add_end(table, starts, function + entry.value);
				break;
			}
			function = entry.value;
			add_start(table, starts,
			          (struct start){.address = function,
			                         .base = table->base,
			                         .entry = i,
			                         .path = unit.path,
			                         .name = entry.string,
			                         .folder = unit.folder,
			                         .is_function = true});
			break;
		default:
			if (entry.type == STABS_LINE && entry.value > unit.last_line)
				unit.last_line = entry.value;
			break;
		}
	}
	close_unit(table, starts, &unit, false);
}

static int
compare_starts(const void *left_item, const void *right_item)
{
	const struct start *left = left_item, *right = right_item;
	bool left_ends = left->entry == UINT32_MAX, right_ends = right->entry == UINT32_MAX;

	if (left->address != right->address)
		return left->address < right->address ? -1 : 1;
	if (left_ends != right_ends)
		return left_ends ? -1 : 1;
	return left->order < right->order ? -1 : 1;
}

/* What code from an address on is of; the last row of an address stays. */
static void
add_row(struct stabs_table *table, struct stabs_row row)
{
	struct stabs_row *last = table->row_count > 0 ? &table->rows[table->row_count - 1] : NULL;

	if (last && last->address == row.address) {
		*last = row;
		return;
	}
	table->rows = grown(table->gx, table->rows, sizeof *table->rows, &table->row_room,
	                    table->row_count + 1, 256);
	table->rows[table->row_count++] = row;
}

/* The lines of one function, from its start up to "past"; "limit": entries from there on are not
 * its. */
static void
add_lines(struct stabs_table *table, const struct start *start, uint64_t past, uint32_t limit)
{
	uint64_t base = start->is_function ? start->address : 0, reached = start->address;
	uint32_t first_row = table->row_count;
	struct stabs_row row = {.address = start->address,
	                        .path = start->path,
	                        .name = start->name};
	bool has_line = false;

	add_row(table, row);
	if (start->entry == UINT32_MAX)
		return;
	table->base = start->base;
	table->next_base = start->base;
	for (uint32_t i = start->entry + 1; i < limit; i++) {
		struct stabs_entry entry;
		uint64_t address;
		bool is_line;

		if (!stabs_matters(table, i))
			continue;
		entry = stabs_entry_at(table, i);
		is_line = entry.type == STABS_LINE || entry.type == STABS_DATA_LINE ||
		          entry.type == STABS_BSS_LINE;
		address = base + entry.value;
		if (entry.type == STABS_FUNCTION || entry.type == STABS_SOURCE ||
		    entry.type == STABS_HEADER)
			break;
		if (entry.type == STABS_INCLUDED) {
			address = entry.value;
			row.path = stabs_path(table, start->folder, entry.string);
			row.line = 0;
		}
		if (is_line)
			row.line = entry.desc;
		/* The first line is that of the start, too, wherever it begins. */
		for (uint32_t k = first_row; is_line && !has_line && k < table->row_count; k++)
			table->rows[k].line = row.line;
		has_line = has_line || is_line;
		reached = address > reached ? address : reached;
		if (reached >= past)
			break;
		row.address = reached;
		add_row(table, row);
	}
}

static void
find_relative_rows(struct stabs_table *table)
{
	struct starts starts = {0};
	uint32_t lost;

	find_starts(table, &starts);
	/* Entries are read once more. */
	lost = table->lost;
	if (starts.count > 0)
		qsort(starts.items, starts.count, sizeof *starts.items, compare_starts);
	for (uint32_t i = 0; i < starts.count; i++) {
		const struct start *start = &starts.items[i];
		uint64_t past = i + 1 < starts.count ? start[1].address : UINT64_MAX;
		uint32_t limit = table->count;

		if (table->in_order && i + 1 < starts.count)
			limit = start[1].entry;
		if (past > start->address)
			add_lines(table, start, past, limit);
	}
	table->lost = lost;
	table->gx->host->release(table->gx, starts.items);
}

static int
compare_rows(const void *left_item, const void *right_item)
{
	const struct stabs_row *left = left_item, *right = right_item;
	bool left_ends = left->line == 0, right_ends = right->line == 0;

	if (left->address != right->address)
		return left->address < right->address ? -1 : 1;
	if (left_ends != right_ends)
		return left_ends ? -1 : 1;
	return left->order < right->order ? -1 : 1;
}

/* Functions, whose entries can stand before those of their lines or behind them. */
static void
name_rows(struct stabs_table *table, struct starts *functions)
{
	uint32_t next = 0, name = 0;

	if (functions->count > 0)
		qsort(functions->items, functions->count, sizeof *functions->items, compare_starts);
	for (uint32_t i = 0; i < table->row_count; i++) {
		struct stabs_row *row = &table->rows[i];

		for (; next < functions->count && functions->items[next].address <= row->address;
		     next++)
			name = functions->items[next].name;
		row->name = row->line != 0 ? name : 0;
	}
}

static void
find_absolute_rows(struct stabs_table *table)
{
	struct starts functions = {0};
	uint32_t folder = 0, path = 0, kept = 0;

	for (uint32_t i = 0; i < table->count; i++) {
		struct stabs_entry entry = stabs_entry_at(table, i);
		struct stabs_row row = {.address = entry.value, .order = i};

		if (entry.type == STABS_SOURCE && !stabs_is_end(&entry)) {
			struct unit unit;

			i = open_unit(table, &unit, &entry, i);
			folder = unit.folder;
			path = unit.path;
			continue;
		}
		if (entry.type == STABS_INCLUDED)
			path = stabs_path(table, folder, entry.string);
		if (entry.type == STABS_FUNCTION && entry.string != 0)
			add_start(table, &functions,
			          (struct start){.address = entry.value, .name = entry.string});
		if (entry.type == STABS_LINE) {
			row.path = path;
			row.line = path != 0 ? entry.desc : 0;
		}
		if (entry.type != STABS_LINE && entry.type != STABS_SOURCE)
			continue;
		table->rows = grown(table->gx, table->rows, sizeof *table->rows, &table->row_room,
		                    table->row_count + 1, 256);
		table->rows[table->row_count++] = row;
	}
	if (table->row_count > 0)
		qsort(table->rows, table->row_count, sizeof *table->rows, compare_rows);
	for (uint32_t i = 0; i < table->row_count; i++) {
		if (kept > 0 && table->rows[kept - 1].address == table->rows[i].address)
			kept--;
		table->rows[kept++] = table->rows[i];
	}
	table->row_count = kept;
	name_rows(table, &functions);
	table->gx->host->release(table->gx, functions.items);
}

void
stabs_find_rows(struct stabs_table *table)
{
	if (table->is_absolute)
		find_absolute_rows(table);
	else
		find_relative_rows(table);
}
