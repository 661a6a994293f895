/* SPDX-License-Identifier: Apache-2.0 */
/*
 * findcall-aarch64: branches of AArch64 that lead to functions.  An instruction is a word, its
 * opcode has bits of its own: nothing has to be decoded before it.
 */
#include <gprofx/branches.h>

#include "../shared/definition.h"

enum { ZERO = 31, FIRST_KEPT = 19, LAST_KEPT = 29, MARK_BYTES = 4 };

static uint32_t
bits(uint32_t word, unsigned from, unsigned count)
{
	return word >> from & ((1u << count) - 1);
}

static bool
is_adrp(uint32_t word)
{
	return (word & 0x9f000000) == 0x90000000;
}

static bool
is_add(uint32_t word)
{
	return (word & 0xff800000) == 0x91000000;
}

/* A load of 8 bytes, or of 4 where addresses have 4, from behind a register. */
static bool
is_load(uint32_t word)
{
	return (word & 0xbfc00000) == 0xb9400000;
}

/* blr or br. */
static bool
is_indirect(uint32_t word)
{
	return (word & 0xffdffc1f) == 0xd61f0000;
}

static enum effect
effect_of_branch(uint32_t word, uint32_t reg)
{
	bool is_call = (word & 0xfc000000) == 0x94000000 || (word & 0xfffffc1f) == 0xd63f0000;
	bool has_condition = (word & 0xfe000000) == 0x54000000 || (word & 0x7c000000) == 0x34000000;
	bool is_of_system = (word & 0xff000000) == 0xd5000000;

	if (is_call)
		return reg >= FIRST_KEPT && reg <= LAST_KEPT ? EFFECT_NONE : EFFECT_ENDS;
	if (is_of_system)
		return (word & 0x00200000) && bits(word, 0, 5) == reg ? EFFECT_SETS : EFFECT_NONE;
	return has_condition ? EFFECT_NONE : EFFECT_ENDS;
}

static enum effect
effect(uint32_t word, uint32_t reg)
{
	bool is_branch = (word & 0x1c000000) == 0x14000000;
	bool is_store = (word & 0x3bc00000) == 0x29000000 || (word & 0x3bc00000) == 0x39000000;

	if (is_branch)
		return effect_of_branch(word, reg);
	/* Plain stores of registers, and pairs of them, set none. */
	if (is_store)
		return EFFECT_NONE;
	if (bits(word, 0, 5) == reg)
		return EFFECT_SETS;
	/* Loads and stores that set the register that they begin at, and pairs. */
	if ((word & 0x0a000000) == 0x08000000 &&
	    (bits(word, 5, 5) == reg || bits(word, 10, 5) == reg))
		return is_load(word) ? EFFECT_NONE : EFFECT_SETS;
	return EFFECT_NONE;
}

/* What adrp makes at an address. */
static uint64_t
page(uint32_t word, uint64_t from)
{
	uint64_t distance = gprofx_signed(bits(word, 5, 19) << 2 | bits(word, 29, 2), 21);

	return (from & ~(uint64_t)0xfff) + (distance << 12);
}

/* The address that a register holds, as a page and what is added; false: it is not known. */
static bool
page_before(const struct gprofx_code *code, uint32_t reg, uint64_t at, uint64_t *address)
{
	uint32_t word;

	if (!find_definition(code, false, reg, effect, &at, &word) || !is_adrp(word) ||
	    bits(word, 0, 5) != reg)
		return false;
	*address = page(word, code->address + at);
	return true;
}

/* The slot that a load is from. */
static bool
loaded_slot(const struct gprofx_code *code, uint32_t word, uint64_t at, uint64_t *slot)
{
	uint32_t scale = word >> 30;

	if (!is_load(word) || !page_before(code, bits(word, 5, 5), at, slot))
		return false;
	*slot += (uint64_t)bits(word, 10, 12) << scale;
	return gprofx_is_slot(code, *slot);
}

static void
take_slot(const void *options, const struct gprofx_code *code, uint64_t at, uint32_t word,
          struct gprofx_call_batch *batch)
{
	const struct gprofx_scan_options *more = options;
	bool links = (word & 0x00200000) != 0;
	uint32_t reg = bits(word, 5, 5);
	uint64_t place = at, slot;

	if ((!links && !more->tail_calls) || reg == ZERO)
		return;
	if (find_definition(code, false, reg, effect, &place, &word) && bits(word, 0, 5) == reg &&
	    loaded_slot(code, word, place, &slot))
		gprofx_batch_call(batch, code->address + at, slot,
		                  links ? GPROFX_CALL_SLOT : GPROFX_CALL_SLOT_TAIL,
		                  GPROFX_NO_RETURN);
}

static void
take_pointer(const struct gprofx_code *code, uint64_t at, uint32_t word,
             struct gprofx_call_batch *batch)
{
	uint64_t from = code->address + at, to;

	if (is_add(word)) {
		if (!page_before(code, bits(word, 5, 5), at, &to))
			return;
		to += (uint64_t)bits(word, 10, 12) << (word & 0x00400000 ? 12 : 0);
	} else if ((word & 0x9f000000) == 0x10000000) {
		to = from + gprofx_signed(bits(word, 5, 19) << 2 | bits(word, 29, 2), 21);
	} else {
		return;
	}
	if (gprofx_begins(code, to))
		gprofx_batch_call(batch, from, to, GPROFX_CALL_POINTER, GPROFX_NO_RETURN);
}

/* blr, and those that check the pointer first. */
static void
scan_indirect(const struct gprofx_code *code, struct gprofx_calls *calls)
{
	static const struct gprofx_word_form forms[] = {{0xfffffc1f, 0xd63f0000},
	                                                {0xfffff81f, 0xd63f081f},
	                                                {0xfffff800, 0xd73f0800}};
	struct gprofx_words words = {.walk = {.letter = 'x'}};
	uint32_t word;

	while (gprofx_next_word_of(&words, code, false, forms, 3, &word))
		gprofx_add_site(calls, code->address + words.at, 0, GPROFX_CALL_INDIRECT, 4);
}

/* A branch with a distance, or one through a register. */
static inline struct gprofx_branch
branch_at(const void *options, const struct gprofx_code *code, uint64_t from, uint32_t word)
{
	const struct gprofx_scan_options *more = options;
	bool links = (word & 0x80000000) != 0;

	(void)code;
	return (struct gprofx_branch){
		.to = from + 4 * gprofx_signed(word, 26),
		.returns = 4,
		.is_tail = !links,
		.is_call = links | more->tail_calls,
		.is_special = (word & 0x7c000000) != 0x14000000,
	};
}

/* Any number of functions. */
static void
scan_functions(const struct gprofx_scan_options *more, const struct gprofx_code *code,
               struct gprofx_calls *calls)
{
	static const struct gprofx_word_form forms[] = {{0x7c000000, 0x14000000},
	                                                {0xffdffc1f, 0xd61f0000}};

	gprofx_find_branches_and_slots(code, calls, more, forms, 2,
	                               (struct gprofx_branches){.letter = 'x',
	                                                        .branch_at = branch_at,
	                                                        .take_special = take_slot,
	                                                        .how = more});
}

static void
scan_function(const struct gprofx_scan_options *more, const struct gprofx_code *code,
              struct gprofx_calls *calls)
{
	bool strict = code->image->strict, takes_slots = more->got && code->entries->is_slot;
	bool big_endian = strict && code->image->target->big_endian;
	bool takes_pointers = more->pointers && !strict;
	/* Branches with a distance; those through registers, or everything. */
	struct gprofx_word_form forms[2] = {{0x7c000000, 0x14000000}, {0x7c000000, 0x14000000}};
	struct gprofx_words words = {.walk = {.letter = 'x'}};
	struct gprofx_call_batch batch;
	uint32_t word;

	gprofx_begin_batch(&batch, code, calls);
	if (takes_slots && !strict)
		forms[1] = (struct gprofx_word_form){0xffdffc1f, 0xd61f0000};
	if (takes_pointers)
		forms[1] = (struct gprofx_word_form){0, 0};
	if (code->image->wants_sites)
		scan_indirect(code, calls);
	/* Instructions are little-endian whatever data are; GNU gprof reads them as data. */
	while (gprofx_next_word_of(&words, code, big_endian, forms, 2, &word)) {
		uint64_t from = code->address + words.at;
		const struct gprofx_branch branch = branch_at(more, code, from, word);

		if (!branch.is_special && (branch.is_call | strict))
			gprofx_batch_branch(&batch, from, branch.to, branch.is_tail && !strict, 4);
		else if (takes_slots && is_indirect(word))
			take_slot(more, code, words.at, word, &batch);
		else
			take_pointer(code, words.at, word, &batch);
	}
	gprofx_hand_over(&batch);
}

static void
scan(void *worker, const struct gprofx_code *code, struct gprofx_calls *calls)
{
	const struct gprofx_scan_options *more = gprofx_scan_options(code, worker);

	gprofx_scan_functions(more, code, calls, scan_functions, scan_function);
}

/* Stubs: a page, a load from it, and a jump, perhaps behind a mark for indirect jumps. */
static void
find_stubs(const struct gprofx_code *code, const void *options, struct gprofx_stubs *stubs)
{
	enum { BTI_C = 0xd503245f, FARTHEST = 16 };
	const struct gprofx_scan_options *more = options;
	struct gprofx_words words = {0};
	uint64_t begin = 0, past = 0;
	uint32_t word;

	stubs->follows_slots |= more->got;
	if (!more->plt || !gprofx_is_linkage(code))
		return;
	while (gprofx_next_word(&words, code, false, &word)) {
		uint64_t slot;

		if (is_adrp(word)) {
			begin = words.at;
			if (begin >= past + MARK_BYTES &&
			    gprofx_word_at(code->bytes + begin - MARK_BYTES, false) ==
			            (uint32_t)BTI_C)
				begin -= MARK_BYTES;
		}
		if (words.at > begin + FARTHEST || !loaded_slot(code, word, words.at, &slot))
			continue;
		past = words.at + 4;
		stubs->add(stubs, code->address + begin, past - begin, slot);
		begin = past;
	}
}

/* What fills up space behind a return or a jump. */
static uint64_t
fill_at_end(const struct gprofx_code *code, uint64_t stated)
{
	static const struct gprofx_fill_form fills[] = {{UINT32_MAX, 0xd503201f, 4}, /* nop */
	                                                {UINT32_MAX, 0, 4}};
	static const struct gprofx_fill_form ends[] = {
		{0xfffffc1f, 0xd65f0000, 4},  /* ret */
		{0xfffffbff, 0xd65f0bff, 4},  /* retaa, retab */
		{0xfffffc1f, 0xd61f0000, 4},  /* br */
		{0xfc000000, 0x14000000, 4},  /* b */
		{0xffe0001f, 0xd4200000, 4}}; /* brk */
	static const struct gprofx_fill_form calls[] = {{0xfc000000, 0x94000000, 4},
	                                                {0xfffffc1f, 0xd63f0000, 4}};
	static const struct gprofx_fill_rules rules = {.unit = 4,
	                                               GPROFX_FILL_LISTS(fills, ends, calls)};

	return gprofx_fill_by_rules(code, stated, &rules);
}

static const struct gprofx_option option_table[] = {GPROFX_OPTION_TAIL_CALLS, GPROFX_OPTION_PLT,
                                                    GPROFX_OPTION_GOT, GPROFX_OPTION_POINTERS};

static const uint16_t machines[] = {183};

static const struct gprofx_findcall findcall = {.size = sizeof findcall,
                                                .machines = machines,
                                                .machine_count = 1,
                                                .worker_open = gprofx_open_with_options,
                                                .scan = scan,
                                                .stubs = find_stubs,
                                                .step = 4,
                                                .fill = fill_at_end};

GPROFX_PLUGIN = {GPROFX_ABI,
                 .name = "findcall-aarch64",
                 .version = "1.0",
                 .summary = "Calls in code of AArch64",
                 .findcall = &findcall,
                 GPROFX_OPTIONS(struct gprofx_scan_options, option_table)};
