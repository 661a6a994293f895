/* SPDX-License-Identifier: Apache-2.0 */
/* No code is decoded twice, by one scanner that lives as long as the run. */
#include "testrun.h"

#include "scan/scan.h"

enum { MACHINE = 4660, TEXT = 0x1000, FUNCTIONS = 4, SIZE = 16 };

static uint32_t scanned_bytes, opened, closed;

static enum gprofx_result
worker_open(struct gprofx *gx, const struct gprofx_scanned_image *image, const void *options,
            void **worker)
{
	(void)gx;
	(void)options;
	assert_true(image->wants_sites);
	opened++;
	*worker = &opened;
	return GPROFX_OK;
}

static void
worker_close(struct gprofx *gx, void *worker)
{
	(void)gx;
	assert_ptr_equal(worker, &opened);
	closed++;
}

/* Each byte that is not 0 is a call of TEXT. */
static void
scan(void *worker, const struct gprofx_code *code, struct gprofx_calls *calls)
{
	assert_ptr_equal(worker, &opened);
	scanned_bytes += (uint32_t)code->byte_count;
	for (uint64_t at = 0; at < code->byte_count; at++)
		if (code->bytes[at] != 0)
			gprofx_add_site(calls, code->address + at, TEXT, GPROFX_CALL_DIRECT, 1);
}

static const uint16_t machines[] = {MACHINE};
static const struct gprofx_findcall findcall = {.size = sizeof findcall,
                                                .machines = machines,
                                                .machine_count = 1,
                                                .worker_open = worker_open,
                                                .worker_close = worker_close,
                                                .scan = scan};
static const struct gprofx_plugin plugin = {GPROFX_ABI, .name = "findcall-unit", .version = "1",
                                            .summary = "One instruction", .findcall = &findcall};
static const struct gprofx_plugin *const builtin[] = {&plugin, NULL};

static struct symbols *
image(struct testrun *test, struct gprofx_code_range *code, uint8_t *bytes)
{
	static const char *const names[FUNCTIONS] = {"f", "g", "h", "i"};
	struct symbols *symbols = testrun_symbols(test, names, FUNCTIONS);

	test->settings.builtin = builtin;
	/* One worker, so that it is known how many are opened. */
	test->run.threads = 1;
	*code = (struct gprofx_code_range){TEXT, SIZE * FUNCTIONS, 0, ".text"};
	symbols->image = (struct gprofx_image){.size = sizeof symbols->image,
	                                       .bytes = bytes,
	                                       .length = SIZE * FUNCTIONS};
	memory_array(&test->run, symbols->row, FUNCTIONS);
	symbols->table.target.machine = MACHINE;
	symbols->table.code = code;
	symbols->table.code_count = 1;
	return symbols;
}

/* Decodes up to two ranges, and tells how many bytes were. */
static uint32_t
decode(struct testrun *test, struct scan *scan, const uint64_t ranges[4], uint32_t count,
       uint64_t left, bool is_all)
{
	uint64_t first[2] = {ranges[0], ranges[2]}, last[2] = {ranges[1], ranges[3]};
	const struct scan_decoded *decoded;

	scanned_bytes = 0;
	assert_int_equal(scan_decode(&test->run, scan, first, last, count, &left, &decoded),
	                 is_all);
	assert_non_null(decoded);
	for (uint32_t i = 0; i < decoded->calls.count; i++) {
		assert_true(i == 0 || decoded->backs[i - 1] < decoded->backs[i]);
		assert_true(decoded->backs[i] == decoded->calls.items[i].from + 1);
	}
	return scanned_bytes;
}

static void
code_is_decoded_once(void **state)
{
	static uint8_t bytes[SIZE * FUNCTIONS] = {[3] = 1, [20] = 1, [21] = 1, [40] = 1};
	static const uint64_t both[] = {TEXT + 32, TEXT + 47, TEXT, TEXT + 9};
	static const uint64_t longer[] = {TEXT, TEXT + 31, TEXT, TEXT + 9};
	static const uint64_t shorter[] = {TEXT, TEXT + 20, TEXT + 32, TEXT + 33};
	struct testrun *test = *state;
	struct gprofx_code_range code;
	struct symbols *symbols = image(test, &code, bytes);
	struct scan *scan = scan_new(&test->run, symbols);
	struct scan_decoded *decoded;

	opened = closed = 0;
	assert_int_equal(decode(test, scan, both, 2, 1000, true), 26);
	decoded = scan->decoded;
	assert_int_equal(decoded->calls.count, 2);
	assert_int_equal(scan_calls_above(decoded, TEXT + 3), 0);
	assert_int_equal(scan_calls_above(decoded, TEXT + 4), 1);
	assert_int_equal(scan_calls_above(decoded, TEXT + 41), 2);
	/* Nothing of that again, but what goes on behind it. */
	assert_int_equal(decode(test, scan, both, 2, 1000, true), 0);
	assert_int_equal(decode(test, scan, longer, 2, 1000, true), 32);
	assert_int_equal(decoded->calls.count, 4);
	assert_int_equal(decode(test, scan, shorter, 2, 0, true), 0);
	assert_int_equal(opened, 1);
	scan_forget_decoded(&test->run, scan);
	assert_null(scan->decoded);
	assert_int_equal(decode(test, scan, both, 2, 1000, true), 26);
	assert_int_equal(opened, 1);
	assert_int_equal(closed, 0);
}

static void
too_much_is_not_decoded(void **state)
{
	static uint8_t bytes[SIZE * FUNCTIONS] = {[3] = 1, [40] = 1};
	static const uint64_t both[] = {TEXT + 32, TEXT + 47, TEXT, TEXT + 9};
	struct testrun *test = *state;
	struct gprofx_code_range code;
	struct symbols *symbols = image(test, &code, bytes);
	struct scan *scan = scan_new(&test->run, symbols);

	/* The test before this one ended with its run. */
	assert_int_equal(closed, 1);
	assert_int_equal(decode(test, scan, both, 2, 25, false), 10);
	assert_int_equal(scan->decoded->calls.count, 1);
	assert_int_equal(decode(test, scan, both, 2, 16, true), 16);
	assert_int_equal(scan->decoded->calls.count, 2);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		TESTRUN(code_is_decoded_once),
		TESTRUN(too_much_is_not_decoded),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
