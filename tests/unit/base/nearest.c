/* SPDX-License-Identifier: Apache-2.0 */
/* Which word is meant by one that is misspelt. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "base/nearest.h"

/* The nearest of the words to the given one, or "-". */
static const char *
nearest(const char *word, const char *const *words)
{
	struct nearest search;

	nearest_begin(&search, word, strlen(word));
	for (; *words; words++)
		nearest_offer(&search, *words);
	return search.found ? search.found : "-";
}

static void
the_least_changed_word_is_found(void **state)
{
	static const char *const words[] = {"threads", "reader", "readers", "x", "outputs", NULL};

	(void)state;
	assert_string_equal(nearest("thread", words), "threads");
	assert_string_equal(nearest("raeder", words), "reader");
	assert_string_equal(nearest("readrs", words), "readers");
	assert_string_equal(nearest("ouptuts", words), "outputs");
	assert_string_equal(nearest("threads", words), "threads");
	/* The first of equals. */
	assert_string_equal(nearest("readerz", words), "reader");
	/* Letters of the other case are hardly changed. */
	assert_string_equal(nearest("READER", words), "reader");
	assert_string_equal(nearest("X", words), "x");
	assert_string_equal(nearest("READERS", words), "readers");
}

static void
other_words_are_not_meant(void **state)
{
	static const char *const words[] = {"threads", "a", "ab", NULL};
	static const char *const none[] = {NULL};
	char endless[4096];

	(void)state;
	assert_string_equal(nearest("profile", words), "-");
	assert_string_equal(nearest("z", words), "-");
	assert_string_equal(nearest("", words), "-");
	assert_string_equal(nearest("xy", words), "-");
	assert_string_equal(nearest("threads", none), "-");
	memset(endless, 'a', sizeof endless - 1);
	endless[sizeof endless - 1] = '\0';
	assert_string_equal(nearest(endless, words), "-");
}

static void
only_the_stated_bytes_count(void **state)
{
	struct nearest search;

	(void)state;
	nearest_begin(&search, "width=40", 5);
	assert_true(nearest_offer(&search, "with"));
	assert_true(nearest_offer(&search, "width"));
	assert_false(nearest_offer(&search, "with"));
	assert_string_equal(search.found, "width");
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_least_changed_word_is_found),
		cmocka_unit_test(other_words_are_not_meant),
		cmocka_unit_test(only_the_stated_bytes_count),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
