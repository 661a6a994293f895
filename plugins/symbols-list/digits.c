/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Addresses as text.  Their digits and letters cannot be predicted, so there are no branches on
 * them, and eight are read at once: most of the time that a list takes would go there otherwise.
 */
#include <gprofx/reader.h>

#include "list.h"

/* The same in each of eight bytes. */
#define EIGHT(byte) ((uint64_t)(byte)*UINT64_C(0x0101010101010101))

/* The value of a digit, or -1. */
static int
digit_value(char c)
{
	unsigned code = (unsigned char)c;
	unsigned fits = (code - '0' < 10u) | ((code | 0x20u) - 'a' < 6u);

	return fits ? (int)((code & 0xfu) + (code >> 6) * 9u) : -1;
}

/* The value of eight digits; false if one of them is none. */
static bool
eight_digits(const char *at, uint64_t *value)
{
	uint64_t text = gprofx_number_at((const uint8_t *)at, 8, true);
	uint64_t low = text & EIGHT(0xf), is_letter = text >> 6 & EIGHT(1);
	uint64_t high = text & (EIGHT(0xf0) ^ is_letter << 5), part;

	/* Digits are 0x30 to 0x39, letters 0x41 to 0x46 and 0x61 to 0x66. */
	if (high != EIGHT(0x30) + (is_letter << 4) ||
	    ((low + EIGHT(6) + is_letter * 3) & EIGHT(0x10)) != 0 ||
	    ((low + is_letter * 0xf) & is_letter << 4) != is_letter << 4)
		return false;
	part = low + is_letter * 9;
	part = (part | part >> 4) & UINT64_C(0x00ff00ff00ff00ff);
	part = (part | part >> 8) & UINT64_C(0x0000ffff0000ffff);
	*value = (part | part >> 16) & UINT32_MAX;
	return true;
}

bool
symlist_digits(struct stretch text, uint64_t *number, const char **end)
{
	uint64_t value = 0, part, lost = 0;

	while (text.end - text.at >= 8 && eight_digits(text.at, &part)) {
		lost |= value >> 32;
		value = value << 32 | part;
		text.at += 8;
	}
	for (; text.at < text.end; text.at++) {
		int digit = digit_value(*text.at);

		if (digit < 0)
			break;
		lost |= value >> 60;
		value = value << 4 | (uint64_t)digit;
	}
	*end = text.at;
	*number = value;
	return lost == 0;
}
