/* SPDX-License-Identifier: Apache-2.0 */
/*
 * For call scanners of machines with 4-byte instructions: finds the branches of many functions at
 * once, about as fast as memory is read.  Header only.
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
	uint32_t returns; /* as in gprofx_found_call; ignored for a jump */
	bool is_tail;     /* it is a jump */
	bool is_call;     /* false: it is ignored */
	bool is_indirect; /* the target is in a register; never together with is_tail */
	bool is_special;  /* not such a branch: take_special() decides what it is */
};

/* Finds branches among instructions of 4 bytes; see gprofx_find_branches(). */
struct gprofx_branches {
	char letter; /* what code is before the first mark */
	bool big_endian;
	/*
	 * Decodes a word that has one of the forms, from its arguments alone: it is called a second
	 * time for calls, when more words are known.  It is inlined, and should compute rather than
	 * branch.
	 */
	struct gprofx_branch (*branch_at)(const void *how, const struct gprofx_code *code,
	                                  uint64_t from, uint32_t word);
	/*
	 * Adds what a word is for which branch_at() set is_special, at an offset in its function.
	 * NULL: no word is special.
	 */
	void (*take_special)(const void *how, const struct gprofx_code *function, uint64_t at,
	                     uint32_t word, struct gprofx_call_batch *batch);
	const void *how; /* passed to both */
	/* See gprofx_callee(); "before" is 0, or a multiple of "step". */
	uint32_t before, step;
};

/*
 * Whether a branch leads to a function, as gprofx_callee() defines it, computed without branches.
 */
GPROFX_BY_FORMS bool
gprofx_has_callee(const struct gprofx_begin_bits *begins, uint64_t to, uint32_t before,
                  uint32_t step)
{
	bool found = gprofx_has_begin(begins, to), is_last = !found;

	for (uint32_t back = step; before > 0 && back <= before; back += step) {
		bool is_begin = gprofx_has_begin(begins, to - back);

		if (back == before)
			found |= is_begin & is_last;
		is_last &= !is_begin;
	}
	return found;
}

/* Branches that lead to functions, until they become calls. */
struct gprofx_branch_list {
	uint64_t places[GPROFX_CALLS_AT_ONCE]; /* offsets in the code */
	uint32_t count;
};

/* Turns the branches of a list into calls. */
GPROFX_BY_FORMS void
gprofx_add_branches(struct gprofx_branch_list *list, struct gprofx_call_batch *batch,
                    const struct gprofx_branches branches, bool big_endian)
{
	const struct gprofx_code *code = batch->code;

	for (uint32_t i = 0; i < list->count; i++) {
		uint64_t from = code->address + list->places[i];
		uint32_t word = gprofx_word_at(code->bytes + list->places[i], big_endian);
		const struct gprofx_branch branch = branches.branch_at(branches.how, code, from,
		                                                       word);
		uint32_t tail = branch.is_tail;
		bool is_there = branches.before == 0 || gprofx_begins(code, branch.to);

		gprofx_batch_row(batch, from,
		                 branch.is_indirect ? 0
		                                    : branch.to - (is_there ? 0 : branches.before),
		                 tail * (uint32_t)GPROFX_CALL_TAIL +
		                         branch.is_indirect * (uint32_t)GPROFX_CALL_INDIRECT,
		                 branch.returns | (0 - tail), branch.is_call);
	}
	list->count = 0;
}

/* gprofx_find_branches() for one byte order, so that it is not tested for each word. */
GPROFX_BY_FORMS void
gprofx_find_branches_of(const struct gprofx_code *code, struct gprofx_calls *calls,
                        const struct gprofx_word_form *forms, uint32_t form_count,
                        const struct gprofx_branches branches, bool big_endian)
{
	const struct gprofx_begin_bits begins = *code->begin_bits;
	const uint8_t *const bytes = code->bytes;
	const uint64_t address = code->address;
	uint32_t step = branches.step > 0 ? branches.step : branches.before;
	struct gprofx_words words;
	struct gprofx_call_batch batch;
	struct gprofx_branch_list list;

	gprofx_begin_batch(&batch, code, calls);
	memset(&words, 0, sizeof words);
	words.walk.letter = branches.letter;
	list.count = 0;
	while (gprofx_find_words(&words, code, big_endian, forms, form_count)) {
		uint64_t found = words.found;
		uint32_t count = list.count;

		words.found = 0;
		for (; found != 0; found &= found - 1) {
			uint64_t at = words.first + 4 * (uint64_t)gprofx_lowest_bit(found);
			uint32_t word = gprofx_word_at(bytes + at, big_endian);
			const struct gprofx_branch branch = branches.branch_at(branches.how, code,
			                                                       address + at, word);
			bool is_callee;

			if (branches.take_special && branch.is_special) {
				struct gprofx_code function;

				list.count = count;
				gprofx_add_branches(&list, &batch, branches, big_endian);
				count = 0;
				function = gprofx_function_at(&batch, &at);
				branches.take_special(branches.how, &function, at, word, &batch);
				continue;
			}
			is_callee = branch.is_indirect |
			            gprofx_has_callee(&begins, branch.to, branches.before, step);
			list.places[count] = at;
			count += is_callee;
		}
		list.count = count;
		if (count > (uint32_t)GPROFX_CALLS_AT_ONCE - GPROFX_MOST_WORDS)
			gprofx_add_branches(&list, &batch, branches, big_endian);
	}
	gprofx_add_branches(&list, &batch, branches, big_endian);
	gprofx_hand_over(&batch);
}

/*
 * Does what gprofx_next_word_of() and gprofx_batch_callee() do, for any number of functions;
 * requires code->begin_bits.  It takes no decision for each branch: half of the branches in usual
 * code are not calls, in an order that processors cannot predict, and each misprediction takes as
 * long as reading a hundred words.
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
 * The same, where the last form is that of branches through registers: these are special, and
 * useful only where slots are known.
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
 * Scans code of any number of functions.  If only branches are wanted, "all" gets all of the code
 * at once, as gprofx_find_branches() allows.  Otherwise, or if "all" is NULL, "each" gets one
 * function after the other.
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
