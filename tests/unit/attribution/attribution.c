/* SPDX-License-Identifier: Apache-2.0 */
/* Whose calls are booked on whom, where call sites were rounded down to multiples of 16 bytes. */
#include "attribution-scene.h"

/* What the call sites stand for is stated: 16 bytes. */
static void
test_code_decides(void **state)
{
	static const struct scene scenes[] = {
		{"nothing to doubt", {{0x1020, D, 10}}, {{0x1021, D, CALL}}, "b>d 10"},
		{"no calls", {{0}}, {{0x1021, D, CALL}}, ""},
		{"the other one",
	         {{0x1010, D, 10}},
	         {{0x1015, D, CALL}},
	         "16: doubtful 1/10 moved 1/10; b>d 10"},
		{"the one that it was booked on",
	         {{0x1010, D, 10}},
	         {{0x100c, D, CALL}},
	         "16: doubtful 1/10; a>d 10"},
		{"who calls another function",
	         {{0x1010, D, 10}},
	         {{0x100c, E, CALL}, {0x1015, D, CALL}},
	         "16: doubtful 1/10 moved 1/10; b>d 10"},
		{"nobody calls it",
	         {{0x1010, D, 10}},
	         {{0x100c, E, CALL}, {0x1015, F, CALL}},
	         "16: doubtful 1/10; a>d 10"},
		/* 11 calls of two: 5 each, and the first has what is left over. */
		{"both",
	         {{0x1010, D, 11}},
	         {{0x100c, D, CALL}, {0x1015, D, CALL}},
	         "16: doubtful 1/11 split 1/11; a>d 6, b>d 5"},
		{"two calls of one function are one caller",
	         {{0x1010, D, 11}},
	         {{0x100c, D, CALL}, {0x1015, D, CALL}, {0x101a, D, CALL}},
	         "16: doubtful 1/11 split 1/11; a>d 6, b>d 5"},
		/* What c has is at the address that was recorded of both. */
		{"one at the address of both",
	         {{0x1030, D, 11}},
	         {{0x102b, D, CALL}, {0x1030, D, CALL}},
	         "16: doubtful 1/11 split 1/11; b>d 6, c>d 5"},
		/* Of one call between two, one has it. */
		{"a single call",
	         {{0x1010, D, 1}},
	         {{0x100c, D, CALL}, {0x1015, D, CALL}},
	         "16: doubtful 1/1 split 1/1; a>d 1"},
		{"no call at all",
	         {{0x1010, D, 0}},
	         {{0x1015, D, CALL}},
	         "16: doubtful 1/0 moved 1/0; b>d 0"},
		/* Calls return to 0x1010 up to 0x101f. */
		{"the first address",
	         {{0x1010, D, 10}},
	         {{0x100b, D, CALL}, {0x101b, D, CALL}},
	         "16: doubtful 1/10; a>d 10"},
		{"before it",
	         {{0x1010, D, 10}},
	         {{0x100a, D, CALL}, {0x1015, D, CALL}},
	         "16: doubtful 1/10 moved 1/10; b>d 10"},
		{"the last address",
	         {{0x1010, D, 10}},
	         {{0x101a, D, CALL}},
	         "16: doubtful 1/10 moved 1/10; b>d 10"},
		{"behind it", {{0x1010, D, 10}}, {{0x101b, D, CALL}}, "16: doubtful 1/10; a>d 10"},
		{"nobody is called", {{0x1010, 0x10, 3}}, {{0x1015, D, CALL}}, "a>- 3"},
		/* b ends with a call, which returns to where c begins. */
		{"a call at the end",
	         {{0x1030, D, 10}},
	         {{0x102b, D, CALL}},
	         "16: doubtful 1/10 moved 1/10; b>d 10"},
		{"two arcs",
	         {{0x1010, D, 10}, {0x1010, E, 4}, {0x1030, D, 1}},
	         {{0x100c, E, CALL}, {0x1015, D, CALL}, {0x1035, D, CALL}},
	         "16: doubtful 2/14 moved 1/10; b>d 10, a>e 4, c>d 1"},
		{"in any order",
	         {{0x1030, D, 3}, {0x1010, E, 4}, {0x1010, D, 10}},
	         {{0x1015, E, CALL}, {0x100c, D, CALL}, {0x102b, D, CALL}},
	         "16: doubtful 3/17 moved 2/7; b>d 3, b>e 4, a>d 10"},
		{"the same arc again, between others",
	         {{0x1010, E, 4}, {0x1010, D, 10}, {0x1010, E, 3}},
	         {{0x100c, E, CALL}, {0x1015, E, CALL}},
	         "16: doubtful 2/17 split 1/7; a>e 4, a>d 10, a>e 0, b>e 3"},
		/* 10 and 5 of two files are 15: 8 and 7. */
		{"the same arc again",
	         {{0x1010, D, 10}, {0x1020, F, 1}, {0x1010, D, 5}},
	         {{0x100c, D, CALL}, {0x1015, D, CALL}},
	         "16: doubtful 1/15 split 1/15; a>d 8, b>f 1, a>d 0, b>d 7"},
	};
	struct testrun *test = *state;

	test->settings.quantum = 16;
	play_all(test, symbols_of(test, MACHINE), scenes, sizeof scenes / sizeof scenes[0]);
}

/* A call can end up in a function that another jumps to, or that a pointer leads to. */
static void
test_detours(void **state)
{
	static const struct scene scenes[] = {
		{"to anywhere",
	         {{0x1010, D, 10}},
	         {{0x1015, 0, BY_POINTER}},
	         "16: doubtful 1/10 moved 1/10; b>d 10"},
		{"by a jump",
	         {{0x1010, D, 10}},
	         {{0x100c, F, CALL}, {0x1015, E, CALL}, {0x1065, D, JUMP}},
	         "16: doubtful 1/10 moved 1/10; b>d 10"},
		{"twice by a jump",
	         {{0x1010, D, 10}},
	         {{0x100c, C, CALL}, {0x1015, E, CALL}, {0x101a, E, CALL}, {0x1065, D, JUMP}},
	         "16: doubtful 1/10 moved 1/10; b>d 10"},
		{"by two jumps",
	         {{0x1010, D, 10}},
	         {{0x1015, E, CALL}, {0x1065, F, JUMP}, {0x1075, D, JUMP}},
	         "16: doubtful 1/10 moved 1/10; b>d 10"},
		{"both by jumps",
	         {{0x1010, D, 10}},
	         {{0x100c, F, CALL}, {0x1015, E, CALL}, {0x1065, F, JUMP}, {0x1075, D, JUMP}},
	         "16: doubtful 1/10 split 1/10; a>d 5, b>d 5"},
		{"by four jumps",
	         {{0x1010, D, 10}},
	         {{0x1015, E, CALL},
	          {0x1065, F, JUMP},
	          {0x1075, G, JUMP},
	          {0x1085, H, JUMP},
	          {0x1095, D, JUMP}},
	         "16: doubtful 1/10 moved 1/10; b>d 10"},
		/* More than four are not followed. */
		{"by five jumps",
	         {{0x1010, D, 10}},
	         {{0x1015, C, CALL},
	          {0x1035, E, JUMP},
	          {0x1065, F, JUMP},
	          {0x1075, G, JUMP},
	          {0x1085, H, JUMP},
	          {0x1095, D, JUMP}},
	         "16: doubtful 1/10; a>d 10"},
		{"to the lowest function",
	         {{0x1010, A, 10}},
	         {{0x1015, E, CALL}, {0x1065, A, JUMP}},
	         "16: doubtful 1/10 moved 1/10; b>a 10"},
		{"a jump elsewhere",
	         {{0x1010, D, 10}},
	         {{0x1015, E, CALL}, {0x1065, F, JUMP}},
	         "16: doubtful 1/10; a>d 10"},
		{"jumps in a circle",
	         {{0x1010, D, 10}},
	         {{0x1015, E, CALL}, {0x1065, F, JUMP}, {0x1075, E, JUMP}},
	         "16: doubtful 1/10; a>d 10"},
		{"jumps out of a circle",
	         {{0x1010, D, 10}},
	         {{0x1015, E, CALL}, {0x1065, F, JUMP}, {0x1075, E, JUMP}, {0x1078, D, JUMP}},
	         "16: doubtful 1/10 moved 1/10; b>d 10"},
		{"a jump against the direction",
	         {{0x1010, E, 10}},
	         {{0x1015, D, CALL}, {0x1065, D, JUMP}},
	         "16: doubtful 1/10; a>e 10"},
		{"a jump of the lowest function",
	         {{0x1010, D, 10}},
	         {{0x1015, A, CALL}, {0x1005, D, JUMP}},
	         "16: doubtful 1/10 moved 1/10; b>d 10"},
		/* The slot leads to e for good; nothing is known of the other pointer. */
		{"a slot",
	         {{0x1010, E, 10}},
	         {{0x1015, SLOT, BY_POINTER}},
	         "16: doubtful 1/10 moved 1/10; b>e 10"},
		{"a slot for another function",
	         {{0x1010, D, 10}},
	         {{0x1015, SLOT, BY_POINTER}},
	         "16: doubtful 1/10; a>d 10"},
		{"a slot that leads out",
	         {{0x1010, D, 10}},
	         {{0x1015, SLOT + 8, BY_POINTER}},
	         "16: doubtful 1/10 moved 1/10; b>d 10"},
		{"a pointer",
	         {{0x1010, D, 10}},
	         {{0x1015, POINTER, BY_POINTER}},
	         "16: doubtful 1/10 moved 1/10; b>d 10"},
	};
	struct testrun *test = *state;
	struct symbol_slot slots[] = {{SLOT, E}, {SLOT + 8, 0x9999}};
	struct symbols *symbols = symbols_of(test, MACHINE);

	test->settings.quantum = 16;
	symbols->slots = slots;
	symbols->slot_count = 2;
	play_all(test, symbols, scenes, sizeof scenes / sizeof scenes[0]);
}

/* Where functions jump to each other, the code of each is looked at once for all that. */
static void
test_code_is_looked_at_once(void **state)
{
	static const struct scene scene = {
		"a circle",
		{{0x1010, D, 10}},
		{{0x1015, E, CALL}, {0x1065, F, JUMP}, {0x1075, E, JUMP}},
		"16: doubtful 1/10; a>d 10"};
	struct testrun *test = *state;

	test->settings.quantum = 16;
	atomic_store(&jumps_seen, 0);
	play_all(test, symbols_of(test, MACHINE), &scene, 1);
	/* A look goes on a bit behind what it is for. */
	assert_in_range(atomic_load(&jumps_seen), 2, 3);
}

/*
 * Old runtimes state where a function calls them as the address of the callee: at 0x1055 d does.
 * Calls through the same pointer are such calls of other functions, and nobody's of d.
 */
static void
test_calls_of_the_runtime(void **state)
{
	static const struct scene scenes[] = {
		{"of the callee",
	         {{0x1010, 0x1055, 10}},
	         {{0x100c, D, CALL}, {0x1015, POINTER, BY_POINTER}, {0x1050, POINTER, BY_POINTER}},
	         "16: doubtful 1/10; a>d 10"},
		{"through another pointer",
	         {{0x1010, 0x1055, 10}},
	         {{0x100c, D, CALL}, {0x1015, POINTER, BY_POINTER}, {0x1050, 0x9008, BY_POINTER}},
	         "16: doubtful 1/10 split 1/10; a>d 5, b>d 5"},
		{"not known through which",
	         {{0x1010, 0x1055, 10}},
	         {{0x100c, D, CALL}, {0x1015, 0, BY_POINTER}, {0x1050, 0, BY_POINTER}},
	         "16: doubtful 1/10 split 1/10; a>d 5, b>d 5"},
		/* a's first instruction tells that it was called, before all other calls. */
		{"of the lowest callee",
	         {{0x1010, 0x1005, 10}},
	         {{0x1000, POINTER, BY_POINTER}, {0x100c, A, CALL}, {0x1015, POINTER, BY_POINTER}},
	         "16: doubtful 1/10; a>a 10"},
		/* Where c tells so is what was rounded, too. */
		{"of the caller in doubt",
	         {{0x1030, C, 10}},
	         {{0x102b, C, CALL}, {0x1035, C, CALL}},
	         "c>c 10"},
		/* b itself was called: 0x1019 is where it tells so. */
		{"of a caller",
	         {{0x1010, D, 10}, {0x1035, 0x1019, 1}},
	         {{0x100c, D, CALL}, {0x1014, 0, BY_POINTER}},
	         "16: doubtful 1/10; a>d 10, c>b 1"},
		{"of a caller, by a plain call",
	         {{0x1010, D, 10}, {0x1035, 0x1019, 1}},
	         {{0x100c, D, CALL}, {0x1014, D, CALL}},
	         "16: doubtful 1/10; a>d 10, c>b 1"},
		{"behind that",
	         {{0x1010, D, 10}, {0x1035, 0x1018, 1}},
	         {{0x100c, D, CALL}, {0x1014, D, CALL}},
	         "16: doubtful 1/10 split 1/10; a>d 5, c>b 1, b>d 5"},
	};
	struct testrun *test = *state;

	test->settings.quantum = 16;
	play_all(test, symbols_of(test, MACHINE), scenes, sizeof scenes / sizeof scenes[0]);
}

/* Few sites can be multiples of 16 by chance; then the code has to prove that they were rounded. */
static void
test_few_sites(void **state)
{
	static const struct scene scenes[] = {
		/* The call returns to 0x101a, and 0x1010 was recorded. */
		{"rounded",
	         {{0x1010, D, 10}},
	         {{0x1015, D, CALL}},
	         "16: doubtful 1/10 moved 1/10; b>d 10"},
		/* It does return to 0x1010. */
		{"exact",
	         {{0x1010, D, 10}, {0x1020, D, 1}},
	         {{0x100b, D, CALL}},
	         "16: doubtful 1/10; a>d 10, b>d 1"},
		{"exact, and at the end",
	         {{0x1030, D, 10}},
	         {{0x102b, D, CALL}},
	         "16: doubtful 1/10 moved 1/10; b>d 10"},
		{"exact, with a call behind",
	         {{0x1030, D, 10}, {0x1010, E, 1}},
	         {{0x102b, D, CALL}, {0x1035, D, CALL}},
	         "16: doubtful 1/10 split 1/10; b>d 5, a>e 1, c>d 5"},
		/* What returns to 0x1010 calls e; a's call of d was not rounded. */
		{"exact, of another function",
	         {{0x1010, D, 10}},
	         {{0x100b, E, CALL}, {0x1010, D, CALL}},
	         "a>d 10"},
		{"no such call", {{0x1010, D, 10}}, {{0x1015, E, CALL}}, "a>d 10"},
		{"no call", {{0x1010, D, 10}}, {{0}}, "a>d 10"},
		/* Eight different multiples are none by chance. */
		{"many sites",
	         {{0x1010, D, 10},
	          {0x1020, D, 1},
	          {0x1040, D, 1},
	          {0x1050, E, 1},
	          {0x1060, D, 1},
	          {0x1070, D, 1},
	          {0x1080, D, 1},
	          {0x1090, D, 1}},
	         {{0}},
	         "16: doubtful 1/10; a>d 10, b>d 1, c>d 1, d>e 1, e>d 1, f>d 1, g>d 1, h>d 1"},
		{"odd sites",
	         {{0x1010, D, 10}, {0x1021, D, 1}},
	         {{0x1015, D, CALL}},
	         "a>d 10, b>d 1"},
	};
	struct testrun *test = *state;

	play_all(test, symbols_of(test, MACHINE), scenes, sizeof scenes / sizeof scenes[0]);
}

/* Where nobody can look at the code, arcs stay, and the report says that they are doubtful. */
static void
test_without_scanner(void **state)
{
	static const struct scene supposed = {"few sites",
	                                      {{0x1010, D, 10}},
	                                      {{0x1015, D, CALL}},
	                                      "16: not scanned supposed doubtful 1/10; a>d 10"};
	static const struct scene stated = {"stated",
	                                    {{0x1010, D, 10}},
	                                    {{0x1015, D, CALL}},
	                                    "16: not scanned doubtful 1/10; a>d 10"};
	static const struct scene unknown = {"no scanner exists",
	                                     {{0x1010, D, 10}},
	                                     {{0}},
	                                     "a>d 10"};
	struct testrun *test = *state;
	struct symbols *symbols = symbols_of(test, X86_64);

	play_all(test, symbols, &supposed, 1);
	test->settings.quantum = 16;
	play_all(test, symbols, &stated, 1);
	test->settings.quantum = 0;
	play_all(test, symbols_of(test, MACHINE + 1), &unknown, 1);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		TESTRUN(test_code_decides),         TESTRUN(test_detours),
		TESTRUN(test_calls_of_the_runtime), TESTRUN(test_few_sites),
		TESTRUN(test_without_scanner),      TESTRUN(test_code_is_looked_at_once),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
