/* SPDX-License-Identifier: Apache-2.0 */
/* The constant parts of the pages, with their styles and scripts; embed.cmake makes them. */
#ifndef OUTPUT_HTML_PAGE_H
#define OUTPUT_HTML_PAGE_H

#include <stddef.h>

/* What the emitter writes behind a part. */
enum page_marker {
	PAGE_TITLE,
	PAGE_HEAD,
	PAGE_ACCOUNT,
	PAGE_QUESTION,
	PAGE_HEAVIEST,
	PAGE_FINDINGS,
	PAGE_FIFTY,
	PAGE_METHOD,
	PAGE_DATA,
	PAGE_END /* nothing */
};

struct page_part {
	const unsigned char *bytes;
	size_t length;
	enum page_marker marker;
};

extern const struct page_part html_page_parts[];
extern const size_t html_page_part_count;

/* Of the page of a comparison. */
extern const struct page_part html_compare_parts[];
extern const size_t html_compare_part_count;

#endif
