/* SPDX-License-Identifier: Apache-2.0 */
/*
 * findcall-riscv: jumps of RISC-V that lead to functions, those of compressed code included.  The
 * lowest bits of an instruction give its size, so code is walked from the function entry on.
 */
#include <gprofx/code.h>

enum {
	JAL = 0x6f,
	JALR = 0x67,
	AUIPC = 0x17,
	LUI = 0x37,
	LOAD = 0x03,
	ADDI = 0x13,
	STORE = 0x23,
	BRANCH = 0x63,
	X0 = 0,
	RA = 1,
	T0 = 5,
	REGISTERS = 32,
	NO_JUMP = 32
};

/* Registers that calls leave alone: sp, gp, tp and s0 to s11. */
#define KEPT_REGISTERS 0x0ffc031cu

/* What registers are known to hold. */
struct registers {
	const struct gprofx_scan_options *more;
	bool is_followed;
	uint32_t addresses;        /* bits: a part of an address, which is completed later */
	uint32_t slots;            /* bits: what a GOT slot holds */
	uint64_t value[REGISTERS]; /* that part; the address of the slot */
};

/* What is known at a place in the code. */
struct place {
	const uint8_t *bytes;
	uint64_t readable, address;
	bool is_wide;
};

/* A jump: the register that the address to return to is kept in, and where it leads to. */
struct jump {
	uint32_t link; /* NO_JUMP: it is none */
	uint64_t to;
	uint32_t more; /* bytes of its second instruction, if it has two */
};

static uint32_t
bits(uint32_t word, unsigned from, unsigned count)
{
	return word >> from & ((1u << count) - 1);
}

static struct jump
take_compressed(const struct place *place, uint32_t half)
{
	uint32_t distance = bits(half, 3, 3) << 1 | bits(half, 11, 1) << 4 | bits(half, 2, 1) << 5 |
	                    bits(half, 7, 1) << 6 | bits(half, 6, 1) << 7 | bits(half, 9, 2) << 8 |
	                    bits(half, 8, 1) << 10 | bits(half, 12, 1) << 11;
	uint64_t to = place->address + gprofx_signed(distance, 12);

	if ((half & 0xe003) == 0xa001)
		return (struct jump){X0, to, 0};
	/* Of 64 bits, it is an addition. */
	if ((half & 0xe003) == 0x2001 && !place->is_wide)
		return (struct jump){RA, to, 0};
	return (struct jump){NO_JUMP, 0, 0};
}

static struct jump
take_word(const struct place *place, uint32_t word)
{
	uint32_t next, distance = bits(word, 21, 10) << 1 | bits(word, 20, 1) << 11 |
	                          bits(word, 12, 8) << 12 | bits(word, 31, 1) << 20;

	if (bits(word, 0, 7) == JAL)
		return (struct jump){bits(word, 7, 5), place->address + gprofx_signed(distance, 21),
		                     0};
	/* What is written to the first register is lost. */
	if (bits(word, 0, 7) != AUIPC || bits(word, 7, 5) == X0 || place->readable < 8)
		return (struct jump){NO_JUMP, 0, 0};
	/* The upper part of a distance; the lower part is in the jump behind it. */
	next = gprofx_word_at(place->bytes + 4, false);
	if (bits(next, 0, 7) != JALR || bits(next, 12, 3) != 0 ||
	    bits(next, 15, 5) != bits(word, 7, 5))
		return (struct jump){NO_JUMP, 0, 0};
	return (struct jump){bits(next, 7, 5),
	                     place->address + gprofx_signed(word & ~0xfffu, 32) +
	                             gprofx_signed(next >> 20, 12),
	                     4};
}

/* jalr and c.jalr that keep where to return to, wherever they lead to. */
static bool
calls_through_register(const struct place *place)
{
	uint32_t half = gprofx_half_at(place->bytes, false), word;

	if ((half & 3) != 3)
		return (half & 0xf07f) == 0x9002 && (half & 0x0f80) != 0;
	word = gprofx_word_at(place->bytes, false);
	return bits(word, 0, 7) == JALR && bits(word, 12, 3) == 0 &&
	       (bits(word, 7, 5) == RA || bits(word, 7, 5) == T0);
}

static void
forget(struct registers *registers, uint32_t which)
{
	registers->addresses &= ~which;
	registers->slots &= ~which;
}

/* What a jump through a register leads to, and what is known behind it. */
static void
take_transfer(struct registers *registers, uint64_t from, uint32_t link, uint32_t reg,
              struct gprofx_calls *calls)
{
	bool is_known = reg != NO_JUMP && (registers->slots >> reg & 1) != 0;
	bool is_wanted = link == RA || link == T0 || (link == X0 && registers->more->tail_calls);

	if (is_known && is_wanted && registers->more->got)
		gprofx_add_call(calls, from, registers->value[reg],
		                link == X0 ? GPROFX_CALL_SLOT_TAIL : GPROFX_CALL_SLOT);
	forget(registers, link == X0 ? UINT32_MAX : ~KEPT_REGISTERS);
}

static void
follow_compressed(struct registers *registers, const struct place *place, uint32_t half,
                  struct gprofx_calls *calls)
{
	bool jumps = (half & 0xe003) == 0xa001, calls_near = (half & 0xe003) == 0x2001;

	/* c.lui; c.addi16sp looks the same. */
	if ((half & 0xe003) == 0x6001 && bits(half, 7, 5) > 2) {
		uint32_t upper = bits(half, 2, 5) << 12 | bits(half, 12, 1) << 17;

		forget(registers, 1u << bits(half, 7, 5));
		registers->value[bits(half, 7, 5)] = gprofx_signed(upper, 18);
		registers->addresses |= 1u << bits(half, 7, 5);
		return;
	}
	/* c.jr and c.jalr. */
	if ((half & 0xe07f) == 0x8002 && bits(half, 7, 5) != 0)
		take_transfer(registers, place->address, half & 0x1000 ? RA : X0, bits(half, 7, 5),
		              calls);
	else if (jumps || (calls_near && !place->is_wide))
		take_transfer(registers, place->address, jumps ? X0 : RA, NO_JUMP, calls);
	else
		/* Whichever of these it sets. */
		forget(registers, 1u << bits(half, 7, 5) | 1u << (8 + bits(half, 7, 3)) |
		                          1u << (8 + bits(half, 2, 3)));
}

/* Notes what an instruction does to registers, and reports what becomes known by it. */
static void
follow_word(struct registers *registers, const struct gprofx_code *code, const struct place *place,
            uint32_t word, struct gprofx_calls *calls)
{
	uint32_t opcode = bits(word, 0, 7), to = bits(word, 7, 5), from = bits(word, 15, 5);
	uint32_t width = place->is_wide ? 3 : 2;
	bool has_part = (registers->addresses >> from & 1) != 0;
	uint64_t value = registers->value[from] + gprofx_signed(word >> 20, 12);

	if (!place->is_wide)
		value = (uint32_t)value;
	if (opcode == JAL || opcode == JALR) {
		bool is_plain = opcode == JALR && word >> 20 == 0;

		take_transfer(registers, place->address, to, is_plain ? from : NO_JUMP, calls);
		return;
	}
	if (opcode == STORE || opcode == BRANCH || to == X0)
		return;
	forget(registers, 1u << to);
	if (opcode == AUIPC || opcode == LUI) {
		registers->value[to] = gprofx_signed(word & ~0xfffu, 32) +
		                       (opcode == AUIPC ? place->address : 0);
		registers->addresses |= 1u << to;
	} else if (opcode == LOAD && bits(word, 12, 3) == width && has_part &&
	           gprofx_is_slot(code, value)) {
		registers->value[to] = value;
		registers->slots |= 1u << to;
	} else if (opcode == ADDI && bits(word, 12, 3) == 0 && has_part &&
	           registers->more->pointers && gprofx_begins(code, value)) {
		gprofx_add_call(calls, place->address, value, GPROFX_CALL_POINTER);
	}
}

static void
scan(void *worker, const struct gprofx_code *code, struct gprofx_calls *calls)
{
	struct gprofx_mark_walk walk = {.letter = 'x'};
	struct place place = {.is_wide = code->image->target->pointer_bytes == 8};
	struct registers registers = {.more = gprofx_scan_options(code, worker)};
	uint64_t length;

	registers.is_followed = registers.more->pointers ||
	                        (registers.more->got && code->entries->is_slot);
	for (uint64_t at = 0; at < code->byte_count && code->readable - at >= 2; at += length) {
		struct jump jump;
		uint32_t half;

		place.bytes = code->bytes + at;
		place.readable = code->readable - at;
		place.address = code->address + at;
		half = gprofx_half_at(place.bytes, false);
		length = 2;
		if (gprofx_mark_at(&walk, code, place.address) == 'd')
			continue;
		if ((half & 3) != 3) {
			jump = take_compressed(&place, half);
			if (registers.is_followed)
				follow_compressed(&registers, &place, half, calls);
		} else {
			length = 4;
			if (place.readable < length)
				return;
			jump = take_word(&place, gprofx_word_at(place.bytes, false));
			length += jump.more;
			if (registers.is_followed)
				follow_word(&registers, code, &place,
				            gprofx_word_at(place.bytes, false), calls);
			/* The second one of a pair. */
			if (jump.more > 0)
				forget(&registers, jump.link == X0 ? UINT32_MAX : ~KEPT_REGISTERS);
		}
		if (!place.is_wide)
			jump.to = (uint32_t)jump.to;
		if ((jump.link == RA || jump.link == T0 ||
		     (jump.link == X0 && registers.more->tail_calls)) &&
		    gprofx_begins(code, jump.to))
			gprofx_add_site(calls, place.address, jump.to,
			                jump.link == X0 ? GPROFX_CALL_TAIL : GPROFX_CALL_DIRECT,
			                (uint32_t)length);
		else if (code->image->wants_sites && calls_through_register(&place))
			gprofx_add_site(calls, place.address, 0, GPROFX_CALL_INDIRECT,
			                (uint32_t)length);
	}
}

/* Stubs: a part of the address of a slot, a load from it, a jump that keeps where it comes from. */
static void
find_stubs(const struct gprofx_code *code, const void *options, struct gprofx_stubs *stubs)
{
	enum { PART = 0xe17, JUMP = 0x000e0367, STUB_BYTES = 16 };
	bool is_wide = code->image->target->pointer_bytes == 8;
	uint32_t load = is_wide ? 0xe3e03 : 0xe2e03;
	const struct gprofx_scan_options *more = options;

	stubs->follows_slots |= more->got;
	if (!more->plt || !gprofx_is_linkage(code))
		return;
	for (uint64_t at = 0; at < code->byte_count && code->readable - at >= STUB_BYTES; at += 4) {
		uint32_t part = gprofx_word_at(code->bytes + at, false);
		uint32_t rest = gprofx_word_at(code->bytes + at + 4, false);
		uint64_t slot = code->address + at + gprofx_signed(part & ~0xfffu, 32) +
		                gprofx_signed(rest >> 20, 12);

		if (!is_wide)
			slot = (uint32_t)slot;
		if ((part & 0xfff) == PART && (rest & 0xfffff) == load &&
		    gprofx_word_at(code->bytes + at + 8, false) == JUMP &&
		    gprofx_is_slot(code, slot))
			stubs->add(stubs, code->address + at, STUB_BYTES, slot);
	}
}

static uint64_t
length_at(void *worker, const struct gprofx_code *code, uint64_t offset)
{
	(void)worker;
	return (code->bytes[offset] & 3) == 3 ? 4 : 2;
}

/* What fills up space behind a return or a jump. The lower half of an instruction comes first. */
static uint64_t
fill_at_end(const struct gprofx_code *code, uint64_t stated)
{
	static const struct gprofx_fill_form fills[] = {
		{UINT32_MAX, 0x00130000, 4}, /* nop */
		{UINT16_MAX, 0x0001, 2},     /* c.nop */
		{UINT16_MAX, 0, 2},          /* what linkers put there */
	};
	static const struct gprofx_fill_form ends[] = {
		{0xf07f, 0x8002, 2},         /* c.jr */
		{0xe003, 0xa001, 2},         /* c.j */
		{0x7fff0000, 0x00670000, 4}, /* jr */
		{0x0fff0000, 0x006f0000, 4}, /* j */
		{UINT16_MAX, 0x9002, 2},     /* c.ebreak */
		{UINT32_MAX, 0x00730010, 4}, /* ebreak */
		{UINT32_MAX, 0x1073c000, 4}, /* unimp */
	};
	static const struct gprofx_fill_form calls[] = {
		{0x0fff0000, 0x00ef0000, 4}, /* jal */
		{0x7fff0000, 0x00e70000, 4}, /* jalr */
		{0xf07f, 0x9002, 2},         /* c.jalr */
	};
	static const struct gprofx_fill_rules rules = {.unit = 2,
	                                               GPROFX_FILL_LISTS(fills, ends, calls)};

	return gprofx_fill_by_rules(code, stated, &rules);
}

static const struct gprofx_option option_table[] = {
	GPROFX_OPTION_TAIL_CALLS,
	GPROFX_OPTION_PLT,
	GPROFX_OPTION_GOT,
	GPROFX_OPTION_POINTERS,
};

static const uint16_t machines[] = {243};

static const struct gprofx_findcall findcall = {.size = sizeof findcall,
                                                .machines = machines,
                                                .machine_count = 1,
                                                .worker_open = gprofx_open_unless_strict,
                                                .scan = scan,
                                                .stubs = find_stubs,
                                                .fill = fill_at_end,
                                                .length = length_at};

GPROFX_PLUGIN = {GPROFX_ABI,
                 .name = "findcall-riscv",
                 .version = "1.0",
                 .summary = "Calls in code of RISC-V",
                 .findcall = &findcall,
                 GPROFX_OPTIONS(struct gprofx_scan_options, option_table)};
