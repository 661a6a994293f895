/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A double is an integer of 53 bits times a power of two.  In the range of the figures of reports,
 * 17 decimal digits of it and what is left follow from one product of 128 bits, exactly: hence the
 * digits that printf prints, and whether fewer of them would be read back as the same value.
 * Everything else is left to the C library.
 */
#include "export-reals.h"

#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "digits.h"

/* Larger whole numbers can take more than 15 digits. */
#define MOST_WHOLE 1e15

enum {
	MANTISSA_BITS = 52,
	EXPONENT_BIAS = 1023,
	RANGE = 50,      /* values from 2^-50 up to 2^50 */
	MOST_POWER = 32, /* 53 bits times 5^32 are less than 128 bits */
	WORD_POWER = 27, /* 5^27 is the last one of 64 bits */
	WORD_BITS = 64,
	HALF_BITS = 32
};

/* A number of 128 bits: processors of 32 bits have none. */
struct wide {
	uint64_t high, low;
};

/* A positive value: (number + rest / 2^shift) * 10^(exponent - 16). */
struct expansion {
	uint64_t number; /* of 17 digits */
	struct wide rest;
	struct wide unit; /* the distance to the next double, in units of the rest */
	int shift;
	int exponent;  /* of the first digit */
	bool is_power; /* of two: the next smaller double is half as far away */
};

/* A value rounded to fewer digits. */
struct rounded {
	uint64_t number;
	int exponent;  /* of the first digit */
	bool is_exact; /* no other double is as close */
};

static struct wide
multiply(uint64_t a, uint64_t b)
{
	const uint64_t half = UINT32_MAX;
	uint64_t low = (a & half) * (b & half), one = (a >> HALF_BITS) * (b & half);
	uint64_t other = (a & half) * (b >> HALF_BITS), high = (a >> HALF_BITS) * (b >> HALF_BITS);
	uint64_t middle = (low >> HALF_BITS) + (one & half) + (other & half);

	return (struct wide){high + (one >> HALF_BITS) + (other >> HALF_BITS) +
	                             (middle >> HALF_BITS),
	                     middle << HALF_BITS | (low & half)};
}

static struct wide
add(struct wide a, struct wide b)
{
	uint64_t low = a.low + b.low;

	return (struct wide){a.high + b.high + (low < a.low), low};
}

static struct wide
subtract(struct wide a, struct wide b)
{
	return (struct wide){a.high - b.high - (a.low < b.low), a.low - b.low};
}

static int
compare(struct wide a, struct wide b)
{
	if (a.high != b.high)
		return a.high < b.high ? -1 : 1;
	return a.low < b.low ? -1 : a.low > b.low;
}

/* value * 2^bits, for less than 128 bits. */
static struct wide
shifted(uint64_t value, int bits)
{
	if (bits == 0)
		return (struct wide){0, value};
	if (bits >= WORD_BITS)
		return (struct wide){value << (bits - WORD_BITS), 0};
	return (struct wide){value >> (WORD_BITS - bits), value << bits};
}

/* Divides by 2^bits; the result has to fit. */
static uint64_t
divide(struct wide value, int bits, struct wide *rest)
{
	const uint64_t one = 1;

	if (bits >= WORD_BITS) {
		uint64_t mask = (one << (bits - WORD_BITS)) - 1;

		*rest = (struct wide){value.high & mask, value.low};
		return value.high >> (bits - WORD_BITS);
	}
	*rest = (struct wide){0, value.low & ((one << bits) - 1)};
	return value.high << (WORD_BITS - bits) | value.low >> bits;
}

/* value * 5^power. */
static struct wide
times_five(uint64_t value, int power)
{
	static const uint64_t powers[WORD_POWER + 1] = {
		1U,
		5U,
		25U,
		125U,
		625U,
		3125U,
		15625U,
		78125U,
		390625U,
		1953125U,
		9765625U,
		48828125U,
		244140625U,
		1220703125U,
		6103515625U,
		30517578125U,
		152587890625U,
		762939453125U,
		3814697265625U,
		19073486328125U,
		95367431640625U,
		476837158203125U,
		2384185791015625U,
		11920928955078125U,
		59604644775390625U,
		298023223876953125U,
		1490116119384765625U,
		7450580596923828125U,
	};

	struct wide product = multiply(value, powers[power < WORD_POWER ? power : WORD_POWER]);

	if (power > WORD_POWER) {
		uint64_t more = powers[power - WORD_POWER];
		struct wide low = multiply(product.low, more);

		product = (struct wide){product.high * more + low.high, low.low};
	}
	return product;
}

static uint64_t
power_of_ten(int power)
{
	static const uint64_t powers[] = {
		1U,
		10U,
		100U,
		1000U,
		10000U,
		100000U,
		1000000U,
		10000000U,
		100000000U,
		1000000000U,
		10000000000U,
		100000000000U,
		1000000000000U,
		10000000000000U,
		100000000000000U,
		1000000000000000U,
		10000000000000000U,
		100000000000000000U,
	};

	return powers[power];
}

/* floor(power * log10(2)) for small powers. */
static int
decimal_exponent(int power)
{
	enum { TIMES = 78913, BITS = 18 };

	return power >= 0 ? power * TIMES >> BITS : -((-power * TIMES + (1 << BITS) - 1) >> BITS);
}

/* false: out of range. */
static bool
expand(double value, struct expansion *e)
{
	const uint64_t least = power_of_ten(EXPORT_MOST_DIGITS - 1), below = least * 10;
	uint64_t bits, mantissa;
	int power;

	memcpy(&bits, &value, sizeof bits);
	power = (int)(bits >> MANTISSA_BITS) - EXPONENT_BIAS;
	if (power < -RANGE || power >= RANGE)
		return false;
	mantissa = bits & ((UINT64_C(1) << MANTISSA_BITS) - 1);
	e->is_power = mantissa == 0;
	mantissa |= UINT64_C(1) << MANTISSA_BITS;
	e->exponent = decimal_exponent(power);
	/* The power of two leaves two decimal exponents to choose from. */
	for (int i = 0; i < 2; i++, e->exponent++) {
		int places = EXPORT_MOST_DIGITS - 1 - e->exponent;
		struct wide product;

		e->shift = MANTISSA_BITS - power - places;
		if (places < 0 || places > MOST_POWER || e->shift < 1)
			return false;
		product = times_five(mantissa, places);
		if (compare(product, shifted(below, e->shift)) < 0) {
			e->unit = times_five(1, places);
			e->number = divide(product, e->shift, &e->rest);
			return e->number >= least;
		}
	}
	return false;
}

/* Half to even, as printf rounds. */
static inline struct rounded
round_to(const struct expansion *e, int digits)
{
	uint64_t step = power_of_ten(EXPORT_MOST_DIGITS - digits), end = power_of_ten(digits);
	struct rounded rounded = {e->number / step, e->exponent, false};
	struct wide whole = shifted(step, e->shift);
	struct wide below = add(shifted(e->number % step, e->shift), e->rest);
	struct wide above = subtract(whole, below);
	int order = compare(below, above);
	bool is_up = order > 0 || (order == 0 && (rounded.number & 1) != 0);
	struct wide error = is_up ? above : below, twice = add(error, error);

	rounded.number += is_up;
	if (!is_up && e->is_power)
		twice = add(twice, twice);
	rounded.is_exact = compare(twice, e->unit) < 0;
	if (rounded.number == end) {
		rounded.number /= 10;
		rounded.exponent++;
	}
	return rounded;
}

/* As 17 digits, zeros at the end among them; returns how many there are without these. */
static int
put_figures(char to[EXPORT_MOST_DIGITS], uint64_t number, int digits)
{
	uint64_t high;
	uint32_t low;
	int count = EXPORT_MOST_DIGITS;

	number *= power_of_ten(EXPORT_MOST_DIGITS - digits);
	high = number / DIGITS_WORD;
	low = (uint32_t)(number % DIGITS_WORD);
	to[0] = (char)('0' + high / DIGITS_WORD);
	digits_eight(to + 1, (uint32_t)(high % DIGITS_WORD));
	digits_eight(to + 9, low);
	if (low == 0)
		count -= 8;
	while (count > 1 && to[count - 1] == '0')
		count--;
	return count;
}

static size_t
put_exponent(char *to, int exponent)
{
	to[0] = 'e';
	to[1] = exponent < 0 ? '-' : '+';
	digits_pair(to + 2, (uint32_t)abs(exponent));
	return 4;
}

/*
 * The form of "%g": zeros at the end are left out.  Figures are written where they stay, but those
 * before the point: reading many bytes at once that were just written in pairs takes long.
 */
static size_t
put_rounded(char *to, const struct rounded *rounded, int digits)
{
	static const char zeros[8] = "0.000";
	int exponent = rounded->exponent, whole, count;
	char *end;

	whole = exponent < -4 || exponent >= digits ? 1 : exponent < 0 ? 0 : exponent + 1;
	if (whole == 0) {
		memcpy(to, zeros, sizeof zeros);
		count = put_figures(to + 1 - exponent, rounded->number, digits);
		return (size_t)count + (size_t)(1 - exponent);
	}
	count = put_figures(to + 1, rounded->number, digits);
	if (whole == 1)
		to[0] = to[1];
	else
		memmove(to, to + 1, (size_t)whole);
	end = to + whole;
	if (count > whole) {
		*end = '.';
		end = to + 1 + count;
	}
	if (exponent < -4 || exponent >= digits)
		end += put_exponent(end, exponent);
	return (size_t)(end - to);
}

/* Whether rounding to a step of the last of 17 digits is certain to lead to another double. */
static inline bool
is_too_far(const struct expansion *e, uint64_t apart, uint64_t step)
{
	uint64_t below = e->number % step, above = step - 1 - below;

	return 2 * (below < above ? below : above) >= apart;
}

/* Rounded to the fewest digits from which the same value is read back. */
static struct rounded
shorten(const struct expansion *e, int *digits)
{
	struct rounded rounded;
	struct wide rest;
	/* To the next double, in the last of 17 digits, rounded up. */
	uint64_t apart = divide(e->unit, e->shift, &rest) + 1;

	*digits = EXPORT_LEAST_DIGITS;
	if (!is_too_far(e, apart, 100)) {
		rounded = round_to(e, EXPORT_LEAST_DIGITS);
		if (rounded.is_exact)
			return rounded;
	}
	++*digits;
	if (!is_too_far(e, apart, 10)) {
		rounded = round_to(e, EXPORT_LEAST_DIGITS + 1);
		if (rounded.is_exact)
			return rounded;
	}
	++*digits;
	return round_to(e, EXPORT_MOST_DIGITS);
}

static size_t
put_signed(char *to, double value, const struct rounded *rounded, int digits)
{
	size_t sign = value < 0;

	to[0] = '-';
	return sign + put_rounded(to + sign, rounded, digits);
}

/* Most ticks are whole. */
static bool
is_whole(double value)
{
	return fabs(value) < MOST_WHOLE && value == (double)(int64_t)value;
}

/* With the C library. */
static int
count_digits(double value)
{
	int digits = EXPORT_LEAST_DIGITS;
	char text[EXPORT_REAL_BYTES];

	for (; digits < EXPORT_MOST_DIGITS; digits++) {
		snprintf(text, sizeof text, "%.*g", digits, value);
		if (strtod(text, NULL) == value)
			break;
	}
	return digits;
}

int
export_real_digits(double value)
{
	struct expansion e;
	int digits = EXPORT_LEAST_DIGITS;

	if (is_whole(value))
		return digits;
	if (!expand(fabs(value), &e))
		return count_digits(value);
	shorten(&e, &digits);
	return digits;
}

static size_t
put_whole(char *to, double value)
{
	uint64_t number = (uint64_t)fabs(value);
	size_t sign = signbit(value) != 0;

	to[0] = '-';
	return sign + digits_put(to + sign, number);
}

/* With the C library, whose point can be any bytes. */
static size_t
put_printed(char *to, double value, int digits)
{
	size_t length = (size_t)snprintf(to, EXPORT_REAL_BYTES, "%.*g", digits, value), kept = 0;

	for (size_t i = 0; i < length; i++) {
		bool is_figure = strchr("0123456789+-e", to[i]) != NULL;

		if (is_figure)
			to[kept++] = to[i];
		else if (strchr("0123456789", to[i + 1]))
			to[kept++] = '.';
	}
	return kept;
}

size_t
export_real(char to[EXPORT_REAL_BYTES], double value, int digits)
{
	struct expansion e;
	struct rounded rounded;

	if (digits >= EXPORT_LEAST_DIGITS && is_whole(value))
		return put_whole(to, value);
	if (!expand(fabs(value), &e))
		return put_printed(to, value, digits);
	rounded = round_to(&e, digits);
	return put_signed(to, value, &rounded, digits);
}

size_t
export_shortest(char to[EXPORT_REAL_BYTES], double value)
{
	struct expansion e;
	struct rounded rounded;
	int digits;

	if (is_whole(value))
		return put_whole(to, value);
	if (!expand(fabs(value), &e))
		return put_printed(to, value, count_digits(value));
	rounded = shorten(&e, &digits);
	return put_signed(to, value, &rounded, digits);
}
