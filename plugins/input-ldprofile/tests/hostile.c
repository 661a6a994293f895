/* SPDX-License-Identifier: Apache-2.0 */
/* Files of each layout for each image, whole, cut everywhere, and with random changes. */
/* First: <cmocka.h> has a macro of the name of a member. */
#include "input-ldprofile.c"

#include "hostile.h"

enum { CHANGES = 20000, LOW = 0x1000, BINS = 8, ARCS = 3, ROOM = 5, ARC_LEAST = 12 };

static void
make(struct hostile_file *made, uint32_t number)
{
	static const uint64_t arcs[ARCS][3] = {{0, 0x10, 7}, {0x14, 0x20, 5}, {0x28, 0x10, 9}};
	uint32_t pointer = hostile_layout(number).pointer_bytes;

	hostile_begin(made, number);
	hostile_put_bytes(made, "gmon", 4);
	hostile_put(made, 0x1ffff, 4);
	made->length = 20;
	hostile_put(made, 0, 4);
	hostile_put(made, LOW, pointer);
	hostile_put(made, LOW + 4 * BINS, pointer);
	hostile_put(made, BINS, 4);
	hostile_put(made, 100, 4);
	hostile_put_bytes(made, "seconds\0\0\0\0\0\0\0\0s", 16);
	for (uint32_t i = 0; i < BINS; i++)
		hostile_put(made, i, 2);
	hostile_put(made, 1, 4);
	hostile_put(made, ARCS, 4);
	for (uint32_t i = 0; i < ARCS; i++) {
		hostile_put(made, arcs[i][0], pointer);
		hostile_put(made, arcs[i][1], pointer);
		hostile_put(made, arcs[i][2], 4);
	}
	made->length += (ROOM - ARCS) * (2 * pointer + 4);
}

static void
check_whole(const struct hostile_outcome *outcome)
{
	assert_int_equal(outcome->sum, BINS * (BINS - 1) / 2);
	assert_int_equal(outcome->histogram.low, LOW);
	assert_int_equal(outcome->histogram.high, LOW + 4 * BINS);
	assert_int_equal(outcome->histogram.rate, 100);
	assert_int_equal(outcome->arcs, 2);
	assert_int_equal(outcome->calls, 1);
	assert_int_equal(outcome->last_call.self, LOW + 0x10);
	assert_int_equal(outcome->last_call.count, 7);
	assert_int_equal(outcome->last_arc.from, LOW + 0x28);
	assert_int_equal(outcome->last_arc.self, LOW + 0x10);
	assert_int_equal(outcome->last_arc.count, 9);
}

static void
every_layout_with_every_image(void **state)
{
	(void)state;
	hostile_try_layouts(&reader, make, ARC_LEAST, check_whole);
}

/* As the image says, or not at all. */
static void
every_layout_strictly(void **state)
{
	struct hostile_file made;

	(void)state;
	for (uint32_t pair = 0; pair < HOSTILE_LAYOUTS * HOSTILE_LAYOUTS; pair++) {
		uint32_t number = pair / HOSTILE_LAYOUTS, image = pair % HOSTILE_LAYOUTS;

		make(&made, number);
		made.target = hostile_layout(image);
		made.strict = true;
		assert_int_equal(hostile_read(&reader, &made, ARC_LEAST).result == GPROFX_OK,
		                 number == image);
	}
}

static void
every_prefix(void **state)
{
	(void)state;
	for (uint32_t number = 0; number < HOSTILE_LAYOUTS; number++) {
		struct hostile_file made;
		size_t whole, table;

		make(&made, number);
		whole = made.length;
		table = number & 1 ? 56 + 2 * BINS + 8 : 64 + 2 * BINS + 8;
		for (made.length = 0; made.length <= whole; made.length++) {
			struct hostile_outcome outcome = hostile_read(&reader, &made, ARC_LEAST);
			size_t arc_bytes = number & 1 ? 12 : 20;

			/* The table is only known to be cut if it lacks arcs. */
			assert_int_equal(outcome.result == GPROFX_OK, made.length >= table);
			if (made.length >= table)
				assert_int_equal(outcome.warnings,
				                 made.length < table + ARCS * arc_bytes);
		}
	}
}

static void
random_changes(void **state)
{
	(void)state;
	hostile_try_changes(&reader, make, CHANGES, 96, ARC_LEAST);
}

/* 32-bit addresses of some machines are signed. */
static void
signed_addresses(void **state)
{
	struct hostile_file made;
	struct hostile_outcome outcome;

	(void)state;
	make(&made, 1);
	made.target.sign_extends = true;
	made.bytes[24 + 3] = made.bytes[28 + 3] = 0x80;
	outcome = hostile_read(&reader, &made, ARC_LEAST);
	assert_int_equal(outcome.result, GPROFX_OK);
	assert_true(outcome.histogram.low == 0xffffffff80001000);
	assert_true(outcome.last_call.self == 0xffffffff80001010);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_layout_with_every_image),
		cmocka_unit_test(every_layout_strictly),
		cmocka_unit_test(every_prefix),
		cmocka_unit_test(random_changes),
		cmocka_unit_test(signed_addresses),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
