/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Assemblers and linkers fill up space with instructions of their own kind that do nothing.  These
 * are read forwards; the instruction before them is known by its last bytes, which is enough since
 * such fill hardly ever stands behind anything but the end of a function.
 */
#include "fill.h"

#include <elf.h>
#include <string.h>

enum { FILL_AT_MOST = 64, TRAP = 0xcc, NOP = 0x90 };

/* Bytes that stand before an instruction that does nothing. */
static uint64_t
prefixes(const uint8_t *bytes, uint64_t count)
{
	uint64_t n = 0;

	while (n < count && (bytes[n] == 0x66 || bytes[n] == 0x2e))
		n++;
	return n;
}

/* Length of a nop with an operand in memory, from its second opcode on, or 0. */
static uint64_t
long_nop(const uint8_t *bytes, uint64_t count)
{
	enum { SIB = 4, MODE = 0xf8 };
	uint64_t length;

	if (count < 2 || bytes[0] != 0x1f || (bytes[1] & 0x38) != 0)
		return 0;
	length = 2 + ((bytes[1] & 7) == SIB);
	if ((bytes[1] & MODE) == 0x40)
		length += 1;
	else if ((bytes[1] & MODE) == 0x80)
		length += 4;
	else if ((bytes[1] & MODE) != 0 || (bytes[1] & 7) == 5)
		return 0;
	return length <= count ? length : 0;
}

/* Length of an instruction of i386 that puts a register into itself, or 0. */
static uint64_t
same_register(const uint8_t *bytes, uint64_t count)
{
	static const struct {
		uint8_t length, bytes[7];
	} forms[] = {{2, {0x89, 0xf6}},
	             {3, {0x8d, 0x76, 0}},
	             {3, {0x8d, 0x7f, 0}},
	             {4, {0x8d, 0x74, 0x26, 0}},
	             {4, {0x8d, 0x7c, 0x27, 0}},
	             {6, {0x8d, 0xb6, 0, 0, 0, 0}},
	             {6, {0x8d, 0xbf, 0, 0, 0, 0}},
	             {7, {0x8d, 0xb4, 0x26, 0, 0, 0, 0}},
	             {7, {0x8d, 0xbc, 0x27, 0, 0, 0, 0}}};

	for (size_t i = 0; i < sizeof forms / sizeof forms[0]; i++)
		if (forms[i].length <= count && memcmp(bytes, forms[i].bytes, forms[i].length) == 0)
			return forms[i].length;
	return 0;
}

/* Length of an instruction that does nothing, or 0: it is none. */
static uint64_t
fill_length(const struct gprofx_code *code, uint64_t at)
{
	const uint8_t *bytes = code->bytes + at;
	uint64_t count = code->byte_count - at, before = prefixes(bytes, count), length = 0;

	if (bytes[0] == TRAP)
		return 1;
	if (before == count)
		return 0;
	bytes += before;
	count -= before;
	if (bytes[0] == NOP)
		return before + 1;
	if (bytes[0] == 0x0f && count > 1) {
		length = long_nop(bytes + 1, count - 1);
		return length > 0 ? before + 1 + length : 0;
	}
	if (code->image->target->machine == EM_386)
		length = same_register(bytes, count);
	return length > 0 ? before + length : 0;
}

static bool
is_filled(const struct gprofx_code *code, uint64_t at)
{
	while (at < code->byte_count) {
		uint64_t length = fill_length(code, at);

		if (length == 0)
			return false;
		at += length;
	}
	return true;
}

/* Whether a jump, or a call, by an operand stands right before an offset. */
static bool
is_through_pointer(const struct gprofx_code *code, uint64_t past, uint8_t operation)
{
	static const struct {
		uint8_t length, mode, has_index;
	} forms[] = {{2, 0xc0, 0}, {3, 0x40, 0}, {6, 0x80, 0}, {3, 0x00, 1},
	             {4, 0x40, 1}, {7, 0x80, 1}, {7, 0x00, 1}};
	enum { GROUP = 0xff, REST = 7, SIB = 4, NO_BASE = 5 };

	for (size_t i = 0; i < sizeof forms / sizeof forms[0]; i++) {
		const uint8_t *bytes = code->bytes + past - forms[i].length;
		bool has_index;

		if (past < forms[i].length || bytes[0] != GROUP ||
		    (bytes[1] & ~REST) != (forms[i].mode | operation))
			continue;
		has_index = forms[i].mode != 0xc0 && (bytes[1] & REST) == SIB;
		if (has_index == (forms[i].has_index != 0))
			return true;
	}
	return past >= 6 && code->bytes[past - 6] == GROUP &&
	       code->bytes[past - 5] == (operation | NO_BASE);
}

/* Whether what stands right before an offset never goes on to there. */
static bool
is_end(const struct gprofx_code *code, uint64_t past, bool with_calls)
{
	enum { CALL_POINTER = 0x10, JUMP_POINTER = 0x20 };
	const uint8_t *bytes = code->bytes + past;

	if (past >= 1 && (bytes[-1] == 0xc3 || bytes[-1] == 0xf4))
		return true; /* ret, hlt */
	if (past >= 2 && ((bytes[-2] == 0x0f && bytes[-1] == 0x0b) || bytes[-2] == 0xeb))
		return true; /* ud2, a short jump */
	if (past >= 3 && bytes[-3] == 0xc2)
		return true; /* ret with a number */
	if (past >= 5 && (bytes[-5] == 0xe9 || (with_calls && bytes[-5] == 0xe8)))
		return true;
	return is_through_pointer(code, past, JUMP_POINTER) ||
	       (with_calls && is_through_pointer(code, past, CALL_POINTER));
}

uint64_t
fill_at_end(const struct gprofx_code *code, uint64_t stated)
{
	uint64_t bytes = code->byte_count;

	if (stated > 0)
		return stated < bytes && is_filled(code, bytes - stated) &&
		                       is_end(code, bytes - stated, true)
		               ? stated
		               : 0;
	for (uint64_t fill = 0; fill < bytes && fill <= FILL_AT_MOST; fill++)
		if (is_filled(code, bytes - fill) && is_end(code, bytes - fill, false))
			return fill;
	return 0;
}
