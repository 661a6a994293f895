/* SPDX-License-Identifier: Apache-2.0 */
/*
 * findcall-riscv: jumps of RISC-V that lead to functions, those of compressed code included.  The
 * lowest bits of an instruction tell its size, so code is walked from the begin of a function on.
 */
#include <gprofx/code.h>

enum { JAL = 0x6f, JALR = 0x67, AUIPC = 0x17, X0 = 0, RA = 1, T0 = 5, NO_JUMP = 32 };

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
scan(void *worker, const struct gprofx_code *code, struct gprofx_calls *calls)
{
	struct gprofx_mark_walk walk = {.letter = 'x'};
	struct place place = {.is_wide = code->image->target->pointer_bytes == 8};
	uint64_t length;

	(void)worker;
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
		} else {
			length = 4;
			if (place.readable < length)
				return;
			jump = take_word(&place, gprofx_word_at(place.bytes, false));
			length += jump.more;
		}
		if (!place.is_wide)
			jump.to = (uint32_t)jump.to;
		if ((jump.link == X0 || jump.link == RA || jump.link == T0) &&
		    gprofx_begins(code, jump.to))
			gprofx_add_site(calls, place.address, jump.to,
			                jump.link == X0 ? GPROFX_CALL_TAIL : GPROFX_CALL_DIRECT,
			                (uint32_t)length);
		else if (code->image->wants_sites && calls_through_register(&place))
			gprofx_add_site(calls, place.address, 0, GPROFX_CALL_INDIRECT,
			                (uint32_t)length);
	}
}

static const uint16_t machines[] = {243};

static const struct gprofx_findcall findcall = {.size = sizeof findcall,
                                                .machines = machines,
                                                .machine_count = 1,
                                                .worker_open = gprofx_open_unless_strict,
                                                .scan = scan};

GPROFX_PLUGIN = {GPROFX_ABI, .name = "findcall-riscv", .version = "1.0",
                 .summary = "Calls in code of RISC-V", .findcall = &findcall};
