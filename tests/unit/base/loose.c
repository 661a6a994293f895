/* SPDX-License-Identifier: Apache-2.0 */
/* Lists outside of the run's memory. */
#include "testrun.h"

#include "base/loose.h"

static void
test_items_keep_their_order(void **state)
{
	struct loose_list list = {0};
	uint32_t item[3];

	(void)state;
	for (uint32_t i = 0; i < 3000; i += 3) {
		item[0] = i;
		item[1] = i + 1;
		item[2] = i + 2;
		loose_add(&list, item, sizeof *item, 2);
		loose_add(&list, item + 2, sizeof *item, 1);
		loose_add(&list, NULL, sizeof *item, 0);
	}
	assert_false(list.failed);
	assert_true(list.room >= list.count);
	assert_int_equal(list.count, 3000);
	for (uint32_t i = 0; i < list.count; i++)
		assert_int_equal(((const uint32_t *)list.items)[i], i);
	loose_free(&list);
	assert_null(list.items);
	assert_int_equal(list.count + list.room, 0);
}

static void
test_many_at_once_get_room(void **state)
{
	static const uint64_t many[1000] = {[0] = 7, [999] = 8};
	struct loose_list list = {0};

	(void)state;
	loose_add(&list, many, sizeof *many, 1000);
	loose_add(&list, many, sizeof *many, 1000);
	assert_int_equal(list.count, 2000);
	assert_int_equal(((const uint64_t *)list.items)[1000], 7);
	assert_int_equal(((const uint64_t *)list.items)[1999], 8);
	loose_free(&list);
}

static void
test_what_cannot_be_there_fails(void **state)
{
	uint64_t item = 5;
	struct loose_list list = {0};

	(void)state;
	loose_add(&list, &item, sizeof item, 1);
	assert_false(loose_grow(&list, sizeof item, SIZE_MAX / sizeof item));
	assert_true(list.failed);
	/* What was there stays. */
	assert_int_equal(list.count, 1);
	assert_int_equal(*(const uint64_t *)list.items, 5);
	loose_free(&list);
	assert_false(list.failed);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_items_keep_their_order),
		cmocka_unit_test(test_many_at_once_get_room),
		cmocka_unit_test(test_what_cannot_be_there_fails),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
