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
		assert_true(bin_edge(&edges, bin).byte <= distance);
		assert_true(distance < bin_edge(&edges, bin + 1).byte);
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

static bool
is_at(struct bin_place place, uint64_t byte, uint32_t part)
{
	return place.byte == byte && place.part == part;
}

static void
test_other_bins(void **state)
{
	struct bin_edges whole = edges_of(0x300, 0x30, 8), parts = edges_of(100, 6, 8);
	struct bin_edges narrow = edges_of(7, 14, 8), empty = edges_of(0, 3, 8);
	struct bin_edges none = edges_of(16, 0, 8), wide = edges_of(UINT64_MAX, UINT32_MAX - 1, 8);
	uint64_t all = UINT64_MAX;

	(void)state;
	assert_true(is_at(bin_edge(&whole, 3), 48, 0));
	assert_true(bin_place_of(&whole, 0x1030) == 48 && bin_place_of(&whole, 0xfff) == 0);
	assert_true(is_at(bin_edge(&parts, 3), 50, 0) && is_at(bin_edge(&parts, 6), 100, 0));
	assert_true(is_at(bin_edge(&parts, 1), 16, 4) && is_at(bin_edge(&parts, 2), 33, 2));
	assert_true(is_at(bin_edge(&narrow, 2), 1, 0));
	/* Every bin covers something, whatever a file says. */
	assert_true(bin_place_passes(bin_edge(&empty, 1), bin_edge(&empty, 0).byte));
	assert_true(none.parts == 0);
	/* The collector has four bytes of code to a bin, and rounds up to whole words alone. */
	assert_true(edges_of(4096, 1024 + 4, 8).scale == 0 && edges_of(4094, 1024, 8).scale == 0);
	assert_true(edges_of(4096, 1025, 8).scale == 0 && edges_of(4084, 1024, 8).scale != 0);
	/* Half of an odd number of bytes; products of more than 64 bits. */
	assert_true(is_at(bin_edge(&wide, UINT32_MAX / 2), all / 2, (UINT32_MAX - 1) / 2));
	assert_true(is_at(bin_edge(&wide, UINT32_MAX - 1), all, 0));
}

static void
test_ends_are_the_next_begins(void **state)
{
	const struct bin_edges edges[] = {edges_of(100, 6, 8), edges_of(7, 14, 8),
	                                  edges_of(0x300, 0x30, 8), edges_of(7944, 1992, 8),
	                                  edges_of(UINT64_MAX - 5, 1 << 20, 8)};

	(void)state;
	for (size_t i = 0; i < sizeof edges / sizeof edges[0]; i++) {
		for (uint64_t bin = 0; bin < edges[i].parts; bin++) {
			struct bin_place begin = bin_edge(&edges[i], bin);
			struct bin_place end = bin_end(&edges[i], bin, begin);
			struct bin_place next = bin_edge(&edges[i], bin + 1);

			assert_true(is_at(end, next.byte, next.part));
		}
	}
}

/* Shares grow with the bytes, from nothing before the bin to everything at its end. */
static void
test_shares_sum_to_the_samples(void **state)
{
	const struct bin_edges edges[] = {
		edges_of(1, 1, 8),          edges_of(3, 1, 8),
		edges_of(100, 6, 8),        edges_of((uint64_t)1 << 33, 1, 8),
		edges_of(UINT64_MAX, 2, 8), edges_of(UINT64_MAX, UINT32_MAX - 1, 8)};
	const uint64_t samples[] = {1, 2, 65535, UINT32_MAX, (uint64_t)1 << 44, UINT64_MAX};

	(void)state;
	for (size_t e = 0; e < sizeof edges / sizeof edges[0]; e++) {
		struct bin_place first = bin_edge(&edges[e], edges[e].parts / 2);
		struct bin_place past = bin_end(&edges[e], edges[e].parts / 2, first);
		uint64_t fifth = (past.byte - first.byte) / 5, end = past.byte + (past.part > 0);

		for (size_t s = 0; s < sizeof samples / sizeof samples[0]; s++) {
			uint64_t all = bin_all(samples[s]), last = 0;

			assert_true(bin_samples(all, samples[s]) == (double)samples[s]);
			assert_true(bin_share(&edges[e], first, past, samples[s], first.byte) == 0);
			for (uint64_t step = 1; step <= 5; step++) {
				uint64_t share = bin_share(&edges[e], first, past, samples[s],
				                           first.byte + fifth * step);

				assert_true(share >= last && share <= all);
				last = share;
			}
			assert_true(bin_share(&edges[e], first, past, samples[s], end) == all);
		}
	}
}

static void
test_shares_are_in_proportion(void **state)
{
	struct bin_edges bytes = edges_of(16, 4, 4), parts = edges_of(10, 4, 4);
	struct bin_edges wide = edges_of((uint64_t)1 << 63, 1, 8);

	(void)state;
	assert_true(bytes.scale == 0 || bytes.step == 4);
	/* 1 of 4 bytes; 0.5 of 2.5; a half of many. */
	assert_true(bin_samples(bin_share(&bytes, bin_edge(&bytes, 0), bin_edge(&bytes, 1), 8, 1),
	                        8) == 2);
	assert_true(bin_samples(bin_share(&parts, bin_edge(&parts, 1), bin_edge(&parts, 2), 10, 3),
	                        10) == 2);
	/* A product of samples and bytes that has more than 64 bits. */
	assert_true(bin_share(&bytes, bin_edge(&bytes, 0), bin_edge(&bytes, 1), (uint64_t)1 << 63,
	                      3) == (uint64_t)3 << 61);
	assert_true(bin_samples(bin_share(&wide, bin_edge(&wide, 0), bin_edge(&wide, 1), UINT64_MAX,
	                                  (uint64_t)1 << 62),
	                        UINT64_MAX) == (double)(UINT64_MAX / 2));
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_bins_of_the_collector),
		cmocka_unit_test(test_other_bins),
		cmocka_unit_test(test_ends_are_the_next_begins),
		cmocka_unit_test(test_shares_sum_to_the_samples),
		cmocka_unit_test(test_shares_are_in_proportion),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
