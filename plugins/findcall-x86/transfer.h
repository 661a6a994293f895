/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Instructions that could transfer control to a function, or hold its address, read as if one began
 * at a byte.  Whether one does is decided elsewhere.
 */
#ifndef FINDCALL_X86_TRANSFER_H
#define FINDCALL_X86_TRANSFER_H

#include <elf.h>

#include <gprofx/code.h>

enum {
	CALL = 0xe8,
	JUMP = 0xe9,
	SHORT_JUMP = 0xeb,
	PUSH = 0x68,
	LEA = 0x8d,
	MOVE = 0xc7,
	MOVE_REGISTER = 0xb8,
	TWO_BYTES = 0x0f, /* the opcode has another one */
	NEAR_BYTES = 5,
	SHORT_BYTES = 2
};

/* What could be a transfer to a function. */
struct transfer {
	uint64_t at, past; /* offsets of the opcode, and behind the instruction */
	uint64_t to;
	enum gprofx_call_kind kind;
};

/*
 * A call or jump by a distance of 4 bytes, wherever that leads to.  Which of them it is cannot be
 * predicted, so there are hardly any branches.
 */
static inline bool
transfer_near(const struct gprofx_code *code, uint64_t at, struct transfer *transfer)
{
	const uint8_t *bytes = code->bytes + at;
	uint64_t readable = code->readable - at, to;
	bool is_long = bytes[0] == TWO_BYTES, is_call = bytes[0] == CALL;
	uint32_t opcode_bytes = is_long ? 2 : 1;

	if (readable < opcode_bytes + 4)
		return false;
	transfer->at = at;
	transfer->past = at + opcode_bytes + 4;
	to = code->address + transfer->past +
	     gprofx_signed(gprofx_word_at(bytes + opcode_bytes, false), 32);
	transfer->to = code->image->target->machine == EM_X86_64 ? to : (uint32_t)to;
	transfer->kind = is_call ? GPROFX_CALL_DIRECT : GPROFX_CALL_TAIL;
	return is_call | (bytes[0] == JUMP) | (is_long & ((bytes[1] & 0xf0) == 0x80));
}

/* Jumps within a function are many, and no begin of another one is so near to most of them. */
static inline bool
transfer_short(const struct gprofx_code *code, uint64_t at, struct transfer *transfer)
{
	uint64_t to;

	if (code->readable - at < SHORT_BYTES)
		return false;
	to = at + SHORT_BYTES + gprofx_signed(code->bytes[at + 1], 8);
	if (to < code->byte_count)
		return false;
	transfer->at = at;
	transfer->past = at + SHORT_BYTES;
	transfer->to = code->address + to;
	transfer->kind = GPROFX_CALL_TAIL;
	return gprofx_begins(code, transfer->to);
}

/*
 * A call or jump through a GOT slot.  registers: those, as bits, that have the address of the GOT.
 */
bool transfer_slot(const struct gprofx_code *code, const struct gprofx_scan_options *more,
                   uint32_t registers, uint64_t at, struct transfer *transfer);

/* An instruction that puts the address of a function somewhere. */
bool transfer_pointer(const struct gprofx_code *code, uint32_t registers, uint64_t at,
                      struct transfer *transfer);

#endif
