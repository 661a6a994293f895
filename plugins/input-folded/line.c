/* SPDX-License-Identifier: Apache-2.0 */
#include "line.h"

#include <string.h>

#include "../shared/text-lines.h"

static const char *
read_fraction(const char *at, const char *end, struct folded_number *number)
{
	uint32_t digits = 0;

	for (; at < end && text_is_digit(*at); at++, digits++) {
		if (digits >= FOLDED_DECIMALS) {
			number->is_cut = number->is_cut || *at != '0';
			continue;
		}
		number->fraction = number->fraction * 10 + (uint32_t)(*at - '0');
		number->decimals = *at != '0' ? digits + 1 : number->decimals;
	}
	for (; digits < FOLDED_DECIMALS; digits++)
		number->fraction *= 10;
	return at;
}

/* Whether the text is one number and nothing else. */
static bool
read_number(const char *at, const char *end, struct folded_number *number)
{
	const char *digits = at;
	bool has_digits;

	at = text_read_digits(at, end, &number->count);
	has_digits = at > digits;
	if (at < end && *at == '.') {
		digits = at + 1;
		at = read_fraction(digits, end, number);
		has_digits = has_digits || at > digits;
	}
	return has_digits && at == end;
}

/* The last blank before the end, or NULL. */
static const char *
last_blank(const char *text, const char *end)
{
	const char *blank = memrchr(text, ' ', (size_t)(end - text)), *tab;

	text = blank ? blank : text;
	tab = memrchr(text, '\t', (size_t)(end - text));
	return tab ? tab : blank;
}

/* Where the text ends without the blanks behind it. */
static const char *
trimmed(const char *text, const char *end)
{
	while (end > text && (end[-1] == ' ' || end[-1] == '\t' || end[-1] == '\r'))
		end--;
	return end;
}

enum folded_fault
folded_read_line(const char *text, size_t length, struct folded_line *line)
{
	const char *end = trimmed(text, text + length), *blank, *before;
	struct folded_number other = {0};

	memset(line, 0, sizeof *line);
	while (text < end && (*text == ' ' || *text == '\t'))
		text++;
	if (end == text || *text == '#')
		return FOLDED_EMPTY;
	blank = last_blank(text, end);
	if (!blank)
		return FOLDED_NO_COUNT;
	if (!read_number(blank + 1, end, &line->last))
		return blank[1] == '-' && read_number(blank + 2, end, &other) ? FOLDED_NEGATIVE
		                                                              : FOLDED_NO_COUNT;
	line->frames = text;
	end = trimmed(text, blank);
	line->length = (size_t)(end - text);
	before = last_blank(text, end);
	line->has_two = before && read_number(before + 1, end, &line->before);
	line->short_length = line->has_two ? (size_t)(trimmed(text, before) - text) : 0;
	return FOLDED_SOUND;
}
