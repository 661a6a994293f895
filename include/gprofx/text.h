/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Text of unknown origin: names in images and profiles can be any bytes.  Code that writes them in
 * a form that requires UTF-8 uses these functions.
 */
#ifndef GPROFX_TEXT_H
#define GPROFX_TEXT_H

/* IWYU pragma: begin_exports */
#include <stddef.h>
#include <stdint.h>
/* IWYU pragma: end_exports */
#include <string.h>

#ifdef __cplusplus
extern "C" {
#endif

/*
 * The UTF-8 character at the start of the bytes: its length, 1 to 4, and its code in *code.  0 if
 * there is none: a stray or missing byte, an overlong form, a surrogate, a code beyond the last.
 * Reads at most "available" bytes, and none after a byte that does not fit.  Callable from any
 * thread.
 */
static inline size_t
gprofx_utf8(const char *bytes, size_t available, uint32_t *code)
{
	static const uint32_t least[] = {0, 0, 0x80, 0x800, 0x10000};
	unsigned char first = available > 0 ? (unsigned char)bytes[0] : 0xff;
	size_t length = first < 0x80 ? 1 : first < 0xe0 ? 2 : first < 0xf0 ? 3 : 4;

	*code = first;
	if (length == 1)
		return 1;
	if (first < 0xc2 || first > 0xf4 || length > available)
		return 0;
	*code &= 0x7fu >> length;
	for (size_t i = 1; i < length; i++) {
		unsigned char next = (unsigned char)bytes[i];

		if ((next & 0xc0) != 0x80)
			return 0;
		*code = *code << 6 | (next & 0x3fu);
	}
	if (*code < least[length] || *code > 0x10ffff || (*code >= 0xd800 && *code < 0xe000))
		return 0;
	return length;
}

/*
 * Whether a character is visible, and does not affect the text around it: no control character of
 * either set, no mark or override of direction, no separator of lines or paragraphs, and no
 * invisible one.  The two joiners, which some scripts need, are not handled here.
 */
static inline int
gprofx_is_printable(uint32_t code)
{
	static const uint32_t others[][2] = {
		{0x0000, 0x001f},   {0x007f, 0x009f},   {0x00ad, 0x00ad},   {0x034f, 0x034f},
		{0x061c, 0x061c},   {0x115f, 0x1160},   {0x17b4, 0x17b5},   {0x180e, 0x180e},
		{0x200b, 0x200b},   {0x200e, 0x200f},   {0x2028, 0x202e},   {0x2060, 0x206f},
		{0x3164, 0x3164},   {0xfeff, 0xfeff},   {0xffa0, 0xffa0},   {0xfff0, 0xfffb},
		{0xfffe, 0xffff},   {0x1bca0, 0x1bca3}, {0x1d173, 0x1d17a}, {0xe0000, 0xe00ff},
		{0xe01f0, 0xe0fff},
	};
	size_t i = 0;

	while (i < sizeof others / sizeof others[0] && others[i][1] < code)
		i++;
	return i == sizeof others / sizeof others[0] || code < others[i][0];
}

/*
 * Not 0 if one of the eight bytes is not printable ASCII: one of 0x80 or more, below a blank, or
 * 0x7f.
 */
static inline uint64_t
gprofx_odd_word(const char *bytes)
{
	const uint64_t ones = UINT64_C(0x0101010101010101);
	uint64_t word;

	memcpy(&word, bytes, sizeof word);
	return (word | (word - ones * 0x20) | (word + ones)) & ones * 0x80;
}

/* How many bytes at the start are printable ASCII, checked several at a time: can be fewer than
 * there are.
 */
static inline size_t
gprofx_ascii_words(const char *bytes, size_t count)
{
	size_t at = 0;

	while (count - at >= 16 &&
	       (gprofx_odd_word(bytes + at) | gprofx_odd_word(bytes + at + 8)) == 0)
		at += 16;
	if (count - at >= 8 && gprofx_odd_word(bytes + at) == 0)
		at += 8;
	/* The rest is checked together with bytes before it. */
	return count - at < 8 && at > 0 && gprofx_odd_word(bytes + count - 8) == 0 ? count : at;
}

/*
 * How many bytes at the start are printable UTF-8 characters: "count" if all are.  The zero-width
 * joiner and non-joiner are printable between characters that are not ASCII.
 */
static inline size_t
gprofx_printable(const char *bytes, size_t count)
{
	size_t at = gprofx_ascii_words(bytes, count), step;
	uint32_t before = 0, code, next;

	for (; at < count; at += step) {
		step = gprofx_utf8(bytes + at, count - at, &code);
		if (step == 0)
			break;
		if (code == 0x200c || code == 0x200d) {
			if (before < 0x80 ||
			    gprofx_utf8(bytes + at + step, count - at - step, &next) == 0 ||
			    next < 0x80 || next == 0x200c || next == 0x200d)
				break;
		} else if (code < 0x80 ? code < 0x20 || code == 0x7f : !gprofx_is_printable(code)) {
			break;
		}
		before = code;
	}
	return at;
}

/* Turns a byte that is not printable into four characters, \xNN. */
static inline void
gprofx_escape(char to[4], char byte)
{
	to[0] = '\\';
	to[1] = 'x';
	to[2] = "0123456789abcdef"[(unsigned char)byte >> 4];
	to[3] = "0123456789abcdef"[(unsigned char)byte & 15];
}

#ifdef __cplusplus
}
#endif

#endif
