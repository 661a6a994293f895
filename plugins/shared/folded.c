/* SPDX-License-Identifier: Apache-2.0 */
#include "folded.h"

#include <string.h>

#include "width.h"

/* The next word of a text, and how many columns it takes. */
static size_t
word_at(struct gprofx_text text, size_t at, size_t *width)
{
	const char *blank = memchr(text.bytes + at, ' ', text.length - at);
	size_t length = blank ? (size_t)(blank - text.bytes) - at : text.length - at;

	*width = width_of((struct gprofx_text){text.bytes + at, length});
	return length;
}

/* Where further lines of a name begin: below it if its longest word has room there. */
static size_t
indent_of(struct gprofx_text name, size_t column, size_t width)
{
	enum { LEAST = 4, MORE = 2 };
	size_t longest = 0, word;

	for (size_t at = 0; at < name.length; at++) {
		at += word_at(name, at, &word);
		longest = word > longest ? word : longest;
	}
	if (column + MORE + longest <= width)
		return column + MORE;
	return longest + LEAST < width ? width - longest : LEAST;
}

void
folded_wrap(struct gprofx_writer *w, struct gprofx_text name, size_t column, size_t width)
{
	size_t indent, length, word;
	bool is_first = true;

	if (column + width_of(name) <= width) {
		gprofx_put(w, name.bytes, name.length);
		return;
	}
	indent = indent_of(name, column, width);
	for (size_t at = 0; at < name.length; at += length + 1) {
		length = word_at(name, at, &word);
		if (column + !is_first + word > width && column > indent) {
			gprofx_putc(w, '\n');
			gprofx_blanks(w, indent);
			column = indent;
			is_first = true;
		}
		if (!is_first)
			gprofx_putc(w, ' ');
		gprofx_put(w, name.bytes + at, length);
		column += !is_first + word;
		is_first = false;
	}
}
