/* SPDX-License-Identifier: Apache-2.0 */
/* Where objects beside the program are, and lookups among them. */
#include "testrun.h"

#include "symbols/parts.h"
#include "symbols/symbols.h"

#define GIB4 ((uint64_t)1 << 32)

/* Symbols of a program whose code ends there. */
static struct symbols *
program_up_to(struct testrun *test, uint64_t past)
{
	struct symbols *symbols = memory_alloc(&test->run, sizeof *symbols);

	symbols->table.text_start = past - 0x1000;
	symbols->table.text_end = past;
	return symbols;
}

static void
test_start(void **state)
{
	static const struct {
		uint64_t past, first; /* 0: there is no room */
	} cases[] = {
		{0x1000, 2 * GIB4},
		{GIB4 - 1, 2 * GIB4},
		{GIB4, 3 * GIB4},
		{(uint64_t)1 << 63, ((uint64_t)1 << 63) + 2 * GIB4},
		{((uint64_t)1 << 63) + 1, 0},
		{UINT64_MAX, 0},
	};

	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		struct symbols *symbols = program_up_to(*state, cases[i].past);

		assert_int_equal(symbols_open_layout(symbols), cases[i].first != 0);
		assert_true(symbols->others_first == cases[i].first);
		assert_true(symbols->others_bytes == (cases[i].first ? GIB4 : 0));
		assert_true(symbols_is_program(symbols, cases[i].first) == (cases[i].first == 0));
		assert_true(symbols_is_program(symbols, cases[i].past - 1));
	}
}

/* The program ends with its code; where that is not known, with .text and the last symbol. */
static void
test_end_of_program(void **state)
{
	struct gprofx_code_range code[] = {{.address = 0x1000, .bytes = 0x1000},
	                                   {.address = 8 * GIB4, .bytes = 0x1000},
	                                   {.address = 4 * GIB4, .bytes = 0x1000}};
	uint64_t address[] = {12 * GIB4 - 16, 0x1000}, bytes[] = {16, UINT64_MAX};
	struct symbols *symbols = program_up_to(*state, 0x3000);

	symbols->table.rows.address = address;
	symbols->table.rows.bytes = bytes;
	symbols->table.count = 1;
	assert_true(symbols_open_layout(symbols) && symbols->others_first == 14 * GIB4);
	symbols->table.count = 2;
	assert_false(symbols_open_layout(symbols));
	symbols->table.code = code;
	symbols->table.code_count = 3;
	assert_true(symbols_open_layout(symbols) && symbols->others_first == 10 * GIB4);
	symbols->table.code_count = 1;
	assert_true(symbols_open_layout(symbols) && symbols->others_first == 2 * GIB4);
	symbols->table.text_end = 3 * GIB4;
	assert_true(symbols_open_layout(symbols) && symbols->others_first == 5 * GIB4);
}

/* An object with code at one or two places. */
static bool
place(struct symbols *symbols, struct symbol_image *image, uint64_t first, uint64_t past)
{
	struct gprofx_code_range code[] = {{.address = past - 1, .bytes = 1},
	                                   {.address = first, .bytes = 1}};
	const struct gprofx_symtab table = {.code = code, .code_count = 2};

	return symbols_place_image(symbols, image, &table);
}

static void
test_places(void **state)
{
	static const struct {
		uint64_t code, past, low, units; /* no units: it has no place */
	} cases[] = {
		{0x1000, 0x2000, 0, 2},
		{GIB4, GIB4 + 1, 0, 3},
		{6 * GIB4 + 0x1000, 8 * GIB4 + 0x1000, 5 * GIB4, 5},
		{0, (uint64_t)1 << 40, 0, 0},
		{0, ((uint64_t)1 << 40) - 1, 0, 257},
		{0x1000, (uint64_t)1 << 63, 0, 0},
		{(uint64_t)1 << 40, ((uint64_t)1 << 40) + 9, ((uint64_t)1 << 40) - GIB4, 3},
		{UINT64_MAX - 9, UINT64_MAX, UINT64_MAX - 2 * GIB4 + 1, 2},
	};
	struct symbols *symbols = program_up_to(*state, 0x3000);
	uint64_t next = 3 * GIB4;

	assert_true(symbols_open_layout(symbols));
	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		struct symbol_image image = {0};
		uint64_t bytes = cases[i].units * GIB4;

		assert_int_equal(place(symbols, &image, cases[i].code, cases[i].past),
		                 cases[i].units > 0);
		next += bytes;
		assert_true(symbols->others_first + symbols->others_bytes == next);
		if (bytes == 0)
			continue;
		assert_true(image.first == next - bytes && image.past == next);
		assert_true(image.base == image.first - cases[i].low);
		assert_true(symbols_location(symbols, &image, cases[i].low) == image.first);
		assert_true(symbols_location(symbols, &image, cases[i].low + bytes - 1) ==
		            next - 1);
		/* Behind the last address comes the first one. */
		assert_true(symbols_is_nowhere(
			symbols, symbols_location(symbols, &image, cases[i].low + bytes)));
		assert_true(symbols_is_nowhere(
			symbols, symbols_location(symbols, &image, cases[i].low - 1)));
	}
	/* Where no units are left, there is no place. */
	symbols->others_bytes = UINT64_MAX - 4 * GIB4 - symbols->others_first + 1;
	assert_true(place(symbols, &(struct symbol_image){0}, 0x1000, 0x2000));
	assert_false(place(symbols, &(struct symbol_image){0}, 0x1000, 0x2000));
}

/* Without code an object has the first addresses; without word of code, those of .text. */
static void
test_no_code(void **state)
{
	struct gprofx_symtab table = {.text_start = 7 * GIB4, .text_end = 7 * GIB4};
	struct symbols *symbols = program_up_to(*state, 0x3000);
	struct symbol_image image = {0};

	assert_true(symbols_open_layout(symbols));
	assert_true(symbols_place_image(symbols, &image, &table) && image.base == image.first);
	table.text_end++;
	assert_true(symbols_place_image(symbols, &image, &table) &&
	            image.base == image.first - 6 * GIB4);
}

static void
test_ranges(void **state)
{
	static const struct {
		bool is_program;
		uint64_t low, past;
		bool fits;
		uint64_t moved_low, moved_past;
	} cases[] = {
		{true, 0x1000, 0x2000, true, 0x1000, 0x2000},
		{true, 0x1000, 2 * GIB4, true, 0x1000, 2 * GIB4},
		{true, 0x1000, 2 * GIB4 + 1, false, 0x1000, 2 * GIB4 + 1},
		{true, 5 * GIB4 - 1, 6 * GIB4, false, 5 * GIB4 - 1, 6 * GIB4},
		{true, 5 * GIB4, 6 * GIB4, true, 5 * GIB4, 6 * GIB4},
		{true, 0, UINT64_MAX, false, 0, UINT64_MAX},
		{true, 3 * GIB4, 3 * GIB4, true, 3 * GIB4, 3 * GIB4},
		{false, 0x1000, 0x2000, true, 3 * GIB4 + 0x1000, 3 * GIB4 + 0x2000},
		{false, 0, 2 * GIB4, true, 3 * GIB4, 5 * GIB4},
		{false, 0, 2 * GIB4 + 1, false, 2 * GIB4, 2 * GIB4},
		{false, 7, 2 * GIB4 + 1, false, 2 * GIB4 + 7, 2 * GIB4 + 7},
		{false, UINT64_MAX, UINT64_MAX, true, 3 * GIB4 - 1, 3 * GIB4 - 1},
		{false, UINT64_MAX - 1, UINT64_MAX, false, 3 * GIB4 - 2, 3 * GIB4 - 2},
		{false, 0x2000, 0x1000, true, 3 * GIB4 + 0x2000, 3 * GIB4 + 0x1000},
		{false, 8 * GIB4, 0x1000, true, 2 * GIB4, 2 * GIB4},
	};
	struct symbols *symbols = program_up_to(*state, 0x3000);
	struct symbol_image image = {0};

	assert_true(symbols_open_layout(symbols) && place(symbols, &image, 0x1000, 0x2000));
	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		uint64_t low = cases[i].low, past = cases[i].past;

		assert_int_equal(symbols_move_range(symbols, cases[i].is_program ? NULL : &image,
		                                    &low, &past),
		                 cases[i].fits);
		if (low != cases[i].moved_low || past != cases[i].moved_past)
			fail_msg("case %zu: 0x%llx-0x%llx", i, (unsigned long long)low,
			         (unsigned long long)past);
	}
	/* What lies where others are is not the program's. */
	assert_true(symbols_location(symbols, NULL, 2 * GIB4 - 1) == 2 * GIB4 - 1);
	assert_true(symbols_is_nowhere(symbols, symbols_location(symbols, NULL, 5 * GIB4 - 1)));
	/* Nor is what lies where there can be more of them later. */
	assert_true(symbols_location(symbols, NULL, 5 * GIB4 + 7) == 2 * GIB4 + 7);
	symbols_keep_free(symbols, 5 * GIB4);
	assert_true(symbols->others_bytes == 3 * GIB4);
	symbols_keep_free(symbols, 7 * GIB4 + 1);
	symbols_keep_free(symbols, UINT64_MAX);
	assert_true(place(symbols, &image, 0x1000, 0x2000) && image.first == 8 * GIB4);
	assert_true(symbols_location(symbols, NULL, 4 * GIB4 + 9) == 2 * GIB4 + 9);
	assert_true(symbols_location(symbols, &image, 2 * GIB4 + 9) == 2 * GIB4 + 9);
	assert_false(symbols_is_nowhere(symbols, 2 * GIB4 - 1));
	assert_false(symbols_is_nowhere(symbols, 3 * GIB4));
	/* Without others nothing is nowhere. */
	symbols->others_bytes = 0;
	assert_false(symbols_is_nowhere(symbols, 2 * GIB4));
}

/* As many as a large program loads, each with functions by the rule of its number. */
enum { IMAGES = 41, OF_IMAGE = 50 };

static uint64_t
offset_of(uint32_t image, uint32_t function)
{
	return 0x1000 + image * 0x100 + (uint64_t)function * 1024 + image % 3 * (function % 7) * 40;
}

static struct symbols *
many_images(struct testrun *test, const char *names[])
{
	struct symbols *symbols = program_up_to(test, 0x100000);
	struct symbol_image *images = memory_alloc_array(&test->run, sizeof *images, IMAGES);

	memory_array(&test->run, symbols->address, IMAGES * OF_IMAGE + SYMBOL_MORE_ROWS);
	memory_array(&test->run, symbols->end, IMAGES * OF_IMAGE + SYMBOL_MORE_ROWS);
	assert_true(symbols_open_layout(symbols));
	for (uint32_t i = 0; i < IMAGES; i++) {
		images[i].name = names[i];
		if (i > 0)
			assert_true(place(symbols, &images[i], 0x1000, 0x1000 + i % 5 * GIB4 + 1));
		/* One has no symbols. */
		for (uint32_t f = 0; i != 7 && f < OF_IMAGE; f++) {
			symbols->address[symbols->count] = offset_of(i, f) + images[i].base;
			symbols->end[symbols->count] = symbols->address[symbols->count] + 7;
			symbols->count++;
		}
	}
	symbols->images = images;
	symbols->image_count = IMAGES;
	symbols_index(&test->run, symbols);
	return symbols;
}

static void
test_lookup_among_images(void **state)
{
	static char names[IMAGES][8];
	const char *pointers[IMAGES];
	struct symbols *symbols;
	uint32_t symbol = 0;

	for (uint32_t i = 0; i < IMAGES; i++) {
		snprintf(names[i], sizeof names[i], "%u", i);
		pointers[i] = names[i];
	}
	symbols = many_images(*state, pointers);
	assert_int_equal(symbols_objects(symbols), IMAGES - 1);
	for (uint32_t i = 0; i < IMAGES; i++) {
		const struct symbol_image *image = &symbols->images[i];

		assert_int_equal(image->first_symbol, symbol);
		assert_ptr_equal(symbols_image_at(symbols, image->base + 0x1000), image);
		assert_int_equal(symbols_lookup(symbols, image->base + 0xfff), NO_SYMBOL);
		assert_int_equal(symbols_lookup(symbols, image->base + GIB4), NO_SYMBOL);
		if (i > 0) {
			assert_ptr_equal(symbols_image_at(symbols, image->first), image);
			assert_ptr_equal(symbols_image_at(symbols, image->past - 1), image);
		}
		for (uint32_t f = 0; i != 7 && f < OF_IMAGE; f++, symbol++) {
			uint64_t at = image->base + offset_of(i, f);

			assert_int_equal(symbols_lookup(symbols, at), symbol);
			assert_int_equal(symbols_lookup(symbols, at + 7), symbol);
			assert_int_equal(symbols_lookup(symbols, at + 8), NO_SYMBOL);
			assert_int_equal(symbols_at(symbols, at), symbol);
			assert_int_equal(symbols_at(symbols, at + 1), NO_SYMBOL);
			assert_ptr_equal(symbols_object_of(symbols, symbol), i > 0 ? image : NULL);
		}
	}
	assert_null(symbols_object_of(symbols, symbols->count));
	assert_int_equal(symbols_lookup(symbols, symbols_nowhere(symbols, 0x1000)), NO_SYMBOL);
	assert_int_equal(symbols_lookup(symbols, UINT64_MAX), NO_SYMBOL);
}

/* The blocks of each image are for its own symbols, so that forty images have no more of them. */
static void
test_blocks(void **state)
{
	const char *names[IMAGES] = {NULL};
	struct symbols *symbols = many_images(*state, names);

	for (uint32_t i = 0; i < IMAGES; i++) {
		const struct address_blocks *blocks = &symbols->images[i].blocks;

		if (i == 7) {
			assert_int_equal(blocks->block_count, 0);
			continue;
		}
		/* As if it were alone: at least as many as symbols. */
		assert_in_range(blocks->block_count, OF_IMAGE, 2 * OF_IMAGE + 16);
		assert_int_equal(blocks->count, OF_IMAGE);
		assert_true(blocks->origin == symbols->images[i].base + offset_of(i, 0));
	}
	assert_int_equal(symbols->others.count, IMAGES - 1);
	assert_in_range(symbols->others.block_count, IMAGES - 1, 2 * IMAGES + 16);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		TESTRUN(test_start),  TESTRUN(test_end_of_program),
		TESTRUN(test_places), TESTRUN(test_no_code),
		TESTRUN(test_ranges), TESTRUN(test_lookup_among_images),
		TESTRUN(test_blocks),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
