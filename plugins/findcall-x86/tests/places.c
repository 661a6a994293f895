/* SPDX-License-Identifier: Apache-2.0 */
/* Wherever a transfer stands in code of whatever length, it is found: once, and in order. */
#include "findcall-x86.c"
#include "fill.c"
#include "transfer.c"

#include "testrun.h"

enum { LONGEST = 3000, BASE = 0x401000, MOST_FOUND = LONGEST };

static const struct gprofx_target x86_64 = {.machine = EM_X86_64, .pointer_bytes = 8};
static const struct gprofx_scanned_image image = {.size = sizeof image, .target = &x86_64};

struct found {
	struct gprofx_calls public; /* first */
	uint32_t count;
	struct {
		uint64_t at, to;
		uint32_t kind;
	} rows[MOST_FOUND];
};

static void
add(struct gprofx_calls *public, const struct gprofx_found_call *rows, uint32_t count)
{
	struct found *found = (struct found *)public;

	for (uint32_t i = 0; i < count; i++) {
		assert_true(found->count < MOST_FOUND);
		found->rows[found->count].at = rows[i].from - BASE;
		found->rows[found->count].to = rows[i].to;
		found->rows[found->count++].kind = rows[i].kind;
	}
}

/* One address in eight. */
static bool
begins(const struct gprofx_entries *entries, uint64_t address)
{
	(void)entries;
	return address * 0x9e3779b97f4a7c15u >> 61 == 5;
}

static bool
is_slot(const struct gprofx_entries *entries, uint64_t address)
{
	return begins(entries, ~address);
}

static const struct gprofx_entries entries = {begins, is_slot};

static void
scan_bytes(const uint8_t *bytes, uint32_t count, const struct options *options, struct found *found)
{
	const struct gprofx_code code = {
		.size = sizeof code,
		.bytes = bytes,
		.byte_count = count,
		.readable = count,
		.address = BASE,
		.image = &image,
		.entries = &entries,
	};
	struct worker worker = {.options = options};

	choose_places(&worker, &image);
	found->public.add = add;
	found->count = 0;
	scan(&worker, &code, &found->public);
}

/* What scan() does, a byte after the other. */
static uint32_t
expected(const uint8_t *bytes, uint32_t count, const struct options *options, struct found *found)
{
	const struct gprofx_scan_options *more = &options->more;

	found->count = 0;
	for (uint32_t at = 0, length; at < count; at += length) {
		const uint8_t *code = bytes + at;
		bool is_jump = code[0] == JUMP || (code[0] == 0x0f && (code[1] & 0xf0) == 0x80);
		bool is_slot_call = code[0] == INDIRECT && code[1] == 0x15;
		bool is_slot_jump = code[0] == INDIRECT && code[1] == 0x25 && more->tail_calls;
		enum gprofx_call_kind kind;
		uint64_t to;

		kind = is_slot_call      ? GPROFX_CALL_SLOT
		       : is_slot_jump    ? GPROFX_CALL_SLOT_TAIL
		       : code[0] == CALL ? GPROFX_CALL_DIRECT
		                         : GPROFX_CALL_TAIL;
		length = is_slot_call || is_slot_jump || code[0] == 0x0f ? 6 : 5;
		if (code[0] == SHORT_JUMP || (code[0] & 0xf0) == 0x70)
			length = 2;
		if (count - at < length || !(code[0] == CALL || (is_jump && more->tail_calls) ||
		                             (length == 2 && more->tail_calls) ||
		                             ((is_slot_call || is_slot_jump) && more->got))) {
			length = 1;
			continue;
		}
		to = length == 2 ? gprofx_signed(code[1], 8)
		                 : gprofx_signed(gprofx_word_at(code + length - 4, false), 32);
		to += BASE + at + length;
		if ((length == 2 && to - BASE < count) ||
		    !(kind == GPROFX_CALL_SLOT || kind == GPROFX_CALL_SLOT_TAIL
		              ? is_slot(&entries, to)
		              : begins(&entries, to))) {
			length = 1;
			continue;
		}
		found->rows[found->count].at = at;
		found->rows[found->count].to = to;
		found->rows[found->count++].kind = (uint32_t)kind;
	}
	return found->count;
}

static void
transfers_are_found_wherever_they_stand(void **state)
{
	static const uint8_t likely[] = {CALL, JUMP, 0x0f,       0x84, INDIRECT, 0x15,
	                                 0x25, 0x74, SHORT_JUMP, 0,    0xff,     0x05};
	static struct found found, wanted;
	uint64_t random = 20260101, all = 0;

	(void)state;
	for (int round = 0; round < 4000; round++) {
		uint32_t count = (uint32_t)(testrun_random(&random) % (round % 3 ? 300 : LONGEST)) +
		                 1;
		uint32_t rarity = (uint32_t)(testrun_random(&random) % 8) + 1;
		const struct options options = {
			.more = {.tail_calls = round % 4 != 0, .got = round % 5 != 0}};
		/* One more than there is, for expected(); a block of its own, for a sanitizer. */
		uint8_t *bytes = malloc(count + 1), *exact = malloc(count);

		assert_non_null(bytes);
		assert_non_null(exact);
		for (uint32_t i = 0; i < count; i++) {
			uint64_t number = testrun_random(&random);

			bytes[i] = number % rarity == 0 ? likely[(number >> 8) % sizeof likely]
			                                : (uint8_t)(number >> 16);
		}
		bytes[count] = 0;
		memcpy(exact, bytes, count);
		all += expected(bytes, count, &options, &wanted);
		scan_bytes(exact, count, &options, &found);
		assert_int_equal(found.count, wanted.count);
		assert_memory_equal(found.rows, wanted.rows, found.count * sizeof *found.rows);
		free(bytes);
		free(exact);
	}
	assert_true(all > 10000);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(transfers_are_found_wherever_they_stand),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
