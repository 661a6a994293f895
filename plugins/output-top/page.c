/* SPDX-License-Identifier: Apache-2.0 */
#include "page.h"

#include <string.h>

#include <gprofx/text.h>

#include "../shared/formatted.h"
#include "../shared/width.h"
#include "fit.h"

void
page_begin(struct page *page, struct gprofx *gx, size_t width, bool color)
{
	*page = (struct page){.gx = gx, .width = width, .color = color};
}

static void
put_bytes(struct page *page, const char *bytes, size_t count)
{
	if (page->room - page->length < count) {
		size_t room = 2 * (page->room + count) + 1024;

		page->bytes = page->gx->host->grow(page->gx, page->bytes, page->room, room);
		page->room = room;
	}
	memcpy(page->bytes + page->length, bytes, count);
	page->length += count;
}

void
page_put(struct page *page, const char *text, size_t length)
{
	put_bytes(page, text, length);
	page->column += width_of((struct gprofx_text){text, length});
}

void
page_puts(struct page *page, const char *text)
{
	page_put(page, text, strlen(text));
}

void
page_to(struct page *page, size_t column)
{
	for (; page->column < column; page->column++)
		put_bytes(page, " ", 1);
}

void
page_end_line(struct page *page)
{
	put_bytes(page, "\n", 1);
	page->column = 0;
	page->lines++;
}

void
page_style(struct page *page, const char *style)
{
	static const char end[] = "\033[0m";

	if (page->color)
		put_bytes(page, style ? style : end, style ? strlen(style) : sizeof end - 1);
}

static bool
is_number(const char *text, size_t length)
{
	return length > 0 && length == strspn(text, "0123456789.-");
}

/* The length of a text up to the end of the word behind a blank. */
static size_t
length_with_next(const char *text, size_t length)
{
	return text[length] == ' ' ? length + 1 + strcspn(text + length + 1, " ") : length;
}

/*
 * The length of the first word, with the next ones if they are of one quantity or date:
 * "17 samples", "8.3 k samples", "at 100 Hz", "2026-11-23 20:44".
 */
static size_t
length_of_word(const char *text)
{
	static const char at[] = "at ";
	size_t before = strncmp(text, at, sizeof at - 1) == 0 ? sizeof at - 1 : 0;
	size_t number = strcspn(text + before, " "), length = before + number;

	if (!is_number(text + before, number))
		return strcspn(text, " ");
	if (text[length] == ' ' && text[length + 1] != '\0' && strchr("kMGTPE", text[length + 1]) &&
	    text[length + 2] == ' ')
		length += 2;
	return length_with_next(text, length);
}

void
page_fill(struct page *page, size_t indent, const char *text)
{
	size_t room = page->width > indent ? page->width - indent : 1, length;

	for (; *text != '\0'; text += length + strspn(text + length, " ")) {
		struct gprofx_text word;
		size_t gap = page->column > indent ? 1 : 0;

		length = length_of_word(text);
		word = page_printable(page->gx, (struct gprofx_text){text, length});
		if (width_of(word) > room)
			word = fit_cut(page->gx, word, room);
		if (gap > 0 && page->column + gap + width_of(word) > page->width) {
			page_end_line(page);
			page_to(page, indent);
			gap = 0;
		}
		page_to(page, gap > 0 ? page->column + gap : indent);
		page_put(page, word.bytes, word.length);
	}
}

const char *
page_text(struct page *page, const char *format, ...)
{
	const char *text;
	va_list arguments;

	va_start(arguments, format);
	text = formatted_with(page->gx, format, arguments);
	va_end(arguments);
	return text;
}

struct gprofx_text
page_printable(struct gprofx *gx, struct gprofx_text text)
{
	enum { ESCAPED = 4 };
	size_t length = 0, step = gprofx_printable(text.bytes, text.length);
	char *to;

	if (step == text.length)
		return text;
	to = gprofx_alloc(gx, ESCAPED * text.length);
	for (size_t at = 0;;) {
		memcpy(to + length, text.bytes + at, step);
		length += step;
		at += step;
		if (at == text.length)
			break;
		gprofx_escape(to + length, text.bytes[at++]);
		length += ESCAPED;
		step = gprofx_printable(text.bytes + at, text.length - at);
	}
	return (struct gprofx_text){to, length};
}
