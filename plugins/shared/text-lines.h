/* SPDX-License-Identifier: Apache-2.0 */
/* Texts, for readers: their lines, and numbers in them. */
#ifndef PLUGINS_SHARED_TEXT_LINES_H
#define PLUGINS_SHARED_TEXT_LINES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

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
