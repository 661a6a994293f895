/* SPDX-License-Identifier: Apache-2.0 */
#include "width.h"

struct range {
	uint32_t first, last;
	uint32_t width;
};

/* Characters that do not take one column: marks on the letter before, and those of East Asia. */
static const struct range ranges[] = {
	{0x0300, 0x036f, 0},   {0x0483, 0x0489, 0},   {0x0591, 0x05bd, 0},   {0x064b, 0x065f, 0},
	{0x1100, 0x115f, 2},   {0x1ab0, 0x1aff, 0},   {0x1dc0, 0x1dff, 0},   {0x200b, 0x200f, 0},
	{0x20d0, 0x20ff, 0},   {0x2e80, 0x303e, 2},   {0x3041, 0xa4cf, 2},   {0xa960, 0xa97c, 2},
	{0xac00, 0xd7a3, 2},   {0xf900, 0xfaff, 2},   {0xfe00, 0xfe0f, 0},   {0xfe20, 0xfe2f, 0},
	{0xfe30, 0xfe6f, 2},   {0xff00, 0xff60, 2},   {0xffe0, 0xffe6, 2},   {0x1f300, 0x1f64f, 2},
	{0x1f900, 0x1f9ff, 2}, {0x20000, 0x3fffd, 2}, {0xe0100, 0xe01ef, 0},
};

/* The character at the start of the bytes, or the first byte alone; its length in *length. */
static uint32_t
decode(const unsigned char *bytes, size_t left, size_t *length)
{
	static const uint32_t least[] = {0, 0, 0x80, 0x800, 0x10000};
	unsigned first = bytes[0];
	size_t count = first < 0xc0   ? 1
	               : first < 0xe0 ? 2
	               : first < 0xf0 ? 3
	               : first < 0xf8 ? 4
	                              : 1;
	uint32_t character = count == 1 ? first : first & (0x7fu >> count);

	*length = 1;
	if (count > left)
		return 0;
	for (size_t i = 1; i < count; i++) {
		if ((bytes[i] & 0xc0) != 0x80)
			return 0;
		character = character << 6 | (bytes[i] & 0x3fu);
	}
	if (character < least[count])
		return 0;
	*length = count;
	return character;
}

size_t
width_of(struct gprofx_text text)
{
	size_t width = 0, length;

	for (size_t at = 0; at < text.length; at += length) {
		uint32_t character = decode((const unsigned char *)text.bytes + at,
		                            text.length - at, &length);
		size_t i = 0;

		while (i < sizeof ranges / sizeof ranges[0] && ranges[i].last < character)
			i++;
		if (i < sizeof ranges / sizeof ranges[0] && character >= ranges[i].first)
			width += ranges[i].width;
		else
			width++;
	}
	return width;
}
