/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Unwind information (.eh_frame) of what is loaded, as DWARF and the x86-64 ABI describe it.
 *
 * The system shows of a thread that waits its pc and its stack pointer, and no other register.
 * Most functions need no other one, or the stack has what they saved.  Those with a frame pointer
 * that nobody below has saved are followed by what their first instructions reserve of the stack.
 */
#include "cfi.h"

#include <stddef.h>

#include "cfi-tables.h"

enum { SAVED = 8, EXPRESSION_DEPTH = 16, MOST_SCANNED = 4096, WORD = 8 };

enum rule_kind {
	RULE_SAME,
	RULE_UNDEFINED,
	RULE_OFFSET,
	RULE_VALUE_OFFSET,
	RULE_REGISTER,
	RULE_EXPRESSION,
	RULE_VALUE_EXPRESSION
};

struct rule {
	enum rule_kind kind;
	int64_t number; /* offset or register */
	struct cursor expression;
};

/* How to find the caller's registers at an address. */
struct row {
	struct rule cfa; /* RULE_REGISTER: of a register, with the offset below; or an expression */
	int64_t cfa_offset;
	struct rule of[CFI_REGISTERS];
};

static struct cursor
take_block(struct cursor *cursor)
{
	uint64_t bytes = cfi_uleb(cursor);
	struct cursor block = {cursor->at, cursor->at, false};

	if (bytes > (uint64_t)(cursor->end - cursor->at)) {
		cursor->has_failed = true;
		return block;
	}
	block.end = cursor->at += bytes;
	return block;
}

static void
set_rule(struct row *row, uint64_t number, enum rule_kind kind, int64_t value)
{
	if (number < CFI_REGISTERS)
		row->of[number] = (struct rule){kind, value, {NULL, NULL, false}};
}

/* State of reading instructions. */
struct reading {
	const struct function *function;
	const struct row *initial; /* or NULL: these are the first ones */
	struct row row, saved[SAVED];
	uint32_t saved_count;
	uint64_t at; /* of the code */
};

/* An instruction of those that have a number only.  False: unknown. */
static bool
run_other(struct reading *reading, struct cursor *from, uint8_t code)
{
	int64_t unit = reading->function->data_unit;
	struct row *row = &reading->row;
	uint64_t number;

	switch (code) {
	case 0x00: /* nop */
		return true;
	case 0x05: /* offset_extended */
		number = cfi_uleb(from);
		set_rule(row, number, RULE_OFFSET, (int64_t)cfi_uleb(from) * unit);
		return true;
	case 0x06: /* restore_extended */
		number = cfi_uleb(from);
		if (number < CFI_REGISTERS && reading->initial)
			row->of[number] = reading->initial->of[number];
		return true;
	case 0x07: /* undefined */
		set_rule(row, cfi_uleb(from), RULE_UNDEFINED, 0);
		return true;
	case 0x08: /* same_value */
		set_rule(row, cfi_uleb(from), RULE_SAME, 0);
		return true;
	case 0x09: /* register */
		number = cfi_uleb(from);
		set_rule(row, number, RULE_REGISTER, (int64_t)cfi_uleb(from));
		return true;
	case 0x0a: /* remember_state */
		if (reading->saved_count == SAVED)
			return false;
		reading->saved[reading->saved_count++] = *row;
		return true;
	case 0x0b: /* restore_state */
		if (reading->saved_count == 0)
			return false;
		*row = reading->saved[--reading->saved_count];
		return true;
	case 0x0c: /* def_cfa */
	case 0x12: /* def_cfa_sf */
		row->cfa.kind = RULE_REGISTER;
		row->cfa.number = (int64_t)cfi_uleb(from);
		row->cfa_offset = code == 0x0c ? (int64_t)cfi_uleb(from) : cfi_sleb(from) * unit;
		return true;
	case 0x0d: /* def_cfa_register */
		row->cfa.kind = RULE_REGISTER;
		row->cfa.number = (int64_t)cfi_uleb(from);
		return true;
	case 0x0e: /* def_cfa_offset */
		row->cfa_offset = (int64_t)cfi_uleb(from);
		return true;
	case 0x0f: /* def_cfa_expression */
		row->cfa = (struct rule){RULE_EXPRESSION, 0, take_block(from)};
		return true;
	case 0x10: /* expression */
	case 0x16: /* val_expression */
		number = cfi_uleb(from);
		set_rule(row, number, code == 0x10 ? RULE_EXPRESSION : RULE_VALUE_EXPRESSION, 0);
		row->of[number < CFI_REGISTERS ? number : 0].expression = take_block(from);
		return number < CFI_REGISTERS;
	case 0x11: /* offset_extended_sf */
		number = cfi_uleb(from);
		set_rule(row, number, RULE_OFFSET, cfi_sleb(from) * unit);
		return true;
	case 0x13: /* def_cfa_offset_sf */
		row->cfa_offset = cfi_sleb(from) * unit;
		return true;
	case 0x14: /* val_offset */
		number = cfi_uleb(from);
		set_rule(row, number, RULE_VALUE_OFFSET, (int64_t)cfi_uleb(from) * unit);
		return true;
	case 0x2e: /* GNU_args_size */
		(void)cfi_uleb(from);
		return true;
	default:
		return false;
	}
}

/* Runs instructions up to those for code behind an address. */
static bool
run(struct reading *reading, struct cursor from, uint64_t pc)
{
	const struct function *function = reading->function;

	while (from.at < from.end && !from.has_failed) {
		uint8_t byte = (uint8_t)cfi_bytes(&from, 1), low = byte & 0x3f;
		uint64_t next = reading->at;

		switch (byte & 0xc0) {
		case 0x40: /* advance_loc */
			next += low * function->code_unit;
			break;
		case 0x80: /* offset */
			set_rule(&reading->row, low, RULE_OFFSET,
			         (int64_t)cfi_uleb(&from) * function->data_unit);
			break;
		case 0xc0: /* restore */
			if (low < CFI_REGISTERS && reading->initial)
				reading->row.of[low] = reading->initial->of[low];
			break;
		default:
			if (byte == 0x01) /* set_loc */
				return false;
			if (byte >= 0x02 && byte <= 0x04) /* advance_loc1, 2, 4 */
				next += cfi_bytes(&from, (size_t)1 << (byte - 2)) *
				        function->code_unit;
			else if (!run_other(reading, &from, byte))
				return false;
		}
		if (next > pc)
			return true;
		reading->at = next;
	}
	return !from.has_failed;
}

static bool
find_row(const struct function *function, uint64_t pc, struct row *row)
{
	struct reading reading = {.function = function, .at = function->start};
	struct row initial;

	if (!run(&reading, function->first, UINT64_MAX))
		return false;
	initial = reading.row;
	reading.initial = &initial;
	if (!run(&reading, function->program, pc))
		return false;
	*row = reading.row;
	return true;
}

static bool
read_word(struct cfi_memory *memory, uint64_t address, uint64_t *value)
{
	struct cursor word;

	if (address < memory->low || address > UINT64_MAX - WORD)
		return false;
	if (address + WORD > memory->high &&
	    (!memory->extend || !memory->extend(memory, address + WORD) ||
	     address + WORD > memory->high))
		return false;
	word = (struct cursor){memory->bytes + (address - memory->low), NULL, false};
	word.end = word.at + WORD;
	*value = cfi_bytes(&word, WORD);
	return true;
}

/* An operation with two operands; false: another one. */
static bool
combine(uint8_t code, uint64_t *left, uint64_t right)
{
	switch (code) {
	case 0x1a:
		*left &= right;
		return true;
	case 0x1c:
		*left -= right;
		return true;
	case 0x1e:
		*left *= right;
		return true;
	case 0x21:
		*left |= right;
		return true;
	case 0x22:
		*left += right;
		return true;
	case 0x24:
		*left = right < 64 ? *left << right : 0;
		return true;
	case 0x2a:
		*left = (int64_t)*left >= (int64_t)right;
		return true;
	default:
		return false;
	}
}

/* Those that compilers and the C library use: registers, constants, sums, and words of memory. */
static bool
evaluate(struct cursor from, const struct cfi_frame *frame, struct cfi_memory *memory,
         const uint64_t *first, uint64_t *result)
{
	uint64_t stack[EXPRESSION_DEPTH + 1];
	uint32_t depth = 0;

	if (first)
		stack[depth++] = *first;
	while (from.at < from.end && !from.has_failed && depth < EXPRESSION_DEPTH) {
		uint8_t code = (uint8_t)cfi_bytes(&from, 1);

		if (code >= 0x30 && code <= 0x4f) { /* lit */
			stack[depth++] = (uint64_t)code - 0x30;
		} else if (code >= 0x70 && code < 0x70 + CFI_REGISTERS) { /* breg */
			if (!(frame->known >> (code - 0x70) & 1))
				return false;
			stack[depth++] = frame->value[code - 0x70] + (uint64_t)cfi_sleb(&from);
		} else if (code >= 0x08 && code <= 0x0f) { /* const1u to const8s */
			size_t bytes = (size_t)1 << (code - 0x08) / 2;

			stack[depth++] = code & 1 ? (uint64_t)cfi_signed(&from, bytes)
			                          : cfi_bytes(&from, bytes);
		} else if (code == 0x06 && depth > 0) { /* deref */
			if (!read_word(memory, stack[depth - 1], &stack[depth - 1]))
				return false;
		} else if (code == 0x23 && depth > 0) { /* plus_uconst */
			stack[depth - 1] += cfi_uleb(&from);
		} else if (depth > 1 && combine(code, &stack[depth - 2], stack[depth - 1])) {
			depth--;
		} else {
			return false;
		}
	}
	if (depth == 0 || from.has_failed || from.at < from.end)
		return false;
	*result = stack[depth - 1];
	return true;
}

/* What an address leads to: of a PLT stub, the function that it jumps to. */
static uint64_t
target_of(uint64_t address)
{
	enum { MARK = 4, JUMP = 6 }; /* bytes of endbr64, and of jmp *distance(%rip) */
	const uint8_t *code = (const uint8_t *)(uintptr_t)address;
	struct function function;
	struct cursor distance;

	if (!cfi_find(address, &function) || function.end - address < MARK + JUMP)
		return address;
	if (code[0] == 0xf3 && code[1] == 0x0f && code[2] == 0x1e && code[3] == 0xfa)
		code += MARK;
	if (code[0] != 0xff || code[1] != 0x25)
		return address;
	distance = (struct cursor){code + 2, code + JUMP, false};
	return *(const uint64_t *)(uintptr_t)((uint64_t)(uintptr_t)(code + JUMP) +
	                                      (uint64_t)cfi_signed(&distance, 4));
}

enum call { CALL_NONE, CALL_OTHER, CALL_POSSIBLE, CALL_CERTAIN };

/* Whether an address is behind a call, and of this function. */
static enum call
call_before(uint64_t address, uint64_t callee)
{
	enum { LONGEST = 7 };
	const uint8_t *code = (const uint8_t *)(uintptr_t)address;
	struct function function;

	/* Where unwind information is, code is, which can be read. */
	if (!cfi_find(address - 1, &function) || address - function.start < LONGEST)
		return CALL_NONE;
	if (code[-5] == 0xe8) {
		struct cursor distance = {code - 4, code, false};
		uint64_t target = address + (uint64_t)cfi_signed(&distance, 4);

		return target_of(target) == callee ? CALL_CERTAIN : CALL_OTHER;
	}
	return (code[-2] == 0xff && (code[-1] & 0xf8) == 0xd0) ||
	                       (code[-3] == 0xff && (code[-2] & 0xf8) == 0x50) ||
	                       (code[-4] == 0xff && code[-3] == 0x54) ||
	                       (code[-6] == 0xff &&
	                        (code[-5] == 0x15 || (code[-5] & 0xf8) == 0x90)) ||
	                       (code[-7] == 0xff && code[-6] == 0x94)
	               ? CALL_POSSIBLE
	               : CALL_NONE;
}

/* How much of the stack a function with a frame pointer reserves below it. */
static uint64_t
reserved_bytes(const struct function *function, const struct row *row, uint64_t pc)
{
	enum { LOOKED_AT = 96 };
	const uint8_t *code = (const uint8_t *)(uintptr_t)function->start;
	uint64_t length = pc - function->start, bytes = 0;

	/* Registers that it saved are directly below. */
	for (int i = 0; i < CFI_REGISTERS; i++)
		if (row->of[i].kind == RULE_OFFSET && row->of[i].number < -16 &&
		    (uint64_t)(-16 - row->of[i].number) > bytes)
			bytes = (uint64_t)(-16 - row->of[i].number);
	if (length > LOOKED_AT)
		length = LOOKED_AT;
	for (uint64_t i = 0; i + 7 <= length; i++) {
		struct cursor number = {code + i + 3, code + length, false};

		/* sub $number, %rsp */
		if (code[i] == 0x48 && code[i + 1] == 0x83 && code[i + 2] == 0xec)
			return bytes + (uint64_t)cfi_signed(&number, 1);
		if (code[i] == 0x48 && code[i + 1] == 0x81 && code[i + 2] == 0xec)
			return bytes + (uint64_t)cfi_signed(&number, 4);
	}
	return bytes;
}

/*
 * The frame pointer of a function that called another one with this stack pointer.  What is in its
 * place on the stack must look like it: an address after a call.
 */
static bool
find_frame_pointer(const struct function *function, const struct row *row,
                   const struct cfi_frame *frame, struct cfi_memory *memory, uint64_t *found)
{
	uint64_t sp = frame->value[CFI_RSP], address;
	uint64_t expected = sp + reserved_bytes(function, row, frame->value[CFI_PC]);
	enum call call = read_word(memory, expected + WORD, &address)
	                         ? call_before(address, function->start)
	                         : CALL_NONE;

	*found = expected;
	if (call >= CALL_POSSIBLE)
		return true;
	/* It reserves a variable size. */
	for (uint64_t at = sp; at < sp + MOST_SCANNED; at += WORD)
		if (read_word(memory, at + WORD, &address) &&
		    call_before(address, function->start) == CALL_CERTAIN) {
			*found = at;
			return true;
		}
	/* Another function can have jumped to it. */
	return call != CALL_NONE;
}

static bool
find_cfa(const struct function *function, const struct row *row, struct cfi_frame *frame,
         struct cfi_memory *memory, uint64_t *cfa)
{
	if (row->cfa.kind == RULE_EXPRESSION)
		return evaluate(row->cfa.expression, frame, memory, NULL, cfa);
	if (row->cfa.kind != RULE_REGISTER || row->cfa.number >= CFI_REGISTERS)
		return false;
	if (row->cfa.number == CFI_RBP && !(frame->known >> CFI_RBP & 1) &&
	    row->cfa_offset == 2 * WORD && !memory->is_elsewhere) {
		if (!find_frame_pointer(function, row, frame, memory, &frame->value[CFI_RBP]))
			return false;
		frame->known |= 1u << CFI_RBP;
	}
	if (!(frame->known >> row->cfa.number & 1))
		return false;
	*cfa = frame->value[row->cfa.number] + (uint64_t)row->cfa_offset;
	return true;
}

/* A register of the caller; false: not known. */
static bool
restore(const struct rule *rule, uint32_t number, const struct cfi_frame *frame,
        struct cfi_memory *memory, uint64_t cfa, uint64_t *value)
{
	uint32_t from = number;

	switch (rule->kind) {
	case RULE_OFFSET:
		return read_word(memory, cfa + (uint64_t)rule->number, value);
	case RULE_VALUE_OFFSET:
		*value = cfa + (uint64_t)rule->number;
		return true;
	case RULE_EXPRESSION:
		return evaluate(rule->expression, frame, memory, &cfa, value) &&
		       read_word(memory, *value, value);
	case RULE_VALUE_EXPRESSION:
		return evaluate(rule->expression, frame, memory, &cfa, value);
	case RULE_REGISTER:
		if (rule->number < 0 || rule->number >= CFI_REGISTERS)
			return false;
		from = (uint32_t)rule->number;
		break;
	case RULE_SAME:
		break;
	case RULE_UNDEFINED:
	default:
		return false;
	}
	*value = frame->value[from];
	return frame->known >> from & 1;
}

enum cfi_result
cfi_step(struct cfi_frame *frame, struct cfi_memory *memory)
{
	uint64_t pc = frame->value[CFI_PC] - (frame->is_exact ? 0 : 1), cfa;
	struct cfi_frame caller = {.known = 0};
	struct function function;
	struct row row;

	if (!cfi_find(pc, &function) || !find_row(&function, pc, &row))
		return CFI_UNKNOWN;
	if (row.of[function.return_register].kind == RULE_UNDEFINED)
		return CFI_OUTERMOST;
	if (!find_cfa(&function, &row, frame, memory, &cfa))
		return CFI_UNKNOWN;
	for (uint32_t i = 0; i < CFI_REGISTERS; i++) {
		uint32_t from = i == CFI_PC ? function.return_register : i;

		if (restore(&row.of[from], i, frame, memory, cfa, &caller.value[i]))
			caller.known |= 1u << i;
	}
	/* By definition, unless a signal handler says otherwise. */
	if (row.of[CFI_RSP].kind == RULE_SAME) {
		caller.value[CFI_RSP] = cfa;
		caller.known |= 1u << CFI_RSP;
	}
	if (!(caller.known >> CFI_PC & 1) || !(caller.known >> CFI_RSP & 1))
		return CFI_UNKNOWN;
	/* What is wrong about a function must not lead round in circles. */
	if (!function.is_signal_frame && caller.value[CFI_RSP] <= frame->value[CFI_RSP])
		return CFI_UNKNOWN;
	caller.is_exact = function.is_signal_frame;
	*frame = caller;
	return frame->value[CFI_PC] == 0 ? CFI_OUTERMOST : CFI_CALLER;
}

static bool
fits(int64_t number)
{
	enum { MOST = 1 << 24 };

	return number > -MOST && number < MOST;
}

bool
cfi_simplify(uint64_t pc, struct cfi_simple *simple)
{
	struct function function;
	const struct rule *frame;
	struct row row;

	*simple = (struct cfi_simple){.is_outermost = false};
	if (!cfi_find(pc, &function) || function.is_signal_frame ||
	    function.return_register != CFI_PC || !find_row(&function, pc, &row))
		return false;
	if (row.of[CFI_PC].kind == RULE_UNDEFINED) {
		simple->is_outermost = true;
		return true;
	}
	frame = &row.of[CFI_RBP];
	if (row.cfa.kind != RULE_REGISTER ||
	    (row.cfa.number != CFI_RSP && row.cfa.number != CFI_RBP) || !fits(row.cfa_offset) ||
	    row.of[CFI_PC].kind != RULE_OFFSET || row.of[CFI_PC].number != -WORD ||
	    row.of[CFI_RSP].kind != RULE_SAME)
		return false;
	if (frame->kind != RULE_SAME &&
	    (frame->kind != RULE_OFFSET || !fits(frame->number) || frame->number >= -WORD))
		return false;
	simple->by_frame = row.cfa.number == CFI_RBP;
	simple->cfa = (int32_t)row.cfa_offset;
	simple->saved = frame->kind == RULE_OFFSET ? (int32_t)frame->number : 0;
	return true;
}
