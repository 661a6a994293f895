/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Functions that ran, or may have run, though no call of them was recorded: the C library drops
 * calls from outside of the program's code, as that of main, functions compiled without -pg record
 * none, and what was inlined is not called.
 */
#include "base/memory.h"
#include "base/name-table.h"
#include "base/run.h"
#include "scan/scan.h"
#include "select/filters.h"
#include "source/source.h"
#include "symbols/inlined.h"
#include "symbols/line-rows.h"
#include "symbols/symbols.h"

static bool
is_begin(const struct gprofx_report *report, uint32_t function)
{
	return (report->graph->flags[function] & GPROFX_NODE_LINE) == 0;
}

/* Marks every symbol that took time or called something. */
static void
mark_running(const struct gprofx_report *report, bool *ran)
{
	const uint32_t *first = report->source->block_first;

	for (uint32_t f = 0; f < report->functions->count; f++) {
		ran[f] = gprofx_self_of(report, f) != 0;
		for (uint32_t i = first ? first[f] : 0; first && i < first[f + 1]; i++)
			ran[f] = ran[f] || report->source->block[i].count != 0;
	}
	for (uint32_t i = 0; i < report->graph->arcs.count; i++)
		if (gprofx_count(&report->graph->arcs.calls->calls, i) != 0 &&
		    gprofx_id(&report->graph->arcs.caller, i) < report->functions->count)
			ran[gprofx_id(&report->graph->arcs.caller, i)] = true;
}

static bool
has_calls(const struct gprofx_report *report)
{
	for (uint32_t f = 0; f < report->functions->count; f++)
		if (gprofx_known_calls_of(report, f) != 0)
			return true;
	return false;
}

/* The first row behind a function and its lines, which follow it. */
static uint32_t
end_of(const struct gprofx_report *report, uint32_t function)
{
	uint32_t end = function + 1;

	while (end < report->functions->count && !is_begin(report, end))
		end++;
	return end;
}

/* Subroutines that were inlined anywhere, by the number of their name. */
static bool *
find_inlined_names(struct run *run, const struct inlined_code *code)
{
	const struct gprofx_lines *lines = &code->rows.public;
	const struct name_table *names = &code->rows.names;
	bool *is_inlined;

	memory_array(run, is_inlined, (size_t)names->count + 1);
	for (uint32_t i = 0; i < lines->count; i++)
		if (lines->rows.inlined[i] != 0 && lines->rows.name[i] <= names->count)
			is_inlined[lines->rows.name[i]] = true;
	/* What was inlined into a subroutine stands between it and the function. */
	for (uint32_t i = 1; i < code->instance_count; i++)
		if (code->instances[i].parent != 0 && code->instances[i].into)
			is_inlined[1 + name_table_lookup(names, code->instances[i].into)] = true;
	return is_inlined;
}

/* Whether a name, or that of the function a clone was made from, is one of those. */
static bool
has_name(struct run *run, const struct name_table *names, const bool *is_inlined, const char *name)
{
	bool is_fragment;
	const char *suffix = symbols_clone_suffix(name, &is_fragment);
	uint32_t number;

	if (suffix)
		name = text_format(run, "%.*s", (int)(suffix - name), name);
	number = name_table_lookup(names, name);
	return number != NO_NAME && is_inlined[number + 1];
}

/* Marks functions of "rows" of which code was inlined elsewhere. */
static void
mark_inlined(struct run *run, struct symbols *symbols, const bool *rows, bool *ran)
{
	struct inlined_code *code = symbols_read_inlined(run, symbols);
	bool *is_inlined;

	if (!code)
		return;
	is_inlined = find_inlined_names(run, code);
	for (uint32_t f = 0; f < symbols->count; f++)
		ran[f] = ran[f] || (rows[f] &&
		                    has_name(run, &code->rows.names, is_inlined, symbols->name[f]));
	memory_release(run, is_inlined);
	symbols_release_inlined(run, code);
}

/*
 * Marks functions of which the profile does not show that they did not run: those that do not count
 * their calls, and, of those that do and whose source is shown, the ones that were inlined.
 */
static void
mark_unproven(struct run *run, struct symbols *symbols, const struct filters *filters,
              const struct scan *scan, const struct gprofx_report *report, bool *ran)
{
	bool *is_idle, any_idle = false;

	memory_array(run, is_idle, report->functions->count);
	for (uint32_t f = 0, end; f < report->functions->count; f = end) {
		bool is_known = gprofx_known_calls_of(report, f) != 0;

		end = end_of(report, f);
		for (uint32_t i = f; i < end; i++)
			is_known = is_known || ran[i];
		if (is_known)
			continue;
		if (scan->counting.is_known &&
		    !scan_counts_calls(symbols, &scan->counting, symbols->address[f]))
			ran[f] = true;
		is_idle[f] = !ran[f] && symbols->file && symbols->file[f] != 0 &&
		             filter_selects(filters, ENGINE_FILTER_ANNOTATE, f);
		any_idle = any_idle || is_idle[f];
	}
	if (any_idle)
		mark_inlined(run, symbols, is_idle, ran);
	memory_release(run, is_idle);
}

bool *
source_find_uncounted(struct run *run, struct symbols *symbols, const struct filters *filters,
                      const struct scan *scan, const struct gprofx_report *report)
{
	bool nothing_known = !has_calls(report);
	bool *ran;

	memory_array(run, ran, report->functions->count);
	mark_running(report, ran);
	if (!nothing_known)
		mark_unproven(run, symbols, filters, scan, report, ran);
	for (uint32_t f = 0, end; f < report->functions->count; f = end) {
		bool any = nothing_known, is_counted = gprofx_known_calls_of(report, f) != 0;

		end = end_of(report, f);
		for (uint32_t i = f; i < end; i++)
			any = any || ran[i];
		for (uint32_t i = f; i < end; i++)
			ran[i] = any && !is_counted;
	}
	return ran;
}
