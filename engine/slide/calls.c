/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Is there a call just before an address?  Only of machines on which position-independent programs
 * are common; on others the distance to the entry has to do.
 */
#include <elf.h>

#include <gprofx/symbols.h>

#include "slide/evidence.h"
#include "symbols/symbols.h"

enum { LONGEST_CALL = 6 };

/* The last LONGEST_CALL bytes of code before an address, or NULL. */
static const uint8_t *
code_before(const struct symbols *symbols, uint64_t address)
{
	const struct gprofx_symtab *table = &symbols->table;
	uint32_t low = 0, high = table->code_count;
	uint64_t inside, offset;

	while (low < high) {
		uint32_t middle = low + (high - low) / 2;

		if (table->code[middle].address < address)
			low = middle + 1;
		else
			high = middle;
	}
	if (low == 0)
		return NULL;
	inside = address - table->code[low - 1].address;
	offset = table->code[low - 1].file_offset;
	if (inside < LONGEST_CALL || inside > table->code[low - 1].bytes ||
	    offset > symbols->image.length || inside > symbols->image.length - offset)
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
is_x86_call(const uint8_t *code, uint64_t address, uint64_t *target)
{
	uint64_t word = sign_extended(gprofx_number_at(code + 2, 4, false), 32);

	if (code[0] == 0xff && (code[1] == 0x15 || (code[1] & 0xf8) == 0x90)) {
		*target = code[1] == 0x15 ? address + word : word;
		return true;
	}
	if (code[1] == 0xe8) {
		*target = address + word;
		return true;
	}
	*target = 0;
	return code[4] == 0xff && (code[5] & 0xf8) == 0xd0;
}

/* bl; blr. */
static bool
is_aarch64_call(const uint8_t *code, uint64_t address, uint64_t *target)
{
	uint64_t word = gprofx_number_at(code + 2, 4, false);

	if (word >> 26 == 0x25) {
		*target = address - 4 + sign_extended(word, 26) * 4;
		return true;
	}
	*target = 0;
	return (word & 0xfffffc1f) == 0xd63f0000;
}

/* bl of the usual, then of the Thumb instruction set. */
static bool
is_arm_call(const uint8_t *code, uint64_t address, uint64_t *target)
{
	uint64_t word = gprofx_number_at(code + 2, 4, false);
	uint64_t first = word & 0xffff, second = word >> 16;

	if ((word >> 24 & 0xf) == 0xb && word >> 28 != 0xf) {
		*target = address + 4 + sign_extended(word, 24) * 4;
		return true;
	}
	if (first >> 11 == 0x1e && (second & 0xd000) == 0xd000) {
		uint64_t sign = first >> 10 & 1, near = sign << 23 | (first & 0x3ff) << 11;

		/* Two bits of the distance are stored relative to the sign. */
		near |= (~(second >> 13 ^ sign) & 1) << 22 | (~(second >> 11 ^ sign) & 1) << 21;
		*target = address + sign_extended(near | (second & 0x7ff), 24) * 2;
		return true;
	}
	return false;
}

bool
slide_follows_call(const struct symbols *symbols, uint64_t address, uint64_t *target)
{
	const struct gprofx_target *machine = &symbols->table.target;
	const uint8_t *code;

	if (machine->big_endian)
		return false;
	if (machine->machine == EM_ARM)
		address &= ~(uint64_t)1;
	code = code_before(symbols, address);
	if (!code)
		return false;
	switch (machine->machine) {
	case EM_386:
	case EM_X86_64:
		return is_x86_call(code, address, target);
	case EM_AARCH64:
		return is_aarch64_call(code, address, target);
	case EM_ARM:
		return is_arm_call(code, address, target);
	default:
		return false;
	}
}
