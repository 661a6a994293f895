/* SPDX-License-Identifier: Apache-2.0 */
/* Explanations in the width of a screen. */
#include "testrun.h"

#include "../../shared/wrap.h"
#include "emit/writer.h"

static void
expect_text(struct testrun *test, size_t width, const char *text, const char *wrapped)
{
	struct writer *writer = writer_to_standard_output(&test->run);
	struct wrap wrap;
	struct gprofx_writer *to = wrap_begin(&wrap, &test->run.gx, &writer->public, width);

	test->output_length = 0;
	test->output[0] = '\0';
	gprofx_puts(to, text);
	wrap_end(&wrap);
	assert_int_equal(writer_close(&test->run, writer, true), GPROFX_OK);
	assert_string_equal(test->output, wrapped);
}

static const char item[] = " self        time in its own code, and\n"
			   "             in nothing else\n";

static void
paragraphs(void **state)
{
	static const char text[] = "One two three four five\nsix seven.\n\nEight.\n";

	expect_text(*state, 0, text, text);
	expect_text(*state, 23, text, text);
	expect_text(*state, 22, text, "One two three four\nfive six seven.\n\nEight.\n");
	expect_text(*state, 5, text, "One\ntwo\nthree\nfour\nfive\nsix\nseven.\n\nEight.\n");
	expect_text(*state, 4, "longer than that", "longer\nthan\nthat\n");
	expect_text(*state, 10, "größe größe\n", "größe\ngröße\n");
	expect_text(*state, 11, "größe größe\n", "größe größe\n");
	expect_text(*state, 20, "", "");
	expect_text(*state, 20, "\n\n", "\n\n");
}

/* A word in front stays in its column, as long as there is room beside it. */
static void
items(void **state)
{
	expect_text(*state, 38, item, item);
	expect_text(*state, 34, item,
	            " self        time in its own code,\n"
	            "             and in nothing else\n");
	expect_text(*state, 30, item, " self time in its own code,\n  and in nothing else\n");
	expect_text(*state, 34, " children    time in the functions it called\n",
	            " children    time in the functions\n"
	            "             it called\n");
	/* One ends where the next one begins, and before a row of figures. */
	expect_text(*state, 20, " a           b\n  1.00        2.00        3.00\n",
	            " a           b\n  1.00        2.00        3.00\n");
	expect_text(*state, 12, "Sum:\n  1.00        2.00        3.00\n",
	            "Sum:\n  1.00        2.00        3.00\n");
}

/* Numbers and formats go the same way as text. */
static void
services(void **state)
{
	struct testrun *test = *state;
	struct writer *writer = writer_to_standard_output(&test->run);
	struct wrap wrap;
	struct gprofx_writer *to = wrap_begin(&wrap, &test->run.gx, &writer->public, 13);

	test->output_length = 0;
	for (int i = 0; i < 400; i++) {
		to->services->number(to, 12345, 0);
		gprofx_out(to, " %s ", "of");
		to->services->fixed(to, 1.5, 0, 2);
		gprofx_putc(to, ' ');
	}
	gprofx_putc(to, '\n');
	wrap_end(&wrap);
	assert_int_equal(writer_close(&test->run, writer, true), GPROFX_OK);
	assert_int_equal(test->output_length, 400 * 14);
	for (int i = 0; i < 400; i++)
		assert_memory_equal(test->output + (size_t)i * 14, "12345 of 1.50\n", 14);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		TESTRUN(paragraphs),
		TESTRUN(items),
		TESTRUN(services),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
