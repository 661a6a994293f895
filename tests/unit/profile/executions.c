/* SPDX-License-Identifier: Apache-2.0 */
/* Which symbols the functions of the source are, and around which lines they stand. */
#include "smallrun.h"

#include "profile/executions.h"
#include "profile/source-counts.h"

enum { X = 1, Y = 2 };
static struct source_file files[] = {{0}, {"/s/x.c", "x.c", 0}, {"/s/y.c", "y.c", 0}};

/* A row of the symbol table; rows end with one that has no address. */
struct row {
	const char *name;
	uint64_t address;
	uint8_t flags;
};

struct matching_case {
	const char *what;
	struct row rows[8];
	uint32_t file[4]; /* of the functions at 0x1000, 0x1010, 0x1020, 0x1030 */
	struct gprofx_raw_function x[4], y[4];
	/* Per function of the source its symbol; per symbol the number of its function plus 1. */
	const char *expected;
};

static void
add_source(struct testrun *test, struct profile *profile, const char *path,
           const struct gprofx_raw_function *functions, const struct gprofx_raw_line *lines,
           uint32_t line_count)
{
	struct gprofx_raw_source source = {.size = sizeof source,
	                                   .path = path,
	                                   .functions = functions,
	                                   .lines = lines,
	                                   .line_count = line_count};

	while (source.function_count < 4 && functions[source.function_count].name)
		source.function_count++;
	profile->public.builder->source(&test->run.gx, &profile->public, &source);
}

#define F GPROFX_SYMBOL_FUNCTION
#define D GPROFX_SYMBOL_DATA

static void
test_symbols(void **state)
{
	static const struct matching_case cases[] = {
		{"by name",
	         {{"a", 0x1000, F}, {"b", 0x1010, F}},
	         {0},
	         {{"b", 1, 2, 1}},
	         {{0}},
	         "1; 0 1 0 0"},
		{"in the order of the source",
	         {{"a", 0x1000, F}, {"b", 0x1010, F}},
	         {0},
	         {{"b", 1, 2, 1}, {"a", 5, 6, 1}},
	         {{0}},
	         "1 0; 2 1 0 0"},
		{"inlined everywhere",
	         {{"a", 0x1000, F}},
	         {0},
	         {{"gone", 1, 2, 1}, {"a", 5, 6, 1}},
	         {{0}},
	         "- 0; 2 0 0 0"},
		{"no function",
	         {{"a", 0x1000, D}, {"a", 0x1010, F}},
	         {0},
	         {{"a", 1, 2, 1}},
	         {{0}},
	         "1; 0 1 0 0"},
		{"without a name",
	         {{NULL, 0x1000, F}, {"a", 0x1010, F}},
	         {0},
	         {{"a", 1, 2, 1}},
	         {{0}},
	         "1; 0 1 0 0"},
		/* It stands within a function, so it is none of the report. */
		{"within a function",
	         {{"a", 0x1004, F}},
	         {0},
	         {{"a", 1, 2, 1}},
	         {{0}},
	         "-; 0 0 0 0"},
		{"below all", {{"a", 0x10, F}}, {0}, {{"a", 1, 2, 1}}, {{0}}, "-; 0 0 0 0"},
		/* Two names of one address are one symbol. */
		{"the same twice",
	         {{"a", 0x1000, F}, {"a", 0x1000, F}},
	         {0},
	         {{"a", 1, 2, 1}},
	         {{0}},
	         "0; 1 0 0 0"},
		{"two names",
	         {{"a", 0x1000, F}, {"b", 0x1000, F}},
	         {0},
	         {{"a", 1, 2, 1}, {"b", 3, 4, 1}},
	         {{0}},
	         "0 -; 1 0 0 0"},
		/* Copies of one function: all are it, and it is none of them alone. */
		{"copies",
	         {{"a", 0x1000, F}, {"a", 0x1010, F}},
	         {X, Y},
	         {{"a", 1, 2, 1}},
	         {{0}},
	         "-; 1 1 0 0"},
		/* Two functions of a name: their files tell them apart. */
		{"static functions",
	         {{"a", 0x1000, F}, {"a", 0x1010, F}},
	         {Y, X},
	         {{"a", 1, 2, 1}},
	         {{"a", 7, 8, 1}},
	         "1 0; 2 1 0 0"},
		{"of unknown files",
	         {{"a", 0x1000, F}, {"a", 0x1010, F}},
	         {0, X},
	         {{"a", 1, 2, 1}},
	         {{"a", 7, 8, 1}},
	         "1 -; 0 1 0 0"},
		{"several of a file",
	         {{"a", 0x1000, F}, {"a", 0x1010, F}, {"a", 0x1020, F}},
	         {X, X, Y},
	         {{"a", 1, 2, 1}},
	         {{"a", 7, 8, 1}},
	         "- 2; 1 1 2 0"},
	};

	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		const struct matching_case *c = &cases[i];
		struct testrun *test = *state;
		struct symbols *symbols = small_letters(test, "pqrs");
		struct profile *profile = profile_new(&test->run);
		struct small_text found = {.length = 0};
		const char *names[8] = {NULL};
		uint64_t address[8] = {0};
		uint8_t flags[8] = {0};
		uint32_t lines[4] = {1, 1, 1, 1};

		for (uint32_t k = 0; k < 8 && c->rows[k].address != 0; k++) {
			names[k] = c->rows[k].name;
			address[k] = c->rows[k].address;
			flags[k] = c->rows[k].flags;
			symbols->table.count = k + 1;
		}
		symbols->table.rows.name = names;
		symbols->table.rows.address = address;
		symbols->table.rows.flags = flags;
		symbols->is_located = true;
		symbols->files = files;
		symbols->file_count = 3;
		symbols->file = (uint32_t *)c->file;
		symbols->line = lines;
		profile_begin_file(&test->run, profile, "counts", 0, true);
		add_source(test, profile, "/s/x.c", c->x, NULL, 0);
		add_source(test, profile, "/s/y.c", c->y, NULL, 0);
		source_counts_finish(&test->run, profile);
		executions_match(&test->run, symbols, profile);
		for (uint32_t k = 0; k < profile->source_function_count; k++)
			if (profile->executions->symbol[k] == NO_SYMBOL)
				small_add(&found, "%s-", k > 0 ? " " : "");
			else
				small_add(&found, "%s%u", k > 0 ? " " : "",
				          profile->executions->symbol[k]);
		small_add(&found, ";");
		for (uint32_t k = 0; k < 4; k++)
			small_add(&found, " %u", profile->executions->function[k]);
		small_expect(c->what, c->expected, &found);
	}
}

/* Lines are of the innermost function around them, of their own file. */
static void
test_lines(void **state)
{
	static const struct gprofx_raw_line x[] = {{1, 1}, {2, 1}, {4, 1},  {5, 1}, {6, 1},
	                                           {8, 1}, {9, 1}, {10, 1}, {11, 1}},
					    y[] = {{1, 1}, {7, 1}, {8, 1}};
	static const struct gprofx_raw_function of_x[4] = {{"outer", 2, 9, 1},
	                                                   {"inner", 4, 5, 1},
	                                                   {"late", 11, 12, 1}},
						of_y[4] = {{"y", 7, 7, 1}};
	/* 1: none; 2: outer (1); 4, 5: inner (2); 6, 8, 9: outer; 10: none; 11: late (3). */
	static const uint32_t expected[] = {0, 1, 2, 2, 1, 1, 1, 0, 3, 0, 4, 0};
	struct testrun *test = *state;
	struct profile *profile = profile_new(&test->run);

	executions_match(&test->run, small_letters(test, "a"), profile);
	assert_null(profile->executions);
	profile_begin_file(&test->run, profile, "counts", 0, true);
	add_source(test, profile, "/s/y.c", of_y, y, 3);
	add_source(test, profile, "/s/x.c", of_x, x, 9);
	source_counts_finish(&test->run, profile);
	executions_match(&test->run, small_letters(test, "a"), profile);
	assert_int_equal(profile->source_count_count, 12);
	for (uint32_t i = 0; i < 12; i++)
		if (profile->executions->line_function[i] != expected[i])
			fail_msg("line %u of file %u: %u", profile->source_counts[i].line,
			         profile->source_counts[i].file,
			         profile->executions->line_function[i]);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {TESTRUN(test_symbols), TESTRUN(test_lines)};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
