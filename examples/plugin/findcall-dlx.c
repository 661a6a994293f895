/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A call scanner of one's own, for programs of an invented machine with the number 4660:
 *
 *     cc -shared -fPIC -o findcall-dlx.so findcall-dlx.c
 *     gprofx --plugin=./findcall-dlx.so -c PROGRAM
 *
 * In a folder of plugins, with a manifest findcall-dlx.yaml, it is found without --plugin:
 *
 *     name: findcall-dlx
 *     abi: 1
 *     findcall: { machines: [4660] }
 *
 * An instruction has 4 bytes, the upper six bits are its opcode: 3 calls what lies as many bytes
 * behind the next instruction as the other bits say, 2 jumps there, 19 calls through a register.
 */
#include <gprofx/code.h>

enum { JUMP = 2, CALL = 3, CALL_REGISTER = 19 };

static void
scan(void *worker, const struct gprofx_code *code, struct gprofx_calls *calls)
{
	struct gprofx_words words = {.at = 0};
	uint32_t word;

	(void)worker;
	if (code->image->strict)
		return;
	while (gprofx_next_word(&words, code, code->image->target->big_endian, &word)) {
		uint64_t from = code->address + words.at, to = from + 4 + gprofx_signed(word, 26);

		if (word >> 26 == CALL_REGISTER)
			gprofx_add_call(calls, from, 0, GPROFX_CALL_INDIRECT);
		else if (word >> 26 == CALL && gprofx_begins(code, to))
			gprofx_add_call(calls, from, to, GPROFX_CALL_DIRECT);
		else if (word >> 26 == JUMP && gprofx_begins(code, to))
			gprofx_add_call(calls, from, to, GPROFX_CALL_TAIL);
	}
}

static const uint16_t machines[] = {4660};

static const struct gprofx_findcall findcall = {.size = sizeof findcall,
                                                .machines = machines,
                                                .machine_count = 1,
                                                .scan = scan};

GPROFX_PLUGIN = {GPROFX_ABI, .name = "findcall-dlx", .version = "1.0",
                 .summary = "Calls in code of DLX", .findcall = &findcall};
