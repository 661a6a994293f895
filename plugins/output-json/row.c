/* SPDX-License-Identifier: Apache-2.0 */
#include "row.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <gprofx/text.h>

#include "../shared/figures.h"

/* From here on two integers can be one double, which is all that many parsers have. */
#define BEYOND_DOUBLES ((uint64_t)1 << 53)

enum { KEY_ROOM = 64 };

void
row_init(struct row *row)
{
	row->object = json_object();
	row->failed = !row->object;
	row->digits = 0;
}

void
row_free(struct row *row)
{
	json_decref(row->object);
	row->object = NULL;
}

void
row_begin(struct row *row)
{
	json_object_clear(row->object);
	row->digits = 0;
}

/*
 * Writes a piece of JSON text.  Characters that JSON allows in strings but that are not printable
 * are escaped as well: a terminal that shows the file displays them and does not obey them.  A
 * piece never ends within a character.
 */
static int
put_piece(const char *bytes, size_t count, void *argument)
{
	struct gprofx_writer *w = argument;

	for (;;) {
		size_t length = gprofx_printable(bytes, count);
		uint32_t code;

		gprofx_put(w, bytes, length);
		if (length == count)
			return 0;
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

void
row_write(struct row *row, struct gprofx_writer *writer)
{
	size_t flags = JSON_COMPACT | JSON_EMBED | JSON_REAL_PRECISION((size_t)row->digits);

	if (row->failed || json_dump_callback(row->object, put_piece, writer, flags) != 0)
		row->failed = true;
}

static void
add(struct row *row, const char *key, json_t *value)
{
	/* It takes NULL, too, and says that it failed. */
	if (json_object_set_new_nocheck(row->object, key, value) != 0)
		row->failed = true;
}

void
row_null(struct row *row, const char *key)
{
	add(row, key, json_null());
}

void
row_bool(struct row *row, const char *key, bool value)
{
	add(row, key, json_boolean(value));
}

void
row_count(struct row *row, const char *key, uint64_t value)
{
	char digits[24];

	if (value < BEYOND_DOUBLES) {
		add(row, key, json_integer((json_int_t)value));
		return;
	}
	snprintf(digits, sizeof digits, "%" PRIu64, value);
	add(row, key, json_string_nocheck(digits));
}

void
row_calls_or_null(struct row *row, const char *key, const struct gprofx_call_column *column,
                  uint64_t value)
{
	if (gprofx_is_counted(column, value))
		row_count(row, key, value);
	else
		row_null(row, key);
}

void
row_number_or_null(struct row *row, const char *key, uint32_t value)
{
	add(row, key, value != 0 ? json_integer(value) : json_null());
}

void
row_real(struct row *row, const char *key, double value)
{
	if (!isfinite(value)) {
		row_null(row, key);
		return;
	}
	/* Finding out is dear, and needless once another number wants all of them. */
	if (row->digits < FIGURE_MOST_DIGITS) {
		int digits = figure_digits(value);

		row->digits = digits > row->digits ? digits : row->digits;
	}
	/* No minus before a zero. */
	add(row, key, json_real(value == 0 ? 0 : value));
}

void
row_address(struct row *row, const char *key, uint64_t value)
{
	char digits[24];

	snprintf(digits, sizeof digits, "0x%" PRIx64, value);
	add(row, key, json_string_nocheck(digits));
}

char *
row_escape(const char *bytes, size_t length, size_t *escaped_length)
{
	static const char digits[] = "0123456789abcdef";
	char *escaped = length < SIZE_MAX / 4 ? malloc(4 * length + 1) : NULL, *to = escaped;

	if (!escaped)
		return NULL;
	for (size_t at = 0; at < length;) {
		uint32_t code;
		size_t step = gprofx_utf8(bytes + at, length - at, &code);
		unsigned char byte = (unsigned char)bytes[at];

		if (step > 0) {
			memcpy(to, bytes + at, step);
			to += step;
			at += step;
			continue;
		}
		*to++ = '\\';
		*to++ = 'x';
		*to++ = digits[byte >> 4];
		*to++ = digits[byte & 15];
		at++;
	}
	*to = '\0';
	*escaped_length = (size_t)(to - escaped);
	return escaped;
}

char *
row_base64(const char *bytes, size_t length)
{
	enum { PADDING = 64 };
	static const char digits[] =
		"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/=";
	char *encoded = length < SIZE_MAX / 2 ? malloc((length + 2) / 3 * 4 + 1) : NULL;
	char *to = encoded;

	for (size_t at = 0; encoded && at < length; at += 3) {
		size_t rest = length - at;
		uint32_t bits = (uint32_t)(unsigned char)bytes[at] << 16;

		bits |= rest > 1 ? (uint32_t)(unsigned char)bytes[at + 1] << 8 : 0;
		bits |= rest > 2 ? (uint32_t)(unsigned char)bytes[at + 2] : 0;
		*to++ = digits[bits >> 18];
		*to++ = digits[bits >> 12 & 63];
		*to++ = digits[rest > 1 ? bits >> 6 & 63 : PADDING];
		*to++ = digits[rest > 2 ? bits & 63 : PADDING];
	}
	if (to)
		*to = '\0';
	return encoded;
}

static bool
is_utf8(const char *bytes, size_t length)
{
	uint32_t code;

	for (size_t at = 0, step; at < length; at += step) {
		step = gprofx_utf8(bytes + at, length - at, &code);
		if (step == 0)
			return false;
	}
	return true;
}

void
row_text(struct row *row, const char *key, const char *bytes, size_t length)
{
	char bytes_key[KEY_ROOM], *escaped, *encoded;
	size_t escaped_length = 0;

	if (is_utf8(bytes, length)) {
		add(row, key, json_stringn_nocheck(bytes, length));
		return;
	}
	escaped = row_escape(bytes, length, &escaped_length);
	encoded = row_base64(bytes, length);
	snprintf(bytes_key, sizeof bytes_key, "%s_bytes", key);
	add(row, key, escaped ? json_stringn_nocheck(escaped, escaped_length) : NULL);
	add(row, bytes_key, encoded ? json_string_nocheck(encoded) : NULL);
	free(escaped);
	free(encoded);
}

void
row_string(struct row *row, const char *key, const char *text)
{
	if (text)
		row_text(row, key, text, strlen(text));
	else
		row_null(row, key);
}
