/* SPDX-License-Identifier: Apache-2.0 */
/* Real numbers have the digits of printf, and as many as strtod needs. */
#include "testrun.h"

#include <float.h>
#include <locale.h>
#include <math.h>

#include "../../shared/export-reals.h"

static int
digits_needed(double value)
{
	char text[64];
	int digits = EXPORT_LEAST_DIGITS;

	for (; digits < EXPORT_MOST_DIGITS; digits++) {
		snprintf(text, sizeof text, "%.*g", digits, value);
		if (strtod(text, NULL) == value)
			break;
	}
	return digits;
}

static void
expect_as_printf(double value)
{
	char expected[64], text[EXPORT_REAL_BYTES + 1];

	assert_int_equal(export_real_digits(value), digits_needed(value));
	snprintf(expected, sizeof expected, "%.*g", digits_needed(value), value);
	text[export_shortest(text, value)] = '\0';
	assert_string_equal(text, expected);
	for (int digits = 1; digits <= EXPORT_MOST_DIGITS; digits++) {
		if (digits > 4 && digits < EXPORT_LEAST_DIGITS)
			continue;
		snprintf(expected, sizeof expected, "%.*g", digits, value);
		text[export_real(text, value, digits)] = '\0';
		assert_string_equal(text, expected);
	}
}

static void
expect_around(double value)
{
	expect_as_printf(value);
	expect_as_printf(-value);
	if (value < DBL_MAX)
		expect_as_printf(nextafter(value, INFINITY));
	expect_as_printf(nextafter(value, 0));
}

static uint64_t
next_random(uint64_t *state)
{
	*state ^= *state << 13;
	*state ^= *state >> 7;
	*state ^= *state << 17;
	return *state;
}

static double
of_bits(uint64_t bits)
{
	double value;

	memcpy(&value, &bits, sizeof value);
	return value;
}

static void
edges(void **state)
{
	static const double values[] = {0,       0.5,          1e15,         999999999999999.0,
	                                0.1,     0.3,          0.1 + 0.2,    999999999999999.5,
	                                1.0 / 3, 2147483648.0, 4294967296.5, 9.9999999999999995e22,
	                                DBL_MIN, DBL_MAX,      5e-324,       0x1.fffffffffffffp49};

	(void)state;
	for (size_t i = 0; i < sizeof values / sizeof values[0]; i++)
		expect_around(values[i]);
	for (int i = -330; i < 309; i++)
		expect_around(pow(10, i));
	for (int i = -1074; i < 1024; i++)
		expect_around(ldexp(1, i));
}

/* Any bits, values of the range that reports have, quotients, and halves between two results. */
static void
random_values(void **state)
{
	enum { ROUNDS = 20000, FRACTION_BITS = 52, BIAS = 1023, RANGE = 54 };
	const uint64_t sign_and_fraction = ~(UINT64_C(0x7ff) << FRACTION_BITS);
	uint64_t seed = UINT64_C(88172645463325252);

	(void)state;
	for (int i = 0; i < ROUNDS; i++) {
		uint64_t bits = next_random(&seed), power = BIAS - RANGE;
		double value = of_bits(bits);

		if (isfinite(value))
			expect_as_printf(value);
		power += next_random(&seed) % (2 * RANGE);
		expect_as_printf(of_bits((bits & sign_and_fraction) | power << FRACTION_BITS));
		value = (double)(next_random(&seed) >> (bits & 63));
		expect_as_printf(value / (double)(next_random(&seed) % 1000 + 1));
		expect_as_printf((double)(next_random(&seed) % 1000000) / 100);
		expect_as_printf(ldexp((double)(bits % 200000 + 1), -(int)(bits >> 58)));
	}
}

static void
locale_with_comma(void **state)
{
	static const char *const names[] = {"de_DE.UTF-8", "fr_FR.UTF-8", "ru_RU.UTF-8"};
	char text[EXPORT_REAL_BYTES + 1];
	const char *set = NULL;

	(void)state;
	for (size_t i = 0; i < sizeof names / sizeof names[0] && !set; i++)
		set = setlocale(LC_ALL, names[i]);
	if (!set)
		skip();
	text[export_real(text, 0.25, EXPORT_LEAST_DIGITS)] = '\0';
	assert_string_equal(text, "0.25");
	text[export_real(text, -2.5e300, EXPORT_LEAST_DIGITS)] = '\0';
	assert_string_equal(text, "-2.5e+300");
	assert_int_equal(export_real_digits(0x1.5555555555555p-900), EXPORT_MOST_DIGITS - 1);
	setlocale(LC_ALL, "C");
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(edges),
		cmocka_unit_test(random_values),
		cmocka_unit_test(locale_with_comma),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
