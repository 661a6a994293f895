/* SPDX-License-Identifier: Apache-2.0 */
#include "copies.h"

#include <string.h>

#include "fit.h"

enum {
	INDENT = 2,
	MOST_NAME = 32,   /* columns of a subroutine's name */
	MOST_OWNER = 24,  /* columns of the name of what it was inlined into */
	LEAST_PARTS = 20, /* of the whole: less than one of so many parts is not worth a word */
	ENOUGH = 3        /* of them in the line */
};

/* "find 59.4 % in job". */
static const char *
describe(struct page *page, const struct table *table, const struct gprofx_inlined *inlined)
{
	struct gprofx_text name = {inlined->name, strlen(inlined->name)}, owner;

	name = fit_name(table->names, page_printable(page->gx, name), MOST_NAME);
	owner = fit_name(table->names, table_name(table, inlined->owner[0].function), MOST_OWNER);
	return page_text(page, "%.*s %.1f %% in %.*s%s", (int)name.length, name.bytes,
	                 100 * inlined->total / table->report->inlined->whole, (int)owner.length,
	                 owner.bytes, inlined->owner_count > 1 ? " and others" : "");
}

const char *
copies_text(struct page *page, const struct table *table)
{
	const struct gprofx_report *report = table->report;
	const char *text = NULL;

	for (uint32_t i = 0; report->inlined && i < report->inlined->count && i < ENOUGH; i++) {
		const struct gprofx_inlined *inlined = gprofx_inlined_at(report, i);
		const char *longer;

		if (inlined->owner_count == 0 ||
		    inlined->total * LEAST_PARTS < report->inlined->whole)
			break;
		longer = page_text(page, "%s%s", text ? page_text(page, "%s, ", text) : "inlined: ",
		                   describe(page, table, inlined));
		if (text && strlen(longer) + INDENT > page->width)
			break;
		text = longer;
	}
	return text;
}
