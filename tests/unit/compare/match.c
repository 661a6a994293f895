/* SPDX-License-Identifier: Apache-2.0 */
/* Matches by builds and by names of the symbol table, and what always holds.  Takes 0.3 s.
 */
#include "matchrun.h"

static const uint8_t id_a[] = {1, 2, 3}, id_b[] = {1, 2, 4}, id_c[] = {0x11, 2, 3};

static void
set_build(struct match_report *report, const char *image, const uint8_t *id, int64_t modified)
{
	report->origin.image = image;
	report->origin.build_id = id;
	report->origin.build_id_bytes = id ? 3 : 0;
	report->origin.image_modified = modified;
}

/* Which programs are the same build. */
static void
test_builds(void **state)
{
	static const struct match_function functions[] = {NAMED("a"), NAMED("b"), {0}},
					   others[] = {NAMED("b"), NAMED("c"), {0}};
	static const struct {
		const char *what;
		const char *image[2];
		const uint8_t *id[2];
		int64_t modified[2];
		bool is_same;
	} cases[] = {
		{"equal build IDs", {"x", "y"}, {id_a, id_a}, {1, 2}, true},
		{"different build IDs", {"x", "x"}, {id_a, id_b}, {1, 1}, false},
		{"one bit of build IDs", {"x", "x"}, {id_a, id_c}, {1, 1}, false},
		{"one build ID", {"x", "x"}, {id_a, NULL}, {1, 1}, false},
		{"the same file", {"x", "x"}, {NULL, NULL}, {7, 7}, true},
		{"a file that changed", {"x", "x"}, {NULL, NULL}, {7, 8}, false},
		{"another file", {"x", "y"}, {NULL, NULL}, {7, 7}, false},
		{"nothing known of the file", {"x", "x"}, {NULL, NULL}, {0, 0}, false},
		{"no program", {NULL, NULL}, {NULL, NULL}, {7, 7}, false},
	};
	struct testrun *test = *state;

	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		struct match_report *base = match_report(test, functions, NULL);
		struct match_report *new = match_report(test, others, NULL);

		set_build(base, cases[i].image[0], cases[i].id[0], cases[i].modified[0]);
		set_build(new, cases[i].image[1], cases[i].id[1], cases[i].modified[1]);
		match_expect(test, cases[i].what, base, new, cases[i].is_same ? "0b 1b" : "- 0n");
		assert_int_equal(match_both(test, base, new).is_same_build, cases[i].is_same);
	}
}

/* Addresses say which function it is, however many each side has; an ID can have one byte. */
static void
test_addresses(void **state)
{
	static const struct match_function functions[] = {{"a", NULL, NULL, 0x1000, 0, 0},
	                                                  {"b", NULL, NULL, 0x1010, 0, 0},
	                                                  {"c", NULL, NULL, 0x1020, 0, 0},
	                                                  {0}};
	static const struct match_function others[] = {{"x", NULL, NULL, 0x1000, 0, 0},
	                                               {"y", NULL, NULL, 0x1020, 0, 0},
	                                               {"b", NULL, NULL, 0x1030, 0, 0},
	                                               {0}};
	struct testrun *test = *state;
	struct match_report *base = match_report(test, functions, NULL);
	struct match_report *new = match_report(test, others, NULL);

	set_build(base, "x", id_a, 1);
	set_build(new, "y", id_a, 2);
	base->origin.build_id_bytes = new->origin.build_id_bytes = 1;
	match_expect(test, "addresses", base, new, "0b 2n 1b");
}

/* Libraries have builds of their own; lines are matched by address, or not at all. */
static void
test_images(void **state)
{
	static const struct match_function functions[] = {
		{"a", NULL, NULL, 0x1000, 0, 0},
		{"a", NULL, NULL, 0x1004, 0, GPROFX_NODE_LINE},
		{"f", NULL, "l.so", 0x1000, 1, 0},
		{"f", NULL, "l.so", 0x1000, 1, GPROFX_NODE_LINE},
		{"g", NULL, "m.so", 0x1000, 2, 0},
		{"g", NULL, "m.so", 0x1008, 2, GPROFX_NODE_LINE},
		{0}};
	static const struct match_function others[] = {
		{"a", NULL, NULL, 0x1000, 0, 0},
		{"a", NULL, NULL, 0x1004, 0, GPROFX_NODE_LINE},
		{"h", NULL, "m.so", 0x1000, 1, 0},
		{"h", NULL, "m.so", 0x1008, 1, GPROFX_NODE_LINE},
		{"i", NULL, "l.so", 0x1000, 2, GPROFX_NODE_LINE},
		{"i", NULL, "l.so", 0x1000, 2, 0},
		{0}};
	struct gprofx_code_image images[] = {
		{.size = sizeof *images,
	         .build_id = id_a,
	         .build_id_bytes = 3,
	         .names_from = GPROFX_NAMES_OF_FILE},
		{.size = sizeof *images,
	         .build_id = id_b,
	         .build_id_bytes = 3,
	         .names_from = GPROFX_NAMES_OF_FILE},
	};
	struct gprofx_code_image swapped[] = {images[1], images[0]};
	struct testrun *test = *state;
	struct match_report *base = match_report(test, functions, NULL);
	struct match_report *new = match_report(test, others, NULL);

	base->origin.images = images;
	new->origin.images = swapped;
	base->origin.image_count = new->origin.image_count = 2;
	match_expect(test, "libraries", base, new, "0n - 5b 4b 2b 3b");
	set_build(base, "x", id_a, 1);
	set_build(new, "x", id_a, 1);
	/* The program's build ID is that of a library: no sound file has that, but it can be said.
	 */
	match_expect(test, "one build ID for all", base, base, "0b 1b 2b 3b 4b 5b");
	images[1].build_id_bytes = 0;
	match_expect(test, "an empty build ID", base, new, "0b 1b 5b 4b - -");
	swapped[0].build_id_bytes = 0;
	match_expect(test, "two empty build IDs", base, new, "0b 1b 5b 4b - -");
	images[1].build_id_bytes = swapped[0].build_id_bytes = 3;
	images[1].build_id = swapped[0].build_id = NULL;
	match_expect(test, "no build ID of a length", base, new, "0b 1b 5b 4b - -");
	images[1].build_id = swapped[0].build_id = id_b;
	images[1].build_id_bytes = 3;
	images[1].names_from = GPROFX_NAMES_OF_PROFILE;
	match_expect(test, "names of a profile", base, new, "0b 1b 5b 4b - -");
}

/* Names, source files, objects. */
static void
test_names(void **state)
{
	static const struct match_case cases[] = {
		{"other folders",
	         {IN("f", "/old/a.c"), IN("g", "/old/a.c")},
	         {IN("g", "/new/a.c"), IN("f", "/new/a.c")},
	         "1n 0n",
	         NULL,
	         NULL},
		{"static functions of one name",
	         {IN("f", "a.c"), IN("f", "b.c"), IN("f", "c.c")},
	         {IN("f", "c.c"), IN("f", "a.c"), IN("f", "b.c")},
	         "1n 2n 0n",
	         NULL,
	         NULL},
		{"as many of one name and file",
	         {IN("f", "a.c"), IN("f", "a.c")},
	         {IN("f", "a.c"), IN("f", "a.c")},
	         "0n 1n",
	         NULL,
	         NULL},
		{"more of one name and file",
	         {IN("f", "a.c"), IN("f", "a.c")},
	         {IN("f", "a.c"), IN("f", "a.c"), IN("f", "a.c")},
	         "- -",
	         NULL,
	         NULL},
		{"files known on one side",
	         {IN("f", "a.c"), IN("g", "a.c")},
	         {NAMED("f"), NAMED("g")},
	         "0n 1n",
	         NULL,
	         NULL},
		{"files known of some",
	         {IN("f", "a.c"), NAMED("f")},
	         {IN("f", "a.c"), NAMED("f")},
	         "0n 1n",
	         NULL,
	         NULL},
		{"objects",
	         {NAMED("f"), OF("f", "x.so"), OF("f", "y.so")},
	         {NAMED("f"), OF("f", "y.so"), OF("f", "x.so")},
	         "0n 2n 1n",
	         NULL,
	         NULL},
		{"versions of objects",
	         {OF("f", "libc-2.31.so"), OF("f", "libm.so.6")},
	         {OF("f", "libc.so.6"), OF("f", "libm.so")},
	         "0n 1n",
	         NULL,
	         NULL},
		{"objects and programs do not exchange functions of names that are not unique",
	         {NAMED("f"), OF("f", "x.so")},
	         {OF("f", "y.so"), OF("f", "z.so")},
	         "- -",
	         NULL,
	         NULL},
		{"objects without a version",
	         {OF("f", "a.dll"), OF("f", "b.dll")},
	         {OF("f", "b.dll"), OF("f", "a.dll")},
	         "1n 0n",
	         NULL,
	         NULL},
		{"objects whose names are numbers",
	         {OF("f", "1.so")},
	         {OF("f", "2.so")},
	         "0p",
	         NULL,
	         NULL},
		{"placeholders alone",
	         {{"<outside>", NULL, NULL, 0, 0, GPROFX_NODE_OUTSIDE}},
	         {{"<unknown>", NULL, NULL, 0, 0, GPROFX_NODE_OUTSIDE}},
	         "0n",
	         NULL,
	         NULL},
		{"placeholders, shown on one side",
	         {{"<outside>", NULL, NULL, 0, 0, GPROFX_NODE_OUTSIDE | GPROFX_NODE_SHOWN}},
	         {{"<outside>", NULL, NULL, 0, 0, GPROFX_NODE_OUTSIDE}},
	         "0n",
	         NULL,
	         NULL},
		{"nothing in common",
	         {IN("a", "a.c"), IN("b", "a.c")},
	         {IN("c", "b.c")},
	         "- -",
	         NULL,
	         NULL},
		{"nothing in the base", {{0}}, {IN("c", "b.c")}, "", NULL, NULL},
		{"nothing in the new one", {IN("c", "b.c")}, {{0}}, "-", NULL, NULL},
		{"nothing at all", {{0}}, {{0}}, "", NULL, NULL},
		{"object files",
	         {{"a.o", NULL, NULL, 0, 0, GPROFX_NODE_FILE}, NAMED("b.o")},
	         {NAMED("a.o"),
	          {"b.o", NULL, NULL, 0, 0, GPROFX_NODE_FILE},
	          {"a.o", NULL, NULL, 0, 0, GPROFX_NODE_FILE}},
	         "2n -",
	         NULL,
	         NULL},
		{"placeholders",
	         {NAMED("f"),
	          {"<outside>", NULL, NULL, 0, 0, GPROFX_NODE_OUTSIDE},
	          {"<indirect>", NULL, NULL, 0, 0, GPROFX_NODE_INDIRECT}},
	         {{"<unknown>", NULL, NULL, 0, 0, GPROFX_NODE_OUTSIDE},
	          {"f", NULL, NULL, 0, 0, GPROFX_NODE_INDIRECT}},
	         "- 0n 1n",
	         NULL,
	         NULL},
	};

	match_cases(*state, cases, sizeof cases / sizeof cases[0]);
}

/* The members that can be NULL. */
static void
test_program_alone(void **state)
{
	static const struct match_function functions[] = {IN("a", "x.c"), NAMED("b"), {0}};
	struct testrun *test = *state;
	struct match_report *report = match_report(test, functions, NULL);

	report->functions.image = NULL;
	report->functions.object_name = NULL;
	match_expect(test, "by name", report, report, "0n 1n");
	set_build(report, "x", id_a, 0);
	match_expect(test, "with itself", report, report, "0b 1b");
}

/* A few bytes of a file can be a million long names: they end at a bound, the same for all. */
static void
test_long_names(void **state)
{
	enum { COUNT = 1000, BYTES = 1 << 20 };
	struct testrun *test = *state;
	struct match_report *report = match_report_of(test, COUNT);
	char *text = memory_alloc(&test->run, BYTES + 1);
	struct compare_matches matches;
	uint32_t matched = 0;

	memset(text, 'x', BYTES);
	for (uint32_t i = 0; i < COUNT; i++)
		match_set(report, i, &(struct match_function){.name = text + i});
	matches = match_both(test, report, report);
	for (uint32_t i = 0; i < COUNT; i++) {
		matched += matches.of_base[i] != UINT32_MAX;
		assert_true(matches.of_base[i] == UINT32_MAX || matches.of_base[i] == i);
	}
	assert_true(matched > 0 && matched < COUNT);
	assert_string_equal(test->last_id, "report.long-names");
}

/* All of one name: as many are matched in order, others not. */
static void
test_one_name(void **state)
{
	enum { COUNT = 100000 };
	struct testrun *test = *state;
	struct match_report *base = match_report_of(test, COUNT);
	struct match_report *new = match_report_of(test, COUNT - 1);
	static const struct match_function function = IN("_ZN1a1fEv", "x.c");
	struct compare_matches matches;

	for (uint32_t i = 0; i < COUNT; i++) {
		match_set(base, i, &function);
		if (i < COUNT - 1)
			match_set(new, i, &function);
	}
	matches = match_both(test, base, base);
	for (uint32_t i = 0; i < COUNT; i++)
		assert_int_equal(matches.of_base[i], i);
	matches = match_both(test, base, new);
	for (uint32_t i = 0; i < COUNT; i++)
		assert_int_equal(matches.of_base[i], UINT32_MAX);
}

enum { RANDOM_COUNT = 120, RANDOM_CASES = 150 };

/* Functions of few names, files and objects, of which many are equal, and calls between them. */
static struct match_report *
random_report(struct testrun *test, uint64_t *random)
{
	static const char *const names[] = {
		"f",         "f.isra.0", "f.cold",  "_ZN1a1fEi", "_ZN1a1fEl", "_ZN1a1fEi.part.1",
		"a::f(int)", "a::f",     "g",       "h",         "_f",        "_ZN1b1gE",
		"i.",        "",         "b::h<1>", "k"};
	static const char *const files[] = {NULL, "x.c", "/p/x.c", "y.c"};
	static const char *const objects[] = {NULL, "l.so", "l.so.1"};
	uint32_t count = (uint32_t)(testrun_random(random) % RANDOM_COUNT);
	uint32_t calls[2 * RANDOM_COUNT], call_count = count > 0 ? RANDOM_COUNT : 0;
	struct match_report *report = match_report_of(test, count);

	for (uint32_t i = 0; i < count; i++) {
		uint64_t bits = testrun_random(random);
		uint32_t flags = bits >> 40 & 15;
		struct match_function function = {
			.name = names[bits % 16],
			.file = files[bits >> 8 & 3],
			.object = objects[(bits >> 16) % 3],
			.address = 0x1000 + (bits >> 24 & 63),
			.flags = flags == 0   ? GPROFX_NODE_LINE
		                 : flags == 1 ? GPROFX_NODE_FILE
		                              : 0,
		};

		match_set(report, i, &function);
	}
	for (uint32_t i = 0; i < 2 * call_count; i++)
		calls[i] = (uint32_t)(testrun_random(random) % count);
	match_set_calls(test, report, calls, call_count);
	if (testrun_random(random) % 4 == 0)
		set_build(report, "x", testrun_random(random) % 2 ? id_a : id_b, 0);
	return report;
}

/* One to one, the same again, the same with other threads, and the other way round. */
static void
test_random(void **state)
{
	struct testrun *test = *state;
	uint64_t random = 20260101;

	for (uint32_t i = 0; i < RANDOM_CASES; i++) {
		struct match_report *base = random_report(test, &random);
		struct match_report *new = random_report(test, &random);
		struct compare_matches matches = match_both(test, base, new), again;

		test->run.threads = 1 + i % 3;
		again = match_both(test, base, new);
		assert_memory_equal(matches.of_base, again.of_base,
		                    matches.base_count * sizeof *matches.of_base);
		assert_memory_equal(matches.how, again.how, matches.new_count);
		again = match_both(test, new, base);
		assert_memory_equal(matches.of_base, again.of_new,
		                    matches.base_count * sizeof *matches.of_base);
		testrun_again(test);
	}
}

/* Unique names are found again in any order, with those that compilers and people changed. */
static void
test_permutations(void **state)
{
	enum { COUNT = 3000 };
	struct testrun *test = *state;
	struct match_report *base = match_report_of(test, COUNT);
	struct match_report *new = match_report_of(test, COUNT);
	struct compare_matches matches;
	uint32_t order[COUNT];
	uint64_t random = 42;

	for (uint32_t i = 0; i < COUNT; i++) {
		uint32_t other = (uint32_t)(testrun_random(&random) % (i + 1));

		order[i] = order[other];
		order[other] = i;
	}
	for (uint32_t i = 0; i < COUNT; i++) {
		const char *name = text_format(&test->run, "_ZN1a5f%04uEi", i);

		match_set(base, i, &(struct match_function){.name = name});
		if (i % 3 == 1)
			name = text_format(&test->run, "%s.constprop.%u", name, i);
		else if (i % 3 == 2)
			name = text_format(&test->run, "a::f%04u(int)", i);
		match_set(new, order[i], &(struct match_function){.name = name});
	}
	matches = match_both(test, base, new);
	for (uint32_t i = 0; i < COUNT; i++) {
		assert_int_equal(matches.of_base[i], order[i]);
		assert_int_equal(matches.how[order[i]],
		                 i % 3 == 0 ? GPROFX_MATCH_NAME : GPROFX_MATCH_PLAIN);
	}
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		TESTRUN(test_builds),   TESTRUN(test_addresses),     TESTRUN(test_images),
		TESTRUN(test_names),    TESTRUN(test_program_alone), TESTRUN(test_long_names),
		TESTRUN(test_one_name), TESTRUN(test_random),        TESTRUN(test_permutations),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
