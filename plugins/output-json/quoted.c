/* SPDX-License-Identifier: Apache-2.0 */
#include "quoted.h"

#include <gprofx/text.h>

#include "../shared/export-rows.h"

bool
quoted_is_utf8(struct gprofx_text text)
{
	uint32_t code;

	for (size_t at = gprofx_ascii_words(text.bytes, text.length), step; at < text.length;
	     at += step) {
		step = gprofx_utf8(text.bytes + at, text.length - at, &code);
		if (step == 0)
			return false;
	}
	return true;
}

static bool
is_plain(char byte)
{
	return (unsigned char)byte >= ' ' && byte != '"' && byte != '\\';
}

/* A character that JSON requires to be escaped. */
static void
put_required(struct gprofx_writer *w, char byte)
{
	static const char letters[' '] =
		{['\b'] = 'b', ['\f'] = 'f', ['\n'] = 'n', ['\r'] = 'r', ['\t'] = 't'};

	if ((unsigned char)byte < ' ') {
		char letter = letters[(unsigned char)byte];

		if (letter == '\0') {
			gprofx_out(w, "\\u%04X", (unsigned)byte);
			return;
		}
		byte = letter;
	}
	gprofx_putc(w, '\\');
	gprofx_putc(w, byte);
}

/*
 * Writes characters that JSON allows in strings.  Those that are not printable are escaped as well:
 * a terminal that shows the file displays them and does not obey them.
 */
static void
put_allowed(struct gprofx_writer *w, const char *bytes, size_t count)
{
	for (;;) {
		size_t length = gprofx_printable(bytes, count);
		uint32_t code;

		gprofx_put(w, bytes, length);
		if (length == count)
			return;
		bytes += length;
		count -= length;
		length = gprofx_utf8(bytes, count, &code);
		if (code >= 0x10000) {
			gprofx_out(w, "\\u%04x", (unsigned)(0xd7c0 + (code >> 10)));
			code = 0xdc00 + (code & 0x3ff);
		}
		gprofx_out(w, "\\u%04x", (unsigned)code);
		bytes += length > 0 ? length : 1;
		count -= length > 0 ? length : 1;
	}
}

static void
put_characters(struct gprofx_writer *w, const char *bytes, size_t count)
{
	size_t at = 0;

	for (;;) {
		size_t begin = at;

		while (at < count && is_plain(bytes[at]))
			at++;
		put_allowed(w, bytes + begin, at - begin);
		if (at == count)
			return;
		put_required(w, bytes[at++]);
	}
}

void
quoted_put(struct gprofx_writer *writer, struct gprofx_text text)
{
	if (export_put_plain(writer, text.bytes, text.length))
		return;
	gprofx_putc(writer, '"');
	put_characters(writer, text.bytes, text.length);
	gprofx_putc(writer, '"');
}

void
quoted_put_escaped(struct gprofx_writer *writer, struct gprofx_text text)
{
	size_t begin = 0, at = 0;

	gprofx_putc(writer, '"');
	while (at < text.length) {
		uint32_t code;
		size_t step = gprofx_utf8(text.bytes + at, text.length - at, &code);
		char escaped[4];

		if (step > 0) {
			at += step;
			continue;
		}
		put_characters(writer, text.bytes + begin, at - begin);
		gprofx_escape(escaped, text.bytes[at]);
		gprofx_putc(writer, '\\');
		gprofx_put(writer, escaped, sizeof escaped);
		begin = ++at;
	}
	put_characters(writer, text.bytes + begin, at - begin);
	gprofx_putc(writer, '"');
}

void
quoted_put_base64(struct gprofx_writer *writer, struct gprofx_text text)
{
	enum { PADDING = 64 };
	static const char digits[] =
		"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/=";

	gprofx_putc(writer, '"');
	for (size_t at = 0; at < text.length; at += 3) {
		const unsigned char *bytes = (const unsigned char *)text.bytes + at;
		size_t rest = text.length - at;
		uint32_t bits = (uint32_t)bytes[0] << 16;
		char four[4];

		bits |= rest > 1 ? (uint32_t)bytes[1] << 8 : 0;
		bits |= rest > 2 ? (uint32_t)bytes[2] : 0;
		four[0] = digits[bits >> 18];
		four[1] = digits[bits >> 12 & 63];
		four[2] = digits[rest > 1 ? bits >> 6 & 63 : PADDING];
		four[3] = digits[rest > 2 ? bits & 63 : PADDING];
		gprofx_put(writer, four, sizeof four);
	}
	gprofx_putc(writer, '"');
}
