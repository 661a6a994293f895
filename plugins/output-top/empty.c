/* SPDX-License-Identifier: Apache-2.0 */
#include "empty.h"

#include "../shared/fit-texts.h"

/* What there is, although no function has a row. */
struct counted {
	bool has_rows;    /* functions that would have some, were they selected */
	double by_itself; /* calls that functions made to themselves */
	uint64_t calls;   /* all that were counted, whatever they called */
};

static struct counted
count_all(const struct gprofx_report *report)
{
	struct counted counted = {false, 0, 0};

	for (uint32_t f = 0; f < report->functions->count; f++) {
		uint64_t own = gprofx_recursive_of(report, f);

		counted.has_rows = counted.has_rows || gprofx_self_of(report, f) != 0 ||
		                   gprofx_known_calls_of(report, f) != 0;
		if (gprofx_is_counted(report->graph->calls, own))
			counted.by_itself += (double)own;
	}
	for (uint32_t i = 0; i < report->files->count; i++) {
		const struct gprofx_profile_file *file = gprofx_file_at(report, i);

		counted.calls += file->calls - file->copied_calls;
	}
	return counted;
}

static const char *
why_none(struct page *page, const struct gprofx_report *report)
{
	const struct counted counted = count_all(report);
	char count[FIT_COUNT_BYTES];

	if (counted.has_rows)
		return "functions with time or calls are not selected, or are the call counting of "
		       "-pg";
	if (counted.by_itself > 0)
		return page_text(page,
		                 "no function has time or is called by others; recursive "
		                 "calls: %s",
		                 fit_count(count, counted.by_itself));
	return counted.calls > 0 ? "no function has time, and none that was called has a row"
	                         : "no function has time or calls";
}

void
empty_put(struct page *page, const struct gprofx_report *report)
{
	page_fill(page, 0, why_none(page, report));
	page_end_line(page);
}

uint32_t
empty_lines(const struct page *page, const struct gprofx_report *report)
{
	struct page lines;

	page_begin(&lines, page->gx, page->width, false);
	empty_put(&lines, report);
	return lines.lines;
}
