/* SPDX-License-Identifier: Apache-2.0 */
#include "head.h"

#include "../shared/head-texts.h"

enum {
	INDENT = 2,
	AMOUNT = 10, /* columns of an amount */
	WHERE = INDENT + AMOUNT + 11
};

/* A line of the account: its amount, its share, and where that is. */
static void
put_part(struct page *page, const struct head_part *part)
{
	if (page->width > 2 * WHERE) {
		page_to(page, INDENT);
		page_puts(page,
		          page_text(page, "%*s  %5.1f %%", AMOUNT, part->amount, part->percent));
		page_fill(page, WHERE, part->where);
	} else {
		page_fill(page, INDENT,
		          page_text(page, "%s, %.1f %%, %s", part->amount, part->percent,
		                    part->where));
	}
	page_end_line(page);
}

/* A line of its own, if there is anything to say. */
static void
put_line(struct page *page, const char *text)
{
	if (!text)
		return;
	page_fill(page, INDENT, text);
	page_end_line(page);
}

void
head_put(struct page *page, const struct gprofx_report *report)
{
	struct head_part parts[HEAD_MOST_PARTS];
	uint32_t count = head_parts(page->gx, report, parts);

	page_style(page, PAGE_BOLD);
	page_fill(page, 0, page_text(page, "%s:", head_name(report)));
	page_style(page, NULL);
	/* A blank is set where text is beyond the indent. */
	page_fill(page, page->column > INDENT ? INDENT : page->column - 1,
	          page_text(page, "%s, %s", head_measured(page->gx, report),
	                    head_profiles(page->gx, report)));
	page_end_line(page);
	for (uint32_t i = 0; i < count; i++)
		put_part(page, &parts[i]);
	put_line(page, head_copied(page->gx, report));
	put_line(page, head_unsampled(page->gx, report));
	put_line(page, head_delayed(page->gx, report));
}
