/* SPDX-License-Identifier: Apache-2.0 */
#include "wrap.h"

#include <stdio.h>
#include <string.h>

#include "width.h"

enum {
	COLUMN = 8,     /* lines that begin there or behind it go on with the one before */
	LEAST_TEXT = 20 /* columns beside a word */
};

static void
make_room(struct gprofx_writer *public, size_t bytes)
{
	struct wrap *wrap = (struct wrap *)public;
	size_t length = (size_t)(public->at - wrap->text), room = 2 * wrap->room + bytes;

	if (bytes <= (size_t)(public->end - public->at))
		return;
	wrap->text = wrap->gx->host->grow(wrap->gx, wrap->text, wrap->room, room);
	wrap->room = room;
	public->at = wrap->text + length;
	public->end = wrap->text + room;
}

static void
make_usual_room(struct gprofx_writer *public)
{
	make_room(public, GPROFX_WRITER_ROOM);
}

static void
put(struct gprofx_writer *public, const void *bytes, size_t count)
{
	make_room(public, count);
	memcpy(public->at, bytes, count);
	public->at += count;
}

static void
put_format(struct gprofx_writer *public, const char *format, ...)
{
	va_list arguments, again;
	int length;

	va_start(arguments, format);
	va_copy(again, arguments);
	length = vsnprintf(NULL, 0, format, arguments);
	if (length > 0) {
		make_room(public, (size_t)length + 1);
		vsnprintf(public->at, (size_t)length + 1, format, again);
		public->at += length;
	}
	va_end(again);
	va_end(arguments);
}

static void
put_fixed(struct gprofx_writer *public, double value, int width, int precision)
{
	put_format(public, "%*.*f", width, precision, value);
}

static void
put_number(struct gprofx_writer *public, uint64_t value, int width)
{
	put_format(public, "%*llu", width, (unsigned long long)value);
}

static const struct gprofx_writer_services services = {
	.size = sizeof services,
	.make_room = make_usual_room,
	.put = put,
	.format = put_format,
	.fixed = put_fixed,
	.number = put_number,
};

struct gprofx_writer *
wrap_begin(struct wrap *wrap, struct gprofx *gx, struct gprofx_writer *to, size_t width)
{
	*wrap = (struct wrap){.writer.services = &services, .gx = gx, .to = to, .width = width};
	if (width == 0)
		return to;
	make_room(&wrap->writer, GPROFX_WRITER_ROOM);
	return &wrap->writer;
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
	const char *text = wrap->text, *end = wrap->writer.at;

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
	wrap->gx->host->release(wrap->gx, wrap->text);
}
