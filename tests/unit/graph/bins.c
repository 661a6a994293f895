/* SPDX-License-Identifier: Apache-2.0 */
/* Edges of bins and shares of their samples, in whole numbers. */
#include "testrun.h"

#include "graph/bins.h"

static struct bin_edges
edges_of(uint64_t span, uint32_t bins, uint32_t pointer_bytes)
{
	const struct histogram histogram = {.low = 0x1000,
	                                    .high = 0x1000 + span,
	                                    .bin_count = bins};

	return bin_edges_of(&histogram, pointer_bytes);
}

/* The bin of an address is the one whose edges hold it, for every address. */
static void
check_collector(uint64_t span, uint32_t scale)
{
	uint32_t bins = (uint32_t)((span / 2 + 7) / 8 * 8 / 2);
	struct bin_edges edges = edges_of(span, bins, 8);

	for (uint64_t distance = 0; distance < span; distance++) {
		uint64_t bin = distance / 2 * scale / 65536;

		assert_true(bin < bins);
		assert_true(bin_edge(&edges, bin) <= distance);
		assert_true(distance < bin_edge(&edges, bin + 1));
	}
}

static void
test_bins_of_the_collector(void **state)
{
	(void)state;
	check_collector(2388 * 2, 32822);
	/* A quotient that floats round up to a whole number. */
	check_collector(7944, 32801);
	check_collector(14564, 32795);
	/* As many bytes of bins as of code, and nothing rounded. */
	check_collector(4, 65536);
	check_collector(4096, 32768);
	check_collector(1048580, 32768);
}

static void
test_other_bins(void **state)
{
	struct bin_edges whole = edges_of(0x300, 0x30, 8), parts = edges_of(100, 6, 8);
	struct bin_edges narrow = edges_of(7, 14, 8), empty = edges_of(0, 3, 8);
	struct bin_edges none = edges_of(16, 0, 8), wide = edges_of(UINT64_MAX, UINT32_MAX, 8);

	(void)state;
	assert_true(whole.parts == 1 && bin_edge(&whole, 3) == 48);
	assert_true(bin_place_of(&whole, 0x1030) == 48 && bin_place_of(&whole, 0xfff) == 0);
	assert_true(parts.parts == 6 && bin_edge(&parts, 6) == 600);
	assert_true(bin_place_of(&parts, 0x1000 + 50) == bin_edge(&parts, 3));
	assert_true(bin_edge(&narrow, 2) == bin_place_of(&narrow, 0x1001));
	/* Every bin covers something, whatever a file says. */
	assert_true(bin_edge(&empty, 1) > bin_edge(&empty, 0));
	assert_true(none.parts == 0);
	assert_true(bin_edge(&wide, UINT32_MAX) / wide.parts == UINT64_MAX);
}

static void
test_shares_sum_to_the_samples(void **state)
{
	const bin_place wholes[] = {1, 3, 4, 7, 1000, (bin_place)1 << 33, ((bin_place)1 << 95) - 1};
	const uint64_t samples[] = {1, 2, 65535, UINT32_MAX, UINT64_MAX};

	(void)state;
	for (size_t w = 0; w < sizeof wholes / sizeof wholes[0]; w++) {
		for (size_t s = 0; s < sizeof samples / sizeof samples[0]; s++) {
			bin_place all = bin_share(samples[s], wholes[w], wholes[w]), sum = 0,
				  last = 0;

			assert_true(all == (bin_place)samples[s] << BIN_SHARE_BITS);
			for (bin_place step = 1; step <= 5; step++) {
				bin_place share = bin_share(samples[s], wholes[w] / 5 * step,
				                            wholes[w]);

				assert_true(share >= last && share <= all);
				sum += share - last;
				last = share;
			}
			assert_true(sum + (all - last) == all);
		}
	}
	assert_true(bin_samples(bin_share(8, 1, 4)) == 2);
	assert_true(bin_samples(bin_share(1, 1, 2)) == 0.5);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_bins_of_the_collector),
		cmocka_unit_test(test_other_bins),
		cmocka_unit_test(test_shares_sum_to_the_samples),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
