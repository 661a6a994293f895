/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Words of given forms are found in any code: many at a time, they are those that are found one by
 * one.  Code is in blocks that end where it does, so that a sanitizer sees a read too many.
 */
#include "testrun.h"

#include <gprofx/code.h>

#include "hostile.h"

enum { PIECES = 20000, MOST_BYTES = 700, MOST_MARKS = 5 };

/* The letter of the last mark at or before an address. */
static char
letter_at(const struct gprofx_code *code, uint64_t address)
{
	char letter = 'x';

	for (uint32_t i = 0; i < code->mark_count && code->marks[i].address <= address; i++)
		letter = code->marks[i].name[1];
	return letter;
}

static bool
has_form(uint32_t word, const struct gprofx_word_form *forms, uint32_t count)
{
	for (uint32_t i = 0; i < count; i++)
		if ((word & forms[i].mask) == forms[i].bits)
			return true;
	return false;
}

/* The next word at or behind an offset; false: there is none. */
static bool
expected(const struct gprofx_code *code, bool big_endian, const struct gprofx_word_form *forms,
         uint32_t form_count, uint64_t *at, uint32_t *word)
{
	for (; *at < code->byte_count && code->readable - *at >= 4; *at += 4) {
		*word = gprofx_word_at(code->bytes + *at, big_endian);
		if (letter_at(code, code->address + *at) != 'd' &&
		    has_form(*word, forms, form_count))
			return true;
	}
	return false;
}

/* As plugins do it, with a number of forms that is known here. */
static bool
next(struct gprofx_words *words, const struct gprofx_code *code, bool big_endian,
     const struct gprofx_word_form *forms, uint32_t form_count, uint32_t *word)
{
	switch (form_count) {
	case 1:
		return gprofx_next_word_like(words, code, big_endian, forms[0].mask, forms[0].bits,
		                             word);
	case 2:
		return gprofx_next_word_of(words, code, big_endian, forms, 2, word);
	case 5:
		return gprofx_next_word_of(words, code, big_endian, forms, 5, word);
	default:
		return gprofx_next_word_of(words, code, big_endian, forms, GPROFX_MOST_FORMS, word);
	}
}

/* Returns how many were found. */
static uint32_t
compare(const struct gprofx_code *code, bool big_endian, const struct gprofx_word_form *forms,
        uint32_t form_count)
{
	struct gprofx_words words = {.walk = {.letter = 'x'}};
	uint32_t found = 0, word = 0, count = 0;
	uint64_t at = 0;

	for (; expected(code, big_endian, forms, form_count, &at, &word); at += 4, count++) {
		assert_true(next(&words, code, big_endian, forms, form_count, &found));
		assert_int_equal(words.at, at);
		assert_int_equal(found, word);
	}
	assert_false(next(&words, code, big_endian, forms, form_count, &found));
	assert_false(next(&words, code, big_endian, forms, form_count, &found));
	return count;
}

static uint32_t
try_piece(uint64_t *seed)
{
	static const char *const names[] = {"$d", "$x", "$a"};
	static const uint32_t counts[] = {1, 2, 5, GPROFX_MOST_FORMS};
	uint32_t form_count = counts[hostile_random(seed) % 4];
	struct gprofx_word_form forms[GPROFX_MOST_FORMS];
	struct gprofx_code_mark marks[MOST_MARKS];
	struct gprofx_code code = {.size = sizeof code, .marks = marks};
	uint32_t kept = (1u << hostile_random(seed) % 6) - 1, found;
	uint8_t *bytes;

	code.readable = hostile_random(seed) % MOST_BYTES + 1;
	code.byte_count = hostile_random(seed) % code.readable + 1;
	code.address = 0x10000 + hostile_random(seed) % 64;
	code.mark_count = hostile_random(seed) % (MOST_MARKS + 1);
	for (uint32_t i = 0; i < code.mark_count; i++)
		marks[i] = (struct gprofx_code_mark){
			code.address + code.readable * i / code.mark_count - i % 2,
			names[hostile_random(seed) % 3]};
	/* A few bits each, anywhere in the word: of some words many have a form, of others few. */
	for (uint32_t i = 0; i < form_count; i++) {
		forms[i].mask = (kept | 0x80000000u) << hostile_random(seed) % 27;
		forms[i].bits = hostile_random(seed) << 1 & forms[i].mask;
	}
	bytes = malloc(code.readable);
	assert_non_null(bytes);
	for (uint64_t i = 0; i < code.readable; i++)
		bytes[i] = (uint8_t)(hostile_random(seed) >> 8);
	code.bytes = bytes;
	found = compare(&code, false, forms, form_count) + compare(&code, true, forms, form_count);
	free(bytes);
	return found;
}

static void
words_are_found(void **state)
{
	uint64_t seed = 2026, found = 0;

	(void)state;
	for (uint32_t i = 0; i < PIECES; i++)
		found += try_piece(&seed);
	assert_true(found > PIECES);
}

/* Every single bit of a form counts, in each of the places that are looked at together. */
static void
bits_count(void **state)
{
	uint8_t bytes[4 * GPROFX_MOST_WORDS + 4 * GPROFX_WORDS_AT_ONCE];
	struct gprofx_code code = {.size = sizeof code,
	                           .bytes = bytes,
	                           .byte_count = sizeof bytes,
	                           .readable = sizeof bytes};
	const uint32_t wanted = 0x94c3a517;

	(void)state;
	for (uint32_t place = 0; place < sizeof bytes / 4; place++)
		for (uint32_t bit = 0; bit < 32; bit++) {
			struct gprofx_word_form form = {UINT32_MAX, wanted};
			uint32_t word = wanted ^ 1u << bit;

			for (uint32_t i = 0; i < sizeof bytes; i++)
				bytes[i] = (uint8_t)(word >> 8 * (i % 4));
			assert_int_equal(compare(&code, false, &form, 1), 0);
			bytes[4 * place + bit / 8] ^= (uint8_t)(1u << bit % 8);
			assert_int_equal(compare(&code, false, &form, 1), 1);
			form.mask ^= 1u << bit;
			form.bits &= form.mask;
			assert_int_equal(compare(&code, false, &form, 1), sizeof bytes / 4);
		}
}

static void
take_calls(struct gprofx_calls *calls, const struct gprofx_found_call *rows, uint32_t count)
{
	(void)calls;
	for (uint32_t i = 0; i < count; i++)
		check_expected(rows[i].from);
}

static bool
begins_at_100(const struct gprofx_entries *entries, uint64_t address)
{
	(void)entries;
	/* The inside of the code is not asked about, but near its start. */
	assert_true(address <= 0x1008 || address >= 0x1040);
	return address % 0x100 == 0;
}

/* Branches count that lead to the entry of a function, of which the code is one. */
static void
branches_count(void **state)
{
	struct gprofx_calls calls = {.add = take_calls};
	const struct gprofx_entries entries = {.begins = begins_at_100};
	const struct gprofx_code code = {.size = sizeof code,
	                                 .byte_count = 0x40,
	                                 .readable = 0x40,
	                                 .address = 0x1000,
	                                 .entries = &entries};
	struct gprofx_call_batch batch;

	(void)state;
	gprofx_begin_batch(&batch, &code, &calls);
	for (uint64_t to = 0xf00; to <= 0x1200; to += 4)
		gprofx_batch_branch(&batch, to, to, false, 4);
	assert_int_equal(batch.count, 4);
	for (uint64_t from = 0xf00; from <= 0x1200; from += 0x100)
		expect_value(take_calls, rows[i].from, from);
	gprofx_hand_over(&batch);
	gprofx_hand_over(&batch);
	/* What begins 8 bytes before, too, and not between. */
	gprofx_batch_callee(&batch, 1, 0x1108, true, 4, 8, 4);
	assert_int_equal(batch.rows[0].to, 0x1100);
	assert_int_equal(batch.rows[0].kind, GPROFX_CALL_TAIL);
	assert_int_equal(batch.rows[0].returns, GPROFX_NO_RETURN);
	gprofx_batch_callee(&batch, 2, 0x1008, false, 4, 8, 4);
	assert_int_equal(batch.rows[1].to, 0x1000);
	assert_int_equal(batch.rows[1].returns, 4);
	gprofx_batch_callee(&batch, 3, 0x1104, false, 4, 8, 4);
	assert_int_equal(batch.count, 2);
	/* More than there is room for are passed before. */
	for (uint64_t from = 1; from <= GPROFX_CALLS_AT_ONCE; from++)
		expect_value(take_calls, rows[i].from, from);
	for (uint64_t from = 3; from <= GPROFX_CALLS_AT_ONCE; from++)
		gprofx_batch_call(&batch, from, 0, GPROFX_CALL_INDIRECT, 4);
	assert_int_equal(batch.count, 0);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {TESTRUN(words_are_found), TESTRUN(bits_count),
	                                   TESTRUN(branches_count)};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
