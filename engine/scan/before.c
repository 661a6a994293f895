/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Is there a call just before an address?  Only of machines on which position-independent programs
 * are common; on others the distance to the entry has to do.
 */
#include <elf.h>

#include <gprofx/symbols.h>

#include "scan/scan.h"
#include "symbols/symbols.h"

enum { LONGEST_CALL = 6 };

/* The last LONGEST_CALL bytes of code before an address, or NULL. */
static const uint8_t *
code_before(const struct symbols *symbols, uint64_t address)
{
	const struct gprofx_code_range *range = symbols_code_before(symbols, address);
	uint64_t inside, offset;

	if (!range)
		return NULL;
	inside = address - range->address;
	offset = range->file_offset;
	if (inside < LONGEST_CALL || offset > symbols->image.length ||
	    inside > symbols->image.length - offset)
		return NULL;
	return symbols->image.bytes + offset + inside - LONGEST_CALL;
}

static uint64_t
sign_extended(uint64_t value, unsigned bits)
{
	uint64_t sign = (uint64_t)1 << (bits - 1);

	return ((value & ((sign << 1) - 1)) ^ sign) - sign;
}

/* call near; call through memory, as to a shared library; call through a register. */
static bool
is_x86_call(const uint8_t *code, bool is_64_bit, struct call_site *call)
{
	uint64_t word = sign_extended(gprofx_number_at(code + 2, 4, false), 32);
	bool is_slot = code[0] == 0xff && code[1] == 0x15;

	if (is_slot || (code[0] == 0xff && (code[1] & 0xf8) == 0x90)) {
		call->from = call->back - 6;
		call->to = is_slot && is_64_bit ? call->back + word : word;
		call->is_indirect = true;
		call->is_exact = is_slot;
		return true;
	}
	if (code[1] == 0xe8) {
		call->from = call->back - 5;
		call->to = call->back + word;
		call->is_exact = true;
		return true;
	}
	call->from = call->back - 2;
	call->is_indirect = true;
	return code[4] == 0xff && (code[5] & 0xf8) == 0xd0;
}

/* bl; blr. */
static bool
is_aarch64_call(const uint8_t *code, struct call_site *call)
{
	uint64_t word = gprofx_number_at(code + 2, 4, false);

	call->from = call->back - 4;
	if (word >> 26 == 0x25) {
		call->to = call->from + sign_extended(word, 26) * 4;
		call->is_exact = true;
		return true;
	}
	call->is_indirect = true;
	return (word & 0xfffffc1f) == 0xd63f0000;
}

/* bl of the usual, then of the Thumb instruction set. */
static bool
is_arm_call(const uint8_t *code, struct call_site *call)
{
	uint64_t word = gprofx_number_at(code + 2, 4, false);
	uint64_t first = word & 0xffff, second = word >> 16;

	call->from = call->back - 4;
	if ((word >> 24 & 0xf) == 0xb && word >> 28 != 0xf) {
		call->to = call->back + 4 + sign_extended(word, 24) * 4;
		return true;
	}
	if (first >> 11 == 0x1e && (second & 0xd000) == 0xd000) {
		uint64_t sign = first >> 10 & 1, near = sign << 23 | (first & 0x3ff) << 11;

		/* Two bits of the distance are stored relative to the sign. */
		near |= (~(second >> 13 ^ sign) & 1) << 22 | (~(second >> 11 ^ sign) & 1) << 21;
		call->to = call->back + sign_extended(near | (second & 0x7ff), 24) * 2;
		return true;
	}
	return false;
}

bool
scan_call_before(const struct symbols *symbols, uint64_t back, struct call_site *call)
{
	const struct gprofx_target *machine = &symbols->table.target;
	const uint8_t *code;

	if (machine->machine == EM_ARM)
		back &= ~(uint64_t)1;
	*call = (struct call_site){.back = back};
	code = machine->big_endian ? NULL : code_before(symbols, back);
	if (!code)
		return false;
	switch (machine->machine) {
	case EM_386:
	case EM_X86_64:
		return is_x86_call(code, machine->machine == EM_X86_64, call);
	case EM_AARCH64:
		return is_aarch64_call(code, call);
	case EM_ARM:
		return is_arm_call(code, call);
	default:
		return false;
	}
}
