/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Which function, or inlined instance of one, code belongs to: of all ranges that hold an address
 * it is the shortest, and of equal ones that of the entry that comes last.  So BFD has it, and for
 * sound programs it is the innermost.
 */
#include "functions.h"

#include <dwarf.h>
#include <string.h>

#include <gprofx/reader.h>

#include "line-table.h"
#include "overlaps.h"
#include "units.h"

enum {
	/* A name is looked for in so many entries that refer to each other. */
	LONGEST_CHAIN = 16,
	/*
	 * Bytes of names, each place of a section counted once: so many in any file, and for each
	 * byte that strings can be in.  Linkers let names share their ends only, which saves them
	 * little.  Debug information of ceph-osd (380 MB of entries) has 0.05 for each byte, cargo
	 * 0.4.
	 */
	NAME_BYTES_FREE = 1 << 20,
	NAME_BYTES_PER_BYTE = 4,
	/* Lists of ranges may be shared, at most this number of times in all. */
	RANGES_SHARED = 4
};

static const char *
add_range(struct dwarfsym_functions *functions, uint64_t low, uint64_t high,
          struct dwarfsym_scope scope)
{
	uint64_t shift = functions->info->sections->shift;

	if (low >= high)
		return NULL;
	if (functions->count >= dwarfsym_most_rows(functions->info->sections) ||
	    functions->count == UINT32_MAX / 2)
		return "too many functions";
	DWARFSYM_ROOM(functions->info->gx, functions->rows, functions->count, functions->room);
	functions->rows[functions->count++] = (struct dwarfsym_function){low - shift, high - shift,
	                                                                 scope.name, scope.inlined};
	return NULL;
}

/* What a function is called. */
struct naming {
	const char *name;
	bool is_linkage; /* it is the one in symbol tables */
};

/* What an entry, whose attributes these are, does not say is said by the one that it refers to. */
static struct naming
find_name(struct dwarfsym_functions *functions, const struct dwarfsym_unit *unit,
          struct dwarfsym_attributes *attributes)
{
	struct dwarfsym_info *info = functions->info;
	struct naming naming = {NULL, unit->is_plain};

	for (int i = 0; i < LONGEST_CHAIN; i++) {
		const struct dwarfsym_abbreviation *abbreviation;
		const struct dwarfsym_value *next = attributes->origin.form
		                                            ? &attributes->origin
		                                            : &attributes->specification;
		struct gprofx_cursor cursor;
		uint64_t offset;

		if (attributes->linkage_name.form) {
			naming.name = dwarfsym_value_string(info->sections, unit,
			                                    &attributes->linkage_name);
			naming.is_linkage = true;
			break;
		}
		if (!naming.name)
			naming.name = dwarfsym_value_string(info->sections, unit,
			                                    &attributes->name);
		if (!next->form || !dwarfsym_value_reference(unit, next, &offset))
			break;
		unit = dwarfsym_unit_of(info, offset);
		if (!unit)
			break;
		cursor = dwarfsym_unit_cursor(info, unit, offset);
		abbreviation = dwarfsym_next_entry(info, unit, &cursor);
		if (!abbreviation ||
		    dwarfsym_read_entry(info, unit, abbreviation, &cursor, attributes))
			break;
	}
	return naming;
}

/* The number of a name; 0: it is empty, or names are too long by now. */
static uint32_t
number_text(struct dwarfsym_functions *functions, const char *name)
{
	const struct dwarfsym_sections *sections = functions->info->sections;
	uint64_t most = NAME_BYTES_FREE +
	                NAME_BYTES_PER_BYTE * (sections->info.length + sections->strings.length +
	                                       sections->line_strings.length);
	uint32_t *known = dwarfsym_map_at(functions->info->gx, &functions->texts, (uintptr_t)name);

	if (*known == 0) {
		uint32_t number = 0;

		if (functions->name_bytes <= most)
			functions->name_bytes += strlen(name);
		functions->names_overlap = functions->name_bytes > most;
		if (!functions->names_overlap && *name)
			number = functions->number_name(functions->opaque, name);
		*known = number + 1;
	}
	return *known - 1;
}

/*
 * The number of a function's name.  One that has only the name of its source is called as the
 * symbol that begins where it does.
 */
static uint32_t
number_of_name(struct dwarfsym_functions *functions, const struct dwarfsym_unit *unit,
               struct dwarfsym_attributes *attributes, uint64_t entry, uint64_t low)
{
	uint32_t *known, number = 0, symbol;
	uint64_t key = entry;
	struct naming naming;

	low -= functions->info->sections->shift;
	/* Instances of one function are distinguished by what they refer to. */
	if (!attributes->linkage_name.form && attributes->origin.form)
		(void)dwarfsym_value_reference(unit, &attributes->origin, &key);
	known = dwarfsym_map_at(functions->info->gx, &functions->names, key);
	if (*known == 0) {
		naming = find_name(functions, unit, attributes);
		if (naming.name)
			number = number_text(functions, naming.name);
		*known = (number << 1 | naming.is_linkage) + 1;
	}
	number = (*known - 1) >> 1;
	if (((*known - 1) & 1) || !functions->number_name_at)
		return number;
	symbol = functions->number_name_at(functions->opaque, low);
	return symbol != 0 ? symbol : number;
}

/* Adds the ranges of a list. */
static const char *
add_listed(struct dwarfsym_functions *functions, struct dwarfsym_ranges *ranges,
           struct dwarfsym_scope scope)
{
	uint64_t start, end;
	const char *wrong = NULL;

	while (!wrong && dwarfsym_next_range(ranges, &start, &end))
		wrong = add_range(functions, start, end, scope);
	return dwarfsym_ranges_overlap(ranges) ? "its lists of ranges overlap" : wrong;
}

/*
 * What code of an entry is of.  scope: what the entry is below; attributes are those of the entry,
 * and used up.
 */
static struct dwarfsym_scope
scope_of(struct dwarfsym_functions *functions, const struct dwarfsym_unit *unit, bool is_inlined,
         struct dwarfsym_attributes *attributes, uint64_t entry, uint64_t low,
         struct dwarfsym_scope scope)
{
	uint64_t file = attributes->call_file.form ? attributes->call_file.number : UINT64_MAX;
	uint64_t line = attributes->call_line.number;
	struct dwarfsym_scope own = {number_of_name(functions, unit, attributes, entry, low), 0};

	functions->last[functions->entry_count++ % DWARFSYM_LAST] = (struct dwarfsym_entry_start){
		low, own.name};
	if (is_inlined && functions->number_inlined)
		own.inlined = functions->number_inlined(functions->opaque, unit, scope, file, line);
	return own;
}

/* *scope: what the entry is below; it becomes what is below the entry. */
static const char *
add_function(struct dwarfsym_functions *functions, const struct dwarfsym_unit *unit,
             bool is_inlined, struct dwarfsym_attributes *attributes, uint64_t entry,
             struct dwarfsym_scope *scope)
{
	const struct dwarfsym_sections *sections = functions->info->sections;
	struct dwarfsym_ranges ranges = {.bytes_seen = &functions->range_bytes}, peeked;
	uint64_t start = 0, end = 0, bytes_peeked = 0;

	if (dwarfsym_value_bounds(sections, unit, attributes, &start, &end)) {
		*scope = scope_of(functions, unit, is_inlined, attributes, entry, start, *scope);
		return add_range(functions, start, end, *scope);
	}
	if (!attributes->ranges.form ||
	    (functions->strict && attributes->ranges.form == DW_FORM_rnglistx) ||
	    dwarfsym_open_ranges(sections, unit, &attributes->ranges, &ranges))
		return NULL;
	ranges.most_bytes = RANGES_SHARED * ranges.cursor.length;
	peeked = ranges;
	peeked.bytes_seen = &bytes_peeked;
	if (!dwarfsym_next_range(&peeked, &start, &end)) {
		functions->range_bytes += bytes_peeked;
		return dwarfsym_ranges_overlap(&ranges) ? "its lists of ranges overlap" : NULL;
	}
	*scope = scope_of(functions, unit, is_inlined, attributes, entry, start, *scope);
	return add_listed(functions, &ranges, *scope);
}

/* Goes down to the entries below one. */
static void
push_scope(struct dwarfsym_functions *functions, struct dwarfsym_scope scope)
{
	DWARFSYM_ROOM(functions->info->gx, functions->scopes, functions->scope_count,
	              functions->scope_room);
	functions->scopes[functions->scope_count++] = scope;
}

/* Reads one entry; at: its offset. */
static const char *
add_entry(struct dwarfsym_functions *functions, const struct dwarfsym_unit *unit,
          const struct dwarfsym_abbreviation *abbreviation, struct gprofx_cursor *cursor,
          uint64_t at)
{
	struct dwarfsym_info *info = functions->info;
	uint32_t depth = functions->scope_count;
	struct dwarfsym_scope scope = {0};
	struct dwarfsym_attributes attributes;
	const char *wrong;

	if (depth > 0)
		scope = functions->scopes[depth - 1];
	if (abbreviation->tag == DW_TAG_subprogram ||
	    abbreviation->tag == DW_TAG_inlined_subroutine ||
	    abbreviation->tag == DW_TAG_entry_point) {
		wrong = dwarfsym_read_entry(info, unit, abbreviation, cursor, &attributes);
		if (!wrong)
			wrong = add_function(functions, unit,
			                     abbreviation->tag == DW_TAG_inlined_subroutine,
			                     &attributes, at, &scope);
	} else {
		wrong = dwarfsym_skip_entry(info, unit, abbreviation, cursor);
	}
	if (abbreviation->has_children && functions->number_inlined)
		push_scope(functions, scope);
	return wrong;
}

const char *
dwarfsym_add_functions(struct dwarfsym_functions *functions, const struct dwarfsym_unit *unit)
{
	struct dwarfsym_info *info = functions->info;
	struct gprofx_cursor cursor = dwarfsym_unit_cursor(info, unit, unit->entry);
	const char *wrong = NULL;

	if (unit->address_bytes < 1 || unit->address_bytes > 8)
		return "its addresses are of an unknown size";
	functions->scope_count = 0;
	/* Entries stand one after the other, those below one behind it; 0 ends them. */
	while (!wrong && gprofx_left(&cursor) > 0 && !functions->names_overlap) {
		uint64_t at = cursor.at;
		bool is_end = cursor.bytes[at] == 0;
		const struct dwarfsym_abbreviation *abbreviation = dwarfsym_next_entry(info, unit,
		                                                                       &cursor);

		if (abbreviation)
			wrong = add_entry(functions, unit, abbreviation, &cursor, at);
		else if (!is_end)
			wrong = "an abbreviation of it is not there";
		else if (functions->scope_count > 0)
			functions->scope_count--;
	}
	if (functions->names_overlap)
		return "the names of its functions overlap";
	return wrong;
}

/* The shortest of the ranges that hold an address goes first, then the last one. */
static bool
shorter_goes_before(const void *rows, uint32_t left, uint32_t right)
{
	const struct dwarfsym_function *a = (const struct dwarfsym_function *)rows + left;
	const struct dwarfsym_function *b = (const struct dwarfsym_function *)rows + right;
	uint64_t left_bytes = a->high - a->low, right_bytes = b->high - b->low;

	return left_bytes != right_bytes ? left_bytes < right_bytes : left > right;
}

static void
add_change(struct dwarfsym_functions *functions, uint64_t address,
           const struct dwarfsym_function *row)
{
	uint32_t name = row ? row->name : 0, inlined = row ? row->inlined : 0;
	uint32_t count = functions->change_count;
	struct dwarfsym_change *last = count > 0 ? &functions->changes[count - 1] : NULL;

	if (last && last->name == name && last->inlined == inlined)
		return;
	if (last && last->address == address) {
		last->name = name;
		last->inlined = inlined;
		return;
	}
	functions->changes[functions->change_count++] = (struct dwarfsym_change){address, name,
	                                                                         inlined};
}

void
dwarfsym_settle_functions(struct dwarfsym_functions *functions)
{
	struct gprofx *gx = functions->info->gx;
	struct dwarfsym_open open = {.things = functions->rows};
	struct dwarfsym_begin *begins = gprofx_alloc(gx, ((size_t)functions->count + 1) *
	                                                         sizeof *begins);
	uint32_t next = 0;

	open.items = gprofx_alloc(gx, ((size_t)functions->count + 1) * sizeof *open.items);
	/* There is at most one change where a range begins, and one where it ends. */
	functions->changes = gprofx_alloc(gx, (2 * (size_t)functions->count + 1) *
	                                              sizeof *functions->changes);
	for (uint32_t i = 0; i < functions->count; i++)
		begins[i] = (struct dwarfsym_begin){functions->rows[i].low, i};
	dwarfsym_sort_begins(begins, functions->count);
	while (next < functions->count || open.count > 0) {
		uint64_t here = next < functions->count ? begins[next].address : UINT64_MAX;

		if (open.count > 0 && functions->rows[open.items[0]].high <= here) {
			here = functions->rows[open.items[0]].high;
		} else {
			for (; next < functions->count && begins[next].address == here; next++)
				dwarfsym_push_open(&open, begins[next].number, shorter_goes_before);
		}
		while (open.count > 0 && functions->rows[open.items[0]].high <= here)
			dwarfsym_pop_open(&open, shorter_goes_before);
		add_change(functions, here,
		           open.count > 0 ? &functions->rows[open.items[0]] : NULL);
	}
	gx->host->release(gx, begins);
	gx->host->release(gx, open.items);
	gx->host->release(gx, functions->rows);
	functions->rows = NULL;
}

void
dwarfsym_free_functions(struct dwarfsym_functions *functions)
{
	const struct gprofx_host *host = functions->info->gx->host;

	host->release(functions->info->gx, functions->rows);
	host->release(functions->info->gx, functions->changes);
	host->release(functions->info->gx, functions->scopes);
	host->release(functions->info->gx, functions->names.keys);
	host->release(functions->info->gx, functions->names.values);
	host->release(functions->info->gx, functions->texts.keys);
	host->release(functions->info->gx, functions->texts.values);
}
