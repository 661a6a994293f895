/* SPDX-License-Identifier: Apache-2.0 */
/*
 * For call scanners of machines whose instructions have 4 bytes: finds branches of many functions
 * at once, about as fast as memory is read.  Nothing to link with.  Since 1.2.
 */
#ifndef GPROFX_BRANCHES_H
#define GPROFX_BRANCHES_H

#include <string.h>

#include <gprofx/code.h> /* IWYU pragma: export */

#ifdef __cplusplus
extern "C" {
#endif

/* A branch as an instruction states it. */
struct gprofx_branch {
	uint64_t to;
	uint32_t returns; /* as in gprofx_found_call; nobody looks at that of a jump */
	bool is_tail;     /* it is a jump */
	bool is_call;     /* false: it is nothing that counts */
	bool is_indirect; /* a register says where it leads to; not together with is_tail */
	bool is_special;  /* it is no such branch; what it is, another function says */
};

/* Finds branches among instructions of 4 bytes; see gprofx_find_branches(). */
struct gprofx_branches {
	char letter; /* what code is before all marks */
	bool big_endian;
	/*
	 * What a word with one of the forms is.  Inlined: whatever it decides, it had better
	 * compute.
	 */
	struct gprofx_branch (*branch_at)(const void *how, const struct gprofx_code *code,
	                                  uint64_t from, uint32_t word);
	/*
	 * Adds what a word is that is_special was said of, at an offset in the function it is of.
	 * NULL: nothing is.
	 */
	void (*take_special)(const void *how, const struct gprofx_code *function, uint64_t at,
	                     uint32_t word, struct gprofx_call_batch *batch);
	const void *how; /* for the two */
	/* See gprofx_callee(); "before" is 0, or a multiple of "step". */
	uint32_t before, step;
};

/* gprofx_find_branches() for one order of bytes, which so is not asked for with each word. */
GPROFX_BY_FORMS void
gprofx_find_branches_of(const struct gprofx_code *code, struct gprofx_calls *calls,
                        const struct gprofx_word_form *forms, uint32_t form_count,
                        const struct gprofx_branches branches, bool big_endian)
{
	const struct gprofx_begin_bits begins = *code->begin_bits;
	const uint8_t *const bytes = code->bytes;
	const uint64_t address = code->address;
	uint32_t step = branches.step > 0 ? branches.step : branches.before, count = 0;
	struct gprofx_words words;
	struct gprofx_call_batch batch;

	gprofx_begin_batch(&batch, code, calls);
	memset(&words, 0, sizeof words);
	words.walk.letter = branches.letter;
	while (gprofx_find_words(&words, code, big_endian, forms, form_count)) {
		uint64_t found = words.found;

		words.found = 0;
		for (; found != 0; found &= found - 1) {
			uint64_t at = words.first + 4 * (uint64_t)gprofx_lowest_bit(found);
			uint32_t word = gprofx_word_at(bytes + at, big_endian);
			const struct gprofx_branch branch = branches.branch_at(branches.how, code,
			                                                       address + at, word);
			uint32_t is_there = gprofx_has_begin(&begins, branch.to),
				 is_past = is_there;
			struct gprofx_found_call *row = &batch.rows[count];
			uint32_t tail = branch.is_tail, is_before = 0;

			if (branches.take_special && branch.is_special) {
				const struct gprofx_code function = gprofx_function_at(&batch, &at);

				batch.count = count;
				branches.take_special(branches.how, &function, at, word, &batch);
				/* Each of the words that are left can be a call. */
				if (batch.count > GPROFX_CALLS_AT_ONCE - GPROFX_MOST_WORDS)
					gprofx_hand_over(&batch);
				count = batch.count;
				continue;
			}
			for (uint32_t back = step; branches.before > 0 && back <= branches.before;
			     back += step) {
				is_before = gprofx_has_begin(&begins, branch.to - back) & ~is_past;
				is_past |= is_before;
			}
			row->from = address + at;
			row->to = branch.is_indirect
			                  ? 0
			                  : branch.to - (is_before ? branches.before : 0);
			row->kind = tail * (uint32_t)GPROFX_CALL_TAIL +
			            branch.is_indirect * (uint32_t)GPROFX_CALL_INDIRECT;
			row->returns = branch.returns | (0 - tail);
			count += branch.is_call & (is_there | is_before | branch.is_indirect);
		}
		if (count > GPROFX_CALLS_AT_ONCE - GPROFX_MOST_WORDS) {
			calls->add(calls, batch.rows, count);
			count = 0;
		}
	}
	if (count > 0)
		calls->add(calls, batch.rows, count);
}

/*
 * Does for any number of functions what gprofx_next_word_of() and gprofx_batch_callee() do, where
 * code->begin_bits is there.  Nothing is decided from branch to branch: half of the branches of
 * usual code are no calls, at random to processors, and each wrong guess takes as long as reading a
 * hundred words.
 */
GPROFX_BY_FORMS void
gprofx_find_branches(const struct gprofx_code *code, struct gprofx_calls *calls,
                     const struct gprofx_word_form *forms, uint32_t form_count,
                     const struct gprofx_branches branches)
{
	if (branches.big_endian)
		gprofx_find_branches_of(code, calls, forms, form_count, branches, true);
	else
		gprofx_find_branches_of(code, calls, forms, form_count, branches, false);
}

/*
 * The same, with the last form that of branches through registers, which are special and of use
 * only where slots are known.
 */
GPROFX_BY_FORMS void
gprofx_find_branches_and_slots(const struct gprofx_code *code, struct gprofx_calls *calls,
                               const struct gprofx_scan_options *options,
                               const struct gprofx_word_form *forms, uint32_t form_count,
                               struct gprofx_branches branches)
{
	if (options->got && code->entries->is_slot) {
		gprofx_find_branches(code, calls, forms, form_count, branches);
	} else {
		branches.take_special = NULL;
		gprofx_find_branches(code, calls, forms, form_count - 1, branches);
	}
}

/* Scans code. */
typedef void gprofx_scan_code(const struct gprofx_scan_options *options,
                              const struct gprofx_code *code, struct gprofx_calls *calls);

/*
 * Scans code of any number of functions: if it is about branches only, all of it at once, as
 * gprofx_find_branches() can; else, or if "all" is NULL, one after the other.
 */
static inline void
gprofx_scan_functions(const struct gprofx_scan_options *options, const struct gprofx_code *code,
                      struct gprofx_calls *calls, gprofx_scan_code *all, gprofx_scan_code *each)
{
	struct gprofx_code rest = *code, function;

	if (all && code->begin_bits && !code->image->strict && !code->image->wants_sites &&
	    !options->pointers)
		all(options, code, calls);
	else
		while (gprofx_take_function(&rest, &function))
			each(options, &function, calls);
}

#ifdef __cplusplus
}
#endif

#endif
