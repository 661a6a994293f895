/* SPDX-License-Identifier: Apache-2.0 */
/*
 * findcall-alpha: calls and branches of Alpha that lead to functions, and calls through registers.
 *
 * A function can begin with two instructions that find its global pointer; a caller that has the
 * same one branches behind them.
 */
#include <gprofx/code.h>

enum { POINTER_BYTES = 8, JMP = 0x1a, BR = 0x30, BSR = 0x34 };

static bool
is_indirect(uint32_t word)
{
	/* JSR and JSR_COROUTINE; the others are JMP and RET. */
	return word >> 26 == JMP && (word & 0x4000) != 0;
}

static void
scan(void *worker, const struct gprofx_code *code, struct gprofx_calls *calls)
{
	/* To GNU gprof, distances are in bytes. */
	uint64_t unit = code->image->strict ? 1 : 4;
	uint32_t step = code->image->strict ? 1 : 4;
	struct gprofx_words words = {.next = code->image->strict ? (0 - code->address) & 3 : 0};
	uint32_t word;

	(void)worker;
	while (gprofx_next_word(&words, code,
	                        code->image->strict && code->image->target->big_endian, &word)) {
		uint64_t from = code->address + words.at, callee;
		uint64_t to = from + 4 + unit * gprofx_signed(word, 21);
		uint32_t opcode = word >> 26;
		/* A branch that keeps no address to return to. */
		bool is_jump = !code->image->strict && opcode == BR && (word >> 21 & 31) == 31;

		if ((opcode == BSR || is_jump) &&
		    gprofx_callee(code, to, POINTER_BYTES, step, &callee))
			gprofx_add_site(calls, from, callee,
			                is_jump ? GPROFX_CALL_TAIL : GPROFX_CALL_DIRECT, 4);
		else if (is_indirect(word))
			gprofx_add_site(calls, from, 0, GPROFX_CALL_INDIRECT, 4);
	}
}

static const uint16_t machines[] = {0x9026};

static const struct gprofx_findcall findcall = {.size = sizeof findcall,
                                                .machines = machines,
                                                .machine_count = 1,
                                                .scan = scan};

GPROFX_PLUGIN = {GPROFX_ABI, .name = "findcall-alpha", .version = "1.0",
                 .summary = "Calls in code of Alpha", .findcall = &findcall};
