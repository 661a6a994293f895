/* SPDX-License-Identifier: Apache-2.0 */
#include "wrap.h"

#include <string.h>

#include "width.h"

enum {
	COLUMN = 8,     /* lines that begin there or behind it go on with the one before */
	LEAST_TEXT = 20 /* columns beside a word */
};

struct gprofx_writer *
wrap_begin(struct wrap *wrap, struct gprofx *gx, struct gprofx_writer *to, size_t width)
{
	*wrap = (struct wrap){.to = to, .width = width};
	return width == 0 ? to : kept_begin(&wrap->kept, gx);
}

static size_t
length_of_line(const char *text, const char *end)
{
	const char *newline = memchr(text, '\n', (size_t)(end - text));

	return (size_t)((newline ? newline : end) - text);
}

static size_t
indent_of(const char *line, size_t length)
{
	size_t indent = 0;

	while (indent < length && line[indent] == ' ')
		indent++;
	return indent;
}

/* Whether a line goes on with the paragraph of a line. */
static bool
goes_on(const char *first, size_t first_length, const char *line, size_t length)
{
	size_t indent = indent_of(line, length);

	if (first_length == 0 || length == 0)
		return false;
	return indent >= COLUMN || (indent == 0 && first[0] != ' ');
}

/* Puts the words of a paragraph into lines. */
static void
fill(const struct wrap *wrap, const char *text, const char *end, size_t hanging)
{
	size_t length = length_of_line(text, end), column = 0, begin = indent_of(text, length);

	if (hanging > 0 && length > hanging && text[hanging - 1] == ' ' &&
	    hanging + LEAST_TEXT <= wrap->width) {
		gprofx_put(wrap->to, text, hanging);
		text += hanging;
		begin = column = hanging;
	} else if (hanging > 0) {
		hanging = begin + 1;
	}
	while (text < end) {
		const char *past;
		size_t width;

		while (text < end && (*text == ' ' || *text == '\n'))
			text++;
		for (past = text; past < end && *past != ' ' && *past != '\n'; past++)
			;
		if (past == text)
			break;
		width = width_of((struct gprofx_text){text, (size_t)(past - text)});
		if (column > begin && column + 1 + width > wrap->width) {
			gprofx_putc(wrap->to, '\n');
			column = 0;
			begin = hanging;
		}
		if (column < begin) {
			gprofx_blanks(wrap->to, begin - column);
			column = begin;
		} else if (column > begin) {
			gprofx_putc(wrap->to, ' ');
			column++;
		}
		gprofx_put(wrap->to, text, (size_t)(past - text));
		column += width;
		text = past;
	}
	gprofx_putc(wrap->to, '\n');
}

void
wrap_end(struct wrap *wrap)
{
	const char *text = wrap->kept.text, *end = wrap->kept.writer.at;

	if (wrap->width == 0)
		return;
	while (text < end) {
		size_t first = length_of_line(text, end), hanging = 0;
		const char *past = text + first + (text + first < end ? 1 : 0);
		bool is_wide = width_of((struct gprofx_text){text, first}) > wrap->width;

		while (past < end) {
			size_t length = length_of_line(past, end);

			if (!goes_on(text, first, past, length))
				break;
			if (hanging == 0 && indent_of(past, length) > 0)
				hanging = indent_of(past, length);
			is_wide = is_wide ||
			          width_of((struct gprofx_text){past, length}) > wrap->width;
			past += length + (past + length < end ? 1 : 0);
		}
		/* A single line about a word: its text begins where that of others does. */
		if (hanging == 0 && indent_of(text, first) > 0)
			hanging = 13;
		/* More than one blank: a row of figures. */
		if (is_wide && indent_of(text, first) <= 1)
			fill(wrap, text, past, hanging);
		else
			gprofx_put(wrap->to, text, (size_t)(past - text));
		text = past;
	}
	kept_release(&wrap->kept);
}
