/* SPDX-License-Identifier: Apache-2.0 */
/*
 * findcall-mips: calls and jumps of MIPS32 and MIPS64 that lead to functions, and calls through
 * registers.  Marks in the code say where it is microMIPS ($m), MIPS16 ($s), neither ($n), and data
 * ($d).
 */
#include <gprofx/branches.h>

#include "../shared/definition.h"
#include "compressed.h"

enum { EM_MIPS = 8 };

/* Opcodes; the GOT register (gp), and those that calls leave alone. */
enum {
	SPECIAL = 0,
	J = 2,
	JAL = 3,
	JALX = 29,
	ADDIU = 9,
	LUI = 15,
	DADDIU = 25,
	LW = 35,
	BC = 50,
	LD = 55,
	BALC = 58,
	TABLE = 28,
	FIRST_KEPT = 16,
	LAST_KEPT = 23,
	REGISTERS = 32,
	MOST_BRANCHES = 8
};

/* The upper halves of bal, and of b, which is beq of a register with itself. */
enum { BAL = 0x0411, B = 0x1000 };

/* In e_flags: code of these is there, beside other. */
#define EF_MIPS_MICROMIPS 0x02000000u
#define EF_MIPS_MIPS16 0x04000000u

/* What a jump makes of its 26 bits; the upper ones are those of the instruction behind it. */
static uint64_t
jump_target(uint64_t from, uint32_t word)
{
	return (from & ~(uint64_t)0x0fffffff) | ((uint64_t)(word & 0x03ffffff) << 2);
}

/* GNU gprof's rules. */
static void
scan_strictly(const struct gprofx_code *code, struct gprofx_calls *calls)
{
	static const struct gprofx_word_form forms[] = {{0xfc000000, 0x0c000000},
	                                                {0xfc00f83f, 0x0000f809}};
	bool big_endian = code->image->target->big_endian;
	struct gprofx_words words = {0};
	struct gprofx_call_batch batch;
	uint32_t word;

	gprofx_begin_batch(&batch, code, calls);
	while (gprofx_next_word_of(&words, code, big_endian, forms, 2, &word)) {
		uint64_t from = code->address + words.at;

		if (word >> 26 == JAL)
			gprofx_batch_branch(&batch, from, jump_target(from, word), false,
			                    GPROFX_NO_RETURN);
		else
			gprofx_batch_call(&batch, from, 0, GPROFX_CALL_INDIRECT, GPROFX_NO_RETURN);
	}
	gprofx_hand_over(&batch);
}

static bool
has_compressed(const struct gprofx_code *code)
{
	return (code->image->machine_flags & (EF_MIPS_MICROMIPS | EF_MIPS_MIPS16)) != 0;
}

static bool
has_release_6(const struct gprofx_code *code)
{
	return (code->image->machine_flags & 0xf0000000) >= 0x90000000;
}

static enum effect
effect(uint32_t word, uint32_t reg)
{
	enum {
		JR = 8,
		JALR = 9,
		FIRST_BRANCH = 4,
		LAST_BRANCH = 7,
		FIRST_STORE = 40,
		LAST_STORE = 46
	};
	uint32_t opcode = word >> 26, function = word & 63;
	bool is_register = opcode == SPECIAL, is_kept = reg >= FIRST_KEPT && reg <= LAST_KEPT;
	bool is_call = (is_register && function == JALR) || opcode == JAL || word >> 16 == BAL;

	if (is_call)
		return is_kept ? EFFECT_NONE : EFFECT_ENDS;
	if ((is_register && function == JR) || opcode == J || word >> 16 == B)
		return EFFECT_ENDS;
	if (opcode == 1 || (opcode >= FIRST_BRANCH && opcode <= LAST_BRANCH) ||
	    (opcode >= FIRST_STORE && opcode <= LAST_STORE) || opcode == 63)
		return EFFECT_NONE;
	return (word >> (is_register ? 11 : 16) & 31) == reg ? EFFECT_SETS : EFFECT_NONE;
}

/* The lower half of an instruction, as a distance. */
static uint64_t
distance(uint32_t word)
{
	return gprofx_signed(word & 0xffff, 16);
}

/*
 * What the GOT register has in a function: a distance to the function's entry, which it adds first
 * thing; else what the image says.
 */
static uint64_t
table_of(const struct gprofx_code *code)
{
	enum { MOST_BYTES = 256 };
	bool has_upper = false, big_endian = code->image->target->big_endian;
	uint64_t value = code->address;

	for (uint64_t at = 0; at < MOST_BYTES && code->byte_count - at >= 4; at += 4) {
		uint32_t word = gprofx_word_at(code->bytes + at, big_endian);
		uint32_t upper = word >> 16;

		if (upper == 0x3c1c && !has_upper) {
			value += gprofx_signed((uint64_t)(word & 0xffff) << 16, 32);
			has_upper = true;
		} else if (has_upper && (upper == 0x279c || upper == 0x679c)) {
			return value + distance(word);
		}
	}
	return has_upper ? 0 : code->image->linkage_base;
}

/*
 * Registers that hold what stands in slots.  A branch takes them along, and the instruction behind
 * it comes before: code that only branches lead to goes on with what the first of them had.
 */
struct state {
	uint32_t known; /* registers, as bits */
	uint64_t slot[REGISTERS];
};

struct flow {
	const struct gprofx_code *code;
	uint64_t table; /* what the GOT register has */
	struct state now;
	bool is_cut; /* nothing comes here from the instruction before */
	struct {
		uint64_t at;
		struct state state;
	} branches[MOST_BRANCHES];
	uint32_t branch_count; /* since the last ones were replaced */
	/* What the last instruction does once this one is done. */
	enum { NO_WAY, BRANCHES, LEAVES, CALLS } way;
	uint64_t way_to;
};

static void
note_branch(struct flow *flow)
{
	uint32_t place = flow->branch_count % MOST_BRANCHES;

	if (flow->now.known == 0)
		return;
	flow->branches[place].at = flow->way_to;
	flow->branches[place].state = flow->now;
	flow->branch_count++;
}

static void
go_way(struct flow *flow)
{
	const uint32_t kept = ((2u << LAST_KEPT) - (1u << FIRST_KEPT)) | 1u << 30;

	if (flow->way == BRANCHES || flow->way == LEAVES)
		note_branch(flow);
	if (flow->way == LEAVES) {
		flow->now.known = 0;
		flow->is_cut = true;
	}
	if (flow->way == CALLS)
		flow->now.known &= kept;
	flow->way = NO_WAY;
}

/* Finds out what is known where only branches lead to. */
static void
join_branches(struct flow *flow, uint64_t at)
{
	uint32_t count = flow->branch_count < MOST_BRANCHES ? flow->branch_count : MOST_BRANCHES;

	for (uint32_t i = 0; i < count; i++)
		if (flow->branches[i].at == at) {
			flow->now = flow->branches[i].state;
			flow->is_cut = false;
			return;
		}
}

/* What comes behind the instruction that follows this one. */
static void
find_way(struct flow *flow, uint32_t word, uint64_t at)
{
	enum { JR = 8, JALR = 9, NOWHERE = 1 };
	uint32_t opcode = word >> 26, function = word & 63;
	bool is_plain = (opcode >= 4 && opcode <= 7) || (opcode >= 20 && opcode <= 23);

	flow->way_to = at + 4 + 4 * distance(word);
	if ((opcode == SPECIAL && function == JALR) || opcode == JAL || word >> 16 == BAL)
		flow->way = CALLS;
	else if ((opcode == SPECIAL && function == JR) || opcode == J || word >> 16 == B)
		flow->way = LEAVES;
	else if (is_plain || (opcode == 1 && (word >> 16 & 31) < 4) ||
	         (opcode == 17 && (word >> 21 & 31) == 8))
		flow->way = BRANCHES;
	/* Where these lead to has nothing to do with a distance. */
	if (flow->way == LEAVES && word >> 16 != B)
		flow->way_to = NOWHERE;
}

static void
follow(struct flow *flow, uint32_t word, uint64_t at)
{
	const struct gprofx_target *target = flow->code->image->target;
	uint32_t load = target->pointer_bytes == 8 ? LD : LW, to = word >> 16 & 31, from;
	/* or, addu and daddu with register 0. */
	bool copies = (word & 0xfc1f07ff) == 0x25 || (word & 0xfc1f07ff) == 0x21 ||
	              (word & 0xfc1f07ff) == 0x2d;
	bool is_behind_way = flow->way != NO_WAY;

	if (word >> 26 == load && (word >> 21 & 31) == TABLE) {
		uint64_t slot = flow->table + distance(word);

		if (target->pointer_bytes == 4)
			slot = target->sign_extends ? gprofx_signed(slot, 32) : (uint32_t)slot;
		flow->now.known &= ~(1u << to);
		if (flow->table != 0 && gprofx_is_slot(flow->code, slot)) {
			flow->now.slot[to] = slot;
			flow->now.known |= 1u << to;
		}
	} else if (copies) {
		from = word >> 21 & 31;
		to = word >> 11 & 31;
		flow->now.slot[to] = flow->now.slot[from];
		flow->now.known = (flow->now.known & ~(1u << to)) | (flow->now.known >> from & 1)
		                                                            << to;
	} else if (flow->now.known != 0) {
		to = word >> (word >> 26 == SPECIAL ? 11 : 16) & 31;
		if ((flow->now.known >> to & 1) != 0 && effect(word, to) == EFFECT_SETS)
			flow->now.known &= ~(1u << to);
	}
	if (is_behind_way)
		go_way(flow);
	else
		find_way(flow, word, at);
}

static void
take_pointer(const struct gprofx_code *code, uint64_t at, uint32_t word,
             struct gprofx_call_batch *batch)
{
	uint64_t from = code->address + at, to = distance(word);
	uint32_t reg = word >> 21 & 31;

	if ((word >> 26 != ADDIU && word >> 26 != DADDIU) ||
	    !find_definition(code, code->image->target->big_endian, reg, effect, &at, &word) ||
	    word >> 26 != LUI)
		return;
	to += gprofx_signed((uint64_t)(word & 0xffff) << 16, 32);
	if (gprofx_begins(code, to))
		gprofx_batch_call(batch, from, to, GPROFX_CALL_POINTER, GPROFX_NO_RETURN);
}

/* jalr and jr. */
static void
take_indirect(const struct gprofx_code *code, const struct gprofx_scan_options *more,
              const struct flow *flow, uint64_t at, uint32_t word, struct gprofx_call_batch *batch)
{
	bool links = (word & 0xfc1ffbff) == 0x0000f809;
	bool jumps = (word & 0xfc1ff83f) == 0x00000008 && word >> 21 != 31 && more->tail_calls;
	uint32_t reg = word >> 21 & 31;

	if ((links || jumps) && (flow->now.known >> reg & 1) != 0)
		gprofx_batch_call(batch, code->address + at, flow->now.slot[reg],
		                  links ? GPROFX_CALL_SLOT : GPROFX_CALL_SLOT_TAIL,
		                  GPROFX_NO_RETURN);
	else if (links)
		gprofx_batch_call(batch, code->address + at, 0, GPROFX_CALL_INDIRECT, 8);
}

enum { PLAIN = 4 };

/* j and jal; bal; b; jalr. */
static const struct gprofx_word_form plain_forms[PLAIN] = {{0xf8000000, 0x08000000},
                                                           {0xffff0000, 0x04110000},
                                                           {0xffff0000, 0x10000000},
                                                           {0xfc1ffbff, 0x0000f809}};

/* One of these. */
static inline struct gprofx_branch
branch_at(const void *options, const struct gprofx_code *code, uint64_t from, uint32_t word)
{
	const struct gprofx_scan_options *more = options;
	bool is_indirect = word >> 26 == SPECIAL, is_jump = word >> 27 == 1;
	bool links = is_indirect | (word >> 26 == JAL) | (word >> 16 == BAL);
	uint64_t near = from + 4 + 4 * gprofx_signed(word, 16);

	(void)code;
	return (struct gprofx_branch){
		.to = is_jump ? jump_target(from + 4, word) : near,
		/* Behind the instruction stands one that is done before the jump. */
		.returns = 8,
		.is_tail = !links,
		.is_call = links | more->tail_calls,
		.is_indirect = is_indirect,
	};
}

/* One scan. */
struct walk {
	const struct gprofx_code *code;
	const struct gprofx_scan_options *more;
	bool is_release_6, takes_exchanges;
	struct gprofx_call_batch batch;
};

/* Branches with a distance, or most of an address, in them. */
static bool
take_branch(struct walk *walk, uint64_t from, uint32_t word)
{
	uint32_t opcode = word >> 26, upper = word >> 16;
	struct gprofx_branch branch;

	/* Release 6 has these where others have loads and stores of coprocessor 2. */
	if (walk->is_release_6 && (opcode == BALC || opcode == BC)) {
		if (opcode == BALC || walk->more->tail_calls)
			gprofx_batch_branch(&walk->batch, from,
			                    from + 4 + 4 * gprofx_signed(word, 26), opcode == BC,
			                    4);
	} else if (opcode == JALX && walk->takes_exchanges) {
		gprofx_batch_branch(&walk->batch, from, jump_target(from + 4, word), false, 8);
	} else if (opcode == J || opcode == JAL || upper == BAL || upper == B) {
		branch = branch_at(walk->more, walk->code, from, word);
		if (branch.is_call)
			gprofx_batch_branch(&walk->batch, from, branch.to, branch.is_tail,
			                    branch.returns);
	} else {
		return false;
	}
	return true;
}

/* Whatever an instruction is. */
static void
take_word(struct walk *walk, const struct flow *flow, uint64_t at, uint32_t word)
{
	const struct gprofx_code *code = walk->code;
	uint64_t from = code->address + at;

	if (take_branch(walk, from, word))
		return;
	if (word >> 26 == SPECIAL)
		take_indirect(code, walk->more, flow, at, word, &walk->batch);
	/* jialc, of release 6 too. */
	else if (code->image->wants_sites && walk->is_release_6 && word >> 21 == 0x7c0)
		gprofx_batch_call(&walk->batch, from, 0, GPROFX_CALL_INDIRECT, 4);
	else if (walk->more->pointers)
		take_pointer(code, at, word, &walk->batch);
}

/* A word of code whose registers are followed. */
static void
follow_word(struct walk *walk, struct flow *flow, uint64_t at, uint32_t word)
{
	if (flow->is_cut)
		join_branches(flow, at);
	take_word(walk, flow, at, word);
	follow(flow, word, at);
}

/*
 * The next place, up to an end, where an instruction counts that neither jumps nor loads from the
 * GOT: where anything is known of registers, or becomes so since a branch leads there.
 */
static uint64_t
next_that_counts(const struct flow *flow, uint64_t at, uint64_t end)
{
	uint32_t count = flow->branch_count < MOST_BRANCHES ? flow->branch_count : MOST_BRANCHES;

	if (flow->now.known != 0 || flow->way != NO_WAY)
		return at;
	for (uint32_t i = 0; flow->is_cut && i < count; i++)
		if (flow->branches[i].at >= at && flow->branches[i].at < end)
			end = flow->branches[i].at;
	return end;
}

static void
scan_following(struct walk *walk, bool big_endian)
{
	enum { FORMS = 7 };
	const struct gprofx_code *code = walk->code;
	bool is_wide = code->image->target->pointer_bytes == 8;
	/* Jumps, calls and branches; loads from the GOT. */
	const struct gprofx_word_form forms[FORMS] = {
		{0xf8000000, 0x08000000},
		{0xb0000000, 0x10000000},
		{0xfc000000, 0x04000000},
		{0xfc00003e, 0x00000008},
		{0xffe00000, 0x45000000},
		{0xffe00000, (uint32_t)(is_wide ? LD : LW) << 26 | (uint32_t)TABLE << 21},
		{walk->is_release_6 ? 0xdc000000 : 0xfc000000,
	         walk->is_release_6 ? 0xc8000000 : 0x74000000}};
	static const struct gprofx_word_form all[] = {{0, 0}};
	struct gprofx_words words = {0};
	struct flow flow;
	uint64_t next = 0;
	uint32_t word;

	/* Not all of it: that would be more than most functions are. */
	flow.code = code;
	flow.table = table_of(code);
	flow.now.known = 0;
	flow.is_cut = false;
	flow.branch_count = 0;
	flow.way = NO_WAY;
	/* Where there can be data, or everything counts, every word is looked at. */
	if (walk->more->pointers || code->mark_count > 0) {
		while (gprofx_next_word_of(&words, code, big_endian, all, 1, &word))
			follow_word(walk, &flow, words.at, word);
		return;
	}
	while (gprofx_next_word_of(&words, code, big_endian, forms, FORMS, &word)) {
		for (; (next = next_that_counts(&flow, next, words.at)) < words.at; next += 4) {
			if (flow.is_cut)
				join_branches(&flow, next);
			follow(&flow, gprofx_word_at(code->bytes + next, big_endian), next);
		}
		follow_word(walk, &flow, words.at, word);
		next = words.at + 4;
	}
}

static void
scan_words(const struct gprofx_code *code, const struct gprofx_scan_options *more,
           struct gprofx_calls *calls)
{
	enum { MOST = 7 };
	/* j and jal; bal; b; jalr; jalx; bc and balc; jialc; or everything. */
	static const struct gprofx_word_form forms[MOST] = {
		{0xf8000000, 0x08000000}, {0xffff0000, 0x04110000}, {0xffff0000, 0x10000000},
		{0xfc1ffbff, 0x0000f809}, {0xfc000000, 0x74000000}, {0xdc000000, 0xc8000000},
		{0xffe00000, 0xf8000000}};
	static const struct gprofx_word_form all[] = {{0, 0}};
	bool big_endian = code->image->target->big_endian;
	static const struct flow nothing;
	struct gprofx_words words = {0};
	struct walk walk;
	uint32_t word;

	walk.code = code;
	walk.more = more;
	walk.is_release_6 = has_release_6(code);
	/* jalx leads to the compressed sets; release 6 has something else in its place. */
	walk.takes_exchanges = has_compressed(code) && !walk.is_release_6;
	gprofx_begin_batch(&walk.batch, code, calls);
	if (more->got && code->entries->is_slot) {
		scan_following(&walk, big_endian);
	} else if (more->pointers) {
		while (gprofx_next_word_of(&words, code, big_endian, all, 1, &word))
			take_word(&walk, &nothing, words.at, word);
	} else if (walk.is_release_6 || walk.takes_exchanges) {
		while (gprofx_next_word_of(&words, code, big_endian, forms, MOST, &word))
			take_word(&walk, &nothing, words.at, word);
	} else {
		while (gprofx_next_word_of(&words, code, big_endian, plain_forms, PLAIN, &word))
			if (!take_branch(&walk, code->address + words.at, word))
				gprofx_batch_call(&walk.batch, code->address + words.at, 0,
				                  GPROFX_CALL_INDIRECT, 8);
	}
	gprofx_hand_over(&walk.batch);
}

/* A list of calls that leaves tail calls out. */
struct calls_without_tails {
	struct gprofx_calls public; /* first */
	struct gprofx_calls *calls;
};

static void
add_no_tails(struct gprofx_calls *public, const struct gprofx_found_call *rows, uint32_t count)
{
	struct gprofx_calls *calls = ((struct calls_without_tails *)public)->calls;

	for (uint32_t i = 0; i < count; i++)
		if (rows[i].kind != GPROFX_CALL_TAIL)
			calls->add(calls, &rows[i], 1);
}

/* What the bytes are before all marks. */
static char
letter_without_marks(const struct gprofx_code *code)
{
	return code->image->machine_flags & EF_MIPS_MICROMIPS ? 'm' : 'n';
}

/* Scans what is from each mark to the next one. */
static void
scan_mixed(const struct gprofx_code *code, const struct gprofx_scan_options *more,
           struct gprofx_calls *calls)
{
	struct gprofx_mark_walk walk = {.letter = letter_without_marks(code)};
	struct calls_without_tails without = {{add_no_tails}, calls};
	uint64_t end;

	for (uint64_t at = 0; at < code->byte_count; at = end) {
		char letter = gprofx_mark_at(&walk, code, code->address + at);
		struct gprofx_code part = *code;

		end = walk.next < code->mark_count ? code->marks[walk.next].address - code->address
		                                   : code->byte_count;
		if (end <= at || end > code->byte_count)
			end = code->byte_count;
		part.bytes += at;
		part.byte_count = end - at;
		part.readable -= at;
		part.address += at;
		part.mark_count = 0;
		/* Release 6 has other instructions of microMIPS. */
		if (letter == 's' || (letter == 'm' && !has_release_6(code)))
			scan_compressed(&part, more->tail_calls ? calls : &without.public,
			                letter == 's');
		else if (letter != 'd' && letter != 'm')
			scan_words(&part, more, calls);
	}
}

/* Any number of functions, without anything that needs more than branches. */
static void
scan_branches(const struct gprofx_scan_options *more, const struct gprofx_code *code,
              struct gprofx_calls *calls)
{
	gprofx_find_branches(code, calls, plain_forms, PLAIN,
	                     (struct gprofx_branches){.big_endian = code->image->target->big_endian,
	                                              .branch_at = branch_at,
	                                              .how = more});
}

static void
scan_function(const struct gprofx_scan_options *more, const struct gprofx_code *code,
              struct gprofx_calls *calls)
{
	if (has_compressed(code))
		scan_mixed(code, more, calls);
	else
		scan_words(code, more, calls);
}

static void
scan(void *worker, const struct gprofx_code *code, struct gprofx_calls *calls)
{
	const struct gprofx_scan_options *more = gprofx_scan_options(code, worker);
	bool takes_slots = more->got && code->entries->is_slot;
	bool is_plain = !takes_slots && !has_compressed(code) && !has_release_6(code);

	if (code->image->strict)
		scan_strictly(code, calls);
	else
		gprofx_scan_functions(more, code, calls, is_plain ? scan_branches : NULL,
		                      scan_function);
}

static uint64_t
length_at(void *worker, const struct gprofx_code *code, uint64_t offset)
{
	struct gprofx_mark_walk walk = {.letter = letter_without_marks(code)};
	char letter = gprofx_mark_at(&walk, code, code->address + offset);

	(void)worker;
	if (!has_compressed(code) || (letter != 's' && letter != 'm'))
		return 4 - (code->address + offset) % 4;
	if (code->readable - offset < 2)
		return 1;
	return compressed_length(
		gprofx_half_at(code->bytes + offset, code->image->target->big_endian),
		letter == 's');
}

/* What fills up space behind a return or a jump, and the instruction that is done with it. */
static uint64_t
fill_of_words(const struct gprofx_code *code, uint64_t stated)
{
	static const struct gprofx_fill_form nop[] = {{UINT32_MAX, 0, 4}};
	static const struct gprofx_fill_form ends[] = {
		{0xfc1ff83e, 0x00000008, 4},  /* jr; jalr keeps where to return to in register 0 */
		{0xfc000000, 0x08000000, 4},  /* j */
		{0xffff0000, 0x10000000, 4}}; /* b */
	static const struct gprofx_fill_form calls[] = {{0xfc000000, 0x0c000000, 4},  /* jal */
	                                                {0xffff0000, 0x04110000, 4},  /* bal */
	                                                {0xfc1ff83f, 0x0000f809, 4}}; /* jalr */
	/* Release 6 has some that no other instruction is done with; the first one is a trap. */
	static const struct gprofx_fill_form alone[] = {{0xfc00003f, 0x0000000d, 4},
	                                                {0xffe00000, 0xd8000000, 4},
	                                                {0xfc000000, 0xc8000000, 4}};
	static const struct gprofx_fill_form alone_calls[] = {{0xffe00000, 0xf8000000, 4},
	                                                      {0xfc000000, 0xe8000000, 4}};
	const struct gprofx_fill_rules rules = {.unit = 4,
	                                        .big_endian = code->image->target->big_endian,
	                                        .slot = 4,
	                                        GPROFX_FILL_LISTS(nop, ends, calls)};
	const struct gprofx_fill_rules without = {.unit = 4,
	                                          .big_endian = rules.big_endian,
	                                          .fill_count = 1,
	                                          .end_count = has_release_6(code) ? 3 : 1,
	                                          .call_count = has_release_6(code) ? 2 : 0,
	                                          .fills = nop,
	                                          .ends = alone,
	                                          .calls = alone_calls};
	uint64_t fill = gprofx_fill_by_rules(code, stated, &rules);

	return fill > 0 ? fill : gprofx_fill_by_rules(code, stated, &without);
}

/* The same of microMIPS and MIPS16; which of them it is the code does not tell. */
static uint64_t
fill_of_halves(const struct gprofx_code *code, uint64_t stated)
{
	static const struct gprofx_fill_form nops[] = {{UINT16_MAX, 0x0c00, 2},
	                                               {UINT16_MAX, 0x6500, 2},
	                                               {UINT16_MAX, 0, 2}};
	/* jrc, jraddiusp and jrc of MIPS16, with or without the return address; jalrc. */
	static const struct gprofx_fill_form alone[] = {{0xffe0, 0x45a0, 2},
	                                                {0xffe0, 0x4700, 2},
	                                                {0xf8ff, 0xe8a0, 2},
	                                                {0xf8ff, 0xe880, 2}};
	static const struct gprofx_fill_form alone_calls[] = {{0xf8ff, 0xe8c0, 2}};
	/* Behind these is an instruction of 2 bytes: jr, b, jr of MIPS16; jalrs, jals, jalr, jal.
	 */
	static const struct gprofx_fill_form two[] = {{0xffe0, 0x4580, 2},
	                                              {0xfc00, 0xcc00, 2},
	                                              {0xf8ff, 0xe800, 2},
	                                              {UINT16_MAX, 0xe820, 2}};
	static const struct gprofx_fill_form two_calls[] = {{0xffe0, 0x45e0, 2},
	                                                    {0xfc000000, 0x74000000, 4},
	                                                    {0xf8ff, 0xe840, 2},
	                                                    {0xf8000000, 0x18000000, 4}};
	/* Or one of 4: jalr, jal. */
	static const struct gprofx_fill_form four_calls[] = {{0xffe0, 0x45c0, 2},
	                                                     {0xfc000000, 0xf4000000, 4}};
	const struct gprofx_fill_rules sorts[] = {
		{.end_count = 4, .ends = alone, .call_count = 1, .calls = alone_calls},
		{.slot = 2, .end_count = 4, .ends = two, .call_count = 4, .calls = two_calls},
		{.slot = 4, .call_count = 2, .calls = four_calls}};
	uint64_t fill = 0;

	for (size_t i = 0; i < sizeof sorts / sizeof sorts[0] && fill == 0; i++) {
		struct gprofx_fill_rules rules = sorts[i];

		rules.unit = 2;
		rules.big_endian = code->image->target->big_endian;
		rules.fills = nops;
		rules.fill_count = 3;
		fill = gprofx_fill_by_rules(code, stated, &rules);
	}
	return fill;
}

static uint64_t
fill_at_end(const struct gprofx_code *code, uint64_t stated)
{
	uint64_t fill = fill_of_words(code, stated);

	return fill > 0 || !has_compressed(code) ? fill : fill_of_halves(code, stated);
}

static const struct gprofx_option option_table[] = {
	GPROFX_OPTION_TAIL_CALLS,
	GPROFX_OPTION_GOT,
	GPROFX_OPTION_POINTERS,
};

static const uint16_t machines[] = {EM_MIPS};

static const struct gprofx_findcall findcall = {.size = sizeof findcall,
                                                .machines = machines,
                                                .machine_count = 1,
                                                .worker_open = gprofx_open_with_options,
                                                .scan = scan,
                                                .stubs = gprofx_find_no_stubs,
                                                .step = 4,
                                                .fill = fill_at_end,
                                                .length = length_at};

GPROFX_PLUGIN = {GPROFX_ABI,
                 .name = "findcall-mips",
                 .version = "1.0",
                 .summary = "Calls in code of MIPS",
                 .findcall = &findcall,
                 GPROFX_OPTIONS(struct gprofx_scan_options, option_table)};
