/* SPDX-License-Identifier: Apache-2.0 */
/* What histograms cover is found by search as it is by looking at all of them. */
#include "testrun.h"

#include "scan/parts.h"

enum { FEW = 40, MANY = 300000, ROUNDS = 200 };

static uint32_t
chance(uint64_t *seed, uint32_t below)
{
	*seed = *seed * 6364136223846793005u + 1442695040888963407u;
	return (uint32_t)(*seed >> 33) % below;
}

/* The rules, one histogram after the other. */
static bool
part_of_first(const struct profile *profile, uint64_t *low, uint64_t *high)
{
	for (uint32_t h = 0; h < profile->histogram_count; h++) {
		const struct histogram *histogram = &profile->histograms[h];
		uint64_t from = *low > histogram->low ? *low : histogram->low;
		uint64_t to = *high < histogram->high ? *high : histogram->high;

		if (from >= to)
			continue;
		*low = from;
		*high = to;
		return true;
	}
	return false;
}

static bool
is_profiled(const struct profile *profile, uint32_t address)
{
	for (uint32_t h = 0; h < profile->histogram_count; h++)
		if (profile->histograms[h].low <= address && address < profile->histograms[h].high)
			return true;
	return false;
}

/* Ranges apart from each other in any order, some of them twice, some empty or turned round. */
static void
place(struct histogram *histograms, uint64_t *seed)
{
	uint64_t at = 0;

	for (uint32_t i = 0; i < FEW; i++) {
		uint64_t low = at + chance(seed, 30), high = low + 1 + chance(seed, 60);

		histograms[i] = (struct histogram){.low = low, .high = high};
		at = high;
		if (chance(seed, 5) == 0)
			histograms[i].high = low - chance(seed, 2);
		else if (i > 0 && chance(seed, 5) == 0)
			histograms[i] = histograms[i - 1];
	}
	for (uint32_t i = FEW; i > 1; i--) {
		uint32_t other = chance(seed, i);
		struct histogram swapped = histograms[i - 1];

		histograms[i - 1] = histograms[other];
		histograms[other] = swapped;
	}
}

static void
search_agrees_with_the_rules(void **state)
{
	struct testrun *test = *state;
	struct histogram histograms[FEW];
	struct profile profile = {.histograms = histograms, .histogram_count = FEW};
	uint64_t seed = 1;

	for (int round = 0; round < ROUNDS; round++) {
		struct scan_profiled profiled;
		uint64_t at = 0;

		place(histograms, &seed);
		profiled = scan_profiled(&test->run, &profile);
		for (uint32_t address = 0; address < 4000; address++)
			assert_int_equal(scan_is_profiled(&profiled, address),
			                 is_profiled(&profile, address));
		/* Addresses are cut to 32 bits. */
		assert_int_equal(scan_is_profiled(&profiled, 0x700000000 + histograms[0].low),
		                 is_profiled(&profile, (uint32_t)histograms[0].low));
		while (at < 4000) {
			uint64_t low = at, high = at + chance(&seed, 200), wanted_low = low,
				 wanted_high = high;
			bool wanted = part_of_first(&profile, &wanted_low, &wanted_high);

			at = high + chance(&seed, 2);
			assert_int_equal(scan_profiled_part(&profiled, &low, &high) && low < high,
			                 wanted);
			assert_true(!wanted || (low == wanted_low && high == wanted_high));
		}
	}
}

/* Looked at one by one, as many would take minutes. */
static void
many_take_no_time(void **state)
{
	struct testrun *test = *state;
	struct histogram *histograms = calloc(MANY, sizeof *histograms);
	struct profile profile = {.histograms = histograms, .histogram_count = MANY};
	struct scan_profiled profiled;
	uint32_t found = 0;

	assert_non_null(histograms);
	for (uint64_t i = 0; i < MANY; i++)
		histograms[i] = (struct histogram){.low = i * 16, .high = i * 16 + 8};
	profiled = scan_profiled(&test->run, &profile);
	for (uint64_t i = 0; i < MANY; i++) {
		uint64_t low = i * 16 + 4, high = low + 16;

		found += scan_profiled_part(&profiled, &low, &high);
		found += scan_is_profiled(&profiled, low);
	}
	assert_int_equal(found, 2 * MANY);
	free(histograms);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		TESTRUN(search_agrees_with_the_rules),
		TESTRUN(many_take_no_time),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
