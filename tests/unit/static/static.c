/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Which code is handed to a scanner, and what becomes of the calls it finds: with a machine of one
 * instruction, the byte 0xc0 + N, which calls function N.
 */
#include "testrun.h"

#include "scan/scan.h"
#include "static/static.h"

enum { MACHINE = 4660, TEXT = 0x1000, MOST = 40000, SLOT = 0x900000, MOST_HANDED = 32 };

/* A whole run's worth of what the stage looks at. */
struct scene {
	struct testrun *test;
	struct symbols *symbols;
	struct profile *profile;
	struct gprofx_code_range code[2];
	uint8_t *bytes;
};

/* What the scanner with a step was handed, by one thread. */
static struct {
	uint64_t address, byte_count;
	const char *first_mark;
	uint32_t mark_count;
	bool has_bits;
} handed[MOST_HANDED];
static uint32_t handed_count;

static void
scan(void *worker, const struct gprofx_code *code, struct gprofx_calls *calls)
{
	(void)worker;
	assert_true(code->readable >= code->byte_count);
	for (uint64_t at = 0; at < code->byte_count; at++) {
		uint64_t to = TEXT + 16 * (uint64_t)(code->bytes[at] - 0xc0);

		if (code->bytes[at] == 0xff)
			gprofx_add_call(calls, code->address + at, 0, GPROFX_CALL_INDIRECT);
		else if (code->bytes[at] == 0xfe)
			gprofx_add_call(calls, code->address + at, TEXT, GPROFX_CALL_TAIL);
		else if (code->bytes[at] == 0xfd && gprofx_is_slot(code, SLOT))
			gprofx_add_call(calls, code->address + at, SLOT, GPROFX_CALL_SLOT);
		else if (code->bytes[at] == 0xfc && gprofx_begins(code, TEXT + 16))
			gprofx_add_call(calls, code->address + at, TEXT + 16, GPROFX_CALL_POINTER);
		else if (code->bytes[at] == 0xfb && gprofx_is_slot(code, SLOT))
			gprofx_add_call(calls, code->address + at, SLOT, GPROFX_CALL_SLOT_TAIL);
		else if (code->bytes[at] >= 0xc0 && gprofx_begins(code, to))
			gprofx_add_call(calls, code->address + at, to, GPROFX_CALL_DIRECT);
	}
}

static const uint16_t machines[] = {MACHINE};
static const struct gprofx_findcall findcall = {.size = sizeof findcall,
                                                .machines = machines,
                                                .machine_count = 1,
                                                .scan = scan};
static const struct gprofx_plugin plugin = {GPROFX_ABI, .name = "findcall-unit", .version = "1",
                                            .summary = "One instruction", .findcall = &findcall};
static const struct gprofx_plugin *const builtin[] = {&plugin, NULL};

static void
scan_noting(void *worker, const struct gprofx_code *code, struct gprofx_calls *calls)
{
	assert_true(handed_count < MOST_HANDED);
	handed[handed_count].address = code->address;
	handed[handed_count].byte_count = code->byte_count;
	handed[handed_count].first_mark = code->mark_count > 0 ? code->marks[0].name : NULL;
	handed[handed_count].mark_count = code->mark_count;
	handed[handed_count].has_bits = code->begin_bits != NULL;
	handed_count++;
	scan(worker, code, calls);
}

static struct gprofx_findcall findcall_of_steps = {.size = sizeof findcall_of_steps,
                                                   .machines = machines,
                                                   .machine_count = 1,
                                                   .scan = scan_noting,
                                                   .step = 4};
static const struct gprofx_plugin plugin_of_steps = {GPROFX_ABI, .name = "findcall-unit",
                                                     .version = "1", .summary = "With a step",
                                                     .findcall = &findcall_of_steps};
static const struct gprofx_plugin *const builtin_of_steps[] = {&plugin_of_steps, NULL};

/*
 * Functions of 16 bytes each; the last "elsewhere" of them are in a section of their own.  The
 * histogram covers all functions but those.
 */
static struct scene
begin(struct testrun *test, uint32_t functions, uint32_t elsewhere, uint64_t corrections)
{
	static const char *names[MOST];
	static const uint8_t bins[4];
	uint32_t here = functions - elsewhere;
	struct scene scene = {.test = test};
	struct gprofx_raw_arc arc = {TEXT + 1, TEXT + 16, 5};
	struct gprofx_histogram record;

	for (uint32_t i = 0; i < functions; i++)
		names[i] = "f";
	test->settings.builtin = builtin;
	test->settings.static_calls = true;
	test->run.corrections = corrections;
	scene.symbols = testrun_symbols(test, names, functions);
	memory_array(&test->run, scene.bytes, (size_t)16 * functions);
	scene.symbols->image = (struct gprofx_image){
		.size = sizeof scene.symbols->image,
		.name = "image",
		.bytes = scene.bytes,
		.length = 16 * (uint64_t)functions,
	};
	memory_array(&test->run, scene.symbols->row, functions);
	scene.symbols->table.target.machine = MACHINE;
	scene.symbols->table.architecture = "unit";
	scene.code[0] = (struct gprofx_code_range){TEXT, 16 * (uint64_t)here, 0, ".text"};
	scene.code[1] = (struct gprofx_code_range){TEXT + 16 * (uint64_t)here,
	                                           16 * (uint64_t)elsewhere, 16 * (uint64_t)here,
	                                           ".text.other"};
	scene.symbols->table.code_count = elsewhere > 0 ? 2 : 1;
	scene.profile = profile_new(&test->run);
	record = testrun_record(TEXT, TEXT + 16 * (uint64_t)here, bins, 4);
	profile_begin_file(&test->run, scene.profile, "gmon.out", 0, false);
	scene.profile->public.builder->histogram(&test->run.gx, &scene.profile->public,
	                                         &(struct gprofx_file){.name = "gmon.out"},
	                                         &record);
	scene.profile->public.builder->arcs(&test->run.gx, &scene.profile->public, NULL, &arc, 1);
	return scene;
}

static struct static_calls
find(struct scene *scene)
{
	struct run *run = &scene->test->run;
	struct scanner *scanner;

	scene->symbols->table.code = scene->code;
	scanner = scan_open(run, scene->symbols, scene->profile);
	assert_non_null(scanner);
	return static_find_calls(run, scanner, filters_resolve(run, scene->symbols),
	                         scene->profile);
}

static void
expect_call(const struct static_calls *calls, uint32_t i, uint32_t caller, uint32_t callee,
            uint8_t kinds)
{
	assert_true(i < calls->count);
	assert_int_equal(calls->items[i].caller, caller);
	assert_int_equal(calls->items[i].callee, callee);
	assert_int_equal(calls->items[i].kinds, kinds);
}

static void
everything_is_scanned(void **state)
{
	struct scene scene = begin(*state, 6, 2, GPROFX_CORRECT_STATIC_CALLS);
	struct static_calls calls;

	scene.bytes[0] = 0xc5;           /* f0 calls f5 */
	scene.bytes[1] = 0xc0 + 9;       /* what is no function */
	scene.bytes[2] = 0xfe;           /* f0 jumps to its own begin */
	scene.bytes[16] = 0xfe;          /* f1 jumps to f0 */
	scene.bytes[5 * 16] = 0xc4;      /* f5 calls f4 */
	scene.bytes[5 * 16 + 15] = 0xff; /* and somebody */
	calls = find(&scene);
	assert_int_equal(calls.count, 4);
	expect_call(&calls, 0, 0, 5, GPROFX_STATIC_CALL);
	expect_call(&calls, 1, 1, 0, GPROFX_STATIC_TAIL);
	expect_call(&calls, 2, 5, 4, GPROFX_STATIC_CALL);
	expect_call(&calls, 3, 5, symbols_indirect(scene.symbols), GPROFX_STATIC_INDIRECT);
}

static void
gprof_scans_profiled_text(void **state)
{
	struct scene scene = begin(*state, 6, 2, 0);
	struct static_calls calls;

	scene.bytes[0] = 0xc5;      /* f5 is not profiled */
	scene.bytes[16] = 0xc2;     /* f1 calls f2 */
	scene.bytes[3 * 16] = 0xc3; /* f3 calls itself */
	scene.bytes[4 * 16] = 0xc1; /* f4 is not in .text */
	calls = find(&scene);
	assert_int_equal(calls.count, 2);
	expect_call(&calls, 0, 1, 2, GPROFX_STATIC_CALL);
	expect_call(&calls, 1, 3, 3, GPROFX_STATIC_CALL);
}

/* A section that is said to be longer than the file is not looked at. */
static void
code_ends_in_the_file(void **state)
{
	struct scene scene = begin(*state, 4, 2, GPROFX_CORRECT_STATIC_CALLS);
	struct static_calls calls;

	memset(scene.bytes, 0xc1, (size_t)4 * 16);
	scene.code[1].bytes++;
	calls = find(&scene);
	assert_int_equal(calls.count, 2);
}

static void
code_begins_in_the_file(void **state)
{
	struct scene scene = begin(*state, 4, 0, GPROFX_CORRECT_STATIC_CALLS);

	memset(scene.bytes, 0xc1, (size_t)4 * 16);
	scene.code[0].file_offset = UINT64_MAX - 3;
	assert_int_equal(find(&scene).count, 0);
}

/* Many functions are several tasks; what they find stands in the order of addresses. */
static void
order_is_that_of_addresses(void **state)
{
	struct scene scene = begin(*state, MOST, 0, GPROFX_CORRECT_STATIC_CALLS);
	struct static_calls calls;

	scene.symbols->bytes[0] = 0;
	for (uint32_t i = 0; i < MOST; i++)
		for (uint32_t k = 0; k < 6; k++)
			scene.bytes[(size_t)16 * i + k] = (uint8_t)(0xc0 + (i + k % 3) % 59);
	/* What a function does again is not told again. */
	calls = find(&scene);
	assert_int_equal(calls.count, 3 * MOST);
	for (uint32_t i = 0; i < calls.count; i++)
		expect_call(&calls, i, i / 3, (i / 3 + i % 3) % 59, GPROFX_STATIC_CALL);
}

/* What the profile has stays as it is; what it lacks comes behind it, once. */
static void
arcs_are_added_once(void **state)
{
	struct scene scene = begin(*state, 4, 0, GPROFX_CORRECT_STATIC_CALLS);
	struct run *run = &scene.test->run;
	struct graph *graph;
	struct static_calls calls;

	scene.bytes[0] = 0xc1;
	scene.bytes[1] = 0xc3;
	scene.bytes[2] = 0xc3;
	scene.bytes[3 * 16] = 0xff;
	calls = find(&scene);
	assert_int_equal(calls.count, 3);
	graph = graph_new(run, scene.symbols, filters_resolve(run, scene.symbols));
	graph->wants_order = true;
	graph_add_arcs(run, graph, scene.profile);
	assert_int_equal(graph->arc_count, 1);
	graph_add_static_calls(run, graph, &calls);
	assert_int_equal(graph->arc_count, 3);
	assert_int_equal(graph->arcs[graph->arc_order[0]].calls, 5);
	assert_int_equal(graph->found[graph->arc_order[0]], 0);
	assert_int_equal(graph->arcs[graph->arc_order[1]].callee, 3);
	assert_int_equal(graph->arcs[graph->arc_order[1]].calls, 0);
	assert_int_equal(graph->found[graph->arc_order[1]], GPROFX_STATIC_CALL);
	assert_int_equal(graph->arcs[graph->arc_order[2]].callee, symbols_indirect(scene.symbols));
	/* Neither of the nodes that stand for no function has a number. */
	graph_analyse(run, graph);
	graph_number_entries(run, graph, NULL);
	assert_int_equal(graph->numbered_count, 4);
	assert_int_equal(graph->index[symbols_indirect(scene.symbols)], 0);
	assert_int_equal(graph->index[scene.symbols->count], 0);
}

/* Calls lead through stubs and slots; code in stubs is none, and at slots nothing begins. */
static void
linkage_table_is_followed(void **state)
{
	struct scene scene = begin(*state, 5, 0, GPROFX_CORRECT_STATIC_CALLS);
	struct symbol_import imports[] = {{TEXT + 3 * 16, false, NULL},
	                                  {TEXT + 4 * 16, true, NULL}};
	struct symbol_slot slot = {SLOT, TEXT + 2 * 16};
	struct static_calls calls;

	for (uint32_t i = 0; i < 5; i++)
		scene.symbols->row[i] = i;
	scene.symbols->imports = imports;
	scene.symbols->import_first_row = 3;
	scene.symbols->import_count = 2;
	scene.symbols->slots = &slot;
	scene.symbols->slot_count = 1;
	scene.bytes[0] = 0xc3; /* f0 calls a stub */
	scene.bytes[1] = 0xc4; /* what is a slot */
	scene.bytes[2] = 0xfd;
	scene.bytes[3] = 0xfc;
	scene.bytes[2 * 16] = 0xfb; /* f2 jumps to its own begin */
	scene.bytes[3 * 16] = 0xfd;
	calls = find(&scene);
	assert_int_equal(calls.count, 3);
	expect_call(&calls, 0, 0, 3, GPROFX_STATIC_PLT);
	expect_call(&calls, 1, 0, 2, GPROFX_STATIC_GOT);
	expect_call(&calls, 2, 0, 1, GPROFX_STATIC_POINTER);
	/* Of a function that the program has, the stub is only the way. */
	imports[0].callee = TEXT + 16;
	slot.callee = SLOT + 1;
	calls = find(&scene);
	assert_int_equal(calls.count, 2);
	expect_call(&calls, 0, 0, 1, GPROFX_STATIC_PLT);
	expect_call(&calls, 1, 0, 1, GPROFX_STATIC_POINTER);
}

/* The same for a scanner that states a step. */
static struct scene
begin_steps(struct testrun *test, uint32_t functions, uint32_t elsewhere, uint64_t corrections,
            uint32_t step)
{
	struct scene scene = begin(test, functions, elsewhere, corrections);

	test->settings.builtin = builtin_of_steps;
	findcall_of_steps.step = step;
	findcall_of_steps.scan = scan_noting;
	test->run.threads = 1;
	handed_count = 0;
	return scene;
}

static void
expect_handed(uint32_t i, uint32_t function, uint64_t byte_count, bool has_bits)
{
	assert_true(i < handed_count);
	assert_int_equal(handed[i].address, TEXT + 16 * (uint64_t)function);
	assert_int_equal(handed[i].byte_count, byte_count);
	assert_int_equal(handed[i].has_bits, has_bits);
}

/* What stands side by side comes in one piece, and each call is one of its function. */
static void
functions_come_together(void **state)
{
	struct scene scene = begin_steps(*state, 8, 0, GPROFX_CORRECT_STATIC_CALLS, 4);
	struct static_calls calls;

	scene.bytes[0] = 0xc1;
	scene.bytes[15] = 0xc1;
	scene.bytes[16] = 0xc1;
	for (uint32_t i = 3; i < 8; i++)
		scene.bytes[16 * i + 4] = 0xc2;
	scene.bytes[7 * 16 + 15] = 0xfe;
	calls = find(&scene);
	assert_int_equal(handed_count, 1);
	expect_handed(0, 0, 8 * 16, true);
	assert_int_equal(calls.count, 8);
	expect_call(&calls, 0, 0, 1, GPROFX_STATIC_CALL);
	expect_call(&calls, 1, 1, 1, GPROFX_STATIC_CALL);
	for (uint32_t i = 3; i < 8; i++)
		expect_call(&calls, i - 1, i, 2, GPROFX_STATIC_CALL);
	expect_call(&calls, 7, 7, 0, GPROFX_STATIC_TAIL);
}

/* Reports a jump that comes before one that it reported, in another function. */
static void
scan_backwards(void *worker, const struct gprofx_code *code, struct gprofx_calls *calls)
{
	(void)worker;
	gprofx_add_call(calls, code->address + 48, TEXT + 16, GPROFX_CALL_TAIL);
	gprofx_add_call(calls, code->address, TEXT + 48, GPROFX_CALL_TAIL);
	gprofx_add_call(calls, code->address, TEXT + 16, GPROFX_CALL_TAIL);
}

/* Scanners had better not, but whose call it is stays clear. */
static void
calls_can_come_late(void **state)
{
	struct scene scene = begin_steps(*state, 4, 0, GPROFX_CORRECT_STATIC_CALLS, 4);
	struct static_calls calls;

	findcall_of_steps.scan = scan_backwards;
	calls = find(&scene);
	assert_int_equal(calls.count, 3);
	expect_call(&calls, 0, 3, 1, GPROFX_STATIC_TAIL);
	expect_call(&calls, 1, 0, 3, GPROFX_STATIC_TAIL);
	expect_call(&calls, 2, 0, 1, GPROFX_STATIC_TAIL);
}

static void
sections_come_apart(void **state)
{
	struct scene scene = begin_steps(*state, 6, 2, GPROFX_CORRECT_STATIC_CALLS, 4);

	assert_int_equal(find(&scene).count, 0);
	assert_int_equal(handed_count, 2);
	expect_handed(0, 0, 4 * 16, true);
	expect_handed(1, 4, 2 * 16, true);
	/* By whatever name: the bytes behind one section are none of it. */
	scene.code[1].name = scene.code[0].name;
	handed_count = 0;
	assert_int_equal(find(&scene).count, 0);
	assert_int_equal(handed_count, 2);
	/* Nor if the next one is elsewhere in the file, or in memory. */
	scene.code[1].file_offset -= 16;
	handed_count = 0;
	assert_int_equal(find(&scene).count, 0);
	assert_int_equal(handed_count, 2);
	scene.code[1].file_offset += 16;
	scene.code[0].bytes -= 16;
	handed_count = 0;
	assert_int_equal(find(&scene).count, 0);
	assert_int_equal(handed_count, 2);
	expect_handed(0, 0, 3 * 16, true);
	expect_handed(1, 4, 2 * 16, true);
}

static void
unaligned_functions_come_alone(void **state)
{
	struct scene scene = begin_steps(*state, 6, 0, GPROFX_CORRECT_STATIC_CALLS, 4);

	scene.symbols->address[2] += 2;
	symbols_index(&scene.test->run, scene.symbols);
	assert_int_equal(find(&scene).count, 0);
	assert_int_equal(handed_count, 3);
	expect_handed(0, 0, 2 * 16 + 2, true);
	assert_int_equal(handed[1].address, TEXT + 2 * 16 + 2);
	assert_int_equal(handed[1].byte_count, 14);
	expect_handed(2, 3, 3 * 16, true);
}

static void
steps_can_be_long(void **state)
{
	struct scene scene = begin_steps(*state, 6, 0, GPROFX_CORRECT_STATIC_CALLS, 16);

	scene.symbols->address[2] += 8;
	symbols_index(&scene.test->run, scene.symbols);
	assert_int_equal(find(&scene).count, 0);
	assert_int_equal(handed_count, 3);
	expect_handed(0, 0, 2 * 16 + 8, true);
	assert_int_equal(handed[1].byte_count, 8);
	expect_handed(2, 3, 3 * 16, true);
}

static void
tasks_come_apart(void **state)
{
	enum { A_TASK = (1 << 18) / 16 };
	struct scene scene = begin_steps(*state, MOST, 0, GPROFX_CORRECT_STATIC_CALLS, 4);

	assert_int_equal(find(&scene).count, 0);
	assert_int_equal(handed_count, 3);
	expect_handed(0, 0, A_TASK * 16, true);
	expect_handed(1, A_TASK, A_TASK * 16, true);
	expect_handed(2, 2 * A_TASK, (MOST - 2 * A_TASK) * 16, true);
}

static void
functions_without_a_step_come_alone(void **state)
{
	struct scene scene = begin_steps(*state, 6, 0, GPROFX_CORRECT_STATIC_CALLS, 0);

	assert_int_equal(find(&scene).count, 0);
	assert_int_equal(handed_count, 6);
	for (uint32_t i = 0; i < 6; i++)
		expect_handed(i, i, 16, true);
}

/* By whose rules the last symbol has no end. */
static void
gprof_takes_functions_alone(void **state)
{
	struct scene scene = begin_steps(*state, 6, 0, 0, 4);
	assert_int_equal(find(&scene).count, 0);
	assert_int_equal(handed_count, 5);
	for (uint32_t i = 0; i < 5; i++)
		assert_int_equal(handed[i].byte_count, 16);
}

/* Where they are too far apart for bits. */
static void
functions_without_bits_come_alone(void **state)
{
	struct scene scene = begin_steps(*state, 6, 0, GPROFX_CORRECT_STATIC_CALLS, 4);
	scene.symbols->address[5] = (uint64_t)1 << 40;
	scene.symbols->end[5] = scene.symbols->address[5] + 15;
	scene.symbols->address[6] = scene.symbols->address[5] + 16;
	scene.code[0].bytes = (uint64_t)4 * 16;
	symbols_index(&scene.test->run, scene.symbols);
	scene.bytes[0] = 0xc1;
	assert_int_equal(find(&scene).count, 1);
	assert_int_equal(handed_count, 4);
	for (uint32_t i = 0; i < 4; i++)
		expect_handed(i, i, 16, false);
}

/* A mark before all of them, and those in them. */
static void
marks_come_along(void **state)
{
	static const struct gprofx_code_mark marks[] = {
		{TEXT - 8, "$a"},  {TEXT, "$x"},      {TEXT + 4, "$data"},
		{TEXT + 16, "$d"}, {TEXT + 47, "$x"}, {TEXT + 72, "$d.1"},
		{TEXT + 76, "$"},  {TEXT + 81, "$x"}, {TEXT + 6 * 16, "$d"}};
	struct scene scene = begin_steps(*state, 6, 1, GPROFX_CORRECT_STATIC_CALLS, 4);

	scene.symbols->table.marks = marks;
	scene.symbols->table.mark_count = sizeof marks / sizeof marks[0];
	assert_int_equal(find(&scene).count, 0);
	assert_int_equal(handed_count, 2);
	assert_string_equal(handed[0].first_mark, "$x");
	assert_int_equal(handed[0].mark_count, 4);
	/* The last one before that says something. */
	assert_string_equal(handed[1].first_mark, "$d.1");
	assert_int_equal(handed[1].mark_count, 2);
}

/* A scanner that says anything, in any order, and at once of more functions than there are. */
static void
scan_wildly(void *worker, const struct gprofx_code *code, struct gprofx_calls *calls)
{
	static const uint64_t places[] = {0, 16, 1, 33, 15, UINT64_MAX, 1 << 20, 48, 17};
	struct gprofx_found_call rows[100];

	(void)worker;
	for (uint32_t i = 0; i < 100; i++)
		rows[i] = (struct gprofx_found_call){
			code->address + places[i % 9] + 16 * (i / 9),
			i % 5 == 4 ? code->address * i : TEXT + 16 * (uint64_t)(i % 7), i % 8, i};
	calls->add(calls, rows, 100);
	calls->add(calls, rows, 0);
	calls->add(calls, rows, 40);
	gprofx_add_call(calls, 0, 0, GPROFX_CALL_INDIRECT);
	gprofx_add_call(calls, UINT64_MAX, UINT64_MAX, GPROFX_CALL_POINTER);
}

static void
wild_scanners_do_no_harm(void **state)
{
	struct scene scene = begin_steps(*state, MOST, 0, GPROFX_CORRECT_STATIC_CALLS, 4);
	struct static_calls calls, again;

	findcall_of_steps.scan = scan_wildly;
	calls = find(&scene);
	assert_true(calls.count > 0);
	for (uint32_t i = 0; i < calls.count; i++) {
		assert_true(calls.items[i].caller < MOST);
		assert_true(calls.items[i].callee < MOST ||
		            calls.items[i].callee == symbols_indirect(scene.symbols));
	}
	for (uint32_t threads = 1; threads < 5; threads++) {
		scene.test->run.threads = threads;
		again = find(&scene);
		assert_int_equal(again.count, calls.count);
		for (uint32_t i = 0; i < calls.count; i++)
			expect_call(&again, i, calls.items[i].caller, calls.items[i].callee,
			            calls.items[i].kinds);
	}
}

static void
machines_without_a_scanner(void **state)
{
	struct scene scene = begin(*state, 4, 0, GPROFX_CORRECT_STATIC_CALLS);
	struct run *run = &scene.test->run;

	scene.symbols->table.target.machine = MACHINE + 1;
	assert_null(scan_open(run, scene.symbols, scene.profile));
	assert_string_equal(scene.test->last_id, "scan.not-installed");
	run->corrections = 0;
	assert_null(scan_open(run, scene.symbols, scene.profile));
	assert_string_equal(scene.test->last_id, "scan.unknown-machine");
	/* Nobody asks. */
	scene.test->last_id[0] = '\0';
	scene.test->settings.static_calls = false;
	assert_null(scan_open(run, scene.symbols, scene.profile));
	assert_string_equal(scene.test->last_id, "");
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		TESTRUN(everything_is_scanned),
		TESTRUN(gprof_scans_profiled_text),
		TESTRUN(code_ends_in_the_file),
		TESTRUN(code_begins_in_the_file),
		TESTRUN(order_is_that_of_addresses),
		TESTRUN(arcs_are_added_once),
		TESTRUN(linkage_table_is_followed),
		TESTRUN(machines_without_a_scanner),
		TESTRUN(functions_come_together),
		TESTRUN(calls_can_come_late),
		TESTRUN(sections_come_apart),
		TESTRUN(unaligned_functions_come_alone),
		TESTRUN(tasks_come_apart),
		TESTRUN(steps_can_be_long),
		TESTRUN(functions_without_a_step_come_alone),
		TESTRUN(gprof_takes_functions_alone),
		TESTRUN(functions_without_bits_come_alone),
		TESTRUN(marks_come_along),
		TESTRUN(wild_scanners_do_no_harm),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
