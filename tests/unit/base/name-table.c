/* SPDX-License-Identifier: Apache-2.0 */
/* Texts by number. */
#include "testrun.h"

#include "base/name-table.h"

static void
test_equal_texts_have_one_number(void **state)
{
	struct testrun *test = *state;
	struct name_table names = {0};
	char text[16];

	assert_int_equal(name_table_lookup(&names, "0"), NO_NAME);
	for (int turn = 0; turn < 2; turn++)
		for (uint32_t i = 0; i < 3000; i++) {
			snprintf(text, sizeof text, "%u", i);
			assert_int_equal(name_table_add(&test->run, &names, text), i);
		}
	assert_int_equal(names.count, 3000);
	assert_string_equal(names.items[2999], "2999");
	assert_int_equal(name_table_lookup(&names, "17"), 17);
	assert_int_equal(name_table_lookup(&names, "3000"), NO_NAME);
	assert_int_equal(name_table_lookup(&names, ""), NO_NAME);
	assert_int_equal(name_table_add(&test->run, &names, ""), 3000);
	assert_int_equal(name_table_lookup(&names, ""), 3000);
}

/* Room that is made before or between changes no number. */
static void
test_room_is_made(void **state)
{
	struct testrun *test = *state;
	struct name_table names = {0};
	char text[16];

	name_table_reserve(&test->run, &names, 1000);
	assert_int_equal(names.slot_count, 1024);
	assert_int_equal(name_table_lookup(&names, "0"), NO_NAME);
	for (uint32_t i = 0; i < 700; i++) {
		snprintf(text, sizeof text, "%u", i);
		assert_int_equal(name_table_add(&test->run, &names, text), i);
	}
	name_table_reserve(&test->run, &names, 10);
	assert_int_equal(names.slot_count, 1024);
	name_table_reserve(&test->run, &names, 5000);
	assert_int_equal(names.slot_count, 8192);
	for (uint32_t i = 0; i < 700; i++) {
		snprintf(text, sizeof text, "%u", i);
		assert_int_equal(name_table_lookup(&names, text), i);
	}
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		TESTRUN(test_equal_texts_have_one_number),
		TESTRUN(test_room_is_made),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
