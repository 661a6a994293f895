/* SPDX-License-Identifier: Apache-2.0 */
/* Listings and converted files, whole, cut everywhere, and with random changes. */
/* First: <cmocka.h> has a macro of the name of a member. */
#include "input-bb.c"
#include "listing.c"

#include "hostile.h"

enum { CHANGES = 20000, BLOCK_LEAST = 8 };

static const char whole_listing[] =
	"Basic block profiling finished on Thu Jan  1 00:00:00 1970\n\n"
	"File dir, 3/a.c, 2 basic blocks \n\n"
	"    Block #1: executed  5 time(s) address= 0x401020 function= f    line=   3 file= a.c\n"
	"    Block #2: executed 12 time(s) address= 0x401024 function= main line=  12 file= a.c\n\n\n"
	"File b.c, 1 basic blocks \n\n"
	"    Block #1: executed 7 time(s) address= 0x401030\n\n\n";

static void
make_listing(struct hostile_file *made, uint32_t number)
{
	hostile_begin(made, number);
	hostile_put_bytes(made, whole_listing, sizeof whole_listing - 1);
	if (number & 4)
		hostile_put_bytes(made, whole_listing, sizeof whole_listing - 1);
}

/* Two records, of two blocks and of one. */
static void
make_converted(struct hostile_file *made, uint32_t number)
{
	hostile_begin(made, number);
	hostile_put_bytes(made, "gmon", 4);
	hostile_put(made, 1, 4);
	made->length = 20;
	for (uint32_t count = 2; count > 0; count--) {
		hostile_put(made, 2, 1);
		hostile_put(made, count, 4);
		for (uint32_t i = 0; i < count; i++) {
			hostile_put(made, 0x80401020 + i, 4);
			hostile_put(made, 5 + i, 4);
		}
	}
}

static void
every_form_with_every_image(void **state)
{
	(void)state;
	for (uint32_t number = 0; number < 8; number++) {
		struct hostile_file made;
		struct hostile_outcome outcome;

		make_listing(&made, number);
		outcome = hostile_read(&reader, &made, BLOCK_LEAST);
		assert_int_equal(outcome.result, GPROFX_OK);
		assert_int_equal(outcome.blocks, number & 4 ? 6 : 3);
		assert_int_equal(outcome.last_block.address, 0x401030);
		assert_int_equal(outcome.last_block.count, 7);
		assert_int_equal(outcome.warnings, 0);
		make_converted(&made, number);
		made.target.pointer_bytes = number & 4 ? 4 : 8;
		made.target.big_endian ^= (number & 1) != 0;
		outcome = hostile_read(&reader, &made, BLOCK_LEAST);
		assert_int_equal(outcome.result, GPROFX_OK);
		assert_int_equal(outcome.blocks, 3);
		assert_true(outcome.last_block.address == 0x80401020);
		made.target.sign_extends = true;
		outcome = hostile_read(&reader, &made, BLOCK_LEAST);
		assert_true(outcome.last_block.address ==
		            (number & 4 ? 0xffffffff80401020 : 0x80401020));
	}
}

/* What a part announces has to be there, whatever else is cut. */
static void
every_prefix(void **state)
{
	struct hostile_file made;
	size_t whole;

	(void)state;
	make_listing(&made, 0);
	whole = made.length;
	for (made.length = 0; made.length <= whole; made.length++) {
		struct hostile_outcome outcome = hostile_read(&reader, &made, BLOCK_LEAST);
		const char *end = memrchr(whole_listing, '0', whole);
		size_t to_end = (size_t)(end - whole_listing) + 1;
		/* A block can lose its address without a trace but for this warning. */
		uint32_t blocks = outcome.blocks + outcome.warnings;

		if (made.length >= to_end)
			assert_int_equal(outcome.result, GPROFX_OK);
		if (outcome.result == GPROFX_OK)
			assert_true(blocks == 0 || blocks == 2 ||
			            (blocks == 3 && made.length >= to_end - 20));
	}
	for (uint32_t number = 0; number < 4; number++) {
		make_converted(&made, number);
		whole = made.length;
		for (made.length = 1; made.length <= whole; made.length++) {
			struct hostile_outcome outcome = hostile_read(&reader, &made, BLOCK_LEAST);

			assert_int_equal(outcome.result == GPROFX_OK,
			                 made.length == 20 || made.length == 20 + 5 + 16 ||
			                         made.length == whole);
		}
	}
}

static void
random_changes(void **state)
{
	(void)state;
	hostile_try_changes(&reader, make_listing, CHANGES, sizeof whole_listing, BLOCK_LEAST);
	hostile_try_changes(&reader, make_converted, CHANGES, 30, BLOCK_LEAST);
}

/* Texts that are almost listings. */
static void
odd_lines(void **state)
{
	static const char *const bad[] = {
		"File a.c, 1 basic blocks\n Block #",
		"File a.c, 1 basic blocks\n Block #1: executed",
		"File a.c, 1 basic blocks\n Block #1: executed 1 time(s) address=",
		"File a.c, 1 basic blocks\n Block #1: executed 1 time(s) address= 0x",
		"File a.c, 1 basic blocks\n Block #1: executed 1 time(s) line= 3",
		"File a.c, 1 basic blocks\n Block #1: executed -1 time(s) address= 0x10",
		"File a.c, 1 basic blocks\n Block #1: executed 1 time(s) function= f line= x",
		"File a.c, 18446744073709551616 basic blocks\n",
		"File a.c, 99999999999 basic blocks\n",
		"File , 1 basic blocks and more\n",
		"Block #1: executed 1 time(s) address= 0x10\n",
		"File a.c, 1 basic blocks\n Block #1: executed 1 time(s) address= 0x10000000000000000",
	};
	static const char *const good[] = {
		"\n\n\r\n\t\nFile a.c, 0 basic blocks",
		"File a.c, 1 basic blocks\r\n\r\nBlock #1: executed 1 time(s) address= 0x10\r\n",
		"File a, b, 1 basic blocks\nBlock #1: executed 1 time(s) address= 0x10 function= f",
		"File a.c, 1 basic blocks\nBlock #1: executed 1 time(s) function= a b line= 3 file= c d",
	};
	struct hostile_file made;

	(void)state;
	for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
		hostile_begin(&made, 0);
		hostile_put_bytes(&made, bad[i], strlen(bad[i]));
		assert_int_equal(hostile_read(&reader, &made, BLOCK_LEAST).result, GPROFX_FAILED);
	}
	for (size_t i = 0; i < sizeof good / sizeof good[0]; i++) {
		struct hostile_outcome outcome;

		hostile_begin(&made, 0);
		hostile_put_bytes(&made, good[i], strlen(good[i]));
		outcome = hostile_read(&reader, &made, BLOCK_LEAST);
		assert_int_equal(outcome.result, GPROFX_OK);
		assert_int_equal(outcome.blocks, i > 0 && i < 3);
		assert_int_equal(outcome.warnings, i == 3);
	}
}

static void
how_sure(void **state)
{
	static const struct {
		const char *text;
		int weight;
	} texts[] = {
		{"Basic block profiling finished on Thu Jan  1 00:00:00 1970\n\n", 100},
		{"File a.c, 1 basic blocks \n\n", 90},
		{"File a.c, 1 basic blocks", 0},
		{"File a.c, one basic blocks \n\n", 0},
		{"File 1 basic blocks \n\n", 0},
		{"Basic block", 0},
		{"gmon\1\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0", 0},
		{"", 0},
	};
	struct gprofx_file file = {.size = sizeof file};
	struct gprofx_target target = {.size = sizeof target, .pointer_bytes = 8};

	(void)state;
	for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++) {
		file.bytes = (const uint8_t *)texts[i].text;
		file.length = texts[i].text[0] == 'g' ? 20 : strlen(texts[i].text);
		assert_int_equal(weigh(&file, &target), texts[i].weight);
	}
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_form_with_every_image),
		cmocka_unit_test(every_prefix),
		cmocka_unit_test(random_changes),
		cmocka_unit_test(odd_lines),
		cmocka_unit_test(how_sure),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
