/* SPDX-License-Identifier: Apache-2.0 */
/*
 * findcall-ppc: branches of PowerPC, of 32 and 64 bits, that lead to functions.
 *
 * In the second ABI of 64 bits, a function begins with two instructions that find its table of
 * contents; a caller that has the same one branches behind them.
 */
#include <string.h>

#include <gprofx/branches.h>

#include "../shared/definition.h"

enum { EM_PPC64 = 21, ABI = 3, ABI_2 = 2, LOCAL_ENTRY = 8, BRANCH = 18 };

/* Opcodes, and what stands for the register that counts, and that branches are taken through. */
enum {
	ADDI = 14,
	ADDIS = 15,
	BRANCH_IF = 16,
	BRANCH_TO = 19,
	EXTENDED = 31,
	LOAD = 32,
	LOAD_WIDE = 58,
	STORE_WIDE = 62,
	TABLE = 2,
	FIRST_KEPT = 14,
	COUNTER = 32
};

static uint32_t
first_register(uint32_t word)
{
	return word >> 21 & 31;
}

static uint32_t
second_register(uint32_t word)
{
	return word >> 16 & 31;
}

static enum effect
effect_of_branch(uint32_t word, uint32_t reg)
{
	enum { ALWAYS = 20, TO_LINK = 16, TO_COUNTER = 528 };
	uint32_t opcode = word >> 26, extended = word >> 1 & 0x3ff;
	bool is_always = (first_register(word) & ALWAYS) == ALWAYS;

	if (opcode == BRANCH_TO && extended != TO_LINK && extended != TO_COUNTER)
		return EFFECT_NONE;
	if (word & 1)
		return reg >= FIRST_KEPT && reg < COUNTER ? EFFECT_NONE : EFFECT_ENDS;
	return opcode == BRANCH || (opcode == BRANCH_TO && is_always) ? EFFECT_ENDS : EFFECT_NONE;
}

static enum effect
effect(uint32_t word, uint32_t reg)
{
	uint32_t opcode = word >> 26;
	bool sets_counter = (word & 0xfc1fffff) == 0x7c0903a6;
	bool stores = opcode == 36 || opcode == 38 || opcode == 44 || opcode == 47 ||
	              (opcode == STORE_WIDE && (word & 3) == 0);

	if (opcode == BRANCH || opcode == BRANCH_IF || opcode == BRANCH_TO)
		return effect_of_branch(word, reg);
	if (reg == COUNTER)
		return sets_counter ? EFFECT_SETS : EFFECT_NONE;
	if (stores || sets_counter)
		return EFFECT_NONE;
	if (opcode == ADDI || opcode == ADDIS || opcode == LOAD || opcode == LOAD_WIDE)
		return first_register(word) == reg ? EFFECT_SETS : EFFECT_NONE;
	/* Of others, either can be the one that is set. */
	return first_register(word) == reg || second_register(word) == reg ? EFFECT_SETS
	                                                                   : EFFECT_NONE;
}

/*
 * The address that the last part of an instruction leads to, from a register that was set to the
 * first part of it, or that has the table of contents; false: it is not known.
 */
static bool
whole_address(const struct gprofx_code *code, uint32_t word, uint32_t low, uint64_t at,
              uint64_t *address)
{
	const struct gprofx_target *target = code->image->target;
	uint64_t table = code->image->linkage_base, value = gprofx_signed(low, 16);
	uint32_t base = second_register(word);
	bool is_wide = target->machine == EM_PPC64;

	if (is_wide && base == TABLE) {
		*address = table + value;
		return table != 0;
	}
	if (!find_definition(code, target->big_endian, base, effect, &at, &word) ||
	    word >> 26 != ADDIS || second_register(word) != (is_wide ? TABLE : 0) ||
	    (is_wide && table == 0))
		return false;
	*address = (is_wide ? table : 0) + gprofx_signed((uint64_t)(word & 0xffff) << 16, 32) +
	           value;
	if (!is_wide)
		*address = (uint32_t)*address;
	return true;
}

/* The slot that a load is from. */
static bool
loaded_slot(const struct gprofx_code *code, uint32_t word, uint64_t at, uint64_t *slot)
{
	bool is_wide = code->image->target->machine == EM_PPC64;

	if (is_wide ? word >> 26 != LOAD_WIDE || (word & 3) != 0 : word >> 26 != LOAD)
		return false;
	return whole_address(code, word, word & 0xffff, at, slot) && gprofx_is_slot(code, *slot);
}

/* bctrl and blrl, on any condition. */
static bool
calls_on_condition(uint32_t word)
{
	return (word & 0xfc00e7ff) == 0x4c000421 || (word & 0xfc00e7ff) == 0x4c000021;
}

/* bctr and bctrl. */
static bool
is_indirect(uint32_t word)
{
	return (word & ~1u) == 0x4e800420;
}

/* A call or jump by the register that counts, which was set to what is in a slot. */
static void
take_slot(const void *options, const struct gprofx_code *code, uint64_t at, uint32_t word,
          struct gprofx_call_batch *batch)
{
	const struct gprofx_scan_options *more = options;
	bool big_endian = code->image->target->big_endian, links = (word & 1) != 0;
	uint64_t place = at, slot;

	if ((links || more->tail_calls) &&
	    find_definition(code, big_endian, COUNTER, effect, &place, &word) &&
	    find_definition(code, big_endian, first_register(word), effect, &place, &word) &&
	    loaded_slot(code, word, place, &slot))
		gprofx_batch_call(batch, code->address + at, slot,
		                  links ? GPROFX_CALL_SLOT : GPROFX_CALL_SLOT_TAIL,
		                  GPROFX_NO_RETURN);
}

static void
take_pointer(const struct gprofx_code *code, uint64_t at, uint32_t word,
             struct gprofx_call_batch *batch)
{
	uint64_t address;

	if (word >> 26 == ADDI && second_register(word) != 0 &&
	    whole_address(code, word, word & 0xffff, at, &address) && gprofx_begins(code, address))
		gprofx_batch_call(batch, code->address + at, address, GPROFX_CALL_POINTER,
		                  GPROFX_NO_RETURN);
}

/* A branch with a distance, or an address; or one through a register. */
static inline struct gprofx_branch
branch_at(const void *options, const struct gprofx_code *code, uint64_t from, uint32_t word)
{
	const struct gprofx_scan_options *more = options;
	bool links = (word & 1) != 0, is_absolute = (word & 2) != 0;
	uint64_t most = code->image->target->pointer_bytes == 4 ? UINT32_MAX : UINT64_MAX;

	return (struct gprofx_branch){
		.to = (gprofx_signed(word & ~3u, 26) + (from & ((uint64_t)is_absolute - 1))) & most,
		.returns = 4,
		.is_tail = !links,
		.is_call = links | more->tail_calls,
		.is_special = word >> 26 != BRANCH,
	};
}

/* How many bytes before where a call can lead to the function begins. */
static uint32_t
local_entry(const struct gprofx_code *code)
{
	return code->image->target->machine == EM_PPC64 &&
	                       (code->image->machine_flags & ABI) == ABI_2
	               ? LOCAL_ENTRY
	               : 0;
}

/* Any number of functions. */
static void
scan_functions(const struct gprofx_scan_options *more, const struct gprofx_code *code,
               struct gprofx_calls *calls)
{
	static const struct gprofx_word_form forms[] = {{0xfc000000, 0x48000000},
	                                                {0xfffffffe, 0x4e800420}};

	gprofx_find_branches_and_slots(
		code, calls, more, forms, 2,
		(struct gprofx_branches){.big_endian = code->image->target->big_endian,
	                                 .branch_at = branch_at,
	                                 .take_special = take_slot,
	                                 .how = more,
	                                 .before = local_entry(code),
	                                 .step = 4});
}

static void
scan_function(const struct gprofx_scan_options *more, const struct gprofx_code *code,
              struct gprofx_calls *calls)
{
	const struct gprofx_target *target = code->image->target;
	bool takes_slots = more->got && code->entries->is_slot;
	uint32_t before = local_entry(code);
	/* bctrl and blrl, on any condition; bctr and bctrl; everything. */
	struct gprofx_word_form forms[2] = {{0xfc000000, 0x48000000}, {0xfc000000, 0x48000000}};
	struct gprofx_words words = {0};
	struct gprofx_call_batch batch;
	uint32_t word;

	gprofx_begin_batch(&batch, code, calls);
	if (code->image->wants_sites)
		forms[1] = (struct gprofx_word_form){0xfc0003ff, 0x4c000021};
	else if (takes_slots)
		forms[1] = (struct gprofx_word_form){0xfffffffe, 0x4e800420};
	if (more->pointers)
		forms[1] = (struct gprofx_word_form){0, 0};
	while (gprofx_next_word_of(&words, code, target->big_endian, forms, 2, &word)) {
		uint64_t from = code->address + words.at;
		const struct gprofx_branch branch = branch_at(more, code, from, word);

		if (!branch.is_special) {
			if (branch.is_call)
				gprofx_batch_callee(&batch, from, branch.to, branch.is_tail, 4,
				                    before, 4);
		} else if (code->image->wants_sites && calls_on_condition(word)) {
			gprofx_batch_call(&batch, from, 0, GPROFX_CALL_INDIRECT, 4);
		} else if (takes_slots && is_indirect(word)) {
			take_slot(more, code, words.at, word, &batch);
		} else if (more->pointers) {
			take_pointer(code, words.at, word, &batch);
		}
	}
	gprofx_hand_over(&batch);
}

static void
scan(void *worker, const struct gprofx_code *code, struct gprofx_calls *calls)
{
	const struct gprofx_scan_options *more = gprofx_scan_options(code, worker);

	gprofx_scan_functions(more, code, calls, scan_functions, scan_function);
}

/*
 * Stubs lie among other code.  Of 64 bits, they keep the table of contents for the caller, load
 * from a slot, and jump; of 32 bits, they begin with the address of the slot.
 */
static void
find_stubs(const struct gprofx_code *code, const void *options, struct gprofx_stubs *stubs)
{
	enum { KEEP_TABLE = 0xf8410018, JUMP = 0x4e800420, COUNT = 0x7c0903a6 };
	const struct gprofx_target *target = code->image->target;
	const struct gprofx_scan_options *more = options;
	bool is_wide = target->machine == EM_PPC64;
	struct gprofx_words words = {0};
	uint32_t word, before[4] = {0};
	uint64_t slot;

	stubs->follows_slots |= more->got;
	if (!more->plt)
		return;
	while (gprofx_next_word(&words, code, target->big_endian, &word)) {
		uint32_t load = before[1], first = before[2] >> 26 == ADDIS ? 3 : 2;
		uint32_t begin = is_wide ? first : 2;

		if (word == JUMP && words.at >= 4 * (uint64_t)(begin + 1) &&
		    before[0] == ((uint32_t)COUNT | first_register(load) << 21) &&
		    (is_wide ? before[begin] == (uint32_t)KEEP_TABLE : before[2] >> 26 == ADDIS) &&
		    loaded_slot(code, load, words.at - 8, &slot)) {
			uint64_t bytes = 4 * (uint64_t)(begin + 2);

			stubs->add(stubs, code->address + words.at + 4 - bytes, bytes, slot);
		}
		memmove(before + 1, before, sizeof before - sizeof before[0]);
		before[0] = word;
	}
}

/* What fills up space behind a return or a jump; the words behind it can say how to unwind. */
static uint64_t
fill_at_end(const struct gprofx_code *code, uint64_t stated)
{
	static const struct gprofx_fill_form fills[] = {{UINT32_MAX, 0x60000000, 4}, /* nop */
	                                                {UINT32_MAX, 0, 4}};
	static const struct gprofx_fill_form ends[] = {{UINT32_MAX, 0x4e800020, 4},  /* blr */
	                                               {UINT32_MAX, 0x4e800420, 4},  /* bctr */
	                                               {0xfc000003, 0x48000000, 4},  /* b */
	                                               {UINT32_MAX, 0x7fe00008, 4}}; /* trap */
	static const struct gprofx_fill_form calls[] = {{0xfc000003, 0x48000001, 4},
	                                                {UINT32_MAX, 0x4e800421, 4}};
	const struct gprofx_fill_rules rules = {.unit = 4,
	                                        .big_endian = code->image->target->big_endian,
	                                        GPROFX_FILL_LISTS(fills, ends, calls)};

	return gprofx_fill_by_rules(code, stated, &rules);
}

static const struct gprofx_option option_table[] = {
	GPROFX_OPTION_TAIL_CALLS,
	GPROFX_OPTION_PLT,
	GPROFX_OPTION_GOT,
	GPROFX_OPTION_POINTERS,
};

static const uint16_t machines[] = {20, 21};

static const struct gprofx_findcall findcall = {.size = sizeof findcall,
                                                .machines = machines,
                                                .machine_count = 2,
                                                .worker_open = gprofx_open_unless_strict,
                                                .scan = scan,
                                                .stubs = find_stubs,
                                                .step = 4,
                                                .fill = fill_at_end};

GPROFX_PLUGIN = {GPROFX_ABI,
                 .name = "findcall-ppc",
                 .version = "1.0",
                 .summary = "Calls in code of PowerPC",
                 .findcall = &findcall,
                 GPROFX_OPTIONS(struct gprofx_scan_options, option_table)};
