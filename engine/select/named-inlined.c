/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Inlined subroutines have no symbol, so no symspec selects them: their names are noted, and the
 * report adds up their copies.
 */
#include "select/named-inlined.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "select/alike.h"
#include "select/shown.h"
#include "select/symspec.h"
#include "symbols/demangle.h"
#include "symbols/inlined.h"
#include "symbols/readable.h"
#include "symbols/symbols.h"

/* Names that end as a symspec says; one report is not for more. */
enum { MOST_NAMES = 64 };

static uint32_t
listing_of(enum engine_filter filter)
{
	return filter == ENGINE_FILTER_FLAT    ? GPROFX_INLINED_FLAT
	       : filter == ENGINE_FILTER_GRAPH ? GPROFX_INLINED_GRAPH
	                                       : 0u;
}

static void
note(struct run *run, struct filters *filters, const char *name, uint32_t listing)
{
	for (uint32_t i = 0; i < filters->inlined_count; i++)
		if (strcmp(filters->inlined[i].name, name) == 0) {
			filters->inlined[i].listings |= listing;
			return;
		}
	if (filters->inlined_count == MOST_NAMES)
		return;
	filters->inlined = memory_room(run, filters->inlined, sizeof *filters->inlined,
	                               filters->inlined_count, &filters->inlined_room, 1);
	filters->inlined[filters->inlined_count++] = (struct select_inlined){name, listing};
}

/*
 * Whether the name of a symbol is shown as a symspec reads, with parameters and arguments, if the
 * symspec has any.
 */
static bool
is_shown_as(struct suggesting *suggesting, const char *raw, const char *name, const char *bare)
{
	struct demangle_text text = {0};
	bool is_same;

	if (strcmp(name, bare) == 0)
		return true;
	is_same = readable_symbol(suggesting->run, suggesting->symbols, raw, &text) &&
	          demangle_add(&text, "", 1) && strcmp(text.bytes, name) == 0;
	free(text.bytes);
	return is_same;
}

/* Whether a half stands for lines of inlined subroutines, by the name of these. */
static bool
has_lines(const struct symbols *symbols, const struct match_half *half)
{
	uint32_t first;

	if (!symbols->inlined || half->ranges.count == 0 || half->is_line)
		return false;
	first = match_first_at(symbols, half->ranges.items[0].start);
	return first < symbols->count && symbols->inlined[first] != 0;
}

/* Notes those of the names that a symspec stands for; returns how many. */
static uint32_t
note_names(struct suggesting *suggesting, struct filters *filters, const char *const *names,
           uint32_t count, const char *name, const char *word, uint32_t listing)
{
	uint32_t found = 0;

	for (uint32_t i = 0; i < count; i++)
		if (names[i] && alike_is_end(names[i], word) && suggest_has_copies(suggesting, i) &&
		    is_shown_as(suggesting, inlined_name(suggesting->inlined, i + 1), name, word)) {
			note(suggesting->run, filters, names[i], listing);
			found++;
		}
	return found;
}

bool
named_inlined_note(struct suggesting *suggesting, struct filters *filters,
                   const struct engine_symspec *spec, const struct match_half *half)
{
	uint32_t listing = listing_of(spec->filter), name_count, found;
	/* A function of that name can have been inlined, too. */
	bool is_function = half->ranges.count > 0 && !has_lines(suggesting->symbols, half);
	const char *const *names;
	const char *name, *word;

	/* Not what a row showed besides a name, such as a place. */
	if (listing == 0 || spec->exclude || !half->spec.name || half->spec.file ||
	    half->end_count > 0 || strcmp(half->spec.text, half->spec.name) != 0)
		return false;
	if (is_function && !inlined_is_read_quickly(suggesting->symbols))
		return false;
	name = half->spec.name + symspec_past_cut(half->spec.name);
	word = shown_bare_name(suggesting->run, name);
	names = suggest_inlined_called(suggesting, word, !is_function, &name_count);
	found = note_names(suggesting, filters, names, name_count, name, word, listing);
	/* Not all symbol tables spell names as people do. */
	if (found == 0 && !is_function) {
		names = suggest_inlined_names(suggesting, &name_count);
		found = note_names(suggesting, filters, names, name_count, name, word, listing);
	}
	return found > 0;
}

void
named_inlined_select_nothing(struct run *run, const struct symbols *symbols,
                             struct filters *filters, enum engine_filter filter)
{
	struct select_table *include = &filters->include[filter];

	if (include->count > 0)
		return;
	/* No symbol is marked as included, and without an entry all of them would be selected. */
	include->entries = memory_room(run, include->entries, sizeof *include->entries, 0,
	                               &include->room, 1);
	include->entries[include->count++] = (struct select_entry){.start = UINT64_MAX,
	                                                           .end = UINT64_MAX,
	                                                           .furthest_end = UINT64_MAX};
	if (!filters->state[filter])
		memory_array(run, filters->state[filter],
		             (size_t)symbols->count + SYMBOL_MORE_ROWS);
}

bool
named_inlined_are_in(const struct filters *filters, enum engine_filter filter)
{
	for (uint32_t i = 0; i < filters->inlined_count; i++)
		if (filters->inlined[i].listings & listing_of(filter))
			return true;
	return false;
}
