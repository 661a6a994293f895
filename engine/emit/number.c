/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A double is an integer of 53 bits times a power of two, so the decimal digits that printf would
 * print, rounded half to even on the exact value, follow from integer arithmetic alone.
 */
#include "emit/number.h"

#include <string.h>

enum { MANTISSA_BITS = 52, EXPONENT_BIAS = 1075 };

/* Two digits at a time, as dividing takes longest. */
static const char pairs[] = "00010203040506070809101112131415161718192021222324"
			    "25262728293031323334353637383940414243444546474849"
			    "50515253545556575859606162636465666768697071727374"
			    "75767778798081828384858687888990919293949596979899";

static size_t
put_long(char *to, uint64_t value)
{
	char digits[20];
	size_t at = sizeof digits;

	for (; value >= 100; value /= 100)
		memcpy(digits + (at -= 2), pairs + value % 100 * 2, 2);
	if (value >= 10)
		memcpy(digits + (at -= 2), pairs + value * 2, 2);
	else
		digits[--at] = (char)('0' + value);
	memcpy(to, digits + at, sizeof digits - at);
	return sizeof digits - at;
}

/* Most numbers of a report are short. */
static inline size_t
put_digits(char *to, uint64_t value)
{
	if (value >= 100)
		return put_long(to, value);
	if (value < 10) {
		to[0] = (char)('0' + value);
		return 1;
	}
	memcpy(to, pairs + value * 2, 2);
	return 2;
}

size_t
number_digits(char *to, uint64_t value)
{
	return put_digits(to, value);
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
		return length + put_digits(to + length, number);
	if (precision == 2) {
		length += put_digits(to + length, number / 100);
		to[length++] = '.';
		memcpy(to + length, pairs + number % 100 * 2, 2);
		return length + 2;
	}
	if (precision == 1) {
		length += put_digits(to + length, number / 10);
		to[length++] = '.';
		to[length++] = (char)('0' + number % 10);
		return length;
	}
	length += put_digits(to + length, number / 1000);
	to[length++] = '.';
	to[length++] = (char)('0' + number % 1000 / 100);
	memcpy(to + length, pairs + number % 100 * 2, 2);
	return length + 2;
}
