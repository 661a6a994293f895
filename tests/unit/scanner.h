/* SPDX-License-Identifier: Apache-2.0 */
/*
 * For tests of call scanners: code of chance, in blocks that end where it does, so that a sanitizer
 * sees a read too many.  Whatever the bytes are, calls begin in the code, ascend, and lead to
 * functions.  Include it behind the scanner's source.
 */
#ifndef TESTS_UNIT_SCANNER_H
#define TESTS_UNIT_SCANNER_H

#include "testrun.h"

#include "hostile.h"

enum { SCANNER_PIECES = 1000000, SCANNER_MOST_BYTES = 64, SCANNER_MOST_MARKS = 6 };

struct scanner_calls {
	struct gprofx_calls public; /* first */
	const struct gprofx_code *code;
	uint64_t last, count, rows;
};

/* One address in so many begins a function. */
static uint32_t scanner_rarity;

static bool
scanner_begins(const struct gprofx_entries *entries, uint64_t address)
{
	(void)entries;
	return (address * 0x9e3779b97f4a7c15u >> 40) % scanner_rarity == 0;
}

static void
scanner_add(struct gprofx_calls *public, const struct gprofx_found_call *rows, uint32_t count)
{
	struct scanner_calls *calls = (struct scanner_calls *)public;

	for (uint32_t i = 0; i < count; i++) {
		assert_true(rows[i].from >= calls->last);
		assert_true(rows[i].from - calls->code->address < calls->code->byte_count);
		assert_true(rows[i].kind <= GPROFX_CALL_TAIL);
		if (rows[i].kind == GPROFX_CALL_INDIRECT)
			assert_int_equal(rows[i].to, 0);
		else
			assert_true(scanner_begins(calls->code->entries, rows[i].to));
		calls->last = rows[i].from;
		calls->rows++;
	}
	/* An instruction is one call at most. */
	assert_true(calls->rows <= calls->code->byte_count);
}

/* Scans one piece of chance and returns how many calls were found. */
static uint64_t
scanner_try(void *worker, const struct gprofx_scanned_image *image, uint64_t *seed)
{
	static const char *const names[] = {"$a", "$t",   "$d", "$x",   "$m",
	                                    "$s", "$d.7", "$",  "$data"};
	static const struct gprofx_entries entries = {scanner_begins};
	struct gprofx_code_mark marks[SCANNER_MOST_MARKS];
	struct gprofx_code code = {.size = sizeof code, .image = image, .entries = &entries};
	struct scanner_calls calls = {.public.add = scanner_add, .code = &code};
	uint8_t *bytes;

	code.readable = hostile_random(seed) % SCANNER_MOST_BYTES + 1;
	code.byte_count = hostile_random(seed) % code.readable + 1;
	code.address = hostile_random(seed) % 2 ? hostile_random(seed) : 0 - code.readable;
	code.address &= ~(uint64_t)(hostile_random(seed) % 2 ? 3 : 1);
	bytes = malloc(code.readable);
	assert_non_null(bytes);
	for (uint64_t i = 0; i < code.readable; i++)
		bytes[i] = (uint8_t)hostile_random(seed);
	code.bytes = bytes;
	if (!image->strict)
		code.mark_count = (uint32_t)(hostile_random(seed) % SCANNER_MOST_MARKS);
	for (uint32_t i = 0; i < code.mark_count; i++)
		marks[i] = (struct gprofx_code_mark){
			code.address + code.readable * i / code.mark_count,
			names[hostile_random(seed) % (sizeof names / sizeof names[0])]};
	code.marks = marks;
	scanner_rarity = hostile_random(seed) % 2 ? 1 : 16;
	findcall.scan(worker, &code, &calls.public);
	free(bytes);
	return calls.rows;
}

/* Scans so many pieces for one kind of image; false: the scanner does not know it. */
static bool
scanner_try_kind(struct testrun *test, uint32_t kind, uint32_t pieces, uint64_t *seed)
{
	const struct gprofx_target target = {.size = sizeof target,
	                                     .machine = findcall.machines[kind / 16],
	                                     .pointer_bytes = kind & 1 ? 4 : 8,
	                                     .big_endian = (kind & 2) != 0};
	const struct gprofx_scanned_image image = {
		.size = sizeof image,
		.target = &target,
		.machine_flags = !(kind & 4) ? 0
	                         : kind & 1  ? UINT32_MAX
	                                     : UINT32_MAX / 2,
		.strict = (kind & 8) != 0,
	};
	void *options = scanner_options(), *worker = NULL;
	uint64_t found = 0;

	if (findcall.worker_open &&
	    findcall.worker_open(&test->run.gx, &image, options, &worker) != GPROFX_OK)
		return false;
	for (uint32_t i = 0; i < pieces; i++)
		found += scanner_try(worker, &image, seed);
	assert_true(found > 0 || pieces == 0);
	if (findcall.worker_close && worker)
		findcall.worker_close(&test->run.gx, worker);
	return true;
}

/* All kinds of images that the scanner knows. */
static void
scanner_survives(void **state)
{
	struct testrun *test = *state;
	uint32_t kinds = 16 * findcall.machine_count, known = 0;
	uint64_t seed = 2026;

	for (uint32_t kind = 0; kind < kinds; kind++)
		known += scanner_try_kind(test, kind, 0, &seed);
	assert_true(known > 0);
	for (uint32_t kind = 0; kind < kinds; kind++)
		scanner_try_kind(test, kind, SCANNER_PIECES / known + 1, &seed);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {TESTRUN(scanner_survives)};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

#endif
