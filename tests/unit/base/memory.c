/* SPDX-License-Identifier: Apache-2.0 */
/* Memory of a run: zeroed, growing, and a way out when there is none. */
#include "testrun.h"

static void
test_blocks_are_zero_and_grow(void **state)
{
	struct testrun *test = *state;
	unsigned char *block = memory_alloc(&test->run, 100);

	for (int i = 0; i < 100; i++)
		assert_int_equal(block[i], 0);
	memset(block, 1, 100);
	block = memory_grow(&test->run, block, 100, 1000);
	for (int i = 0; i < 1000; i++)
		assert_int_equal(block[i], i < 100);
	memory_release(&test->run, block);
	memory_release(&test->run, NULL);
}

/* Large blocks come from elsewhere, and behave as small ones do. */
static void
test_large_blocks(void **state)
{
	enum { LARGE = 3 << 20 };
	struct testrun *test = *state;
	unsigned char *first = memory_alloc(&test->run, LARGE), *second, *sparse;

	memset(first, 1, LARGE);
	second = memory_alloc(&test->run, LARGE);
	memset(second, 2, LARGE);
	/* Behind the first one there is no room. */
	first = memory_grow(&test->run, first, LARGE, 2 * LARGE);
	for (int i = 0; i < 2 * LARGE; i += 64)
		assert_int_equal(first[i], i < LARGE);
	second = memory_grow(&test->run, second, LARGE, 2 * LARGE);
	for (int i = 0; i < 2 * LARGE; i += 64)
		assert_int_equal(second[i], i < LARGE ? 2 : 0);
	second = memory_grow(&test->run, second, 100, 100);
	assert_int_equal(second[99], 2);
	memory_release(&test->run, first);
	memory_release(&test->run, second);
	first = memory_alloc(&test->run, LARGE);
	memory_sparse_array(&test->run, sparse, LARGE);
	for (int i = 0; i < LARGE; i += 64)
		assert_int_equal(first[i] | sparse[i], 0);
	memory_release(&test->run, sparse);
	assert_true(memory_adopt(&test->run, malloc(100)));
}

static void
test_room_grows_ahead(void **state)
{
	struct testrun *test = *state;
	uint32_t *items = NULL, room = 0, moves = 0;

	for (uint32_t i = 0; i < 100000; i++) {
		uint32_t before = room;

		items = memory_room(&test->run, items, sizeof *items, i, &room, 1);
		moves += before != room;
		assert_true(room > i);
		items[i] = i;
	}
	assert_true(moves < 40);
	for (uint32_t i = 0; i < 100000; i++)
		assert_int_equal(items[i], i);
}

static void
test_texts_stay(void **state)
{
	struct testrun *test = *state;
	const char *first = text_keep(&test->run, "one", 3), *kept[2000];
	char long_text[9000];

	memset(long_text, 'x', sizeof long_text);
	for (int i = 0; i < 2000; i++)
		kept[i] = i % 100 == 50 ? text_keep(&test->run, long_text, sizeof long_text)
		                        : text_format(&test->run, "text %d", i);
	assert_string_equal(first, "one");
	assert_string_equal(kept[1999], "text 1999");
	assert_int_equal(strlen(kept[50]), sizeof long_text);
	assert_int_equal(strlen(text_format(&test->run, "%2000d", 1)), 2000);
}

static void
test_impossible_size_gives_up(void **state)
{
	struct testrun *test = *state;
	volatile int given_up = 0;

	if (setjmp(test->run.give_up) == 0)
		memory_alloc(&test->run, SIZE_MAX - 10);
	else
		given_up++;
	if (setjmp(test->run.give_up) == 0)
		memory_alloc_array(&test->run, 24, SIZE_MAX / 8);
	else
		given_up++;
	assert_int_equal(given_up, 2);
	assert_string_equal(test->last_id, "memory.exhausted");
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		TESTRUN(test_blocks_are_zero_and_grow), TESTRUN(test_large_blocks),
		TESTRUN(test_room_grows_ahead),         TESTRUN(test_texts_stay),
		TESTRUN(test_impossible_size_gives_up),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
