/* SPDX-License-Identifier: Apache-2.0 */
/* Chains of inlined subroutines, as a provider hands them over: right ones, deep ones, odd ones. */
#include "chainrun.h"

#include "symbols/inlined.h"

static struct inlined_code *
read_code(struct testrun *test, const struct chain *chain, struct symbols **symbols)
{
	static const char *const names[] = {"f"};

	testrun_again(test);
	*symbols = testrun_symbols(test, names, 1);
	chainrun_set(test, *symbols, chain);
	return symbols_read_inlined(&test->run, *symbols);
}

/* The frames at an address, "f.c:1 s1 i.h:99", the function without its name. */
static void
expect(struct testrun *test, const struct chain *chain, uint64_t address, const char *expected)
{
	struct code_frame frames[INLINED_AT_MOST + 1];
	struct symbols *symbols;
	const struct inlined_code *code = read_code(test, chain, &symbols);
	char text[512] = "";
	size_t used = 0;
	uint32_t depth;

	assert_non_null(code);
	depth = inlined_frames(code, inlined_row_at(code, address), frames);
	for (uint32_t i = 0; i < depth; i++)
		used += (size_t)snprintf(
			text + used, sizeof text - used, "%s%s%s%s:%u", i > 0 ? " " : "",
			frames[i].name != 0 ? inlined_name(code, frames[i].name) : "",
			i > 0 ? " " : "",
			frames[i].file != 0 ? symbols->files[frames[i].file].path : "-",
			frames[i].line);
	assert_string_equal(text, expected);
	/* Nothing of it is left with the symbols, which have instances of their own by line. */
	assert_null(symbols->instances);
}

static void
test_chains(void **state)
{
	const struct chain one = {.depth = 1}, three = {.depth = 3};
	struct testrun *test = *state;

	expect(test, &one, 0x1000, "f.c:1 s1 i.h:99");
	expect(test, &three, 0x1000, "f.c:1 s1 i.h:2 s2 i.h:3 s3 i.h:99");
	expect(test, &three, 0x1007, "f.c:1 s1 i.h:2 s2 i.h:3 s3 i.h:99");
	expect(test, &three, 0x1008, "f.c:7");
	expect(test, &three, 0xfff, "-:0");
}

static void
test_none(void **state)
{
	const struct chain none = {.depth = 0};
	struct symbols *symbols;

	assert_null(read_code(*state, &none, &symbols));
}

/* There is room for INLINED_AT_MOST levels; code that is deeper is its function's. */
static void
test_depth(void **state)
{
	const struct chain most = {.depth = INLINED_AT_MOST}, more = {.depth = INLINED_AT_MOST + 1},
			   many = {.depth = 100000};
	struct code_frame frames[INLINED_AT_MOST + 1];
	struct symbols *symbols;
	struct testrun *test = *state;
	const struct inlined_code *code = read_code(test, &most, &symbols);

	assert_int_equal(inlined_frames(code, 0, frames), INLINED_AT_MOST + 1);
	assert_string_equal(inlined_name(code, frames[INLINED_AT_MOST].name), "s64");
	expect(test, &more, 0x1000, "i.h:99");
	expect(test, &many, 0x1000, "i.h:99");
}

static void
test_odd_numbers(void **state)
{
	const struct chain parent = {.depth = 2, .odd_parent = 77},
			   instance = {.depth = 2, .odd_instance = 77},
			   name = {.depth = 1, .odd_name = 77};
	struct testrun *test = *state;

	expect(test, &parent, 0x1000, "f.c:1 s1 i.h:2 s2 i.h:99");
	expect(test, &instance, 0x1000, "i.h:99");
	expect(test, &name, 0x1000, "f.c:1  i.h:99");
}

/* Stages that take turns get the same; without that, each reads it anew. */
static void
test_kept(void **state)
{
	const struct chain one = {.depth = 1}, none = {.depth = 0};
	struct testrun *test = *state;
	struct symbols *symbols;
	struct inlined_code *code = read_code(test, &one, &symbols), *again;

	assert_false(code->is_kept);
	symbols_release_inlined(&test->run, code);
	symbols_keep_inlined(&test->run, symbols, NULL);
	code = symbols_read_inlined(&test->run, symbols);
	/* The provider has nothing any more. */
	chainrun_set(test, symbols, &none);
	symbols_release_inlined(&test->run, code);
	again = symbols_read_inlined(&test->run, symbols);
	assert_ptr_equal(again, code);
	assert_int_equal(again->depth[1], 1);
	symbols_drop_inlined(&test->run, symbols);
	assert_null(symbols_read_inlined(&test->run, symbols));
	symbols_drop_inlined(&test->run, symbols);
	/* What was read apart is kept with the files of the symbols, and changed none before. */
	code = read_code(test, &one, &symbols);
	symbols_release_inlined(&test->run, code);
	code = symbols_read_inlined_apart(&test->run, symbols);
	assert_non_null(code);
	assert_null(code->rows.symbols);
	symbols_keep_inlined(&test->run, symbols, code);
	assert_ptr_equal(symbols_read_inlined(&test->run, symbols), code);
	assert_ptr_equal(code->rows.symbols, symbols);
	symbols_drop_inlined(&test->run, symbols);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		TESTRUN(test_chains),      TESTRUN(test_none), TESTRUN(test_depth),
		TESTRUN(test_odd_numbers), TESTRUN(test_kept),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
