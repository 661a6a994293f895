/* SPDX-License-Identifier: Apache-2.0 */
/* Decimal digits of whole numbers, two at a time: dividing takes longest. */
#ifndef PLUGINS_SHARED_DIGITS_H
#define PLUGINS_SHARED_DIGITS_H

#include <stdint.h>
#include <string.h>

enum { DIGITS_ROOM = 20, DIGITS_HALF = 10000, DIGITS_WORD = 100000000 };

/* The two digits of a value below 100. */
static inline void
digits_pair(char to[2], uint32_t value)
{
	static const char pairs[] = "00010203040506070809101112131415161718192021222324"
				    "25262728293031323334353637383940414243444546474849"
				    "50515253545556575859606162636465666768697071727374"
				    "75767778798081828384858687888990919293949596979899";

	memcpy(to, pairs + (size_t)value * 2, 2);
}

/* The four digits of a value below 10^4. */
static inline void
digits_four(char to[4], uint32_t value)
{
	digits_pair(to, value / 100);
	digits_pair(to + 2, value % 100);
}

/* The eight digits of a value below 10^8. */
static inline void
digits_eight(char to[8], uint32_t value)
{
	digits_four(to, value / DIGITS_HALF);
	digits_four(to + 4, value % DIGITS_HALF);
}

/* A value below 10^4 without zeros before it; returns the number of digits. */
static inline size_t
digits_few(char *to, uint32_t value)
{
	if (value < 10) {
		to[0] = (char)('0' + value);
		return 1;
	}
	if (value < 100) {
		digits_pair(to, value);
		return 2;
	}
	if (value < 1000) {
		to[0] = (char)('0' + value / 100);
		digits_pair(to + 1, value % 100);
		return 3;
	}
	digits_four(to, value);
	return 4;
}

/* The same below 10^8. */
static inline size_t
digits_word(char *to, uint32_t value)
{
	size_t count;

	if (value < DIGITS_HALF)
		return digits_few(to, value);
	count = digits_few(to, value / DIGITS_HALF);
	digits_four(to + count, value % DIGITS_HALF);
	return count + 4;
}

/* The digits of any value, at most DIGITS_ROOM; returns their number. */
static inline size_t
digits_put(char *to, uint64_t value)
{
	size_t count;

	if (value < DIGITS_WORD)
		return digits_word(to, (uint32_t)value);
	if (value / DIGITS_WORD < DIGITS_WORD) {
		count = digits_word(to, (uint32_t)(value / DIGITS_WORD));
	} else {
		count = digits_word(to, (uint32_t)(value / DIGITS_WORD / DIGITS_WORD));
		digits_eight(to + count, (uint32_t)(value / DIGITS_WORD % DIGITS_WORD));
		count += 8;
	}
	digits_eight(to + count, (uint32_t)(value % DIGITS_WORD));
	return count + 8;
}

#endif
