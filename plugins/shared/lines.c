/* SPDX-License-Identifier: Apache-2.0 */
#include "lines.h"

#include <string.h>

#include "width.h"

enum { TAB = 8 };

static bool
is_blank(char byte)
{
	return byte == ' ' || byte == '\t';
}

/* The column behind blanks and tabs. */
static size_t
column_behind(const char *blanks, size_t count, size_t column)
{
	for (size_t i = 0; i < count; i++)
		column = blanks[i] == '\t' ? column + TAB - column % TAB : column + 1;
	return column;
}

size_t
lines_put(struct gprofx_writer *w, struct gprofx_text text, size_t column, size_t indent,
          size_t width)
{
	bool has_word = false; /* on this line */

	for (size_t at = 0, past, word, behind; at < text.length; at = past) {
		size_t begin = at, columns;

		while (begin < text.length && is_blank(text.bytes[begin]))
			begin++;
		for (past = begin; past < text.length && !is_blank(text.bytes[past]); past++)
			;
		word = past - begin;
		columns = width_of((struct gprofx_text){text.bytes + begin, word});
		behind = column_behind(text.bytes + at, begin - at, column);
		if (word > 0 && has_word && behind + columns > width) {
			gprofx_putc(w, '\n');
			gprofx_blanks(w, indent);
			column = indent;
		} else if (word > 0 && behind + columns > width) {
			/* Before the first word there are fewer blanks. */
			behind = column + columns < width ? width - columns : column;
			gprofx_blanks(w, behind - column);
			column = behind;
		} else {
			gprofx_put(w, text.bytes + at, begin - at);
			column = behind;
		}
		gprofx_put(w, text.bytes + begin, word);
		column += columns;
		has_word = has_word || word > 0;
	}
	return column;
}

struct gprofx_writer *
lines_begin(struct lines *lines, struct gprofx *gx, struct gprofx_writer *to, size_t width,
            size_t indent)
{
	*lines = (struct lines){.to = to, .width = width, .indent = indent};
	return width == 0 ? to : kept_begin(&lines->kept, gx);
}

void
lines_end(struct lines *lines)
{
	const char *text = lines->kept.text, *end = lines->kept.writer.at;

	if (lines->width == 0)
		return;
	while (text < end) {
		const char *newline = memchr(text, '\n', (size_t)(end - text));
		const struct gprofx_text line = {text, (size_t)((newline ? newline : end) - text)};

		lines_put(lines->to, line, 0, lines->indent, lines->width);
		text += line.length;
		if (!newline)
			break;
		gprofx_putc(lines->to, '\n');
		text++;
	}
	kept_release(&lines->kept);
}
