/* SPDX-License-Identifier: Apache-2.0 */
/* Texts, for readers: their lines, and numbers in them. */
#ifndef PLUGINS_SHARED_TEXT_LINES_H
#define PLUGINS_SHARED_TEXT_LINES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

/* Part of a text. */
struct text_span {
	const char *text;
	size_t length;
};

static inline bool
text_span_is(struct text_span span, const char *text)
{
	return span.length == strlen(text) && memcmp(span.text, text, span.length) == 0;
}

static inline bool
text_span_begins(struct text_span span, const char *text)
{
	size_t length = strlen(text);

	return span.length >= length && memcmp(span.text, text, length) == 0;
}

static inline bool
text_span_ends(struct text_span span, const char *text)
{
	size_t length = strlen(text);

	return span.length >= length && memcmp(span.text + span.length - length, text, length) == 0;
}

/* The text from "at" on, line by line. */
struct text_lines {
	const char *at, *end;
	uint32_t number; /* of the last one */
};

/* The next line, without its end; false: there is none. */
static inline bool
text_lines_next(struct text_lines *lines, const char **text, size_t *length)
{
	const char *end;

	if (lines->at >= lines->end)
		return false;
	*text = lines->at;
	end = memchr(lines->at, '\n', (size_t)(lines->end - lines->at));
	*length = (size_t)((end ? end : lines->end) - lines->at);
	lines->at = end ? end + 1 : lines->end;
	lines->number++;
	return true;
}

static inline bool
text_is_digit(char c)
{
	return c >= '0' && c <= '9';
}

/* The value of a hexadecimal digit in either case; 16: it is none. */
static inline uint32_t
text_hex_digit(char c)
{
	int lower = c | 0x20;

	if (text_is_digit(c))
		return (uint32_t)(c - '0');
	return lower >= 'a' && lower <= 'f' ? (uint32_t)(lower - 'a') + 10 : 16;
}

/* Reads hexadecimal digits, as text_read_digits() does others. */
static inline const char *
text_read_hex(const char *at, const char *end, uint64_t *number)
{
	uint32_t digit;

	for (*number = 0; at < end && (digit = text_hex_digit(*at)) < 16; at++)
		*number = *number >> 60 != 0 ? UINT64_MAX : *number << 4 | digit;
	return at;
}

/* Reads digits, and returns behind them.  The number stays at the largest there is. */
static inline const char *
text_read_digits(const char *at, const char *end, uint64_t *number)
{
	for (*number = 0; at < end && text_is_digit(*at); at++) {
		uint32_t digit = (uint32_t)(*at - '0');

		*number = *number > (UINT64_MAX - digit) / 10 ? UINT64_MAX : *number * 10 + digit;
	}
	return at;
}

#endif
