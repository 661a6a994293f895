/* SPDX-License-Identifier: Apache-2.0 */
#include "notes.h"

#include <gprofx/report.h>
#include <string.h>

#include "../shared/head-texts.h"
#include "copies.h"

enum { INDENT = 2 };

/* Whether one of the first "count" totals has the mark of an estimate. */
static bool
shows_estimates(const struct table *table, uint32_t count)
{
	for (uint32_t i = 0; i < count && table->shows_total; i++)
		if (table->rows[i].is_estimated)
			return true;
	return false;
}

/* Whether one of the first "count" totals is not known since the function is in a cycle. */
static bool
shows_members(const struct table *table, uint32_t count)
{
	for (uint32_t i = 0; i < count && table->shows_total; i++)
		if (gprofx_whole_of(table->report, table->rows[i].function) !=
		    table->rows[i].function)
			return true;
	return false;
}

/* Whether the calls of one of the first "count" rows are two numbers. */
static bool
shows_recursion(const struct table *table, uint32_t count)
{
	for (uint32_t i = 0; i < count && table->shows_calls; i++)
		if (strchr(table->rows[i].calls, '+'))
			return true;
	return false;
}

/* What shares of the other time refer to. */
static const char *
other_text(struct page *page, const struct table *table)
{
	return page_text(
		page, "%s: share of %.2f s, in the function and what it called", table->other_name,
		table->other->flat_total / gprofx_metric_at(table->report, 1)->ticks_per_unit);
}

void
notes_put(struct page *page, const struct table *table, uint32_t count)
{
	const struct gprofx_report_origin *origin = table->report->origin;
	const char *inlined = table->has_times ? copies_text(page, table) : NULL;
	const char *few = table->has_times && table->count > 0
	                          ? head_few_samples(page->gx, table->report,
	                                             table->rows[0].function, table->total)
	                          : NULL;
	const char *other = table->shows_other ? other_text(page, table) : NULL;
	const struct {
		bool is_there;
		const char *text;
	} notes[] = {
		{other != NULL, other},
		{few != NULL, few},
		{shows_members(table, count), "- total not known: the function is in a cycle"},
		{shows_recursion(table, count), "a+b calls: a by other functions, b by itself"},
		{shows_estimates(table, count),
	         "~ estimated: the profile does not say how long each call took"},
		{table->total_differs,
	         "no column of total: what is selected for it differs from these functions"},
		{!table->has_times, origin->has_histogram
	                                    ? "no times: there are no samples; sorted by calls"
	                                    : "no times were measured; sorted by calls"},
		{table->has_calls && table->shows_calls &&
	                 table->report->findings->can_start_threads,
	         "calls are lower bounds if several threads ran: the program can start threads"},
		{!table->has_calls, "no column of calls: no calls of these functions were counted"},
		{table->count > 0 && !table->has_places && origin->image && !origin->positioned,
	         "no column of places: these functions have no debug information (-g)"},
	};

	if (inlined) {
		page_fill(page, INDENT, inlined);
		page_end_line(page);
	}
	for (size_t i = 0; i < sizeof notes / sizeof notes[0]; i++) {
		if (!notes[i].is_there)
			continue;
		page_style(page, PAGE_DIM);
		page_fill(page, INDENT, notes[i].text);
		page_style(page, NULL);
		page_end_line(page);
	}
}
