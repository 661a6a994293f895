/* SPDX-License-Identifier: Apache-2.0 */
/*
 * findcall-sparc: the instruction "call" of SPARC, of 32 and 64 bits.  It has two bits for an
 * opcode, and all others for the distance.
 */
#include <gprofx/branches.h>

/*
 * GNU gprof's rules: it takes whatever has one of the two bits for a call, and the distance for one
 * in bytes.
 */
static void
scan_strictly(const struct gprofx_code *code, struct gprofx_calls *calls)
{
	static const struct gprofx_word_form forms[] = {{0x80000000, 0x80000000},
	                                                {0x40000000, 0x40000000}};
	struct gprofx_words words = {.next = (0 - code->address) & 3};
	bool big_endian = code->image->target->big_endian;
	struct gprofx_call_batch batch;
	uint32_t word;

	gprofx_begin_batch(&batch, code, calls);
	while (gprofx_next_word_of(&words, code, big_endian, forms, 2, &word)) {
		uint64_t from = code->address + words.at;

		gprofx_batch_branch(&batch, from, from + gprofx_signed(word, 30), false,
		                    GPROFX_NO_RETURN);
	}
	gprofx_hand_over(&batch);
}

enum { REGISTERS = 32 };

/* The upper parts of addresses that registers hold. */
struct parts {
	uint32_t known; /* bits */
	uint32_t upper[REGISTERS];
};

/* Addresses are made in two steps: the upper 22 bits, and the others. */
static void
take_pointer(struct parts *parts, const struct gprofx_code *code, uint64_t from, uint32_t word,
             struct gprofx_call_batch *batch)
{
	uint32_t to = word >> 25 & 31, base = word >> 14 & 31;
	bool is_sethi = (word & 0xc1c00000) == 0x01000000;
	bool is_or = (word & 0xc1f82000) == 0x80102000, is_add = (word & 0xc1f82000) == 0x80002000;
	uint64_t address = (uint64_t)parts->upper[base] + (word & 0xfff);

	if (word >> 30 == 2 && (is_or || is_add) && (word & 0x1000) == 0 &&
	    (parts->known >> base & 1) && gprofx_begins(code, address))
		gprofx_batch_call(batch, from, address, GPROFX_CALL_POINTER, GPROFX_NO_RETURN);
	/* Stores set no register. */
	if (word >> 30 == 2 || (word >> 30 == 3 && !(word & 0x00200000)) || is_sethi)
		parts->known &= ~(1u << to);
	if (is_sethi) {
		parts->upper[to] = word << 10;
		parts->known |= 1u << to;
	}
}

enum { MOST_ALIGNMENT = 64 };

/*
 * Whether nothing stands behind a jump, up to where it leads to, but what aligns the next function,
 * as assemblers fill such places.
 */
static bool
is_alignment(const struct gprofx_code *code, uint64_t from, uint64_t to)
{
	enum { NOP = 0x01000000 };
	uint64_t at = from - code->address, past = to - code->address;

	if (past > code->readable)
		return false;
	for (at += 4; at < past; at += 4)
		if (gprofx_word_at(code->bytes + at, true) != NOP)
			return false;
	return true;
}

/* jmpl, which keeps its address where call does, with a second register or a number. */
static bool
calls_through_register(uint32_t word)
{
	return (word & 0xfff83fe0) == 0x9fc00000 || (word & 0xfff82000) == 0x9fc02000;
}

/* Calls, and jumps on no condition; or something else. */
static inline struct gprofx_branch
branch_at(const void *options, const struct gprofx_code *code, uint64_t from, uint32_t word)
{
	enum { ANNULS = 0x20000000 };
	const struct gprofx_scan_options *more = options;
	uint64_t most = code->image->target->pointer_bytes == 8 ? UINT64_MAX : UINT32_MAX;
	/* The second sort of jumps names one of two sets of conditions; two are reserved. */
	bool is_call = word >> 30 == 1, is_jump = (word & 0xdfc00000) == 0x10800000,
	     is_near = (word & 0xdfd00000) == 0x10400000;
	uint64_t distance = gprofx_signed(word, is_call ? 30 : is_jump ? 22 : 19);
	uint64_t to = (from + 4 * distance) & most;
	bool is_branch = is_call | ((is_jump | is_near) & more->tail_calls);
	bool is_annulled = (word & ANNULS) != 0, is_short = to - from - 1 < MOST_ALIGNMENT;
	bool skips_nothing = is_annulled & is_short && !is_call && is_alignment(code, from, to);

	return (struct gprofx_branch){
		.to = to,
		.is_tail = !is_call,
		.is_call = is_branch && !skips_nothing,
	};
}

/* Any number of functions. */
static void
scan_functions(const struct gprofx_scan_options *more, const struct gprofx_code *code,
               struct gprofx_calls *calls)
{
	static const struct gprofx_word_form forms[] = {{0xc0000000, 0x40000000},
	                                                {0xdf000000, 0x10000000}};

	gprofx_find_branches(
		code, calls, forms, more->tail_calls ? 2 : 1,
		(struct gprofx_branches){.big_endian = true, .branch_at = branch_at, .how = more});
}

static void
scan_function(const struct gprofx_scan_options *more, const struct gprofx_code *code,
              struct gprofx_calls *calls)
{
	/* call; jumps on no condition, with a distance of 22 or of 19 bits; jmpl, as call does. */
	struct gprofx_word_form forms[3] = {{0xc0000000, 0x40000000},
	                                    {0xc0000000, 0x40000000},
	                                    {0xc0000000, 0x40000000}};
	struct gprofx_words words = {0};
	struct gprofx_call_batch batch;
	struct parts parts = {0};
	uint32_t word;

	gprofx_begin_batch(&batch, code, calls);
	if (more->tail_calls)
		forms[1] = (struct gprofx_word_form){0xdf000000, 0x10000000};
	if (code->image->wants_sites)
		forms[2] = (struct gprofx_word_form){0xfff80000, 0x9fc00000};
	if (more->pointers)
		forms[2] = (struct gprofx_word_form){0, 0};
	/* Whatever the order of data is, that of instructions is this one. */
	while (gprofx_next_word_of(&words, code, true, forms, 3, &word)) {
		uint64_t from = code->address + words.at;
		const struct gprofx_branch branch = branch_at(more, code, from, word);

		if (branch.is_call) {
			/* What is kept is the address of the call. */
			gprofx_batch_branch(&batch, from, branch.to, branch.is_tail, 0);
		} else if (code->image->wants_sites && calls_through_register(word)) {
			gprofx_batch_call(&batch, from, 0, GPROFX_CALL_INDIRECT, 0);
		} else if (more->pointers) {
			take_pointer(&parts, code, from, word, &batch);
		}
	}
	gprofx_hand_over(&batch);
}

static void
scan(void *worker, const struct gprofx_code *code, struct gprofx_calls *calls)
{
	const struct gprofx_scan_options *more = gprofx_scan_options(code, worker);

	if (code->image->strict)
		scan_strictly(code, calls);
	else
		gprofx_scan_functions(more, code, calls, scan_functions, scan_function);
}

/* Stubs are slots themselves: the loader writes the jump to the function into them. */
static void
find_stubs(const struct gprofx_code *code, const void *options, struct gprofx_stubs *stubs)
{
	uint64_t bytes = code->image->target->pointer_bytes == 8 ? 32 : 12;
	const struct gprofx_scan_options *more = options;

	if (!more->plt || !gprofx_is_linkage(code))
		return;
	for (uint64_t at = 0; at < code->byte_count; at += 4)
		if (gprofx_is_slot(code, code->address + at))
			stubs->add(stubs, code->address + at, bytes, code->address + at);
}

/* What fills up space behind a return or a jump, and the instruction that is done with it; the
 * assembler jumps over more of it. */
static uint64_t
fill_at_end(const struct gprofx_code *code, uint64_t stated)
{
	static const struct gprofx_fill_form fills[] = {
		{UINT32_MAX, 0x01000000, 4}, /* nop */
		{0xffc00000, 0x30800000, 4}, /* ba,a */
		{0xfff80000, 0x30680000, 4}, /* ba,a of 64 bits */
		{UINT32_MAX, 0, 4},          /* what linkers put there */
	};
	static const struct gprofx_fill_form ends[] = {
		{0xfff80000, 0x81c00000, 4}, /* ret, retl, jmp */
		{0xfff80000, 0x81c80000, 4}, /* return */
		{0xffc00000, 0x10800000, 4}, /* ba */
		{0xfff80000, 0x10680000, 4}, /* ba of 64 bits */
	};
	static const struct gprofx_fill_form calls[] = {
		{0xc0000000, 0x40000000, 4}, /* call */
		{0xfff80000, 0x9fc00000, 4}, /* jmpl */
	};
	static const struct gprofx_fill_rules rules = {.unit = 4,
	                                               .big_endian = true,
	                                               .slot = 4,
	                                               GPROFX_FILL_LISTS(fills, ends, calls)};

	/* A function can end with such a jump, too. */
	static const struct gprofx_fill_rules annulled = {.unit = 4,
	                                                  .big_endian = true,
	                                                  .fill_count = 1,
	                                                  .end_count = 2,
	                                                  .fills = fills,
	                                                  .ends = &fills[1]};
	uint64_t fill = gprofx_fill_by_rules(code, stated, &rules);

	return fill > 0 ? fill : gprofx_fill_by_rules(code, stated, &annulled);
}

static const struct gprofx_option option_table[] = {
	GPROFX_OPTION_TAIL_CALLS,
	GPROFX_OPTION_PLT,
	GPROFX_OPTION_POINTERS,
};

static const uint16_t machines[] = {2, 11, 18, 43};

static const struct gprofx_findcall findcall = {.size = sizeof findcall,
                                                .machines = machines,
                                                .machine_count = 4,
                                                .worker_open = gprofx_open_with_options,
                                                .scan = scan,
                                                .stubs = find_stubs,
                                                .step = 4,
                                                .fill = fill_at_end};

GPROFX_PLUGIN = {GPROFX_ABI,
                 .name = "findcall-sparc",
                 .version = "1.0",
                 .summary = "Calls in code of SPARC",
                 .findcall = &findcall,
                 GPROFX_OPTIONS(struct gprofx_scan_options, option_table)};
