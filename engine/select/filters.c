/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Tables of ranges, as gprof keeps them.  Two of its rules show: of several entries that start at
 * one address only the one given last counts (unless that is corrected, for arcs), and an address
 * belongs to the entry with the greatest start at or below it, even where an earlier, longer entry
 * would hold it.
 */
#include "select/filters.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "select/match.h"
#include "select/named-inlined.h"
#include "select/pasted.h"
#include "select/shown.h"
#include "select/suggest.h"
#include "select/symspec.h"
#include "select/unmatched.h"
#include "symbols/inlined.h"

/* Symspecs that are reported to match nothing; the search for names takes its time. */
enum { MOST_TOLD = 16, MOST_LETTERS = 1 << 28 };

#define LEFT_OUT(name)                                                       \
	{ENGINE_FILTER_TIME, true, name}, {ENGINE_FILTER_GRAPH, true, name}, \
	{                                                                    \
		ENGINE_FILTER_FLAT, true, name                               \
	}

const struct engine_symspec engine_collector_specs[ENGINE_COLLECTOR_SPECS] = {
	LEFT_OUT("_gprof_mcount"),
	LEFT_OUT("mcount"),
	LEFT_OUT("_mcount"),
	LEFT_OUT("__mcount"),
	LEFT_OUT("__mcount_internal"),
	LEFT_OUT("__mcleanup"),
	/* What code calls in their place with -mfentry, and on systems that gprof does not know. */
	LEFT_OUT("__fentry__"),
	LEFT_OUT("__gnu_mcount_nc"),
	LEFT_OUT("___mcount"),
	LEFT_OUT("_mcount_internal"),
	/* The way to them, where a shared library has them. */
	LEFT_OUT("mcount@plt"),
	LEFT_OUT("_mcount@plt"),
	LEFT_OUT("__fentry__@plt"),
	LEFT_OUT("__gnu_mcount_nc@plt"),
};

bool
filter_is_collector(const char *name)
{
	for (size_t i = 0; i < ENGINE_COLLECTOR_SPECS; i++)
		if (strcmp(engine_collector_specs[i].text, name) == 0)
			return true;
	return false;
}

static void
add_entries(struct run *run, struct select_table *table, const struct match_half *left,
            const struct match_half *right)
{
	for (uint32_t i = 0; i < left->ranges.count; i++) {
		table->entries = memory_room(run, table->entries, sizeof *table->entries,
		                             table->count, &table->room, 1);
		table->entries[table->count++] = (struct select_entry){
			.start = left->ranges.items[i].start,
			.end = left->ranges.items[i].end,
			.callees = right ? &right->ranges : NULL,
		};
	}
}

/* By start; among equals by the order in which they were added. */
static int
compare_entries(const void *left, const void *right)
{
	const struct select_entry *a = left, *b = right;

	if (a->start != b->start)
		return a->start < b->start ? -1 : 1;
	return a->furthest_end < b->furthest_end ? -1 : a->furthest_end > b->furthest_end;
}

/*
 * An end of 0 counts as not set, even where a symbol really ends there: the entry then reaches to
 * the next one, or to the end of .text.
 */
static void
set_missing_ends(struct select_table *table, const struct symbols *symbols)
{
	for (uint32_t i = table->count, next = i; i-- > 0;) {
		if (i + 1 < table->count && table->entries[i + 1].start != table->entries[i].start)
			next = i + 1;
		if (table->entries[i].end == 0)
			table->entries[i].end = next < table->count ? table->entries[next].start - 1
			                                            : symbols->table.text_end - 1;
	}
}

/* one_per_start: of several entries that start at one address only the one given last counts. */
static void
finish_table(struct select_table *table, const struct symbols *symbols, bool one_per_start)
{
	uint32_t kept = 0;

	/* Until the ends are known, the member holds the order of addition, to keep the sort
	 * stable. */
	for (uint32_t i = 0; i < table->count; i++)
		table->entries[i].furthest_end = i;
	if (table->count > 1)
		qsort(table->entries, table->count, sizeof *table->entries, compare_entries);
	for (uint32_t i = 0; i < table->count; i++) {
		const struct select_entry *entry = &table->entries[i];

		/*
		 * The last symbol may start behind .text and then ends before it: no range at all.
		 */
		if (entry->end != 0 && entry->end < entry->start)
			continue;
		if (one_per_start && kept > 0 && table->entries[kept - 1].start == entry->start)
			continue;
		table->entries[kept++] = *entry;
	}
	table->count = kept;
	set_missing_ends(table, symbols);
	for (uint32_t i = 0; i < kept; i++) {
		uint64_t before = i > 0 ? table->entries[i - 1].furthest_end : 0;

		table->entries[i].furthest_end = before > table->entries[i].end
		                                         ? before
		                                         : table->entries[i].end;
	}
}

/* Marks the symbols whose start lies in the table's entry with the greatest start below it. */
static void
mark(const struct select_table *table, const struct symbols *symbols, uint8_t *state, uint8_t bit)
{
	uint32_t entry = 0;

	for (uint32_t symbol = 0; table->count > 0 && symbol < symbols->count; symbol++) {
		uint64_t address = symbols->address[symbol];

		while (entry + 1 < table->count && table->entries[entry + 1].start <= address)
			entry++;
		if (table->entries[entry].start <= address && address <= table->entries[entry].end)
			state[symbol] |= bit;
	}
}

/*
 * In a graph of whole functions, one of which a line was included is included itself.  Lines of
 * what was inlined into it are not meant: they can have a function of their own.
 */
static void
include_wholes(const struct symbols *symbols, uint8_t *state)
{
	for (uint32_t i = 0; symbols->whole && i < symbols->count; i++) {
		uint32_t whole = symbols->whole[i];

		if ((state[i] & SELECT_INCLUDED) && whole != NO_SYMBOL &&
		    strcmp(symbols->name[i], symbols->name[whole]) == 0)
			state[whole] |= SELECT_INCLUDED;
	}
}

/*
 * Where lines are parts of functions, the name of a function means all of its lines, with those of
 * what was inlined into it: their time is the function's, too.
 */
static void
mark_lines(struct run *run, const struct symbols *symbols, const struct filters *filters,
           const struct engine_symspec *specs, uint32_t count, enum engine_filter filter)
{
	uint8_t *state = filters->state[filter], *done;

	if (!symbols->whole)
		return;
	memory_array(run, done, symbols->count);
	for (uint32_t s = 0; s < count; s++) {
		const struct match_half *half = filters->left[s];
		uint8_t bit = specs[s].exclude ? SELECT_EXCLUDED : SELECT_INCLUDED;

		if (specs[s].filter != filter || !half->spec.name || half->is_line)
			continue;
		for (uint32_t r = 0; r < half->ranges.count; r++) {
			const struct select_range *range = &half->ranges.items[r];

			for (uint32_t i = match_first_at(symbols, range->start);
			     i < symbols->count && symbols->address[i] <= range->end; i++) {
				if (symbols->whole[i] != i || (done[i] & bit))
					continue;
				done[i] |= bit;
				for (uint32_t k = i + 1;
				     k < symbols->count && symbols->whole[k] == i; k++)
					state[k] |= bit;
			}
		}
	}
	memory_release(run, done);
}

/*
 * A line that any piece of its code was named of is meant as a whole: the first piece can have the
 * name of its function, which a compiler may have changed, and a row of an older report another
 * address.
 */
static void
mark_first_pieces(const struct symbols *symbols, const struct engine_symspec *specs, uint32_t count,
                  enum engine_filter filter, uint8_t *state)
{
	bool is_meant = false;

	for (uint32_t i = 0; i < count; i++)
		is_meant = is_meant || specs[i].filter == filter;
	for (uint32_t i = 0; is_meant && symbols->owner && i < symbols->count; i++)
		state[symbols_first_piece(symbols, i)] |= state[i];
}

static void
trace_half(struct run *run, const struct match_half *half, const struct engine_symspec *spec,
           const char *side)
{
	static const char *const filters[ENGINE_FILTER_KINDS] = {
		[ENGINE_FILTER_GRAPH] = "the graph",       [ENGINE_FILTER_ARCS] = "the arcs",
		[ENGINE_FILTER_FLAT] = "the flat profile", [ENGINE_FILTER_TIME] = "the times",
		[ENGINE_FILTER_ANNOTATE] = "the source",   [ENGINE_FILTER_COUNTS] = "the counts",
	};
	const char *way = spec->exclude ? "out of" : "into", *filter = filters[spec->filter];

	if (half->ranges.count == 0)
		run_trace(run, "symspec %s %s %s%s: nothing matches", spec->text, way, filter,
		          side);
	for (uint32_t i = 0; i < half->ranges.count; i++)
		run_trace(run, "symspec %s %s %s%s: 0x%llx-0x%llx", spec->text, way, filter, side,
		          (unsigned long long)half->ranges.items[i].start,
		          (unsigned long long)half->ranges.items[i].end);
}

/* Whether a symspec is the first with its text: the later ones match as little. */
static bool
is_first_of_text(const struct engine_settings *settings, uint32_t number)
{
	for (uint32_t i = number; i-- > 0;)
		if (settings->symspecs[number].text == settings->symspecs[i].text)
			return false;
	return true;
}

/* A half of a symspec that matches nothing, or NULL. */
static const struct match_half *
empty_half(const struct filters *filters, uint32_t number)
{
	if (filters->left[number]->ranges.count == 0)
		return filters->left[number];
	return filters->right[number]->ranges.count == 0 ? filters->right[number] : NULL;
}

/* Says that the end of a name was enough.  Returns whether it was. */
static bool
tell_ends(struct run *run, const struct filters *filters, uint32_t number)
{
	const struct match_half *left = filters->left[number], *right = filters->right[number];
	const struct engine_symspec *spec = &run->settings->symspecs[number];

	if ((left->end_count != 1 && right->end_count != 1) ||
	    !is_first_of_text(run->settings, number))
		return false;
	if (left->end_count == 1)
		unmatched_tell_end(run, spec, left);
	if (right != left && right->end_count == 1)
		unmatched_tell_end(run, spec, right);
	return true;
}

/* Whether a symspec names inlined subroutines, alone or besides a function that is called, too. */
static bool
note_inlined(struct suggesting *suggesting, struct filters *filters, uint32_t number)
{
	const struct match_half *half = filters->left[number];

	return half == filters->right[number] &&
	       named_inlined_note(suggesting, filters, &suggesting->run->settings->symspecs[number],
	                          half);
}

enum gprofx_result
filters_tell(struct run *run, const struct symbols *symbols, struct filters *filters,
             bool shows_inlined)
{
	const struct engine_settings *settings = run->settings;
	const uint32_t count = settings->symspec_count - settings->collector_spec_count;
	bool has_match[ENGINE_FILTER_KINDS][2] = {{false}};
	uint32_t told[2] = {0}, ends = 0;
	struct suggesting suggesting = {.run = run, .symbols = symbols, .left = MOST_LETTERS};
	bool *is_inlined;

	if (!settings->tells_unmatched)
		return GPROFX_OK;
	memory_array(run, is_inlined, count);
	for (uint32_t i = 0; i < count; i++) {
		is_inlined[i] = shows_inlined && note_inlined(&suggesting, filters, i);
		if (!empty_half(filters, i) || is_inlined[i])
			has_match[settings->symspecs[i].filter][settings->symspecs[i].exclude] =
				true;
	}
	for (uint32_t i = 0; i < count; i++) {
		const struct engine_symspec *spec = &settings->symspecs[i];
		const struct match_half *empty = empty_half(filters, i);
		bool is_error = !has_match[spec->filter][spec->exclude];

		if (!empty && ends < MOST_TOLD)
			ends += tell_ends(run, filters, i);
		if (is_inlined[i])
			named_inlined_select_nothing(run, symbols, filters, spec->filter);
		/* The first ones, which the user wrote. */
		if (!empty || is_inlined[i] || told[is_error] == MOST_TOLD ||
		    !is_first_of_text(settings, i))
			continue;
		unmatched_tell(&suggesting, spec, empty,
		               filters->left[i] == filters->right[i] ? ""
		               : empty == filters->left[i]           ? "the callers in "
		                                                     : "the callees in ",
		               is_error);
		told[is_error]++;
	}
	memory_release(run, is_inlined);
	/* If something is to be said about it, who reads it for the report does. */
	if (filters->inlined_count > 0 && suggesting.inlined && !suggesting.inlined->has_messages)
		filters->inlined_code = suggesting.inlined;
	return told[true] > 0 ? GPROFX_FAILED : GPROFX_OK;
}

/* The first symspec that selects something for a table; NULL: none does, or nobody wants to know.
 */
static const char *
first_selecting(const struct run *run, enum engine_filter filter)
{
	const struct engine_settings *settings = run->settings;

	for (uint32_t i = 0; settings->tells_unmatched && i < settings->symspec_count; i++)
		if (settings->symspecs[i].filter == filter && !settings->symspecs[i].exclude)
			return settings->symspecs[i].text;
	return NULL;
}

void
filters_tell_unused(struct run *run, const struct filters *filters)
{
	const char *text = first_selecting(run, ENGINE_FILTER_FLAT);
	const struct gprofx_diagnostic diagnostic = {
		.id = "symspec.no-samples",
		.hint = run->settings->by_line
	                        ? "name the function of the line: its other lines can have "
	                          "samples"
	                        : "add -z to list it nevertheless",
		.text = {text},
	};

	if (text && !named_inlined_are_in(filters, ENGINE_FILTER_FLAT))
		run_warn(run, &diagnostic,
		         "what %s selects has neither samples nor calls: the flat profile has no "
		         "rows",
		         text);
}

void
filters_tell_no_entry(struct run *run, const struct filters *filters, bool is_measured)
{
	const char *text = first_selecting(run, ENGINE_FILTER_GRAPH);
	const struct gprofx_diagnostic diagnostic = {
		.id = "symspec.no-entry",
		.hint = run->settings->by_line ? "use -l -p instead of --entry to see lines"
	                : is_measured
	                        ? "use -p instead of --entry to see whether its calls were counted"
	                        : "add -z to list it nevertheless",
		.text = {text},
	};

	if (text && !named_inlined_are_in(filters, ENGINE_FILTER_GRAPH))
		run_warn(run, &diagnostic,
		         is_measured ? "no call stack has what %s selects: the call graph has no "
		                       "entries"
		                     : "what %s selects is no function with samples or calls: the "
		                       "call graph has no entries",
		         text);
}

/* The collector's specs come last, and of these the ones that gprof does not know. */
static uint32_t
specs_in_force(const struct run *run)
{
	const struct engine_settings *settings = run->settings;

	return settings->collector_spec_count == ENGINE_COLLECTOR_SPECS &&
	                       !run_corrects(run, GPROFX_CORRECT_PROFILING_CODE)
	               ? settings->symspec_count -
	                         (ENGINE_COLLECTOR_SPECS - ENGINE_COLLECTOR_SPECS_OF_GPROF)
	               : settings->symspec_count;
}

/*
 * Parses the symspecs into halves, of which there is room for two each.  Returns how many there
 * are of the first "own" symspecs, and of all.
 */
static uint32_t
parse_specs(struct run *run, struct filters *filters, struct match_half *halves, uint32_t own,
            uint32_t count, uint32_t *all)
{
	uint32_t half_count = 0, own_halves = 0;

	for (uint32_t i = 0; i < count; i++) {
		const struct engine_symspec *spec = &run->settings->symspecs[i];
		struct symspec left, right;
		bool is_pair = false;

		if (spec->filter != ENGINE_FILTER_ARCS &&
		    run_corrects(run, GPROFX_CORRECT_SPEC_FILES))
			left = symspec_parse_one(run, spec->text);
		else
			is_pair = symspec_parse(run, spec->text, &left, &right);
		halves[half_count].spec = left;
		filters->left[i] = filters->right[i] = &halves[half_count++];
		if (is_pair && spec->filter == ENGINE_FILTER_ARCS) {
			halves[half_count].spec = right;
			filters->right[i] = &halves[half_count++];
		}
		if (i < own)
			own_halves = half_count;
	}
	*all = half_count;
	return own_halves;
}

struct filters *
filters_resolve(struct run *run, struct symbols *symbols)
{
	const struct engine_settings *settings = run->settings;
	const uint32_t count = specs_in_force(run);
	const uint32_t own_count = settings->symspec_count - settings->collector_spec_count;
	struct filters *filters = memory_alloc(run, sizeof *filters);
	struct match_half *halves;
	uint32_t half_count, own_halves;

	memory_array(run, halves, (size_t)count * 2);
	filters->left = memory_alloc_array(run, sizeof(struct match_half *), count);
	filters->right = memory_alloc_array(run, sizeof(struct match_half *), count);
	own_halves = parse_specs(run, filters, halves, own_count, count, &half_count);
	if (match_symbols(run, symbols, halves, half_count) != GPROFX_OK)
		return NULL;
	/* Not those of the profiling code, which come last. */
	if (settings->tells_unmatched) {
		if (match_aliases(run, symbols, halves, own_halves) != GPROFX_OK)
			return NULL;
		shown_match(run, symbols, halves, own_halves);
		if (pasted_match(run, symbols, halves, own_halves) != GPROFX_OK)
			return NULL;
	}
	/* The last one given comes first, so that it wins among equal starts. */
	for (uint32_t i = count; i-- > 0;) {
		const struct engine_symspec *spec = &settings->symspecs[i];
		const struct match_half *left = filters->left[i];
		const struct match_half *right = filters->right[i] == left ? NULL
		                                                           : filters->right[i];

		add_entries(run,
		            spec->exclude ? &filters->exclude[spec->filter]
		                          : &filters->include[spec->filter],
		            left, right);
		if (run_traces(run, GPROFX_TRACE_SYMSPECS)) {
			trace_half(run, left, spec, right ? " (callers)" : "");
			if (right)
				trace_half(run, right, spec, " (callees)");
		}
	}
	for (int filter = 0; filter < ENGINE_FILTER_KINDS; filter++) {
		struct select_table *include = &filters->include[filter];
		struct select_table *exclude = &filters->exclude[filter];

		bool one_per_start = filter != ENGINE_FILTER_ARCS ||
		                     !run_corrects(run, GPROFX_CORRECT_ARC_SPECS);

		finish_table(include, symbols, one_per_start);
		finish_table(exclude, symbols, one_per_start);
		if (filter == ENGINE_FILTER_ARCS || include->count + exclude->count == 0)
			continue;
		memory_array(run, filters->state[filter],
		             (size_t)symbols->count + SYMBOL_MORE_ROWS);
		mark(include, symbols, filters->state[filter], SELECT_INCLUDED);
		mark(exclude, symbols, filters->state[filter], SELECT_EXCLUDED);
		mark_lines(run, symbols, filters, settings->symspecs, count,
		           (enum engine_filter)filter);
		if (filter == ENGINE_FILTER_GRAPH || filter == ENGINE_FILTER_TIME)
			include_wholes(symbols, filters->state[filter]);
		else
			mark_first_pieces(symbols, settings->symspecs, own_count,
			                  (enum engine_filter)filter, filters->state[filter]);
	}
	return filters;
}

bool
filters_name_functions(const struct engine_settings *settings, const struct filters *filters,
                       enum engine_filter filter)
{
	bool has_one = false;

	for (uint32_t i = 0; i < settings->symspec_count - settings->collector_spec_count; i++) {
		const struct symspec *spec = &filters->left[i]->spec;

		if (settings->symspecs[i].filter != filter || settings->symspecs[i].exclude)
			continue;
		if (!spec->name && spec->line == 0)
			return false;
		has_one = true;
	}
	return has_one;
}

/* Whether one of the ranges, ascending and disjoint, holds the whole symbol. */
static bool
holds(const struct select_ranges *ranges, uint64_t start, uint64_t end)
{
	uint32_t low = 0, high;

	if (!ranges || ranges->count == 0 || ranges->items[0].start > start)
		return false;
	high = ranges->count - 1;
	while (low < high) {
		uint32_t middle = low + (high - low + 1) / 2;

		if (ranges->items[middle].start <= start)
			low = middle;
		else
			high = middle - 1;
	}
	return end <= ranges->items[low].end;
}

/* Unlike a symbol, an arc is looked for in every entry that holds its caller. */
static bool
table_has_arc(const struct select_table *table, const struct symbols *symbols, uint32_t caller,
              uint32_t callee)
{
	uint64_t address = symbols->address[caller];
	uint32_t low = 0, high = table->count;

	while (low < high) {
		uint32_t middle = low + (high - low) / 2;

		if (table->entries[middle].start <= address)
			low = middle + 1;
		else
			high = middle;
	}
	while (low-- > 0 && table->entries[low].furthest_end >= address)
		if (table->entries[low].end >= address &&
		    holds(table->entries[low].callees, symbols->address[callee],
		          symbols->end[callee]))
			return true;
	return false;
}

bool
filter_keeps_arc(const struct filters *filters, const struct symbols *symbols, uint32_t caller,
                 uint32_t callee)
{
	const struct select_table *include = &filters->include[ENGINE_FILTER_ARCS];
	const struct select_table *exclude = &filters->exclude[ENGINE_FILTER_ARCS];

	if (include->count > 0)
		return table_has_arc(include, symbols, caller, callee);
	return exclude->count == 0 || !table_has_arc(exclude, symbols, caller, callee);
}
