/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The forms of basic-block records, each with what may stand around it; and the same files cut
 * everywhere and with random changes.
 */
/* First: <cmocka.h> has a macro of the name of a member. */
#include "input-gmon-magic.c"

#include "hostile.h"

enum { CHANGES = 20000, BLOCK_LEAST = 8, LOW = 0x401000 };
enum form { STRAIGHT, SWAPPED, WIDE, FORMS };

static void
put_count(struct hostile_file *made, uint32_t count, enum form form)
{
	if (form == WIDE) {
		hostile_put(made, count, 8);
		return;
	}
	made->target.big_endian ^= form == SWAPPED;
	hostile_put(made, count, 4);
	made->target.big_endian ^= form == SWAPPED;
}

static void
put_blocks(struct hostile_file *made, uint32_t count, enum form form)
{
	uint32_t pointer = made->target.pointer_bytes;

	hostile_put(made, 2, 1);
	put_count(made, count, form);
	for (uint32_t i = 0; i < count; i++) {
		hostile_put(made, LOW + 4 * i, pointer);
		hostile_put(made, 11 + i, pointer);
	}
}

static void
put_arc(struct hostile_file *made)
{
	hostile_put(made, 1, 1);
	hostile_put(made, LOW + 4, made->target.pointer_bytes);
	hostile_put(made, LOW, made->target.pointer_bytes);
	hostile_put(made, 3, 4);
}

static void
put_histogram(struct hostile_file *made)
{
	hostile_put(made, 0, 1);
	hostile_put(made, LOW, made->target.pointer_bytes);
	hostile_put(made, LOW + 16, made->target.pointer_bytes);
	hostile_put(made, 4, 4);
	hostile_put(made, 100, 4);
	hostile_put_bytes(made, "seconds\0\0\0\0\0\0\0\0s", 16);
	for (uint32_t i = 0; i < 4; i++)
		hostile_put(made, 2, 2);
}

static void
put_header(struct hostile_file *made)
{
	hostile_put_bytes(made, "gmon", 4);
	hostile_put(made, 1, 4);
	made->length = 20;
}

/* number: bit 0 address size, bit 1 byte order, bits 2 to 4 what stands around. */
static void
make(struct hostile_file *made, uint32_t number, enum form form)
{
	hostile_begin(made, number);
	put_header(made);
	if (number & 4)
		put_arc(made);
	put_blocks(made, 3, form);
	if (number & 8)
		put_histogram(made);
	if (number & 16)
		put_blocks(made, 0, form);
	put_blocks(made, 5, form);
	if (number & 4)
		put_arc(made);
}

static bool
host_is_big_endian(void)
{
	const uint16_t one = 1;

	return *(const uint8_t *)&one == 0;
}

static void
every_form(void **state)
{
	(void)state;
	for (uint32_t number = 0; number < 32; number++)
		for (uint32_t form = 0; form < FORMS; form++)
			for (uint32_t strict = 0; strict < 2; strict++) {
				struct hostile_file made;
				struct hostile_outcome outcome;
				bool is_read = form == STRAIGHT;

				make(&made, number, (enum form)form);
				made.strict = strict;
				/* GNU gprof swaps once more only where it swaps at all. */
				if (form == SWAPPED)
					is_read = !strict ||
					          made.target.big_endian != host_is_big_endian();
				if (form == WIDE)
					is_read = !strict && made.target.pointer_bytes == 8;
				outcome = hostile_read(&reader, &made, BLOCK_LEAST);
				assert_int_equal(outcome.result == GPROFX_OK, is_read);
				if (!is_read)
					continue;
				assert_int_equal(outcome.blocks, 8);
				assert_int_equal(outcome.last_block.address, LOW + 16);
				assert_int_equal(outcome.last_block.count, 15);
				assert_int_equal(outcome.arcs, number & 4 ? 2 : 0);
				assert_int_equal(outcome.histograms, (number & 8) != 0);
			}
}

/* Version 0 has texts, and numbers in the byte order of the machine that reads. */
static void
old_version(void **state)
{
	(void)state;
	for (uint32_t form = STRAIGHT; form <= SWAPPED; form++)
		for (uint32_t big = 0; big < 2; big++) {
			struct hostile_file made;
			struct hostile_outcome outcome;

			hostile_begin(&made, big ? 2 : 0);
			put_header(&made);
			made.bytes[4] = made.bytes[7] = 0;
			hostile_put(&made, 2, 1);
			put_count(&made, 2, (enum form)form);
			hostile_put_bytes(&made, "a.c", 4);
			for (uint32_t i = 0; i < 2; i++) {
				made.target.big_endian = host_is_big_endian();
				hostile_put(&made, 7 + i, 8);
				hostile_put(&made, LOW + i, 8);
				made.target.big_endian = big;
				hostile_put_bytes(&made, "a.c\0f\0line", 10);
			}
			outcome = hostile_read(&reader, &made, BLOCK_LEAST);
			assert_int_equal(outcome.result, GPROFX_OK);
			assert_int_equal(outcome.blocks, 2);
			assert_int_equal(outcome.last_block.address, LOW + 1);
			assert_int_equal(outcome.last_block.count, 8);
		}
}

static void
every_prefix(void **state)
{
	(void)state;
	for (uint32_t number = 0; number < 32; number++)
		for (uint32_t form = 0; form < FORMS; form++) {
			struct hostile_file made;
			size_t whole;

			make(&made, number, (enum form)form);
			whole = made.length;
			for (made.length = 0; made.length <= whole; made.length++) {
				made.strict = false;
				hostile_read(&reader, &made, BLOCK_LEAST);
				made.strict = true;
				hostile_read(&reader, &made, BLOCK_LEAST);
			}
		}
}

static void
make_any(struct hostile_file *made, uint32_t number)
{
	make(made, number / FORMS, (enum form)(number % FORMS));
}

static void
random_changes(void **state)
{
	(void)state;
	hostile_try_changes(&reader, make_any, CHANGES, 48, BLOCK_LEAST);
}

/* Files that other readers know better, unless the layout of the image is required. */
static void
how_sure(void **state)
{
	struct hostile_file made;
	struct gprofx_file file = {.size = sizeof file, .bytes = made.bytes};

	(void)state;
	make(&made, 0, STRAIGHT);
	file.length = made.length;
	assert_int_equal(weigh(&file, &made.target), 100);
	made.target.pointer_bytes = 4;
	assert_int_equal(weigh(&file, &made.target), HARDLY_SURE);
	file.strict = true;
	assert_int_equal(weigh(&file, &made.target), 100);
	file.strict = false;
	made.target.big_endian = true;
	assert_int_equal(weigh(&file, &made.target), HARDLY_SURE);
	make(&made, 8, STRAIGHT);
	file.length = made.length;
	assert_int_equal(weigh(&file, &made.target), 100);
	memcpy(made.bytes + 4, "\xff\xff\1\0", 4);
	assert_int_equal(weigh(&file, &made.target), HARDLY_SURE);
	memcpy(made.bytes + 4, "\0\1\xff\xff", 4);
	assert_int_equal(weigh(&file, &made.target), HARDLY_SURE);
	for (file.length = 0; file.length < 21; file.length++)
		assert_int_equal(weigh(&file, &made.target) > 0, file.length >= 4);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_form),   cmocka_unit_test(old_version),
		cmocka_unit_test(every_prefix), cmocka_unit_test(random_changes),
		cmocka_unit_test(how_sure),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
