/* SPDX-License-Identifier: Apache-2.0 */
/* Texts of messages: gprof's words by id, and what happens to control characters. */
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "gnu-messages.h"
#include "message.h"

static void
expect(const struct gprofx_diagnostic *diagnostic, const char *expected, size_t length)
{
	struct message message;

	message.used = 0;
	assert_true(gnu_message(&message, "./gprof", diagnostic));
	assert_int_equal(message.used, length);
	assert_memory_equal(message.bytes, expected, length);
}

#define EXPECT(text, ...) \
	expect(&(const struct gprofx_diagnostic){__VA_ARGS__}, text, sizeof(text) - 1)

static void
places_are_filled(void **state)
{
	(void)state;
	EXPECT("f: No such file or directory\n", .id = "image.cannot-open", .file = "f",
	       .system_error = ENOENT);
	EXPECT("./gprof: f: found bad tag 255 (file corrupted?)\n", .id = "gmon.bad-tag",
	       .file = "f", .number = {255});
	EXPECT("./gprof: f: unexpected EOF after reading 3 of 4294967295 samples\n",
	       .id = "gmon.short-bins", .file = "f", .number = {3, UINT32_MAX});
	EXPECT("./gprof: file `f' has unsupported version -1\n", .id = "gmon.unsupported-version",
	       .file = "f", .number = {UINT32_MAX});
	EXPECT("q: unknown file format ./gprof\n", .id = "usage.unknown-format", .text = {"q"});
	EXPECT("./gprof: different scales in histogram records", .id = "profile.scale-changed");
	/* A percent sign in a name is one. */
	EXPECT("%F%n: file too short to be a gmon file\n", .id = "profile.short-file",
	       .file = "%F%n");
}

static void
an_abbreviation_may_be_no_character(void **state)
{
	(void)state;
	EXPECT("./gprof: dimension abbreviation changed between histogram records\n"
	       "./gprof: from 's'\n"
	       "./gprof: to '\0'\n",
	       .id = "profile.abbreviation-changed", .text = {"s", ""});
}

static void
ids_that_gprof_lacks_have_no_text(void **state)
{
	struct message message;
	const struct gprofx_diagnostic diagnostic = {.id = "gmon.short-blocks", .file = "f"};

	(void)state;
	message.used = 0;
	assert_false(gnu_message(&message, "gprof", &diagnostic));
	assert_int_equal(message.used, 0);
}

static void
expect_visible(const char *text, const char *expected)
{
	struct message message;

	message.used = 0;
	message_put_visible(&message, text);
	assert_int_equal(message.used, strlen(expected));
	assert_memory_equal(message.bytes, expected, message.used);
}

static void
control_characters_become_visible(void **state)
{
	(void)state;
	expect_visible("", "");
	expect_visible("a b~", "a b~");
	expect_visible("a\nb\033[1m\177", "a\\x0ab\\x1b[1m\\x7f");
	/* Letters of any language stay; the second set of control characters does not. */
	expect_visible("\xc3\xa4\xe2\x82\xac\xf0\x9f\x98\x80",
	               "\xc3\xa4\xe2\x82\xac\xf0\x9f\x98\x80");
	expect_visible("\xc2\x9b", "\\xc2\\x9b");
	expect_visible("\xe2\x80\xae", "\\xe2\\x80\\xae");
	/* Not UTF-8: cut short, a long form, a surrogate, beyond the end, a stray byte. */
	expect_visible("\xe2\x82", "\\xe2\\x82");
	expect_visible("\xc0\xaf", "\\xc0\\xaf");
	expect_visible("\xe0\x82\xaf", "\\xe0\\x82\\xaf");
	expect_visible("\xed\xa0\x80", "\\xed\\xa0\\x80");
	expect_visible("\xf4\x90\x80\x80", "\\xf4\\x90\\x80\\x80");
	expect_visible("\xff"
	               "a",
	               "\\xffa");
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(places_are_filled),
		cmocka_unit_test(an_abbreviation_may_be_no_character),
		cmocka_unit_test(ids_that_gprof_lacks_have_no_text),
		cmocka_unit_test(control_characters_become_visible),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
