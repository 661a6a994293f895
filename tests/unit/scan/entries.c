/* SPDX-License-Identifier: Apache-2.0 */
/* A scanner gets the same for every address, by bits or by search. */
#include "testrun.h"

#include "scan/parts.h"

enum { COUNT = 256 };

/* Symbols at the given distance from each other, with some that are lines of code. */
static struct symbols *
place(struct testrun *test, uint64_t distance, uint64_t image_bytes)
{
	static const char *names[COUNT];
	struct symbols *symbols;

	for (uint32_t i = 0; i < COUNT; i++)
		names[i] = "f";
	symbols = testrun_symbols(test, names, COUNT);
	for (uint32_t i = 0; i < COUNT; i++) {
		symbols->address[i] = 0x1000 + i * distance;
		symbols->end[i] = symbols->address[i] + distance - 1;
		symbols->flags[i] = i % 7 == 3 ? SYMBOL_LINE : 0;
	}
	symbols_index(&test->run, symbols);
	symbols->image.length = image_bytes;
	return symbols;
}

static void
expect_entries(struct testrun *test, const struct symbols *symbols, uint64_t distance, bool bits)
{
	struct scan_entries entries = scan_entries(&test->run, symbols, NULL);

	assert_int_equal(entries.begin_bits.bits != NULL, bits);
	for (uint32_t i = 0; i < COUNT; i++) {
		uint64_t address = symbols->address[i];
		bool counts = i % 7 != 3 && symbols->end[i] >= address;

		assert_int_equal(entries.public.begins(&entries.public, address), counts);
		for (uint64_t away = 1; away < 9 && away < distance; away++) {
			assert_false(entries.public.begins(&entries.public, address + away));
			assert_false(entries.public.begins(&entries.public, address - away));
		}
	}
	assert_false(entries.public.begins(&entries.public, 0));
	assert_false(entries.public.begins(&entries.public, UINT64_MAX));
	assert_false(entries.public.begins(&entries.public, 0x1000 + COUNT * distance));
	if (bits) {
		const struct gprofx_begin_bits *begins = &entries.begin_bits;
		uint64_t past = (begins->span >> begins->shift) + 1;

		assert_int_equal(begins->bits[past / 64] >> past % 64 & 1, 0);
	}
}

static void
bits_and_search_agree(void **state)
{
	static const uint64_t distances[] = {1, 3, 4, 16, 24, 4096};

	for (uint32_t i = 0; i < sizeof distances / sizeof distances[0]; i++) {
		struct symbols *symbols = place(*state, distances[i], 1 << 20);

		expect_entries(*state, symbols, distances[i], true);
		symbols->image.length = 1;
		expect_entries(*state, symbols, distances[i], false);
	}
}

/* Addresses that are far from each other ask for no more memory than the image has bytes. */
static void
far_symbols_are_searched(void **state)
{
	uint64_t distance = ((uint64_t)1 << 50) + 1;

	expect_entries(*state, place(*state, distance, 1 << 20), distance, false);
}

/* The last symbol can end before it begins: nothing begins there. */
static void
last_symbol_may_be_of_nothing(void **state)
{
	struct symbols *symbols = place(*state, 16, 1 << 20);

	symbols->end[COUNT - 1] = symbols->address[COUNT - 1] - 1;
	expect_entries(*state, symbols, 16, true);
	symbols->image.length = 1;
	expect_entries(*state, symbols, 16, false);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		TESTRUN(bits_and_search_agree),
		TESTRUN(far_symbols_are_searched),
		TESTRUN(last_symbol_may_be_of_nothing),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
