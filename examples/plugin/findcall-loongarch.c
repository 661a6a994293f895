/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A call scanner of one's own, for programs of LoongArch, whose ELF machine is 258:
 *
 *     cc -shared -fPIC -o findcall-loongarch.so findcall-loongarch.c
 *     gprofx --plugin=./findcall-loongarch.so -c PROGRAM
 *
 * In a folder of plugins, with a manifest findcall-loongarch.yaml, it is found without --plugin:
 *
 *     name: findcall-loongarch
 *     abi: 1
 *     findcall: { machines: [258] }
 *
 * An instruction has 4 bytes, the upper six bits are its opcode.
 */
#include <gprofx/code.h>

enum { JIRL = 0x13, B = 0x14, BL = 0x15, RETURN_ADDRESS = 1 };

static void
scan(void *worker, const struct gprofx_code *code, struct gprofx_calls *calls)
{
	struct gprofx_words words = {.at = 0};
	uint32_t word;

	(void)worker;
	while (gprofx_next_word(&words, code, false, &word)) {
		/* The upper ten bits of the distance, in instructions, are the lowest ones. */
		uint32_t distance = (word & 0x3ff) << 16 | (word >> 10 & 0xffff);
		uint64_t from = code->address + words.at;
		uint64_t to = from + 4 * gprofx_signed(distance, 26);
		uint32_t opcode = word >> 26;

		/* Through a register, and where to return to is kept. */
		if (opcode == JIRL && (word & 0x1f) == RETURN_ADDRESS)
			gprofx_add_call(calls, from, 0, GPROFX_CALL_INDIRECT);
		else if ((opcode == B || opcode == BL) && gprofx_begins(code, to))
			gprofx_add_call(calls, from, to,
			                opcode == BL ? GPROFX_CALL_DIRECT : GPROFX_CALL_TAIL);
	}
}

static const uint16_t machines[] = {258};

/* GNU gprof does not know the machine, so there are no calls in GNU mode. */
static const struct gprofx_findcall findcall = {.size = sizeof findcall,
                                                .machines = machines,
                                                .machine_count = 1,
                                                .worker_open = gprofx_open_unless_strict,
                                                .scan = scan,
                                                .step = 4};

GPROFX_PLUGIN = {GPROFX_ABI, .name = "findcall-loongarch", .version = "1.0",
                 .summary = "Calls in code of LoongArch", .findcall = &findcall};
