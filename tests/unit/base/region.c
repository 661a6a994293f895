/* SPDX-License-Identifier: Apache-2.0 */
/* Regions: large blocks are zeroed, do not overlap, and take the place of those given back. */
#include "testrun.h"

#include "base/region.h"

enum { MEGABYTE = 1 << 20, BLOCKS = 40, ROUNDS = 4000 };

struct kept {
	unsigned char *bytes;
	struct region *region;
	size_t length;
};

static struct kept
take(struct region **regions, size_t length)
{
	struct kept block = {.length = length};

	block.bytes = region_take(regions, length, &block.region);
	assert_non_null(block.bytes);
	assert_int_equal((uintptr_t)block.bytes % sizeof(max_align_t), 0);
	return block;
}

static void
assert_all(const struct kept *block, unsigned char value)
{
	for (size_t i = 0; i < block->length; i++)
		if (block->bytes[i] != value)
			fail_msg("byte %zu is %u, not %u", i, block->bytes[i], value);
}

static void
test_what_is_given_back_is_used_again(void **state)
{
	struct region *regions = NULL;
	struct kept first = take(&regions, 3 * MEGABYTE), second = take(&regions, MEGABYTE), third;

	(void)state;
	memset(first.bytes, 1, first.length);
	memset(second.bytes, 2, second.length);
	region_give(first.region, first.bytes, first.length);
	third = take(&regions, 2 * MEGABYTE);
	assert_ptr_equal(third.bytes, first.bytes);
	assert_all(&third, 0);
	/* What is left of the gap has room for one more, and what is too long goes behind. */
	memset(third.bytes, 3, third.length);
	first = take(&regions, MEGABYTE);
	assert_ptr_equal(first.bytes, third.bytes + third.length);
	assert_all(&first, 0);
	first = take(&regions, 2 * MEGABYTE);
	assert_true(first.bytes > second.bytes);
	assert_all(&second, 2);
	assert_all(&third, 3);
	region_free_all(&regions);
	assert_null(regions);
}

static void
test_gaps_that_touch_become_one(void **state)
{
	struct region *regions = NULL;
	struct kept blocks[4], all;

	(void)state;
	for (int i = 0; i < 4; i++)
		blocks[i] = take(&regions, MEGABYTE);
	for (int i = 0; i < 4; i++)
		region_give(blocks[i ^ 2].region, blocks[i ^ 2].bytes, blocks[i ^ 2].length);
	all = take(&regions, 4 * MEGABYTE);
	assert_ptr_equal(all.bytes, blocks[0].bytes);
	region_free_all(&regions);
}

static void
test_blocks_grow_into_gaps_only(void **state)
{
	struct region *regions = NULL;
	struct kept first = take(&regions, MEGABYTE), second = take(&regions, MEGABYTE);

	(void)state;
	memset(first.bytes, 1, first.length);
	assert_false(region_resize(first.region, first.bytes, MEGABYTE, 2 * MEGABYTE));
	assert_true(region_resize(second.region, second.bytes, MEGABYTE, 2 * MEGABYTE));
	memset(second.bytes, 2, 2 * MEGABYTE);
	assert_true(region_resize(second.region, second.bytes, 2 * MEGABYTE, MEGABYTE / 2));
	assert_false(region_resize(second.region, second.bytes, MEGABYTE / 2, SIZE_MAX - 1));
	region_give(second.region, second.bytes, MEGABYTE / 2);
	assert_true(region_resize(first.region, first.bytes, MEGABYTE, 2 * MEGABYTE));
	assert_all(&first, 1);
	/* What a block left behind is zeroed for the next one. */
	second = take(&regions, MEGABYTE);
	assert_all(&second, 0);
	region_free_all(&regions);
}

static void
test_blocks_can_be_larger_than_a_region(void **state)
{
	struct region *regions = NULL;
	struct kept huge = take(&regions, (size_t)200 * MEGABYTE), small = take(&regions, 100);

	(void)state;
	huge.bytes[huge.length - 1] = 1;
	assert_all(&small, 0);
	assert_null(region_take(&regions, SIZE_MAX, &huge.region));
	assert_null(region_take(&regions, SIZE_MAX / 4, &huge.region));
	region_free_all(&regions);
}

/* Each block holds its number; so those that overlap would be seen. */
static void
test_many_blocks_keep_apart(void **state)
{
	struct region *regions = NULL;
	struct kept blocks[BLOCKS] = {{0}};
	uint32_t random = 1;

	(void)state;
	for (int round = 0; round < ROUNDS; round++) {
		struct kept *block;
		int number;

		random = random * 1664525 + 1013904223;
		number = (int)(random >> 8) % BLOCKS;
		block = &blocks[number];
		if (block->bytes) {
			assert_all(block, (unsigned char)(number + 1));
			region_give(block->region, block->bytes, block->length);
		}
		*block = take(&regions, (random >> 16) % 50000);
		assert_all(block, 0);
		memset(block->bytes, number + 1, block->length);
	}
	region_free_all(&regions);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_what_is_given_back_is_used_again),
		cmocka_unit_test(test_gaps_that_touch_become_one),
		cmocka_unit_test(test_blocks_grow_into_gaps_only),
		cmocka_unit_test(test_blocks_can_be_larger_than_a_region),
		cmocka_unit_test(test_many_blocks_keep_apart),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
