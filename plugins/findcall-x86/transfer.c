/* SPDX-License-Identifier: Apache-2.0 */
#include "transfer.h"

/*
 * The address that the operand of an instruction is at whose opcode has one byte: an address, or a
 * distance to what comes behind the instruction, or to the GOT; false: it is another one.
 */
static bool
take_operand(const struct gprofx_code *code, uint32_t registers, uint64_t at,
             struct transfer *transfer, uint64_t *address)
{
	enum { NO_BASE = 5, STACK = 4 };
	bool is_wide = code->image->target->machine == EM_X86_64;
	uint64_t readable = code->readable - at, bytes = 6, value;
	uint8_t modes = readable > 1 ? code->bytes[at + 1] : 0;
	uint8_t mode = modes >> 6, base = modes & 7;

	transfer->at = at;
	if (readable < 3)
		return false;
	if (mode == 0 && base == NO_BASE && readable >= bytes) {
		value = gprofx_word_at(code->bytes + at + 2, false);
		*address = is_wide ? code->address + at + bytes + gprofx_signed(value, 32) : value;
	} else if ((mode == 1 || mode == 2) && base != STACK && (registers >> base & 1)) {
		bytes = mode == 1 ? 3 : 6;
		if (readable < bytes)
			return false;
		value = mode == 1 ? gprofx_signed(code->bytes[at + 2], 8)
		                  : gprofx_word_at(code->bytes + at + 2, false);
		*address = (uint32_t)(code->image->linkage_base + value);
	} else {
		return false;
	}
	transfer->past = at + bytes;
	return true;
}

/*
 * i386: whether a register was set shortly before from one that has the address of the GOT, as is
 * done where the latter gets back its old value before a jump.
 */
static bool
is_copy(const struct gprofx_code *code, uint32_t registers, uint64_t at, uint32_t to)
{
	enum { COPY = 0x89, TO_REGISTER = 0xc0, FARTHEST = 32 };

	for (uint64_t place = at > FARTHEST ? at - FARTHEST : 0; place + 2 <= at; place++) {
		uint32_t from = (uint32_t)code->bytes[place + 1] >> 3 & 7;

		if (code->bytes[place] == COPY && (registers >> from & 1) &&
		    code->bytes[place + 1] == (TO_REGISTER | from << 3 | to))
			return true;
	}
	return false;
}

bool
transfer_slot(const struct gprofx_code *code, const struct gprofx_scan_options *more,
              uint32_t registers, uint64_t at, struct transfer *transfer)
{
	enum { OPERATION = 0x38, CALLS = 0x10, JUMPS = 0x20 };
	uint8_t operation = code->readable - at > 1 ? code->bytes[at + 1] & OPERATION : 0;

	if (operation != CALLS && (operation != JUMPS || !more->tail_calls))
		return false;
	transfer->kind = operation == CALLS ? GPROFX_CALL_SLOT : GPROFX_CALL_SLOT_TAIL;
	if (operation == JUMPS && registers != 0 &&
	    is_copy(code, registers, at, code->bytes[at + 1] & 7))
		registers |= 1u << (code->bytes[at + 1] & 7);
	return take_operand(code, registers, at, transfer, &transfer->to) &&
	       gprofx_is_slot(code, transfer->to);
}

/* Bytes of an operand in memory or a register, with the byte that gives its kind. */
static uint64_t
operand_bytes(const uint8_t *bytes, uint64_t readable)
{
	uint8_t mode = bytes[0] >> 6, base = bytes[0] & 7;
	uint64_t count = 1;

	if (mode == 3)
		return count;
	if (base == 4) {
		if (readable < 2)
			return readable;
		base = bytes[1] & 7;
		count++;
	}
	if (mode == 0)
		return count + (base == 5 ? 4 : 0);
	return count + (mode == 1 ? 1 : 4);
}

bool
transfer_pointer(const struct gprofx_code *code, uint32_t registers, uint64_t at,
                 struct transfer *transfer)
{
	enum { WIDE = 0x48 };
	bool is_wide = code->image->target->machine == EM_X86_64;
	uint64_t readable = code->readable - at, before = 1;
	uint8_t byte = code->bytes[at];

	transfer->at = at;
	transfer->kind = GPROFX_CALL_POINTER;
	if (byte == LEA)
		return take_operand(code, registers, at, transfer, &transfer->to) &&
		       gprofx_begins(code, transfer->to);
	if ((byte & 0xf8) == MOVE_REGISTER && is_wide && at > 0 &&
	    (code->bytes[at - 1] & 0xf8) == WIDE) {
		if (readable < 9)
			return false;
		transfer->past = at + 9;
		transfer->to = gprofx_number_at(code->bytes + at + 1, 8, false);
		return gprofx_begins(code, transfer->to);
	}
	if (byte == MOVE && readable > 1 && (code->bytes[at + 1] & 0x38) == 0)
		before += operand_bytes(code->bytes + at + 1, readable - 1);
	else if (byte != PUSH && (byte & 0xf8) != MOVE_REGISTER)
		return false;
	if (readable < before + 4)
		return false;
	transfer->past = at + before + 4;
	transfer->to = gprofx_word_at(code->bytes + at + before, false);
	return gprofx_begins(code, transfer->to);
}
