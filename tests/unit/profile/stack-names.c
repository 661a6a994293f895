/* SPDX-License-Identifier: Apache-2.0 */
/* Frames that are known by name, beside a program: its functions, and names of nobody. */
#include "../stackrun.h"

#include "profile/stack-places.h"
#include "symbols/late.h"

static struct symbols *
program_of(struct testrun *test, const char *functions)
{
	struct symbols *symbols = small_letters(test, functions);

	symbols->image.name = "program";
	symbols->table.target.pointer_bytes = 8;
	test->settings.clones = ENGINE_CLONES_KEEP;
	return symbols;
}

static enum gprofx_result
find(struct testrun *test, struct profile *first, struct symbols *symbols)
{
	enum gprofx_result found;

	for (struct profile *i = first; i; i = i->next_run)
		profile_finish(&test->run, i);
	found = stacks_find_names(&test->run, first, symbols);
	late_add_symbols(&test->run, symbols);
	assert_int_equal(stacks_find_functions(&test->run, first, symbols), GPROFX_OK);
	return found;
}

/* Expects the functions of the places that have these letters, by their numbers. */
static void
expect_functions(const struct profile *profile, const char *places, const uint32_t *functions)
{
	const struct stacks *stacks = &profile->stacks;

	assert_int_equal(stacks->place_count, strlen(places));
	for (uint32_t i = 0; i < stacks->place_count; i++) {
		assert_int_equal(stacks->places[i].names->function[0], places[i]);
		assert_int_equal(stacks->function[i], functions[i]);
	}
}

/* All runs have the same functions, those of the program with the numbers that they had. */
static void
test_runs(void **state)
{
	struct testrun *test = *state;
	struct symbols *symbols = program_of(test, "abc");
	struct profile *first = profile_new(&test->run), *second = profile_new(&test->run);

	first->next_run = second;
	stackrun_read(test, first, "axy 2 abx 3", 1);
	stackrun_read(test, second, "czx 1 cb 1", 1);
	find(test, first, symbols);
	assert_string_equal(test->last_id, "");
	assert_int_equal(symbols->count, 6);
	for (uint32_t i = 0; i < 6; i++)
		assert_int_equal(symbols->name[i][0], "abcxyz"[i]);
	for (uint32_t i = 0; i < 6; i++)
		assert_int_equal(symbols_object_of(symbols, i) != NULL, i >= 3);
	expect_functions(first, "axyb", (const uint32_t[]){0, 3, 4, 1});
	expect_functions(second, "czxb", (const uint32_t[]){2, 5, 3, 1});
}

/* Where all names are the program's nothing is added. */
static void
test_no_strangers(void **state)
{
	struct testrun *test = *state;
	struct symbols *symbols = program_of(test, "ab");
	struct profile *profile = profile_new(&test->run);

	stackrun_read(test, profile, "ab 2 - 5", 1);
	find(test, profile, symbols);
	assert_null(symbols->late);
	assert_int_equal(symbols->others_bytes, 0);
	expect_functions(profile, "ab", (const uint32_t[]){0, 1});
}

/* Calls of what is nowhere do not become calls of names. */
static void
test_wild_calls(void **state)
{
	struct testrun *test = *state;
	struct symbols *symbols = program_of(test, "ab");
	struct profile *profile = profile_new(&test->run);
	const uint64_t names = (uint64_t)3 << 32;
	const struct gprofx_raw_arc wild = {names, names + 4, 7}, sound = {0x1000, 0x1010, 1};
	static const struct gprofx_file file = {.size = sizeof file, .name = "calls"};

	profile_begin_file(&test->run, profile, "calls", 0, false);
	profile->public.builder->arcs(&test->run.gx, &profile->public, NULL, &wild, 1);
	profile->public.builder->arcs(&test->run.gx, &profile->public, NULL, &sound, 1);
	assert_int_equal(profile_commit_file(&test->run, profile, &file), GPROFX_OK);
	stackrun_read(test, profile, "ax 1", 1);
	find(test, profile, symbols);
	assert_true(profile->stacks.places[1].address == names);
	assert_int_equal(symbols_lookup(symbols, profile->arcs[0].from), NO_SYMBOL);
	assert_int_equal(symbols_lookup(symbols, profile->arcs[0].self), NO_SYMBOL);
	assert_true(profile->arcs[1].from == 0x1000 && profile->arcs[1].self == 0x1010);
}

/* Half of the weight may be of others; stacks count that any function of the program is in. */
static void
test_other_program(void **state)
{
	static const struct {
		const char *stacks;
		bool is_told, is_refused;
	} cases[] = {
		{"a 1 x 1", false, false},     {"a 1 x 2", true, false},
		{"axy 1 x 1", false, false},   {"xya 1 x 1", false, false},
		{"x 1", true, true},           {"axy 1 xx 1 x 1", true, false},
		{"a 1 x 1 - 9", false, false}, {"x 9 - 1", true, true},
	};
	struct testrun *test = *state;

	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		struct profile *profile;

		testrun_again(test);
		test->last_id[0] = '\0';
		profile = profile_new(&test->run);
		stackrun_read(test, profile, cases[i].stacks, 1);
		assert_int_equal(find(test, profile, program_of(test, "ab")) != GPROFX_OK,
		                 cases[i].is_refused);
		assert_string_equal(test->last_id, cases[i].is_told ? "profile.other-program" : "");
	}
	assert_non_null(strstr(test->said, "found no function of the program in any"));
}

/* A program that reaches to the last addresses leaves no place for names: they are outside. */
static void
test_no_room(void **state)
{
	struct testrun *test = *state;
	struct symbols *symbols = program_of(test, "ab");
	struct profile *profile = profile_new(&test->run);

	symbols->table.text_end = UINT64_MAX;
	stackrun_read(test, profile, "ax 1", 1);
	find(test, profile, symbols);
	assert_string_equal(test->last_id, "image.no-room");
	expect_functions(profile, "ax", (const uint32_t[]){0, 2});
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		TESTRUN(test_runs),          TESTRUN(test_no_strangers), TESTRUN(test_wild_calls),
		TESTRUN(test_other_program), TESTRUN(test_no_room),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
