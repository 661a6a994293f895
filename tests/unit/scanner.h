/* SPDX-License-Identifier: Apache-2.0 */
/*
 * For tests of call scanners: code of chance, in blocks that end where it does, so that a sanitizer
 * sees a read too many.  Whatever the bytes are, calls begin in the code, ascend, and lead to
 * functions or slots; stubs are in the code, ascend, and have slots.  Include it behind the
 * scanner's source.
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

static bool
scanner_is_slot(const struct gprofx_entries *entries, uint64_t address)
{
	(void)entries;
	return (address * 0xd1342543de82ef95u >> 40) % scanner_rarity == 0;
}

static bool
scanner_is_sound(const struct gprofx_code *code, const struct gprofx_found_call *row)
{
	const struct gprofx_entries *entries = code->entries;

	/* Who asks for call sites is told where the pointer is, too. */
	if (row->kind == GPROFX_CALL_INDIRECT)
		return row->to == 0 || code->image->wants_sites;
	if (row->kind == GPROFX_CALL_SLOT || row->kind == GPROFX_CALL_SLOT_TAIL)
		return scanner_is_slot(entries, row->to);
	return row->kind <= GPROFX_CALL_POINTER && scanner_begins(entries, row->to);
}

static void
scanner_add(struct gprofx_calls *public, const struct gprofx_found_call *rows, uint32_t count)
{
	struct scanner_calls *calls = (struct scanner_calls *)public;

	for (uint32_t i = 0; i < count; i++) {
		assert_true(rows[i].from >= calls->last);
		assert_true(rows[i].from - calls->code->address < calls->code->byte_count);
		assert_true(scanner_is_sound(calls->code, &rows[i]));
		assert_true(!calls->code->image->strict || rows[i].kind < GPROFX_CALL_SLOT);
		calls->last = rows[i].from;
		calls->rows++;
	}
	/* An instruction is one call at most. */
	assert_true(calls->rows <= calls->code->byte_count);
}

struct scanner_stubs {
	struct gprofx_stubs public; /* first */
	const struct gprofx_code *code;
	uint64_t past, count;
};

static void
scanner_add_stub(struct gprofx_stubs *public, uint64_t address, uint64_t bytes, uint64_t slot)
{
	struct scanner_stubs *stubs = (struct scanner_stubs *)public;
	uint64_t at = address - stubs->code->address;

	assert_true(bytes > 0);
	assert_true(at < stubs->code->byte_count && at >= stubs->past);
	assert_true(scanner_is_slot(stubs->code->entries, slot));
	stubs->past = at + 1;
	stubs->count++;
}

/* Looks for stubs in the same code. */
static void
scanner_try_stubs(const struct gprofx_code *code, const void *options, uint32_t choice)
{
	static const char *const sections[] = {".plt", ".plt.sec", ".iplt", ".text", NULL};
	struct gprofx_code section = *code;
	struct scanner_stubs stubs = {.public.add = scanner_add_stub, .code = &section};

	section.section = sections[choice % (sizeof sections / sizeof sections[0])];
	section.byte_count = section.readable;
	findcall.stubs(&section, options, &stubs.public);
}

/* Scans one piece of chance and returns how many calls were found. */
static uint64_t
scanner_try(void *worker, const struct gprofx_scanned_image *image, const void *options,
            uint64_t *seed)
{
	static const char *const names[] = {"$a", "$t",   "$d", "$x",   "$m",
	                                    "$s", "$d.7", "$",  "$data"};
	static const struct gprofx_entries entries = {scanner_begins, scanner_is_slot};
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
	if (findcall.stubs && !image->strict)
		scanner_try_stubs(&code, options, hostile_random(seed));
	free(bytes);
	return calls.rows;
}

/* Scans so many pieces for one kind of image; false: the scanner does not know it. */
static bool
scanner_try_kind(struct testrun *test, uint32_t kind, bool wants_sites, uint32_t pieces,
                 uint64_t *seed)
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
		.linkage_base = kind & 1 ? 0x8000 : 0,
		.strict = (kind & 8) != 0,
		.wants_sites = wants_sites,
	};
	const void *options = scanner_options(kind);
	void *worker = NULL;
	uint64_t found = 0;

	if (findcall.worker_open &&
	    findcall.worker_open(&test->run.gx, &image, options, &worker) != GPROFX_OK)
		return false;
	for (uint32_t i = 0; i < pieces; i++)
		found += scanner_try(worker, &image, options, seed);
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
		known += scanner_try_kind(test, kind, false, 0, &seed);
	assert_true(known > 0);
	for (uint32_t kind = 0; kind < kinds; kind++) {
		scanner_try_kind(test, kind, false, SCANNER_PIECES / known + 1, &seed);
		/* Call sites are never asked for by GNU gprof's rules. */
		if (!(kind & 8))
			scanner_try_kind(test, kind, true, SCANNER_PIECES / known / 4 + 1, &seed);
	}
}

int
main(void)
{
	const struct CMUnitTest tests[] = {TESTRUN(scanner_survives)};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

#endif
