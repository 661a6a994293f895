/* SPDX-License-Identifier: Apache-2.0 */
/* Files of each layout for each image, whole, cut everywhere, and with random changes. */
/* First: <cmocka.h> has a macro of the name of a member. */
#include "input-prof.c"
#include "layout.c"

#include "hostile.h"

enum { CHANGES = 20000, LOW = 0x1000, BINS = 8, FUNCTIONS = 2, ROOM = 3, ROW_LEAST = 8 };

static void
make(struct hostile_file *made, uint32_t number)
{
	uint32_t pointer = hostile_layout(number).pointer_bytes;

	hostile_begin(made, number);
	hostile_put(made, LOW, pointer);
	hostile_put(made, LOW + 4 * BINS, pointer);
	hostile_put(made, ROOM, 4);
	hostile_put(made, 0, pointer - 4);
	for (uint32_t i = 0; i < ROOM; i++) {
		hostile_put(made, i < FUNCTIONS ? LOW + 16 * i : 0, pointer);
		hostile_put(made, i < FUNCTIONS ? 5 + i : 0, pointer);
	}
	for (uint32_t i = 0; i < BINS; i++)
		hostile_put(made, i, 2);
}

static size_t
header_bytes(const struct hostile_file *made)
{
	return made->target.pointer_bytes == 8 ? 24 : 12;
}

static void
check_whole(const struct hostile_outcome *outcome)
{
	assert_int_equal(outcome->histograms, 1);
	assert_int_equal(outcome->sum, BINS * (BINS - 1) / 2);
	assert_int_equal(outcome->histogram.low, LOW);
	assert_int_equal(outcome->histogram.bin_count, BINS);
	assert_int_equal(outcome->calls, FUNCTIONS);
	assert_int_equal(outcome->last_call.self, LOW + 16);
	assert_int_equal(outcome->last_call.count, 6);
	assert_int_equal(outcome->arc_calls, 0);
}

static void
every_layout_with_every_image(void **state)
{
	(void)state;
	hostile_try_layouts(&reader, make, ROW_LEAST, check_whole);
}

/* The file does not say how many bins it has, so it can end within them. */
static void
every_prefix(void **state)
{
	(void)state;
	for (uint32_t number = 0; number < HOSTILE_LAYOUTS; number++) {
		struct hostile_file made;
		size_t whole, bins;

		make(&made, number);
		whole = made.length;
		bins = header_bytes(&made) + (size_t)ROOM * 2 * made.target.pointer_bytes;
		for (made.length = 0; made.length <= whole; made.length++) {
			struct hostile_outcome outcome = hostile_read(&reader, &made, ROW_LEAST);

			assert_int_equal(outcome.result == GPROFX_OK, made.length >= bins);
			if (made.length >= bins)
				assert_int_equal(outcome.warnings, (made.length - bins) % 2);
		}
	}
}

static void
random_changes(void **state)
{
	(void)state;
	hostile_try_changes(&reader, make, CHANGES, 44, ROW_LEAST);
}

/* Room for more bins than the range can have is left out as long as nothing is in it. */
static void
bins_beyond_the_range(void **state)
{
	struct hostile_file made;
	struct hostile_outcome outcome;

	(void)state;
	make(&made, 0);
	made.length += 40;
	outcome = hostile_read(&reader, &made, ROW_LEAST);
	assert_int_equal(outcome.result, GPROFX_OK);
	assert_int_equal(outcome.histogram.bin_count, 2 * BINS);
	made.bytes[made.length - 1] = 1;
	outcome = hostile_read(&reader, &made, ROW_LEAST);
	assert_int_equal(outcome.histogram.bin_count, BINS + 20);
}

/* Counts of functions that lie elsewhere are no counts. */
static void
what_is_no_profile(void **state)
{
	struct hostile_file made;
	struct gprofx_file file = {.size = sizeof file};

	(void)state;
	for (uint32_t number = 0; number < HOSTILE_LAYOUTS; number++) {
		make(&made, number);
		file.bytes = made.bytes;
		file.length = made.length;
		assert_true(weigh(&file, &made.target) > 50);
		memset(made.bytes + header_bytes(&made), 0x55, made.target.pointer_bytes);
		assert_int_equal(weigh(&file, &made.target), 0);
	}
	memset(made.bytes, 0, sizeof made.bytes);
	file.length = 64;
	assert_int_equal(weigh(&file, &made.target), 0);
	memset(made.bytes, 'x', sizeof made.bytes);
	assert_int_equal(weigh(&file, &made.target), 0);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_layout_with_every_image),
		cmocka_unit_test(every_prefix),
		cmocka_unit_test(random_changes),
		cmocka_unit_test(bins_beyond_the_range),
		cmocka_unit_test(what_is_no_profile),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
