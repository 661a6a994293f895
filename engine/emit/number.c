/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A double is an integer of 53 bits times a power of two, so the decimal digits that printf would
 * print, rounded half to even on the exact value, follow from integer arithmetic alone.
 */
#include "emit/number.h"

#include <string.h>

#include "shared/digits.h"

enum { MANTISSA_BITS = 52, EXPONENT_BIAS = 1075 };

size_t
number_digits(char *to, uint64_t value)
{
	return digits_put(to, value);
}

/* value * 10^precision rounded to the nearest integer, halves to even; false: out of range. */
static int
scaled(uint64_t bits, int precision, uint64_t *result)
{
	static const uint64_t powers[] = {1, 10, 100, 1000};
	uint64_t mantissa = bits & (((uint64_t)1 << MANTISSA_BITS) - 1);
	int exponent = (int)(bits >> MANTISSA_BITS & 0x7ff);
	uint64_t product, rest, half;
	int shift;

	if (exponent == 0x7ff)
		return 0;
	if (exponent == 0)
		exponent = 1;
	else
		mantissa |= (uint64_t)1 << MANTISSA_BITS;
	/* 2^53 * 1000 < 2^63. */
	product = mantissa * powers[precision];
	shift = EXPONENT_BIAS - exponent;
	if (shift <= 0) {
		if (product != 0 && (shift < -10 || product >> (63 + shift) != 0))
			return 0;
		*result = product << -shift;
		return 1;
	}
	if (shift > 63) {
		/* Below a half: product < 2^63. */
		*result = 0;
		return 1;
	}
	rest = product & (((uint64_t)1 << shift) - 1);
	half = (uint64_t)1 << (shift - 1);
	product >>= shift;
	*result = product + (rest > half || (rest == half && (product & 1)));
	return 1;
}

size_t
number_fixed(char *to, double value, int precision)
{
	uint64_t bits, number;
	size_t length = 0;

	memcpy(&bits, &value, sizeof bits);
	if (!scaled(bits & ~((uint64_t)1 << 63), precision, &number))
		return 0;
	if (bits >> 63)
		to[length++] = '-';
	if (precision == 0)
		return length + digits_put(to + length, number);
	if (precision == 2) {
		length += digits_put(to + length, number / 100);
		to[length++] = '.';
		digits_pair(to + length, (uint32_t)(number % 100));
		return length + 2;
	}
	if (precision == 1) {
		length += digits_put(to + length, number / 10);
		to[length++] = '.';
		to[length++] = (char)('0' + number % 10);
		return length;
	}
	length += digits_put(to + length, number / 1000);
	to[length++] = '.';
	to[length++] = (char)('0' + number % 1000 / 100);
	digits_pair(to + length, (uint32_t)(number % 100));
	return length + 2;
}
