/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The summary: what was run and measured, the account of the time, the heaviest functions,
 * findings, and where to look next, on one screen.
 */
#include <gprofx/emitter.h>

#include "../shared/names.h"
#include "../shared/options.h"
#include "empty.h"
#include "head.h"
#include "page.h"
#include "table.h"
#include "tail.h"

struct options {
	int64_t top, width;
	uint32_t names; /* enum name_form */
};

enum {
	NARROWEST = 20,
	WIDEST = 100000,
	LINES = 22, /* of a screen of 24: with one more, less would wait for a key */
	USUAL_ROWS = 10,
	LEAST_ROWS = 5
};

static const struct gprofx_option table[] = {
	{.key = "top",
         .type = GPROFX_INT,
         .offset = offsetof(struct options, top),
         .initial = "10",
         .minimum = 1,
         .maximum = UINT32_MAX,
         .help = "number of functions; if ten or fewer, only as many as fit on the screen"},
	{.key = "names",
         .type = GPROFX_CHOICE,
         .offset = offsetof(struct options, names),
         .initial = "full",
         .choices = table_name_forms,
         .help = "how much of each name is shown if there is room"},
	{.key = "width",
         .type = GPROFX_INT,
         .offset = offsetof(struct options, width),
         .initial = "80",
         .minimum = 1,
         .maximum = INT32_MAX,
         .help = "width of the screen in columns, at least 20"},
};

/* What the page consists of. */
struct parts {
	uint32_t head, notes, hints; /* lines of each; notes can stand in the place of rows */
	uint32_t rows, findings;
	uint32_t with_second; /* rows, the first ones, that may have a second line */
	const uint32_t *finding_lines;
	const struct tail_hints *all_hints;
	const struct table *table;
};

static uint32_t
lines_of(const struct parts *parts)
{
	uint32_t findings = 0, seconds = table_second_lines(parts->table, parts->with_second);
	uint32_t rows = table_row_lines(parts->table, parts->rows);

	for (uint32_t i = 0; i < parts->findings; i++)
		findings += parts->finding_lines[i];
	return parts->head + 1 +
	       (parts->rows > 0 ? 1 + rows + seconds + parts->notes : parts->notes) +
	       (parts->findings > 0 ? 1 + findings : 0) + (parts->hints > 0 ? 1 + parts->hints : 0);
}

/* Takes a row away, or the second lines of one. */
static void
drop_row(struct parts *parts)
{
	if (parts->with_second > TABLE_FIRST) {
		parts->with_second--;
		return;
	}
	parts->rows--;
	if (parts->with_second > parts->rows)
		parts->with_second = parts->rows;
}

/* Leaves out what the screen has no room for: the lightest functions first, but some. */
static void
fit_screen(struct parts *parts)
{
	while (lines_of(parts) > LINES && parts->rows > LEAST_ROWS)
		drop_row(parts);
	while (lines_of(parts) > LINES && parts->with_second > 0)
		parts->with_second--;
	while (lines_of(parts) > LINES && parts->hints > 1)
		parts->hints--;
	while (lines_of(parts) > LINES && parts->findings > 1)
		parts->findings--;
	while (lines_of(parts) > LINES && parts->hints > 0)
		parts->hints--;
}

static void
put_page(struct gprofx_writer *w, struct page *page)
{
	gprofx_put(w, page->bytes, page->length);
}

static enum gprofx_result
emit(struct gprofx *gx, const struct gprofx_emission *emission, const void *opaque)
{
	const struct options *options = opaque;
	const struct gprofx_report *report = emission->report;
	struct gprofx_writer *w = emission->writer;
	size_t width = options->width < NARROWEST ? NARROWEST
	               : options->width > WIDEST  ? WIDEST
	                                          : (size_t)options->width;
	bool color = writer_takes_color(w);
	uint32_t findings = report->findings->count - tail_urgent(report);
	struct tail_hints hints;
	struct names names;
	struct table rows;
	uint32_t finding_lines[TAIL_MOST_FINDINGS];
	struct parts parts;
	struct page page;

	w->services->separator(w);
	names_begin(&names, gx, report, (enum name_form)options->names);
	page_begin(&page, gx, width, color);
	tail_put_urgent(&page, report);
	head_put(&page, report);
	rows = table_make(&names, report, (uint32_t)options->top, width);
	hints = tail_hints(&page, &names, &rows);
	if (findings > TAIL_MOST_FINDINGS)
		findings = TAIL_MOST_FINDINGS;
	for (uint32_t i = 0; i < findings; i++)
		finding_lines[i] = tail_finding_lines(&page, report, i);
	parts = (struct parts){
		.head = page.lines,
		.rows = rows.count,
		.notes = rows.count > 0 ? table_notes(&page, &rows) : empty_lines(&page, report),
		.findings = findings,
		.hints = hints.count,
		.with_second = rows.count,
		.finding_lines = finding_lines,
		.all_hints = &hints,
		.table = &rows,
	};
	if (options->top <= USUAL_ROWS)
		fit_screen(&parts);
	page_end_line(&page);
	if (rows.count > 0)
		table_put(&page, &rows, parts.rows, parts.with_second);
	else
		empty_put(&page, report);
	if (parts.findings > 0) {
		page_end_line(&page);
		tail_put_findings(&page, report, parts.findings);
	}
	if (parts.hints > 0) {
		page_end_line(&page);
		tail_put_hints(&page, &hints, parts.hints);
	}
	put_page(w, &page);
	return GPROFX_OK;
}

static const struct gprofx_needs needs = {
	.size = sizeof needs,
	.parts = GPROFX_PART_FLAT | GPROFX_PART_FILES | GPROFX_PART_FINDINGS | GPROFX_PART_SOURCES |
                 GPROFX_PART_HEAVY_INLINED,
};

static const struct gprofx_listing listings[] = {
	{.size = sizeof listings[0], .name = "summary", .place = 50},
};

static const struct gprofx_emitter emitter = {
	.size = sizeof emitter,
	.format = "top",
	.extension = "txt",
	.emit = emit,
	.needs = &needs,
	.listings = listings,
	.listing_count = 1,
};

GPROFX_PLUGIN = {
	GPROFX_ABI,
	.name = "output-top",
	.version = "1.0",
	.summary = "The summary: what was measured, the heaviest functions, findings",
	GPROFX_OPTIONS(struct options, table),
	.emitter = &emitter,
};
