/* SPDX-License-Identifier: Apache-2.0 */
/* What is found in recordings, at each threshold and below it. */
#include "stackrun.h"

#include "findings/parts.h"
#include "symbols/late.h"

enum { FILES = 3 };

/* Recordings without anything to be found, to be changed by the test. */
struct input {
	struct profile *profile;
	struct symbols symbols;
	uint64_t calls;
	struct findings *findings; /* what came of it */
};

static struct input *
sound_input(struct testrun *test)
{
	static const char *const files[FILES] = {"one.gxc", "two.gxc", "three.gxc"};
	struct input *input = memory_alloc(&test->run, sizeof *input);
	struct profile *profile = profile_new(&test->run);

	memory_array(&test->run, profile->files, FILES);
	for (uint32_t i = 0; i < FILES; i++)
		profile->files[i] = (struct profile_file){.name = files[i],
		                                          .is_recording = true,
		                                          .has_stacks = true,
		                                          .stack_ticks = 100,
		                                          .stack_rate = 100,
		                                          .deepest = 5};
	profile->file_count = FILES;
	profile->stacks.is_there = true;
	input->profile = profile;
	input->calls = 1000;
	return input;
}

/* The ids of all findings with blanks between them. */
static const char *
found(struct testrun *test, struct input *input)
{
	struct findings *findings = memory_alloc(&test->run, sizeof *findings);
	const char *ids = "";

	*findings = (struct findings){.run = &test->run,
	                              .symbols = &input->symbols,
	                              .profile = input->profile,
	                              .calls = input->calls};
	input->findings = findings;
	findings_inspect_recordings(findings);
	findings_make_list(findings);
	for (uint32_t i = 0; i < findings->count; i++)
		ids = text_format(&test->run, "%s%s%s", ids, i > 0 ? " " : "",
		                  findings->list[i].id);
	return ids;
}

static void
expect_text(const char *text, const char *part)
{
	assert_non_null(text);
	if (!strstr(text, part))
		fail_msg("expected \"%s\", found \"%s\"", part, text);
}

static void
test_sound(void **state)
{
	struct testrun *test = *state;
	struct input *input = sound_input(test);

	assert_string_equal(found(test, input), "");
	/* What other files have is about no recording. */
	for (uint32_t i = 0; i < FILES; i++) {
		struct profile_file *file = &input->profile->files[i];

		file->is_recording = false;
		file->stack_ticks = 0;
		file->recording = (struct gprofx_raw_recording){.flags = UINT32_MAX,
		                                                .lost_calls = 5,
		                                                .lost_samples = 5};
	}
	assert_string_equal(found(test, input), "");
}

static void
test_losses(void **state)
{
	struct testrun *test = *state;
	struct input *input = sound_input(test);
	struct profile_file *files = input->profile->files;
	const struct gprofx_finding *lost = NULL;

	files[1].recording.lost_calls = 1;
	assert_string_equal(found(test, input), "recording.lost");
	lost = &input->findings->list[0];
	expect_text(lost->summary, "1 of 1001 calls (0.0999 %) were lost");
	expect_text(lost->evidence, "0 of 300 samples");
	files[2].recording.lost_samples = 100;
	assert_string_equal(found(test, input), "recording.lost");
	expect_text(input->findings->list[0].summary,
	            "1 of 1001 calls (0.0999 %) and 100 of 400 samples were lost");
	files[1].recording.lost_calls = 0;
	assert_string_equal(found(test, input), "recording.lost");
	assert_int_equal(strncmp(input->findings->list[0].summary, "100 of 400", 10), 0);
	/* Sums stay where numbers end. */
	files[1].recording.lost_samples = UINT64_MAX;
	assert_string_equal(found(test, input), "recording.lost");
	expect_text(input->findings->list[0].summary,
	            "18446744073709551615 of 18446744073709551615 samples");
}

/* Each flag of a file, in the evidence with how many files have it. */
static void
test_flags(void **state)
{
	static const struct {
		uint32_t flag;
		const char *id, *file;
	} flags[] = {{GPROFX_RECORDING_UNFINISHED, "recording.unfinished", "two.gxc"},
	             {GPROFX_RECORDING_SNAPSHOT, "recording.snapshot", "two.gxc"},
	             {GPROFX_RECORDING_STOPPED, "recording.stopped", "two.gxc"},
	             {GPROFX_RECORDING_OTHER_CLOCK, "recording.clock", NULL},
	             {GPROFX_RECORDING_ATTACHED, "", NULL},
	             {GPROFX_RECORDING_FRAME_POINTERS, "", NULL}};
	struct testrun *test = *state;

	for (size_t i = 0; i < sizeof flags / sizeof flags[0]; i++) {
		struct input *input = sound_input(test);
		const struct gprofx_finding *first = NULL;

		input->profile->files[1].recording.flags = flags[i].flag;
		input->profile->files[2].recording.flags = flags[i].flag;
		assert_string_equal(found(test, input), flags[i].id);
		if (flags[i].id[0] == '\0')
			continue;
		first = &input->findings->list[0];
		expect_text(first->evidence, "2 of 3 processes");
		assert_true(flags[i].file ? strcmp(first->file, flags[i].file) == 0 : !first->file);
	}
}

/* 95 % of the samples with all their callers are enough. */
static void
test_incomplete_stacks(void **state)
{
	struct testrun *test = *state;
	struct input *input = sound_input(test);
	struct profile_file *files = input->profile->files;

	files[0].recording.cut_ticks = 10;
	files[1].recording.broken_ticks = 5;
	assert_string_equal(found(test, input), "");
	files[2].recording.broken_ticks = 1;
	assert_string_equal(found(test, input), "stacks.incomplete");
	expect_text(input->findings->list[0].summary, "5 % of the time has no outer callers");
	expect_text(input->findings->list[0].advice, "--depth=1024");
	/* What is deeper is no more than what is broken: more frames help first. */
	files[2].recording.broken_ticks = 5;
	assert_string_equal(found(test, input), "stacks.incomplete");
	expect_text(input->findings->list[0].advice, "--depth=1024");
	files[2].recording.broken_ticks = 7;
	assert_string_equal(found(test, input), "stacks.incomplete");
	expect_text(input->findings->list[0].advice, "-fasynchronous-unwind-tables");
	/* By frame pointers, half of what is broken: unwind information helps. */
	files[1].recording.broken_ticks = 7;
	files[2].recording.flags = GPROFX_RECORDING_FRAME_POINTERS;
	assert_string_equal(found(test, input), "stacks.incomplete");
	expect_text(input->findings->list[0].advice, "--stack=cfi");
	files[2].recording.broken_ticks = 6;
	assert_string_equal(found(test, input), "stacks.incomplete");
	expect_text(input->findings->list[0].advice, "-fasynchronous-unwind-tables");
	/* A file cannot say more than all. */
	files[0].recording.cut_ticks = UINT64_MAX;
	assert_string_equal(found(test, input), "stacks.incomplete");
	expect_text(input->findings->list[0].summary, "100 % of the time");
}

/* Half of the samples in files without any callers, and ten of them at least. */
static void
test_bare_stacks(void **state)
{
	struct testrun *test = *state;
	struct input *input = sound_input(test);
	struct profile_file *files = input->profile->files;

	files[0].deepest = 1;
	assert_string_equal(found(test, input), "");
	files[0].stack_ticks = 199;
	assert_string_equal(found(test, input), "");
	files[0].stack_ticks = 200;
	/* Nothing else is said of stacks then. */
	files[1].recording.cut_ticks = 100;
	assert_string_equal(found(test, input), "stacks.incomplete");
	expect_text(input->findings->list[0].summary, "50 % of the time has no callers");
	expect_text(input->findings->list[0].advice, "--stack=auto");
	files[1].recording.cut_ticks = 0;
	files[0].stack_ticks = 8;
	files[1].stack_ticks = files[2].stack_ticks = 1;
	assert_string_equal(found(test, input), "stacks.incomplete");
	files[0].stack_ticks = 7;
	assert_string_equal(found(test, input), "samples.few");
}

static void
test_amount(void **state)
{
	struct testrun *test = *state;
	struct input *input = sound_input(test);
	struct profile_file *files = input->profile->files;

	files[0].stack_ticks = 8;
	files[1].stack_ticks = files[2].stack_ticks = 1;
	assert_string_equal(found(test, input), "");
	files[2].stack_ticks = 0;
	assert_string_equal(found(test, input), "samples.few");
	expect_text(input->findings->list[0].evidence,
	            "9 samples of 0.01 s; the standard error of their sum is 33 %");
	files[0].stack_ticks = files[1].stack_ticks = 0;
	assert_string_equal(found(test, input), "samples.none");
	expect_text(input->findings->list[0].evidence, "no samples at 100 Hz in 3 processes");
	/* Of recordings without samples, and where other files have some, nothing is known. */
	files[0].stack_rate = 0;
	assert_string_equal(found(test, input), "");
	files[0].stack_rate = 100;
	files[1].is_recording = false;
	assert_string_equal(found(test, input), "");
	files[1].is_recording = true;
	input->profile->stacks.is_there = false;
	assert_string_equal(found(test, input), "");
}

/* A recording of four functions, two of which are in a library, with calls of "a" and "b". */
static struct input *
counted_input(struct testrun *test, const char *stacks, struct symbol_image *images)
{
	static const struct small_function functions[] = {{"a", 0x1000, 16},
	                                                  {"b", 0x1010, 16},
	                                                  {"y", 0x9000, 16},
	                                                  {"z", 0x9010, 16},
	                                                  {0}};
	const struct gprofx_raw_arc arc = {0x1004, 0x1000, 3};
	const struct gprofx_raw_call call = {0x1014, 2};
	struct input *input = memory_alloc(&test->run, sizeof *input);
	struct symbols *symbols = small_symbols(test, functions);
	struct profile *profile = profile_new(&test->run);

	symbols->image.name = "program";
	images[0] = (struct symbol_image){.name = "program", .first = 0, .past = 0x8000};
	images[1] = (struct symbol_image){.name = "library", .first = 0x8000};
	testrun_objects(test, symbols, images, 2);
	stackrun_read(test, profile, stacks, 100);
	profile->public.builder->arcs(&test->run.gx, &profile->public, NULL, &arc, 1);
	profile->public.builder->calls(&test->run.gx, &profile->public, NULL, &call, 1);
	profile_finish(&test->run, profile);
	/* As if they had been found by their names. */
	for (uint32_t i = 0; i < profile->stacks.place_count; i++)
		for (uint32_t k = 0; k < symbols->count; k++)
			if (strcmp(profile->stacks.places[i].names->function, symbols->name[k]) ==
			    0)
				profile->stacks.places[i].address = symbols->address[k];
	assert_int_equal(stacks_find_functions(&test->run, profile, symbols), GPROFX_OK);
	profile->files[0].is_recording = true;
	input->profile = profile;
	input->symbols = *symbols;
	input->calls = 5;
	return input;
}

/* Half of ten samples in code without counted calls. */
static void
test_uncounted(void **state)
{
	struct testrun *test = *state;
	struct symbol_image images[2];
	struct input *input = counted_input(test, "a 4 ab 2 ay 5", images);

	assert_string_equal(found(test, input), "");
	input = counted_input(test, "a 4 ab 2 ay 3 z 3", images);
	assert_string_equal(found(test, input), "calls.partly-counted");
	expect_text(input->findings->list[0].summary,
	            "50 % of the time is in code without counted calls, mostly in library:");
	expect_text(input->findings->list[0].evidence, "6 of 12 samples, of these 6 in library");
	/* Too few for such a statement. */
	input = counted_input(test, "ab 1 y 8", images);
	assert_string_equal(found(test, input), "samples.few");
	input = counted_input(test, "ab 1 y 9", images);
	assert_string_equal(found(test, input), "calls.partly-counted");
	/* Nothing was counted at all: the tables show that. */
	input->calls = 0;
	assert_string_equal(found(test, input), "");
	input->calls = 5;
	input->symbols.image.name = NULL;
	assert_string_equal(found(test, input), "");
}

/* More than a fifth of the samples in the collector, and ten of them at least. */
static void
test_overhead(void **state)
{
	struct testrun *test = *state;
	struct late_image late = {.kind = GPROFX_IMAGE_NAMES, .name = "profiling overhead"};
	struct symbol_image images[2];
	struct input *input = counted_input(test, "a 20 ab 20 ay 10", images);

	images[1].late = &late;
	assert_string_equal(found(test, input), "");
	input = counted_input(test, "a 20 ab 20 ay 11", images);
	images[1].late = &late;
	assert_string_equal(found(test, input), "recording.overhead");
	expect_text(input->findings->list[0].summary,
	            "22 % of the time is the counting of calls, which -pg asks for");
	expect_text(input->findings->list[0].evidence, "11 of 51 samples");
	input->profile->files[0].recording.flags = GPROFX_RECORDING_BLOCK_CALLS;
	assert_string_equal(found(test, input), "recording.overhead");
	expect_text(input->findings->list[0].summary,
	            "22 % of the time is the counting of calls and basic blocks, which -pg and");
	input->profile->files[0].recording.flags = 0;
	/* Other names, and libraries, are not the collector. */
	late.name = "profiling";
	assert_string_equal(found(test, input), "");
	late = (struct late_image){.kind = GPROFX_IMAGE_LIBRARY,
	                           .name = "profiling overhead",
	                           .path = "/profiling overhead"};
	assert_string_equal(found(test, input), "");
	/* Too few, of all that there are. */
	late.kind = GPROFX_IMAGE_NAMES;
	input = counted_input(test, "ab 4 y 9", images);
	images[1].late = &late;
	assert_string_equal(found(test, input), "");
	input = counted_input(test, "ab 4 y 10", images);
	images[1].late = &late;
	assert_string_equal(found(test, input), "recording.overhead");
	/* Without counted calls, it is not their counting. */
	input->calls = 0;
	assert_string_equal(found(test, input), "");
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		TESTRUN(test_sound),       TESTRUN(test_losses),
		TESTRUN(test_flags),       TESTRUN(test_incomplete_stacks),
		TESTRUN(test_bare_stacks), TESTRUN(test_amount),
		TESTRUN(test_uncounted),   TESTRUN(test_overhead),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
