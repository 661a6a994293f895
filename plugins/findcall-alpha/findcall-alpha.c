/* SPDX-License-Identifier: Apache-2.0 */
/*
 * findcall-alpha: calls and branches of Alpha that lead to functions, and calls through registers.
 *
 * A function can begin with two instructions that find its global pointer; a caller that has the
 * same one branches behind them.
 */
#include <gprofx/branches.h>

#include "../shared/definition.h"

enum {
	POINTER_BYTES = 8,
	LDA = 0x08,
	LDAH = 0x09,
	JMP = 0x1a,
	LDQ = 0x29,
	BR = 0x30,
	BSR = 0x34,
	PROCEDURE = 27,
	GLOBAL_POINTER = 29
};

static bool
is_indirect(uint32_t word)
{
	/* JSR and JSR_COROUTINE; the others are JMP and RET. */
	return word >> 26 == JMP && (word & 0x4000) != 0;
}

static enum effect
effect(uint32_t word, uint32_t reg)
{
	enum { FIRST_KEPT = 9, LAST_KEPT = 15, FIRST_BRANCH = 0x30, CALL_BITS = 0x4000 };
	uint32_t opcode = word >> 26;
	bool stores = (opcode >= 0x0d && opcode <= 0x0f) || (opcode >= 0x24 && opcode <= 0x27) ||
	              (opcode >= 0x2c && opcode <= 0x2f);
	bool is_memory = opcode >= LDA && opcode < 0x30 && (opcode < 0x10 || opcode >= 0x20);

	if (opcode == BSR || (opcode == JMP && (word & CALL_BITS) != 0))
		return reg >= FIRST_KEPT && reg <= LAST_KEPT ? EFFECT_NONE : EFFECT_ENDS;
	if (opcode == BR || opcode == JMP)
		return EFFECT_ENDS;
	if (stores || opcode > FIRST_BRANCH)
		return EFFECT_NONE;
	if (is_memory)
		return (word >> 21 & 31) == reg ? EFFECT_SETS : EFFECT_NONE;
	return (word & 31) == reg || (word >> 21 & 31) == reg ? EFFECT_SETS : EFFECT_NONE;
}

static uint64_t
distance(uint32_t word)
{
	return gprofx_signed(word & 0xffff, 16);
}

/* The global pointer as the function finds it with its first two instructions; 0: not known. */
static uint64_t
global_pointer(const struct gprofx_code *code)
{
	uint32_t upper, lower;

	if (code->byte_count < POINTER_BYTES)
		return 0;
	upper = gprofx_word_at(code->bytes, false);
	lower = gprofx_word_at(code->bytes + 4, false);
	if (upper >> 16 != (LDAH << 10 | GLOBAL_POINTER << 5 | PROCEDURE) ||
	    lower >> 16 != (LDA << 10 | GLOBAL_POINTER << 5 | GLOBAL_POINTER))
		return 0;
	return code->address + (distance(upper) << 16) + distance(lower);
}

/* The address that an instruction makes of the global pointer, in one step or in two. */
static bool
global_address(const struct gprofx_code *code, uint32_t word, uint64_t at, uint64_t *address)
{
	uint64_t pointer = global_pointer(code), value = distance(word);
	uint32_t base = word >> 16 & 31;

	if (base != GLOBAL_POINTER) {
		if (!find_definition(code, false, base, effect, &at, &word) || word >> 26 != LDAH ||
		    (word >> 16 & 31) != GLOBAL_POINTER)
			return false;
		value += distance(word) << 16;
	}
	*address = pointer + value;
	return pointer != 0;
}

static void
take_indirect(const void *options, const struct gprofx_code *code, uint64_t at, uint32_t word,
              struct gprofx_call_batch *batch)
{
	const struct gprofx_scan_options *more = options;
	uint64_t from = code->address + at, place = at, slot;
	bool links = is_indirect(word), jumps = (word & 0xc000) == 0 && more->tail_calls;
	bool is_known = (links || jumps) &&
	                find_definition(code, false, word >> 16 & 31, effect, &place, &word) &&
	                word >> 26 == LDQ && global_address(code, word, place, &slot) &&
	                gprofx_is_slot(code, slot);

	if (is_known)
		gprofx_batch_call(batch, from, slot,
		                  links ? GPROFX_CALL_SLOT : GPROFX_CALL_SLOT_TAIL,
		                  GPROFX_NO_RETURN);
	else if (links)
		gprofx_batch_call(batch, from, 0, GPROFX_CALL_INDIRECT, 4);
}

static void
take_pointer(const struct gprofx_code *code, uint64_t at, uint32_t word,
             struct gprofx_call_batch *batch)
{
	uint64_t to;

	if (word >> 26 == LDA && global_address(code, word, at, &to) && gprofx_begins(code, to))
		gprofx_batch_call(batch, code->address + at, to, GPROFX_CALL_POINTER,
		                  GPROFX_NO_RETURN);
}

/* BR and BSR, JSR and JSR_COROUTINE. */
static inline struct gprofx_branch
branch_at(const void *options, const struct gprofx_code *code, uint64_t from, uint32_t word)
{
	const struct gprofx_scan_options *more = options;
	bool has_register = (word & 0xec000000) != 0xc0000000;
	bool links = has_register | (word >> 26 == BSR);
	/* A branch that keeps no address to return to. */
	bool is_jump = more->tail_calls & ((word >> 21 & 31) == 31);

	(void)code;
	return (struct gprofx_branch){
		.to = from + 4 + 4 * gprofx_signed(word, 21),
		.returns = 4,
		.is_tail = !links,
		.is_call = links | is_jump,
		.is_indirect = has_register,
	};
}

/* The same, but what is called or jumped to through a register can be known. */
static inline struct gprofx_branch
branch_or_slot_at(const void *options, const struct gprofx_code *code, uint64_t from, uint32_t word)
{
	struct gprofx_branch branch = branch_at(options, code, from, word);

	branch.is_special = branch.is_indirect;
	return branch;
}

/* Any number of functions. */
static void
scan_functions(const struct gprofx_scan_options *more, const struct gprofx_code *code,
               struct gprofx_calls *calls)
{
	static const struct gprofx_word_form plain[] = {{0xec000000, 0xc0000000},
	                                                {0xfc004000, 0x68004000}};
	static const struct gprofx_word_form with_jumps[] = {{0xec000000, 0xc0000000},
	                                                     {0xfc000000, 0x68000000}};
	struct gprofx_branches branches = {.branch_at = branch_at,
	                                   .how = more,
	                                   .before = POINTER_BYTES,
	                                   .step = 4};

	if (more->got && code->entries->is_slot) {
		branches.branch_at = branch_or_slot_at;
		branches.take_special = take_indirect;
		gprofx_find_branches(code, calls, with_jumps, 2, branches);
	} else {
		gprofx_find_branches(code, calls, plain, 2, branches);
	}
}

static void
scan_function(const struct gprofx_scan_options *more, const struct gprofx_code *code,
              struct gprofx_calls *calls)
{
	bool strict = code->image->strict;
	bool takes_slots = more->got && code->entries->is_slot;
	/* To GNU gprof, distances are in bytes. */
	uint32_t unit = strict ? 1 : 4;
	/* BR and BSR; JSR and JSR_COROUTINE. */
	struct gprofx_word_form forms[2] = {{0xec000000, 0xc0000000}, {0xfc004000, 0x68004000}};
	struct gprofx_words words = {.next = strict ? (0 - code->address) & 3 : 0};
	struct gprofx_call_batch batch;
	uint32_t word;

	gprofx_begin_batch(&batch, code, calls);
	if (takes_slots)
		forms[1] = (struct gprofx_word_form){0xfc000000, (uint32_t)JMP << 26};
	if (more->pointers)
		forms[1] = (struct gprofx_word_form){0, 0};
	while (gprofx_next_word_of(&words, code, strict && code->image->target->big_endian, forms,
	                           2, &word)) {
		uint64_t from = code->address + words.at;
		const struct gprofx_branch branch = branch_at(more, code, from, word);

		if ((word & 0xec000000) == 0xc0000000 && branch.is_call)
			gprofx_batch_callee(&batch, from, from + 4 + unit * gprofx_signed(word, 21),
			                    branch.is_tail, 4, POINTER_BYTES, unit);
		else if (takes_slots && word >> 26 == JMP)
			take_indirect(more, code, words.at, word, &batch);
		else if (is_indirect(word))
			gprofx_batch_call(&batch, from, 0, GPROFX_CALL_INDIRECT, 4);
		else if (more->pointers)
			take_pointer(code, words.at, word, &batch);
	}
	gprofx_hand_over(&batch);
}

static void
scan(void *worker, const struct gprofx_code *code, struct gprofx_calls *calls)
{
	static const struct gprofx_scan_options none;
	const struct gprofx_scan_options *more = code->image->strict
	                                                 ? &none
	                                                 : gprofx_scan_options(code, worker);

	gprofx_scan_functions(more, code, calls, scan_functions, scan_function);
}

/* What fills up space behind a return or a jump. */
static uint64_t
fill_at_end(const struct gprofx_code *code, uint64_t stated)
{
	static const struct gprofx_fill_form fills[] = {
		{UINT32_MAX, 0x47ff041f, 4}, /* nop */
		{0xffe00000, 0x2fe00000, 4}, /* unop */
		{UINT32_MAX, 0, 4},          /* what linkers put there */
	};
	static const struct gprofx_fill_form ends[] = {
		{0xffe00000, 0x6be00000, 4}, /* ret and jmp */
		{0xffe00000, 0xc3e00000, 4}, /* br */
		{UINT32_MAX, 0x00000081, 4}, /* bugchk */
	};
	static const struct gprofx_fill_form calls[] = {
		{0xfc000000, 0xd0000000, 4}, /* bsr */
		{0xfc00c000, 0x68004000, 4}, /* jsr */
	};
	static const struct gprofx_fill_rules rules = {.unit = 4,
	                                               GPROFX_FILL_LISTS(fills, ends, calls)};

	return gprofx_fill_by_rules(code, stated, &rules);
}

static const struct gprofx_option option_table[] = {
	GPROFX_OPTION_TAIL_CALLS,
	GPROFX_OPTION_GOT,
	GPROFX_OPTION_POINTERS,
};

static const uint16_t machines[] = {0x9026};

static const struct gprofx_findcall findcall = {.size = sizeof findcall,
                                                .machines = machines,
                                                .machine_count = 1,
                                                .worker_open = gprofx_open_with_options,
                                                .scan = scan,
                                                .stubs = gprofx_find_no_stubs,
                                                .step = 4,
                                                .fill = fill_at_end};

GPROFX_PLUGIN = {GPROFX_ABI,
                 .name = "findcall-alpha",
                 .version = "1.0",
                 .summary = "Calls in code of Alpha",
                 .findcall = &findcall,
                 GPROFX_OPTIONS(struct gprofx_scan_options, option_table)};
