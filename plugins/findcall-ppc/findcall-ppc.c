/* SPDX-License-Identifier: Apache-2.0 */
/*
 * findcall-ppc: branches of PowerPC, of 32 and 64 bits, that lead to functions.
 *
 * In the second ABI of 64 bits, a function begins with two instructions that find its table of
 * contents; a caller that has the same one branches behind them.
 */
#include <gprofx/code.h>

enum { EM_PPC64 = 21, ABI = 3, ABI_2 = 2, LOCAL_ENTRY = 8, BRANCH = 18 };

static void
scan(void *worker, const struct gprofx_code *code, struct gprofx_calls *calls)
{
	const struct gprofx_target *target = code->image->target;
	bool has_local_entries = target->machine == EM_PPC64 &&
	                         (code->image->machine_flags & ABI) == ABI_2;
	struct gprofx_words words = {0};
	uint32_t word;

	(void)worker;
	while (gprofx_next_word(&words, code, target->big_endian, &word)) {
		uint64_t from = code->address + words.at, to = gprofx_signed(word & ~3u, 26),
			 callee;
		bool links = (word & 1) != 0, is_absolute = (word & 2) != 0;

		/* bctrl and blrl, on any condition. */
		if (code->image->wants_sites &&
		    ((word & 0xfc0007ff) == 0x4c000421 || (word & 0xfc0007ff) == 0x4c000021))
			gprofx_add_site(calls, from, 0, GPROFX_CALL_INDIRECT, 4);
		if (word >> 26 != BRANCH)
			continue;
		if (!is_absolute)
			to += from;
		if (target->pointer_bytes == 4)
			to = (uint32_t)to;
		if (gprofx_callee(code, to, has_local_entries ? LOCAL_ENTRY : 0, 4, &callee))
			gprofx_add_site(calls, from, callee,
			                links ? GPROFX_CALL_DIRECT : GPROFX_CALL_TAIL, 4);
	}
}

static const uint16_t machines[] = {20, 21};

static const struct gprofx_findcall findcall = {.size = sizeof findcall,
                                                .machines = machines,
                                                .machine_count = 2,
                                                .worker_open = gprofx_open_unless_strict,
                                                .scan = scan};

GPROFX_PLUGIN = {GPROFX_ABI, .name = "findcall-ppc", .version = "1.0",
                 .summary = "Calls in code of PowerPC", .findcall = &findcall};
