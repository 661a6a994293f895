/* SPDX-License-Identifier: Apache-2.0 */
#include "copies.h"

#include <gprofx/report.h>
#include <string.h>

#include "../shared/inlined.h"
#include "fit.h"

enum {
	INDENT = 2,
	MOST_NAME = 32, /* columns of a subroutine's name */
	MOST_OWNER = 24 /* columns of the name of what it was inlined into */
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

const char *
copies_text(struct page *page, const struct table *table)
{
	const struct gprofx_inlined *chosen[INLINED_HEAVY];
	static const char overlap[] = " (shares overlap)";
	uint32_t needed, shown = 0;
	uint32_t count = inlined_choose_heavy(table->report, table->total, chosen, &needed);
	const char *text = NULL;

	for (uint32_t i = 0; i < count; i++) {
		const char *longer = add_one(page, table, text ? text : "",
		                             i > 0 ? chosen[i - 1] : NULL, chosen[i]);

		if (shown >= needed && strlen(longer) + INDENT > page->width)
			break;
		text = longer;
		shown++;
	}
	/* One can be inlined into another one. */
	return text && shown > 1 && strlen(text) + strlen(overlap) + INDENT <= page->width
	               ? page_text(page, "%s%s", text, overlap)
	               : text;
}
