/* SPDX-License-Identifier: Apache-2.0 */
/* Lines of text that never get wider than the screen. */
#ifndef OUTPUT_TOP_PAGE_H
#define OUTPUT_TOP_PAGE_H

#include <gprofx/emitter.h>

struct page {
	struct gprofx *gx;
	char *bytes; /* the lines so far, each with its newline */
	size_t length, room;
	size_t width;  /* of the screen */
	size_t column; /* of the line under way: columns that are taken */
	uint32_t lines;
	bool color;
};

#define PAGE_BOLD "\033[1m"
#define PAGE_DIM "\033[2m"
#define PAGE_YELLOW "\033[33m"

void page_begin(struct page *page, struct gprofx *gx, size_t width, bool color);

/* Text as it is; it has to fit, and to be printable. */
void page_put(struct page *page, const char *text, size_t length);
void page_puts(struct page *page, const char *text);
/* Blanks up to a column; none if the line is there already. */
void page_to(struct page *page, size_t column);
void page_end_line(struct page *page);

/* Begins a style, or ends it with NULL; nothing without colors. */
void page_style(struct page *page, const char *style);

/*
 * The words of a text, behind a blank if the line has gone beyond "indent", where further lines
 * begin.
 */
void page_fill(struct page *page, size_t indent, const char *text);

/* A format filled in, with run lifetime. */
const char *page_text(struct page *page, const char *format, ...) GPROFX_PRINTF(2, 3);

/* A text without what is not printable, each of its bytes as \xNN; run lifetime. */
struct gprofx_text page_printable(struct gprofx *gx, struct gprofx_text text);

#endif
