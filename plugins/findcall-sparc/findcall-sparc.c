/* SPDX-License-Identifier: Apache-2.0 */
/*
 * findcall-sparc: the instruction "call" of SPARC, of 32 and 64 bits.  It has two bits for an
 * opcode, and all others for the distance.
 */
#include <gprofx/code.h>

/*
 * GNU gprof's rules: it takes whatever has one of the two bits for a call, and the distance for one
 * in bytes.
 */
static void
scan_strictly(const struct gprofx_code *code, struct gprofx_calls *calls)
{
	struct gprofx_words words = {.next = (0 - code->address) & 3};
	uint32_t word;

	while (gprofx_next_word(&words, code, code->image->target->big_endian, &word)) {
		uint64_t from = code->address + words.at, to = from + gprofx_signed(word, 30);

		if ((word & 0xc0000000) != 0 && gprofx_begins(code, to))
			gprofx_add_call(calls, from, to, GPROFX_CALL_DIRECT);
	}
}

static void
scan(void *worker, const struct gprofx_code *code, struct gprofx_calls *calls)
{
	struct gprofx_words words = {0};
	bool is_wide = code->image->target->pointer_bytes == 8;
	uint32_t word;

	(void)worker;
	if (code->image->strict) {
		scan_strictly(code, calls);
		return;
	}
	/* Whatever the order of data is, that of instructions is this one. */
	while (gprofx_next_word(&words, code, true, &word)) {
		uint64_t from = code->address + words.at, to = from + 4 * gprofx_signed(word, 30);

		if (!is_wide)
			to = (uint32_t)to;
		/* What is kept is the address of the call. */
		if (word >> 30 == 1 && gprofx_begins(code, to))
			gprofx_add_site(calls, from, to, GPROFX_CALL_DIRECT, 0);
		/* jmpl, which keeps it where call does. */
		else if (code->image->wants_sites && (word & 0xfff80000) == 0x9fc00000)
			gprofx_add_site(calls, from, 0, GPROFX_CALL_INDIRECT, 0);
	}
}

static const uint16_t machines[] = {2, 11, 18, 43};

static const struct gprofx_findcall findcall = {.size = sizeof findcall,
                                                .machines = machines,
                                                .machine_count = 4,
                                                .scan = scan};

GPROFX_PLUGIN = {GPROFX_ABI, .name = "findcall-sparc", .version = "1.0",
                 .summary = "Calls in code of SPARC", .findcall = &findcall};
