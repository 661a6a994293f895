/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Code of microMIPS and MIPS16, whose instructions have 2 or 4 bytes, the upper half first: calls
 * and jumps that lead to functions, and calls through registers.
 */
#ifndef FINDCALL_MIPS_COMPRESSED_H
#define FINDCALL_MIPS_COMPRESSED_H

#include <gprofx/code.h>

enum { COMPRESSED_RETURN_ADDRESS = 31 };

static void
add_compressed(const struct gprofx_code *code, struct gprofx_calls *calls, uint64_t from,
               uint64_t to, enum gprofx_call_kind kind)
{
	if (gprofx_begins(code, to))
		gprofx_add_call(calls, from, to, kind);
}

/* What a jump makes of its 26 bits, which count units of 1 << shift bytes. */
static uint64_t
compressed_target(uint64_t behind, uint32_t bits, unsigned shift)
{
	uint64_t kept = ~(((uint64_t)1 << (26 + shift)) - 1);

	return (behind & kept) | (uint64_t)(bits & 0x03ffffff) << shift;
}

static void
take_micromips_half(const struct gprofx_code *code, struct gprofx_calls *calls, uint64_t from,
                    uint32_t half)
{
	/* jalr and jalrs of 16 bits; b. */
	if ((half & 0xffc0) == 0x45c0)
		gprofx_add_call(calls, from, 0, GPROFX_CALL_INDIRECT);
	else if ((half & 0xfc00) == 0xcc00)
		add_compressed(code, calls, from, from + 2 + 2 * gprofx_signed(half, 10),
		               GPROFX_CALL_TAIL);
}

static void
take_micromips_word(const struct gprofx_code *code, struct gprofx_calls *calls, uint64_t from,
                    uint32_t word)
{
	enum { POOL32A = 0x00, JALS = 0x1d, BEQ = 0x25, J = 0x35, JALX = 0x3c, JAL = 0x3d };
	uint64_t near = from + 4 + 2 * gprofx_signed(word, 16);

	switch (word >> 26) {
	case JAL:
	case JALS:
		add_compressed(code, calls, from, compressed_target(from + 4, word, 1),
		               GPROFX_CALL_DIRECT);
		return;
	case JALX:
		add_compressed(code, calls, from, compressed_target(from + 4, word, 2),
		               GPROFX_CALL_DIRECT);
		return;
	case J:
		add_compressed(code, calls, from, compressed_target(from + 4, word, 1),
		               GPROFX_CALL_TAIL);
		return;
	case POOL32A:
		/* jalr and jalrs, also with the end of hazards. */
		if ((word & 0xafff) == 0x0f3c && (word >> 21 & 31) == COMPRESSED_RETURN_ADDRESS)
			gprofx_add_call(calls, from, 0, GPROFX_CALL_INDIRECT);
		return;
	default:
		break;
	}
	/* bal and bals; b, which is beq or bgez of registers that are 0. */
	if (word >> 16 == 0x4060 || word >> 16 == 0x4260)
		add_compressed(code, calls, from, near, GPROFX_CALL_DIRECT);
	else if (word >> 16 == BEQ << 10 || word >> 16 == 0x4040)
		add_compressed(code, calls, from, near, GPROFX_CALL_TAIL);
}

static void
take_mips16_half(const struct gprofx_code *code, struct gprofx_calls *calls, uint64_t from,
                 uint32_t half)
{
	/* jalr and jalrc; b. */
	if ((half & 0xf8ff) == 0xe840 || (half & 0xf8ff) == 0xe8c0)
		gprofx_add_call(calls, from, 0, GPROFX_CALL_INDIRECT);
	else if ((half & 0xf800) == 0x1000)
		add_compressed(code, calls, from, from + 2 + 2 * gprofx_signed(half, 11),
		               GPROFX_CALL_TAIL);
}

static void
take_mips16_word(const struct gprofx_code *code, struct gprofx_calls *calls, uint64_t from,
                 uint32_t word)
{
	/* jal and jalx. */
	if (word >> 27 == 3)
		add_compressed(code, calls, from,
		               compressed_target(from + 4,
		                                 (word >> 16 & 31) << 21 | (word >> 21 & 31) << 16 |
		                                         (word & 0xffff),
		                                 2),
		               GPROFX_CALL_DIRECT);
	/* b with a longer distance. */
	else if ((word & 0xf800f800) == 0xf0001000)
		add_compressed(code, calls, from,
		               from + 4 +
		                       2 * gprofx_signed((word >> 16 & 31) << 11 |
		                                                 (word >> 16 & 0x7e0) | (word & 31),
		                                         16),
		               GPROFX_CALL_TAIL);
}

/* Of MIPS16 jal, jalx and what is extended have a word; of microMIPS most instructions. */
static uint64_t
compressed_length(uint32_t half, bool is_mips16)
{
	uint32_t opcode = half >> 10;

	return is_mips16 ? (opcode >> 1 == 3 || opcode >> 1 == 30 ? 4 : 2)
	                 : ((opcode & 7) >= 1 && (opcode & 7) <= 3 ? 2 : 4);
}

/* All instructions of the code are of one set. */
static void
scan_compressed(const struct gprofx_code *code, struct gprofx_calls *calls, bool is_mips16)
{
	bool big_endian = code->image->target->big_endian;
	uint64_t length;

	for (uint64_t at = 0; at < code->byte_count && code->readable - at >= 2; at += length) {
		const uint8_t *bytes = code->bytes + at;
		uint32_t half = gprofx_half_at(bytes, big_endian), word;
		uint64_t from = code->address + at;

		length = compressed_length(half, is_mips16);
		if (length > code->readable - at)
			return;
		if (length == 2) {
			(is_mips16 ? take_mips16_half : take_micromips_half)(code, calls, from,
			                                                     half);
			continue;
		}
		word = half << 16 | gprofx_half_at(bytes + 2, big_endian);
		(is_mips16 ? take_mips16_word : take_micromips_word)(code, calls, from, word);
	}
}

#endif
