/* SPDX-License-Identifier: Apache-2.0 */
/*
 * findcall-vax: calls and jumps of VAX that lead to functions.
 *
 * An instruction is an opcode and its operands, each with a size of its own, so code is walked from
 * the function entry on.  What calls and callg lead to has a mask of registers in front of its
 * first instruction; what jsb and bsb lead to has none.
 */
#include <gprofx/code.h>

#include "opcodes.h"

enum { MASK_BYTES = 2 };

/* A place in the code. */
struct place {
	const uint8_t *bytes;
	uint64_t readable, address;
};

/* What the last operand of an instruction is. */
enum operand_kind {
	OPERAND_ELSEWHERE, /* in a register, or where registers or memory point */
	OPERAND_CONSTANT,  /* "value" */
	OPERAND_PLACE      /* at the address "value" */
};

struct instruction {
	uint64_t length;
	uint32_t opcode; /* without the byte before it, if it has two */
	bool is_plain;   /* it has none */
	bool is_branch;  /* its last operand is a distance */
	enum operand_kind last;
	uint64_t value;
};

static uint64_t
number_at(const uint8_t *bytes, uint32_t size)
{
	uint64_t value = 0;

	for (uint32_t i = 0; i < size && i < sizeof value; i++)
		value |= (uint64_t)bytes[i] << 8 * i;
	return value;
}

static uint32_t
size_of(char letter)
{
	switch (letter) {
	case 'b':
	case 'B':
		return 1;
	case 'w':
	case 'W':
		return 2;
	case 'l':
	case 'f':
		return 4;
	case 'q':
	case 'd':
	case 'g':
		return 8;
	default:
		return 16;
	}
}

/* Takes a number of bytes at the end of the instruction; false: they are not there. */
static bool
take(const struct place *place, struct instruction *instruction, uint64_t count,
     const uint8_t **bytes)
{
	if (place->readable - instruction->length < count)
		return false;
	*bytes = place->bytes + instruction->length;
	instruction->length += count;
	return true;
}

static void
set_place(const struct place *place, struct instruction *instruction, uint64_t distance)
{
	instruction->last = OPERAND_PLACE;
	instruction->value = (uint32_t)(place->address + instruction->length + distance);
}

/* An operand whose mode is known; false: it does not exist. */
static bool
take_mode(const struct place *place, struct instruction *instruction, uint8_t byte, char letter)
{
	enum { PC = 15, AUTO_INCREMENT = 8, DISTANCE = 10 };
	uint32_t mode = byte >> 4, size;
	bool has_pc = (byte & 15) == PC;
	const uint8_t *bytes;

	if (mode < AUTO_INCREMENT)
		return !has_pc || mode < 4;
	if (mode < DISTANCE) {
		if (!has_pc)
			return true;
		size = mode == AUTO_INCREMENT ? size_of(letter) : 4;
		if (!take(place, instruction, size, &bytes))
			return false;
		instruction->last = mode == AUTO_INCREMENT ? OPERAND_CONSTANT : OPERAND_PLACE;
		instruction->value = number_at(bytes, size);
		return true;
	}
	/* The even ones lead to the operand, the odd ones to where its address is. */
	size = 1u << (mode - DISTANCE) / 2;
	if (!take(place, instruction, size, &bytes))
		return false;
	if (has_pc && mode % 2 == 0)
		set_place(place, instruction, gprofx_signed(number_at(bytes, size), 8 * size));
	return true;
}

static bool
take_operand(const struct place *place, struct instruction *instruction, char letter)
{
	enum { INDEXED = 4, REGISTER = 5, INDEXED_BY_PC = 0x4f, IMMEDIATE = 0x8f };
	const uint8_t *bytes;
	uint8_t byte;

	instruction->last = OPERAND_ELSEWHERE;
	if (!take(place, instruction, 1, &bytes))
		return false;
	byte = *bytes;
	if (byte >> 4 < INDEXED) {
		instruction->last = OPERAND_CONSTANT;
		instruction->value = byte;
		return true;
	}
	if (byte >> 4 != INDEXED)
		return take_mode(place, instruction, byte, letter);
	/* An index goes with what has an address. */
	if (byte == INDEXED_BY_PC || !take(place, instruction, 1, &bytes) ||
	    *bytes >> 4 <= REGISTER || *bytes == IMMEDIATE ||
	    !take_mode(place, instruction, *bytes, letter))
		return false;
	instruction->last = OPERAND_ELSEWHERE;
	return true;
}

static bool
take_operands(const struct place *place, struct instruction *instruction, const char *letters)
{
	for (; *letters != '\0'; letters++) {
		uint32_t size = size_of(*letters);
		const uint8_t *bytes;

		if (*letters == 'B' || *letters == 'W') {
			if (!take(place, instruction, size, &bytes))
				return false;
			set_place(place, instruction,
			          gprofx_signed(number_at(bytes, size), 8 * size));
			instruction->is_branch = true;
		} else if (!take_operand(place, instruction, *letters)) {
			return false;
		}
	}
	return true;
}

/* Decodes what stands at a place; false: it is no instruction. */
static bool
decode(const struct place *place, struct instruction *instruction)
{
	const uint8_t *bytes;
	const char *letters;

	*instruction = (struct instruction){.is_plain = true};
	if (!take(place, instruction, 1, &bytes))
		return false;
	instruction->opcode = *bytes;
	letters = vax_one_byte[*bytes / 8][*bytes % 8];
	if (*bytes == VAX_TWO_BYTES || *bytes == VAX_SOFTWARE) {
		instruction->is_plain = false;
		if (!take(place, instruction, 1, &bytes))
			return false;
		letters = vax_two_bytes[*bytes / 8][*bytes % 8];
	}
	/* Behind these is a number, without a mode. */
	if (instruction->opcode == VAX_SOFTWARE)
		return (*bytes == VAX_BUGL && take(place, instruction, 4, &bytes)) ||
		       (*bytes == VAX_BUGW && take(place, instruction, 2, &bytes));
	return letters && take_operands(place, instruction, letters);
}

/* How many bytes a table of places to go on at has behind an instruction. */
static uint64_t
table_bytes(const struct place *place, const struct instruction *instruction)
{
	uint64_t bytes;

	if (!instruction->is_plain || instruction->last != OPERAND_CONSTANT ||
	    (instruction->opcode != VAX_CASEB && instruction->opcode != VAX_CASEW &&
	     instruction->opcode != VAX_CASEL))
		return 0;
	/* The last operand is the number of the last place.  What does not fit is data. */
	bytes = 2 * (instruction->value + 1);
	return bytes <= place->readable - instruction->length ? bytes : 0;
}

static struct place
place_at(const struct gprofx_code *code, uint64_t at)
{
	return (struct place){code->bytes + at, code->readable - at, code->address + at};
}

/* How far instructions stand one behind the other; a few are enough. */
static uint64_t
reach(const struct gprofx_code *code, uint64_t at)
{
	struct instruction instruction;

	for (uint32_t few = 8; few > 0 && at < code->byte_count; few--) {
		struct place place = place_at(code, at);

		if (!decode(&place, &instruction))
			return at;
		at += instruction.length + table_bytes(&place, &instruction);
	}
	return UINT64_MAX;
}

/*
 * Where the first instruction is: a function can begin with a mask.  It has two bits clear, and two
 * more by convention, which are those of registers that no function keeps.
 */
static uint64_t
first_instruction(const struct gprofx_code *code)
{
	enum { CLEAR_BITS = 0x3000, USUALLY_CLEAR_BITS = 0x0003 };
	uint64_t with, without;
	uint32_t mask;

	if (code->byte_count <= MASK_BYTES || !gprofx_begins(code, code->address))
		return 0;
	mask = gprofx_half_at(code->bytes, false);
	if ((mask & CLEAR_BITS) != 0)
		return 0;
	with = reach(code, MASK_BYTES);
	without = reach(code, 0);
	if (with != without)
		return with > without ? MASK_BYTES : 0;
	return (mask & USUALLY_CLEAR_BITS) == 0 ? MASK_BYTES : 0;
}

/* Adds what an instruction calls, or where it jumps to if that is a function. */
static void
add(const struct gprofx_code *code, const struct gprofx_scan_options *more,
    struct gprofx_calls *calls, uint64_t from, const struct instruction *instruction)
{
	uint32_t opcode = instruction->opcode;
	bool is_call = instruction->is_plain &&
	               (opcode == VAX_CALLG || opcode == VAX_CALLS || opcode == VAX_JSB ||
	                opcode == VAX_BSBB || opcode == VAX_BSBW);
	bool is_jump = more->tail_calls &&
	               (instruction->is_branch || (instruction->is_plain && opcode == VAX_JMP));
	uint64_t callee;

	if (is_call && instruction->last == OPERAND_ELSEWHERE)
		gprofx_add_site(calls, from, 0, GPROFX_CALL_INDIRECT,
		                (uint32_t)instruction->length);
	/* A jump to a function that has a mask leads behind it. */
	else if ((is_call || is_jump) && instruction->last == OPERAND_PLACE &&
	         gprofx_callee(code, instruction->value, is_call ? 0 : MASK_BYTES, 1, &callee))
		gprofx_add_site(calls, from, callee,
		                is_call ? GPROFX_CALL_DIRECT : GPROFX_CALL_TAIL,
		                (uint32_t)instruction->length);
}

static void
scan(void *worker, const struct gprofx_code *code, struct gprofx_calls *calls)
{
	const struct gprofx_scan_options *more = gprofx_scan_options(code, worker);
	uint64_t at = first_instruction(code);

	while (at < code->byte_count) {
		struct place place = place_at(code, at);
		struct instruction instruction;

		/* Unknown instructions are skipped, byte by byte. */
		if (!decode(&place, &instruction)) {
			at++;
			continue;
		}
		add(code, more, calls, place.address, &instruction);
		at += instruction.length + table_bytes(&place, &instruction);
	}
}

static const struct gprofx_option option_table[] = {GPROFX_OPTION_TAIL_CALLS};

static const uint16_t machines[] = {75};

static const struct gprofx_findcall findcall = {.size = sizeof findcall,
                                                .machines = machines,
                                                .machine_count = 1,
                                                .worker_open = gprofx_open_unless_strict,
                                                .scan = scan};

GPROFX_PLUGIN = {GPROFX_ABI,
                 .name = "findcall-vax",
                 .version = "1.0",
                 .summary = "Calls in code of VAX",
                 .findcall = &findcall,
                 GPROFX_OPTIONS(struct gprofx_scan_options, option_table)};
