/* SPDX-License-Identifier: Apache-2.0 */
/*
 * findcall-aarch64: branches of AArch64 that lead to functions.  An instruction is a word, its
 * opcode has bits of its own: nothing has to be decoded before it.
 */
#include <gprofx/code.h>

/* blr, and those that check the pointer first. */
static void
scan_indirect(const struct gprofx_code *code, struct gprofx_calls *calls)
{
	struct gprofx_words words = {.walk = {.letter = 'x'}};
	uint32_t word;

	while (gprofx_next_word(&words, code, false, &word))
		if ((word & 0xfffffc1f) == 0xd63f0000 || (word & 0xfefff800) == 0xd63f0800)
			gprofx_add_site(calls, code->address + words.at, 0, GPROFX_CALL_INDIRECT,
			                4);
}

static void
scan(void *worker, const struct gprofx_code *code, struct gprofx_calls *calls)
{
	bool strict = code->image->strict;
	bool big_endian = strict && code->image->target->big_endian;
	struct gprofx_words words = {.walk = {.letter = 'x'}};
	uint32_t word;

	(void)worker;
	if (code->image->wants_sites)
		scan_indirect(code, calls);
	/* Instructions are little-endian whatever data are; GNU gprof reads them as data. */
	while (gprofx_next_word_like(&words, code, big_endian, 0x7c000000, 0x14000000, &word)) {
		uint64_t from = code->address + words.at, to;
		bool links = (word & 0x80000000) != 0;

		to = from + 4 * gprofx_signed(word, 26);
		if (gprofx_begins(code, to))
			gprofx_add_site(calls, from, to,
			                links || strict ? GPROFX_CALL_DIRECT : GPROFX_CALL_TAIL, 4);
	}
}

static const uint16_t machines[] = {183};

static const struct gprofx_findcall findcall = {.size = sizeof findcall,
                                                .machines = machines,
                                                .machine_count = 1,
                                                .scan = scan};

GPROFX_PLUGIN = {GPROFX_ABI, .name = "findcall-aarch64", .version = "1.0",
                 .summary = "Calls in code of AArch64", .findcall = &findcall};
