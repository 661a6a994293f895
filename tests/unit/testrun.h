/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A run for unit tests: stages are called without a program around them, and what they say is kept.
 * Include it first.
 */
#ifndef TESTS_UNIT_TESTRUN_H
#define TESTS_UNIT_TESTRUN_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/memory.h"
#include "base/run.h"
#include "symbols/symbols.h"

struct testrun {
	struct run run;
	struct engine_settings settings;
	struct engine_frontend frontend;
	char last_id[64];   /* of the last diagnostic, or "" */
	char said[1024];    /* the last diagnostic: see testrun_diagnose() */
	char output[65536]; /* what went to standard output */
	size_t output_length;
	int write_error; /* what writing answers */
};

/*
 * Keeps a diagnostic as "FILE@OFFSET: MESSAGE [TEXT] [TEXT] <NUMBER NUMBER NUMBER>", the offset,
 * the texts and the numbers where there are any; the severity is an "E" or a "W" in front.
 */
static inline void
testrun_diagnose(void *opaque, enum engine_severity severity,
                 const struct gprofx_diagnostic *diagnostic, const char *message, const char *doing)
{
	struct testrun *test = opaque;
	const uint64_t *number = diagnostic->number;
	char place[32] = "", numbers[80] = "";

	(void)doing;
	snprintf(test->last_id, sizeof test->last_id, "%s", diagnostic->id);
	if (diagnostic->place == GPROFX_AT_OFFSET)
		snprintf(place, sizeof place, "@%llu", (unsigned long long)diagnostic->offset);
	if ((number[0] | number[1] | number[2]) != 0)
		snprintf(numbers, sizeof numbers, " <%llx %llx %llx>",
		         (unsigned long long)number[0], (unsigned long long)number[1],
		         (unsigned long long)number[2]);
	snprintf(test->said, sizeof test->said, "%s %s%s: %s%s%s%s%s%s%s%s",
	         severity == ENGINE_ERROR ? "E" : "W", diagnostic->file ? diagnostic->file : "-",
	         place, message, diagnostic->text[0] ? " [" : "",
	         diagnostic->text[0] ? diagnostic->text[0] : "", diagnostic->text[0] ? "]" : "",
	         diagnostic->text[1] ? " [" : "", diagnostic->text[1] ? diagnostic->text[1] : "",
	         diagnostic->text[1] ? "]" : "", numbers);
}

static inline void
testrun_trace(void *opaque, const char *line)
{
	(void)opaque;
	(void)line;
}

static inline int
testrun_write(void *opaque, const void *bytes, size_t count)
{
	struct testrun *test = opaque;

	if (test->write_error != 0)
		return test->write_error;
	assert_true(count < sizeof test->output - test->output_length);
	memcpy(test->output + test->output_length, bytes, count);
	test->output_length += count;
	test->output[test->output_length] = '\0';
	return 0;
}

/* Setup and teardown of a test: *state is the struct testrun. */
static inline int
testrun_begin(void **state)
{
	struct testrun *test = calloc(1, sizeof *test);

	if (!test)
		return -1;
	test->frontend = (struct engine_frontend){
		.opaque = test,
		.diagnose = testrun_diagnose,
		.trace = testrun_trace,
		.write = testrun_write,
	};
	test->settings.threads = 2;
	run_start(&test->run, &test->settings, &test->frontend);
	*state = test;
	return 0;
}

/* Ends the run and begins another one: nothing that was made lives on. */
static inline void
testrun_again(struct testrun *test)
{
	run_finish(&test->run);
	run_start(&test->run, &test->settings, &test->frontend);
}

static inline int
testrun_end(void **state)
{
	struct testrun *test = *state;

	run_finish(&test->run);
	free(test);
	return 0;
}

/* Symbols as symbols_load() leaves them, 16 bytes each from the address 0x1000. */
static inline struct symbols *
testrun_symbols(struct testrun *test, const char *const *names, uint32_t count)
{
	struct symbols *symbols = memory_alloc(&test->run, sizeof *symbols);

	symbols->count = count;
	memory_array(&test->run, symbols->address, (size_t)count + SYMBOL_MORE_ROWS);
	memory_array(&test->run, symbols->end, (size_t)count + SYMBOL_MORE_ROWS);
	memory_array(&test->run, symbols->bytes, count);
	memory_array(&test->run, symbols->name, (size_t)count + SYMBOL_MORE_ROWS);
	memory_array(&test->run, symbols->flags, count);
	for (uint32_t i = 0; i < count; i++) {
		symbols->address[i] = 0x1000 + 16 * (uint64_t)i;
		symbols->end[i] = symbols->address[i] + 15;
		symbols->bytes[i] = 16;
		symbols->name[i] = names[i];
		symbols->flags[i] = GPROFX_SYMBOL_FUNCTION;
	}
	symbols->address[count] = 0x1000 + 16 * (uint64_t)count;
	symbols->end[count] = UINT64_MAX;
	symbols->name[count] = "<outside>";
	symbols->name[count + 1] = "<indirect>";
	symbols->table.text_start = 0x1000;
	symbols->table.text_end = 0x1000 + 16 * (uint64_t)count;
	symbols_index(&test->run, symbols);
	return symbols;
}

/* Puts objects beside the program, the first of the images, from where the others say on. */
static inline void
testrun_objects(struct testrun *test, struct symbols *symbols, struct symbol_image *images,
                uint32_t count)
{
	for (uint32_t i = 1; i < count; i++) {
		images[i].past = i + 1 < count ? images[i + 1].first : UINT64_MAX;
		images[i].base = images[i].first;
	}
	symbols->images = images;
	symbols->image_count = count;
	symbols->others_first = images[1].first;
	symbols->others_bytes = UINT64_MAX - images[1].first;
	symbols_index(&test->run, symbols);
}

/* A histogram record in seconds; its counters have 1 byte each. */
static inline struct gprofx_histogram
testrun_record(uint64_t low, uint64_t high, const uint8_t *bins, uint32_t count)
{
	return (struct gprofx_histogram){
		.size = sizeof(struct gprofx_histogram),
		.low = low,
		.high = high,
		.bin_count = count,
		.rate = 100,
		.dimension = "seconds",
		.abbreviation = 's',
		.bins = bins,
		.bin_bytes = 1,
	};
}

/* A small generator, so that random cases are the same everywhere. */
static inline uint64_t
testrun_random(uint64_t *state)
{
	*state ^= *state << 13;
	*state ^= *state >> 7;
	*state ^= *state << 17;
	return *state;
}

#define TESTRUN(function) cmocka_unit_test_setup_teardown(function, testrun_begin, testrun_end)

#endif
