/* SPDX-License-Identifier: Apache-2.0 */
/* Numbers by integer arithmetic are the bytes of printf. */
#include "testrun.h"

#include <math.h>

#include "emit/number.h"
#include "../../../plugins/shared/digits.h"

static void
check(double value, unsigned *refused)
{
	for (int precision = 0; precision <= NUMBER_MOST_PRECISION; precision++) {
		char expected[512], found[NUMBER_ROOM];
		size_t length = number_fixed(found, value, precision);

		snprintf(expected, sizeof expected, "%.*f", precision, value);
		if (length == 0) {
			++*refused;
			continue;
		}
		assert_int_equal(length, strlen(expected));
		assert_memory_equal(found, expected, length);
	}
}

static void
test_halves_go_to_even(void **state)
{
	unsigned refused = 0;

	(void)state;
	for (int i = 0; i < 4096; i++) {
		check(i / 8.0, &refused);
		check(-i / 8.0, &refused);
		check(i * 0.005, &refused);
		check(nextafter(i * 0.005, 1e9), &refused);
		check(nextafter(i * 0.005, -1e9), &refused);
	}
	assert_int_equal(refused, 0);
}

static void
test_random_bits(void **state)
{
	uint64_t random = 88172645463325252u;
	unsigned refused = 0, tried = 400000;

	(void)state;
	for (unsigned i = 0; i < tried; i++) {
		uint64_t bits = testrun_random(&random);
		double value;

		/* Exponents around the sizes that reports hold, and all others now and then. */
		if (i % 16 != 0)
			bits = (bits & 0x800fffffffffffffu) | (960 + testrun_random(&random) % 110)
			                                              << 52;
		memcpy(&value, &bits, sizeof value);
		if (!isnan(value))
			check(value, &refused);
	}
	/* Only what is far outside is left to printf. */
	assert_true(refused < tried / 8);
}

static void
test_edges(void **state)
{
	char to[NUMBER_ROOM];
	unsigned refused = 0;

	(void)state;
	check(0.0, &refused);
	check(-0.0, &refused);
	check(5e-324, &refused);
	check(9007199254740991.0, &refused);
	check(9007199254740993.0, &refused);
	assert_int_equal(refused, 0);
	assert_int_equal(number_fixed(to, INFINITY, 2), 0);
	assert_int_equal(number_fixed(to, NAN, 2), 0);
	assert_int_equal(number_fixed(to, 1e300, 2), 0);
	assert_int_equal(number_digits(to, UINT64_MAX), 20);
	assert_memory_equal(to, "18446744073709551615", 20);
	assert_int_equal(number_digits(to, 0), 1);
}

/* Each number of digits, zeros within, and nothing beyond the room that is documented. */
static void
test_digits(void **state)
{
	uint64_t random = 88172645463325252u, power = 1;

	(void)state;
	for (int digits = 1; digits <= DIGITS_ROOM; digits++) {
		for (int i = 0; i < 2000; i++) {
			uint64_t value = power + (i < 3 ? (uint64_t)i - 1
			                                : testrun_random(&random) % power);
			char expected[DIGITS_ROOM + 1], found[DIGITS_ROOM + 1];
			size_t length = (size_t)sprintf(expected, "%llu",
			                                (unsigned long long)value);

			found[DIGITS_ROOM] = '#';
			assert_int_equal(digits_put(found, value), length);
			assert_memory_equal(found, expected, length);
			assert_int_equal(found[DIGITS_ROOM], '#');
		}
		power *= digits < DIGITS_ROOM ? 10 : 1;
	}
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_halves_go_to_even),
		cmocka_unit_test(test_random_bits),
		cmocka_unit_test(test_edges),
		cmocka_unit_test(test_digits),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
