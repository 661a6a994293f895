/* SPDX-License-Identifier: Apache-2.0 */
#include "copies.h"

#include <gprofx/report.h>
#include <math.h>
#include <string.h>

#include "fit.h"

enum {
	INDENT = 2,
	MOST_NAME = 32,   /* columns of a subroutine's name */
	MOST_OWNER = 24,  /* columns of the name of what it was inlined into */
	LEAST_PARTS = 20, /* of the whole: less than one of so many parts is not worth a word */
	ENOUGH = 3        /* of them in the line */
};

/* "find 59.4 %", behind a comma, or behind what they were inlined into if that is another one. */
static const char *
add_one(struct page *page, const struct table *table, const char *text,
        const struct gprofx_inlined *before, const struct gprofx_inlined *inlined)
{
	struct gprofx_text name = {inlined->name, strlen(inlined->name)}, owner;
	bool is_same = before && before->owner[0].function == inlined->owner[0].function &&
	               (before->owner_count > 1) == (inlined->owner_count > 1);
	const char *lead = ", ";

	name = fit_name(table->names, page_printable(page->gx, name), MOST_NAME);
	owner = fit_name(table->names, table_name(table, inlined->owner[0].function), MOST_OWNER);
	if (!is_same)
		lead = page_text(page, "%s in %.*s%s: ", before ? ";" : "inlined",
		                 (int)owner.length, owner.bytes,
		                 inlined->owner_count > 1 ? " and others" : "");
	return page_text(page, "%s%s%.*s %.1f %%", text, lead, (int)name.length, name.bytes,
	                 100 * inlined->total / table->report->inlined->whole);
}

/* Those of libraries of C++ say less about a program than its own. */
static bool
is_of_library(const struct gprofx_inlined *inlined)
{
	return strncmp(inlined->name, "std::", 5) == 0 || strncmp(inlined->name, "__", 2) == 0;
}

/* Whether it is worth a word. */
static bool
is_heavy(const struct gprofx_report *report, const struct gprofx_inlined *inlined)
{
	return inlined->owner_count > 0 && inlined->total * LEAST_PARTS >= report->inlined->whole;
}

/* The heaviest one of libraries, or else of the program; NULL: none is worth a word. */
static const struct gprofx_inlined *
heaviest(const struct gprofx_report *report, bool of_library)
{
	uint32_t all = report->inlined ? report->inlined->count : 0;

	for (uint32_t i = 0; i < all; i++) {
		const struct gprofx_inlined *inlined = gprofx_inlined_at(report, i);

		if (is_of_library(inlined) == of_library && is_heavy(report, inlined))
			return inlined;
	}
	return NULL;
}

/*
 * Which ones are worth a word, in the order of the line; returns how many.  needed: how many of
 * them the line must have.
 */
static uint32_t
choose(const struct gprofx_report *report, const struct gprofx_inlined *chosen[ENOUGH],
       uint32_t *needed)
{
	uint32_t count = 0, all = report->inlined ? report->inlined->count : 0;
	const struct gprofx_inlined *own = heaviest(report, false);
	const struct gprofx_inlined *library = heaviest(report, true);

	*needed = 1;
	if (own)
		chosen[count++] = own;
	/* What takes more than all that the line would name cannot be left out. */
	if (own && library && library->total > own->total) {
		chosen[count++] = library;
		*needed = 2;
	}
	for (int of_library = 0; of_library < 2; of_library++)
		for (uint32_t i = 0; i < all && count < ENOUGH; i++) {
			const struct gprofx_inlined *inlined = gprofx_inlined_at(report, i);

			if (is_of_library(inlined) == (of_library == 1) && inlined != own &&
			    (*needed < 2 || inlined != library) && is_heavy(report, inlined))
				chosen[count++] = inlined;
		}
	return count;
}

const char *
copies_text(struct page *page, const struct table *table)
{
	const struct gprofx_inlined *chosen[ENOUGH];
	const double ROUNDING = 1e-6;
	static const char overlap[] = " (shares overlap)";
	const struct gprofx_report_inlined *all = table->report->inlined;
	uint32_t needed, count = choose(table->report, chosen, &needed), shown = 0;
	const char *text = NULL;

	/* Shares of the table are of what is selected for it; these are of what has time. */
	if (count == 0 || fabs(all->whole - table->total) > ROUNDING * table->total)
		return NULL;
	for (uint32_t i = 0; i < count; i++) {
		const char *longer = add_one(page, table, text ? text : "",
		                             i > 0 ? chosen[i - 1] : NULL, chosen[i]);

		if (shown >= needed && strlen(longer) + INDENT > page->width)
			break;
		text = longer;
		shown++;
	}
	/* One can be inlined into another one. */
	return shown > 1 && strlen(text) + strlen(overlap) + INDENT <= page->width
	               ? page_text(page, "%s%s", text, overlap)
	               : text;
}
