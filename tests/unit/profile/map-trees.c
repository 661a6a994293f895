/* SPDX-License-Identifier: Apache-2.0 */
/* Mappings of an address space, compared with a table of all its addresses. */
#include "testrun.h"

#include "profile/map-trees.h"
#include "symbols/late.h"

enum { ADDRESSES = 96, IMAGES = 3, ROUNDS = 400 };

/* What is mapped at each address. */
struct table {
	struct {
		uint32_t image;
		uint64_t offset;
		bool is_in_file;
	} at[ADDRESSES];
};

/* Returns whether something else was there. */
static bool
set(struct table *table, const struct mapping *row)
{
	bool was_other = false;

	for (uint64_t i = row->low; i <= row->last; i++) {
		uint64_t offset = row->offset + (i - row->low);
		bool was_mapped = table->at[i].image != NO_LATE_IMAGE;

		was_other = was_other ||
		            (was_mapped &&
		             (table->at[i].image != row->image || table->at[i].offset != offset ||
		              table->at[i].is_in_file != row->is_in_file));
		table->at[i].image = row->image;
		table->at[i].offset = offset;
		table->at[i].is_in_file = row->is_in_file;
	}
	return was_other;
}

static void
expect_same(const struct map_tree *tree, const struct table *table)
{
	uint32_t count = 0;
	const struct mapping *before = NULL;

	for (uint64_t i = 0; i < ADDRESSES; i++) {
		const struct mapping *found = map_tree_find(tree, i);

		if (table->at[i].image == NO_LATE_IMAGE) {
			assert_null(found);
			continue;
		}
		assert_non_null(found);
		assert_int_equal(found->image, table->at[i].image);
		assert_true(found->offset + (i - found->low) == table->at[i].offset);
		assert_int_equal(found->is_in_file, table->at[i].is_in_file);
		count += found != before;
		before = found;
	}
	assert_int_equal(tree->count, count);
}

static struct mapping
random_row(uint64_t *state)
{
	uint64_t low = testrun_random(state) % ADDRESSES;
	uint64_t most = ADDRESSES - low, bytes = 1 + testrun_random(state) % most;
	uint32_t image = (uint32_t)(testrun_random(state) % (IMAGES + 1));

	/* Mostly short ones. */
	if (testrun_random(state) % 4 != 0)
		bytes = 1 + bytes % 12;
	bytes = bytes < most ? bytes : most;
	return (struct mapping){.low = low,
	                        .last = low + bytes - 1,
	                        /* Now and then what shows the same as before. */
	                        .offset = testrun_random(state) % 2 ? low + 1000
	                                                            : testrun_random(state) % 50,
	                        .image = image == IMAGES ? NO_LATE_IMAGE : image,
	                        .is_in_file = testrun_random(state) % 8 == 0};
}

static void
test_random(void **state)
{
	struct testrun *test = *state;

	for (uint64_t seed = 1; seed <= 20; seed++) {
		uint64_t random = seed * 0x9e3779b97f4a7c15;
		struct map_tree *list = NULL, *tree = map_tree_new(&test->run, &list), *copy;
		struct table table, frozen;

		for (int i = 0; i < ADDRESSES; i++)
			table.at[i].image = NO_LATE_IMAGE;
		for (int round = 0; round < ROUNDS; round++) {
			struct mapping row = random_row(&random);

			assert_int_equal(map_tree_set(&test->run, tree, &row), set(&table, &row));
			expect_same(tree, &table);
		}
		/* A copy goes its own way. */
		frozen = table;
		copy = map_tree_copy(&test->run, &list, tree);
		expect_same(copy, &table);
		for (int round = 0; round < 20; round++) {
			struct mapping row = random_row(&random);

			map_tree_set(&test->run, tree, &row);
			set(&table, &row);
		}
		expect_same(tree, &table);
		expect_same(copy, &frozen);
		assert_ptr_equal(list, copy);
		map_tree_release(&test->run, copy);
		assert_ptr_equal(list, tree);
		map_trees_forget(list);
	}
}

/* The last address of all is one like others. */
static void
test_last_address(void **state)
{
	struct testrun *test = *state;
	struct map_tree *list = NULL, *tree = map_tree_new(&test->run, &list);
	struct mapping row = {.low = UINT64_MAX - 9, .last = UINT64_MAX};

	map_tree_set(&test->run, tree, &row);
	row = (struct mapping){.low = UINT64_MAX - 4, .last = UINT64_MAX - 3, .image = 1};
	assert_true(map_tree_set(&test->run, tree, &row));
	assert_true(map_tree_find(tree, UINT64_MAX)->offset == 7);
	assert_int_equal(map_tree_find(tree, UINT64_MAX - 4)->image, 1);
	row = (struct mapping){.last = UINT64_MAX, .image = 2};
	map_tree_set(&test->run, tree, &row);
	assert_int_equal(tree->count, 1);
	assert_int_equal(map_tree_find(tree, 0)->image, 2);
	map_tree_release(&test->run, tree);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		TESTRUN(test_random),
		TESTRUN(test_last_address),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
