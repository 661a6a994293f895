/* SPDX-License-Identifier: Apache-2.0 */
#include "text.h"

#include <string.h>

#include <gprofx/text.h>

/* What stands for a byte that has a meaning of its own; NULL: itself. */
typedef const char *replace(char byte);

static const char *
for_html(char byte)
{
	switch (byte) {
	case '&':
		return "&amp;";
	case '<':
		return "&lt;";
	case '>':
		return "&gt;";
	case '"':
		return "&quot;";
	case '\'':
		return "&#39;";
	default:
		return NULL;
	}
}

static const char *
for_json(char byte)
{
	switch (byte) {
	case '"':
		return "\\\"";
	case '\\':
		return "\\\\";
	case '<':
		return "\\u003c";
	default:
		return NULL;
	}
}

/* Printable characters. */
static void
put_printable(struct gprofx_writer *w, const char *bytes, size_t count, replace *other)
{
	size_t begin = 0;

	for (size_t at = 0; at < count; at++) {
		const char *text = other(bytes[at]);

		if (!text)
			continue;
		gprofx_put(w, bytes + begin, at - begin);
		gprofx_puts(w, text);
		begin = at + 1;
	}
	gprofx_put(w, bytes + begin, count - begin);
}

/* Any bytes; backslash and tab: what these are in the form. */
static void
put(struct gprofx_writer *w, const char *bytes, size_t count, replace *other, const char *backslash,
    const char *tab)
{
	for (;;) {
		size_t length = gprofx_printable(bytes, count);
		char escaped[4];

		put_printable(w, bytes, length, other);
		if (length == count)
			return;
		if (bytes[length] == '\t') {
			gprofx_puts(w, tab);
		} else {
			gprofx_escape(escaped, bytes[length]);
			gprofx_puts(w, backslash);
			gprofx_put(w, escaped + 1, sizeof escaped - 1);
		}
		bytes += length + 1;
		count -= length + 1;
	}
}

void
text_put_html(struct gprofx_writer *w, const char *bytes, size_t count)
{
	put(w, bytes, count, for_html, "\\", "\t");
}

void
text_puts_html(struct gprofx_writer *w, const char *text)
{
	text_put_html(w, text, strlen(text));
}

void
text_put_part(struct gprofx_writer *w, const char *bytes, size_t count)
{
	put(w, bytes, count, for_json, "\\\\", "\\t");
}

void
text_put_json(struct gprofx_writer *w, const char *bytes, size_t count)
{
	gprofx_putc(w, '"');
	text_put_part(w, bytes, count);
	gprofx_putc(w, '"');
}
