/* SPDX-License-Identifier: Apache-2.0 */
/* What input-bsd finds out about files, and what it takes from the image in strict mode. */
#include "tests/made.h"

/* Every layout is found with every image, whether or not the image is of the same kind. */
static void
every_layout_with_every_image(void **state)
{
	static const enum bsd_header headers[] = {BSD_PLAIN, BSD_VERSIONED};

	(void)state;
	for (uint32_t i = 0; i < 2 * 2 * 2 * 4 * 3; i++) {
		struct gprofx_target image = {.size = sizeof image,
		                              .pointer_bytes = i & 1 ? 4 : 8,
		                              .big_endian = i & 2};
		struct plan plan = {.pointer_bytes = i & 4 ? 4 : 8,
		                    .big_endian = i & 8,
		                    .header = headers[i / 16 % 2],
		                    .bins = 50 + i,
		                    .arcs = i / 32};
		struct bsd_layout layout;
		struct made made;

		make(&made, &plan);
		assert_true(bsd_inferred_layout(&layout, &made.file, &image, false) > 0);
		assert_int_equal(layout.target.pointer_bytes, plan.pointer_bytes);
		assert_int_equal(layout.target.big_endian, plan.big_endian);
		assert_int_equal(layout.header, plan.header);
		assert_int_equal(layout.bin_count, plan.bins);
		assert_int_equal(layout.bin_bytes, 2);
		assert_int_equal(bsd_arcs_at(&layout),
		                 made.file.length - plan.arcs * 3 * plan.pointer_bytes);
		assert_true(bsd_is_likely(&layout, &made.file));
		/* Only the reader of that header wants the file. */
		assert_int_equal(bsd_weigh(&made.file, &image, false) > 0,
		                 plan.header == BSD_PLAIN);
		assert_int_equal(bsd_weigh(&made.file, &image, true) > 0,
		                 plan.header == BSD_VERSIONED);
	}
}

static void
strict_layout_is_the_images(void **state)
{
	struct plan plan = {8, false, BSD_VERSIONED, 30, 8, -64, 3, 0, 0};
	struct bsd_layout layout;
	struct made made;

	(void)state;
	make(&made, &plan);
	assert_true(bsd_strict_layout(&layout, &made.file, &made.target, false));
	assert_int_equal(layout.header, BSD_VERSIONED);
	assert_int_equal(layout.bin_bytes, 2);
	assert_false(layout.bins_signed);
	assert_int_equal(layout.bin_count, 120);
	made.target.pointer_bytes = 4;
	assert_true(bsd_strict_layout(&layout, &made.file, &made.target, false));
	assert_int_equal(layout.target.pointer_bytes, 4);
	assert_int_equal(layout.header, BSD_PLAIN);
}

static void
counter_types(void **state)
{
	static const struct {
		int32_t type;
		uint32_t bin_bytes, found_bytes;
		bool is_signed;
	} rows[] = {
		{8, 1, 1, false},
		{-8, 1, 1, true},
		{16, 2, 2, false},
		{-16, 2, 2, true},
		{32, 4, 4, false},
		{-32, 4, 4, true},
		{64, 8, 8, false},
		{-64, 8, 8, true},
		{0, 2, 2, false},
		{24, 2, 2, false},
		{65, 2, 2, false},
		{INT32_MIN, 2, 2, false},
		{-1, 2, 2, false},
		{128, 2, 2, false},
		{0x7fff1234, 2, 2, false},
		/* 30 bins of 2 bytes are no whole number of bins of 8. */
		{64, 2, 2, false},
		{-64, 2, 2, false},
	};

	(void)state;
	for (uint32_t i = 0; i < 4 * sizeof rows / sizeof rows[0]; i++) {
		uint32_t row = i / 4;
		struct plan plan = {.pointer_bytes = i & 1 ? 4 : 8,
		                    .big_endian = i & 2,
		                    .header = BSD_VERSIONED,
		                    .bins = 30,
		                    .bin_bytes = rows[row].bin_bytes,
		                    .counter_type = rows[row].type,
		                    .arcs = 2};
		struct bsd_layout layout;
		struct made made;

		make(&made, &plan);
		assert_true(bsd_inferred_layout(&layout, &made.file, &made.target, true) > 0);
		assert_int_equal(layout.bin_bytes, rows[row].found_bytes);
		assert_int_equal(layout.bins_signed, rows[row].is_signed);
		assert_int_equal(layout.bin_count, 30);
	}
}

/* More bins than bytes of code cannot be. */
static void
counters_must_fit_the_range(void **state)
{
	struct plan plan = {.pointer_bytes = 8,
	                    .header = BSD_VERSIONED,
	                    .bins = 30,
	                    .counter_type = 8};
	struct bsd_layout layout;
	struct made made;

	(void)state;
	make(&made, &plan);
	assert_true(bsd_inferred_layout(&layout, &made.file, &made.target, true) > 0);
	assert_int_equal(layout.bin_bytes, 1);
	made.bytes[8] = 30 + 10; /* the end of the range */
	made.bytes[9] = made.bytes[1];
	assert_true(bsd_inferred_layout(&layout, &made.file, &made.target, true) > 0);
	assert_int_equal(layout.bin_bytes, 2);
}

static void
counts_of_four_bytes(void **state)
{
	struct plan plan = {8, false, BSD_VERSIONED, 30, 2, 0, 3, 0, 0xa5a5a5a5};
	struct bsd_layout layout;
	struct made made;
	uint64_t arcs;

	(void)state;
	for (uint32_t i = 0; i < 2; i++) {
		plan.big_endian = i;
		make(&made, &plan);
		arcs = made.file.length - 3 * 24;
		assert_true(bsd_inferred_layout(&layout, &made.file, &made.target, false) > 0);
		assert_true(layout.narrow_counts);
		/* One count that is none of these shows that all eight bytes count. */
		memset(made.bytes + arcs + 24 + 16, 0, 8);
		made.bytes[arcs + 24 + 16 + (i ? 7 : 0)] = 1;
		assert_true(bsd_inferred_layout(&layout, &made.file, &made.target, false) > 0);
		assert_false(layout.narrow_counts);
	}
	/* A single arc can have been called that often, within reason. */
	plan = (struct plan){8, false, BSD_PLAIN, 30, 2, 0, 1, 0, 77};
	make(&made, &plan);
	assert_true(bsd_inferred_layout(&layout, &made.file, &made.target, false) > 0);
	assert_false(layout.narrow_counts);
	plan.high_half = 0x7fff0000;
	make(&made, &plan);
	assert_true(bsd_inferred_layout(&layout, &made.file, &made.target, false) > 0);
	assert_true(layout.narrow_counts);
}

static void
aligned_headers_of_alpha(void **state)
{
	struct plan plan = {8, false, BSD_ALIGNED, 64, 2, 0, 2, 0, 0};
	struct bsd_layout layout;
	struct made made;

	(void)state;
	make(&made, &plan);
	assert_true(bsd_inferred_layout(&layout, &made.file, &made.target, false) > 0);
	assert_int_equal(layout.header, BSD_PLAIN);
	made.target.machine = 0x9026;
	assert_true(bsd_inferred_layout(&layout, &made.file, &made.target, false) > 0);
	assert_int_equal(layout.header, BSD_ALIGNED);
	assert_int_equal(layout.bin_count, 64);
	/* A system with the header of all others ran on that machine, too. */
	plan.header = BSD_PLAIN;
	make(&made, &plan);
	made.target.machine = 0x9026;
	assert_true(bsd_inferred_layout(&layout, &made.file, &made.target, false) > 0);
	assert_int_equal(layout.header, BSD_PLAIN);
}

/* Bins of 6265 and 5 samples look like a version; the number of bins tells. */
static void
bins_that_look_like_a_version(void **state)
{
	struct plan plan = {8, false, BSD_PLAIN, 64, 2, 0, 2, 0, 0};
	struct bsd_layout layout;
	struct made made;

	(void)state;
	for (uint32_t bins = 5; bins < 200; bins++) {
		plan.bins = bins;
		make(&made, &plan);
		memcpy(made.bytes + 20, "\x79\x18\x05\0", 4);
		memcpy(made.bytes + 24, "\1\0\1\0\1\0\1\0", 8);
		assert_true(bsd_strict_layout(&layout, &made.file, &made.target, false));
		assert_int_equal(layout.header, BSD_PLAIN);
		assert_true(bsd_strict_layout(&layout, &made.file, &made.target, true));
		assert_int_equal(layout.header, BSD_VERSIONED);
		plan.header = BSD_VERSIONED;
		make(&made, &plan);
		memset(made.bytes + 28, 0xa5, 12);
		assert_true(bsd_strict_layout(&layout, &made.file, &made.target, false));
		assert_int_equal(layout.header, BSD_VERSIONED);
		plan.header = BSD_PLAIN;
	}
}

static void
what_is_no_profile(void **state)
{
	static const char *const texts[] = {
		"This is a text and no profile at all, and longer than any header.",
		"\177ELF\2\1\1\0\0\0\0\0\0\0\0\0\2\0\x3e\0\1\0\0\0\0\x10\x40\0\0\0\0\0\x40",
		"!<arch>\nsome file/      0           0     0     644     100       `\n",
		"\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0",
	};
	static const uint8_t lengths[] = {65, 33, 68, 35};
	const struct gprofx_target target = {.size = sizeof target, .pointer_bytes = 8};

	(void)state;
	for (uint32_t i = 0; i < sizeof texts / sizeof texts[0]; i++) {
		struct gprofx_file file = {.size = sizeof file,
		                           .bytes = (const uint8_t *)texts[i],
		                           .length = lengths[i]};

		assert_int_equal(bsd_weigh(&file, &target, false), 0);
		assert_int_equal(bsd_weigh(&file, &target, true), 0);
	}
}

/* A file that ends early is known as long as its header is there. */
static void
cut_files(void **state)
{
	struct plan plan = {8, false, BSD_PLAIN, 64, 2, 0, 2, 0, 0};
	struct made made;
	uint64_t whole;

	(void)state;
	make(&made, &plan);
	whole = made.file.length;
	for (made.file.length = 0; made.file.length <= whole; made.file.length++)
		assert_int_equal(bsd_weigh(&made.file, &made.target, false) > 0,
		                 made.file.length >= 24);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_layout_with_every_image),
		cmocka_unit_test(strict_layout_is_the_images),
		cmocka_unit_test(counter_types),
		cmocka_unit_test(counters_must_fit_the_range),
		cmocka_unit_test(counts_of_four_bytes),
		cmocka_unit_test(aligned_headers_of_alpha),
		cmocka_unit_test(bins_that_look_like_a_version),
		cmocka_unit_test(what_is_no_profile),
		cmocka_unit_test(cut_files),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
