/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Text of unknown origin: names in images and profiles can be any bytes.  Whatever writes them in a
 * form that wants UTF-8 takes them apart with this.  Since ABI 1.1.
 */
#ifndef GPROFX_TEXT_H
#define GPROFX_TEXT_H

/* IWYU pragma: begin_exports */
#include <stddef.h>
#include <stdint.h>
/* IWYU pragma: end_exports */

#ifdef __cplusplus
extern "C" {
#endif

/*
 * The UTF-8 character that the bytes begin with: its length, 1 to 4, and its code in *code.  0 if
 * they begin with none: a stray or missing byte, a form longer than it need be, a surrogate, a code
 * beyond the last.  At most "available" bytes are read, and none behind a byte that does not fit.
 * Callable from any thread.
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

#ifdef __cplusplus
}
#endif

#endif
