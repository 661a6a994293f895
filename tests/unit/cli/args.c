/* SPDX-License-Identifier: Apache-2.0 */
/* Words to options: permutation, abbreviations, own options, and each kind of fault. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "args.h"

enum { WORDS_AT_MOST = 8 };

/* getopt_long moves the words about, so they are copied. */
static void
begin(struct args *args, char **argv, const char *const *words)
{
	int argc = 1;

	argv[0] = (char *)"gprofx";
	for (; *words; words++)
		argv[argc++] = (char *)*words;
	argv[argc] = NULL;
	args_begin(args, argc, argv, true);
}

#define BEGIN(...)                     \
	struct args args;              \
	char *argv[WORDS_AT_MOST + 2]; \
	(void)state;                   \
	begin(&args, argv, (const char *const[]){__VA_ARGS__, NULL})

static void
expect_option(struct args *args, int id, const char *value)
{
	assert_int_equal(args_next(args), ARGS_OPTION);
	assert_int_equal(args->option->id, id);
	if (value)
		assert_string_equal(args->value, value);
	else
		assert_null(args->value);
}

static void
expect_fault(struct args *args, enum args_fault fault, const char *word)
{
	assert_int_equal(args_next(args), ARGS_FAULT);
	assert_int_equal(args->fault, fault);
	assert_string_equal(args->word, word);
}

static void
expect_operands(struct args *args, const char *first, const char *second)
{
	char **operands;

	assert_int_equal(args_next(args), ARGS_END);
	operands = args_operands(args);
	assert_string_equal(operands[0], first);
	if (second)
		assert_string_equal(operands[1], second);
	assert_null(operands[second ? 2 : 1]);
}

static void
options_and_operands_mix(void **state)
{
	BEGIN("image", "-bpfoo", "profile", "-w", "9", "--time=x");

	expect_option(&args, 'b', NULL);
	expect_option(&args, 'p', "foo");
	expect_option(&args, 'w', "9");
	expect_option(&args, 'n', "x");
	expect_operands(&args, "image", "profile");
}

static void
own_options_take_the_next_word(void **state)
{
	BEGIN("image", "--plugin", "x", "profile", "--threads=3", "-b", "--output", "--gnu");

	expect_option(&args, OPTION_PLUGIN, "x");
	expect_option(&args, OPTION_THREADS, "3");
	expect_option(&args, 'b', NULL);
	expect_option(&args, OPTION_OUTPUT, "--gnu");
	expect_operands(&args, "image", "profile");
}

static void
two_dashes_end_the_options(void **state)
{
	BEGIN("--plugin=", "--", "--gnu", "-b");

	expect_option(&args, OPTION_PLUGIN, "");
	expect_operands(&args, "--gnu", "-b");
}

static void
a_dash_is_an_operand(void **state)
{
	BEGIN("image", "-", "-q");

	expect_option(&args, 'q', NULL);
	expect_operands(&args, "image", "-");
}

static void
the_first_operand_ends_the_options_if_posix_says_so(void **state)
{
	BEGIN("--gnu", "image", "--plugin=x");

	setenv("POSIXLY_CORRECT", "1", 1);
	args_begin(&args, 4, argv, true);
	expect_option(&args, OPTION_GNU, NULL);
	expect_operands(&args, "image", "--plugin=x");
	unsetenv("POSIXLY_CORRECT");
}

static void
a_name_can_be_empty(void **state)
{
	BEGIN("--=main", "image");

	expect_option(&args, 'e', "main");
	expect_operands(&args, "image", NULL);
}

static void
own_options_are_not_abbreviated(void **state)
{
	/* Both would be unique; the first one abbreviates an option of gprof, too. */
	BEGIN("--li", "--list-plugin");

	expect_option(&args, 'l', NULL);
	expect_fault(&args, FAULT_UNKNOWN_NAME, "--list-plugin");
	assert_int_equal(args_nearest(args.word)->id, OPTION_LIST_PLUGINS);
}

static void
an_abbreviation_must_be_unique(void **state)
{
	BEGIN("-b", "--fi=x");

	expect_option(&args, 'b', NULL);
	expect_fault(&args, FAULT_AMBIGUOUS, "--fi=x");
	assert_true(args_is_candidate(cli_option_by_id('R'), args.word));
	assert_false(args_is_candidate(cli_option_by_id('r'), args.word));
	assert_false(args_is_candidate(cli_option_by_id('b'), args.word));
}

static void
a_letter_in_a_cluster_is_found(void **state)
{
	/* The word before has to do nothing with it. */
	BEGIN("--brief", "-aGb");

	expect_option(&args, 'b', NULL);
	expect_option(&args, 'a', NULL);
	expect_fault(&args, FAULT_UNKNOWN_LETTER, "-G");
}

static void
missing_arguments_are_found(void **state)
{
	{
		BEGIN("image", "-bk");

		expect_option(&args, 'b', NULL);
		expect_fault(&args, FAULT_MISSING_ARGUMENT, "-k");
	}
	{
		BEGIN("image", "--width");

		expect_fault(&args, FAULT_MISSING_ARGUMENT, "--width");
		assert_int_equal(args.option->id, 'w');
	}
	{
		BEGIN("image", "--plugin-path");

		expect_fault(&args, FAULT_MISSING_ARGUMENT, "--plugin-path");
		assert_int_equal(args.option->id, OPTION_PLUGIN_PATH);
	}
}

static void
unexpected_arguments_are_found(void **state)
{
	{
		BEGIN("--brief=1", "image");

		expect_fault(&args, FAULT_UNEXPECTED_ARGUMENT, "--brief=1");
		assert_int_equal(args.option->id, 'b');
	}
	{
		BEGIN("--gnu=", "image");

		expect_fault(&args, FAULT_UNEXPECTED_ARGUMENT, "--gnu=");
		assert_int_equal(args.option->id, OPTION_GNU);
	}
}

static void
the_nearest_name_is_near(void **state)
{
	char endless[4096];

	(void)state;
	assert_int_equal(args_nearest("--flatprofile=x")->id, 'p');
	assert_int_equal(args_nearest("--breif")->id, 'b');
	assert_int_equal(args_nearest("--tread=2")->id, OPTION_THREADS);
	assert_null(args_nearest("--palette"));
	memset(endless, '-', sizeof endless);
	endless[sizeof endless - 1] = '\0';
	assert_null(args_nearest(endless));
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(options_and_operands_mix),
		cmocka_unit_test(own_options_take_the_next_word),
		cmocka_unit_test(two_dashes_end_the_options),
		cmocka_unit_test(a_dash_is_an_operand),
		cmocka_unit_test(the_first_operand_ends_the_options_if_posix_says_so),
		cmocka_unit_test(a_name_can_be_empty),
		cmocka_unit_test(own_options_are_not_abbreviated),
		cmocka_unit_test(an_abbreviation_must_be_unique),
		cmocka_unit_test(a_letter_in_a_cluster_is_found),
		cmocka_unit_test(missing_arguments_are_found),
		cmocka_unit_test(unexpected_arguments_are_found),
		cmocka_unit_test(the_nearest_name_is_near),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
