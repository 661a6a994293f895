/* SPDX-License-Identifier: Apache-2.0 */
/*
 * For tests of call scanners: what fills up space at the end of functions.  Include it behind the
 * scanner's source, and define fill_cases before main().
 */
#ifndef TESTS_UNIT_FILLS_H
#define TESTS_UNIT_FILLS_H

#include <inttypes.h>
#include <stdio.h>

#include <gprofx/code.h>

#include "testrun.h"

/* The end of a function as it stands in memory, with what is behind it up to the next one. */
struct fill_case {
	const char *code; /* in hexadecimal digits; blanks do not count */
	uint64_t stated;  /* bytes that are not the function's by its size */
	uint64_t fill;    /* bytes that are never executed */
	bool big_endian;
	uint32_t machine_flags;
	uint32_t machine; /* a place in the scanner's list */
};

static uint64_t
bytes_of(const char *digits, uint8_t *bytes, size_t most)
{
	uint64_t count = 0;
	unsigned value;
	int read;

	for (; sscanf(digits, " %2x%n", &value, &read) == 1; digits += read) {
		assert_true(count < most);
		bytes[count++] = (uint8_t)value;
	}
	return count;
}

static void
expect_fill(const struct fill_case *expected)
{
	const struct gprofx_target target = {
		.size = sizeof target,
		.machine = findcall.machines[expected->machine],
		.pointer_bytes = 8,
		.big_endian = expected->big_endian,
	};
	const struct gprofx_scanned_image image = {
		.size = sizeof image,
		.target = &target,
		.machine_flags = expected->machine_flags,
	};
	uint8_t bytes[64];
	struct gprofx_code code = {.size = sizeof code,
	                           .bytes = bytes,
	                           .address = 0x10000,
	                           .image = &image};
	uint64_t fill;

	code.byte_count = code.readable = bytes_of(expected->code, bytes, sizeof bytes);
	fill = findcall.fill(&code, expected->stated);
	if (fill != expected->fill)
		fail_msg("%s: expected %" PRIu64 " bytes, found %" PRIu64, expected->code,
		         expected->fill, fill);
}

#define FILLS_MAIN(cases)                                                              \
	static void fills_are_known(void **state)                                      \
	{                                                                              \
		(void)state;                                                           \
		for (size_t i = 0; i < sizeof(cases) / sizeof(cases)[0]; i++)          \
			expect_fill(&(cases)[i]);                                      \
	}                                                                              \
	int main(void)                                                                 \
	{                                                                              \
		const struct CMUnitTest tests[] = {cmocka_unit_test(fills_are_known)}; \
		return cmocka_run_group_tests(tests, NULL, NULL);                      \
	}

#endif
