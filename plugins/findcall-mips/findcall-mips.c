/* SPDX-License-Identifier: Apache-2.0 */
/*
 * findcall-mips: calls and jumps of MIPS32 and MIPS64 that lead to functions, and calls through
 * registers.  Marks in the code tell where it is microMIPS ($m), MIPS16 ($s), neither ($n), and
 * data ($d).
 */
#include <gprofx/code.h>

#include "compressed.h"

enum { EM_MIPS = 8 };

/* In e_flags: code of these is there, beside other. */
#define EF_MIPS_MICROMIPS 0x02000000u
#define EF_MIPS_MIPS16 0x04000000u

/* What a jump makes of its 26 bits; the upper ones are those of the instruction behind it. */
static uint64_t
jump_target(uint64_t from, uint32_t word)
{
	return (from & ~(uint64_t)0x0fffffff) | ((uint64_t)(word & 0x03ffffff) << 2);
}

/* GNU gprof's rules. */
static void
scan_strictly(const struct gprofx_code *code, struct gprofx_calls *calls)
{
	struct gprofx_words words = {0};
	uint32_t word;

	while (gprofx_next_word(&words, code, code->image->target->big_endian, &word)) {
		uint64_t from = code->address + words.at, to = jump_target(from, word);

		if ((word & 0xfc000000) == 0x0c000000 && gprofx_begins(code, to))
			gprofx_add_call(calls, from, to, GPROFX_CALL_DIRECT);
		if ((word & 0xfc00f83f) == 0x0000f809)
			gprofx_add_call(calls, from, 0, GPROFX_CALL_INDIRECT);
	}
}

static bool
has_compressed(const struct gprofx_code *code)
{
	return (code->image->machine_flags & (EF_MIPS_MICROMIPS | EF_MIPS_MIPS16)) != 0;
}

static bool
has_release_6(const struct gprofx_code *code)
{
	return (code->image->machine_flags & 0xf0000000) >= 0x90000000;
}

static void
scan_words(const struct gprofx_code *code, struct gprofx_calls *calls)
{
	bool is_release_6 = has_release_6(code);
	struct gprofx_words words = {0};
	uint32_t word;

	while (gprofx_next_word(&words, code, code->image->target->big_endian, &word)) {
		enum { J = 2, JAL = 3, JALX = 29, BALC = 58, BC = 50 };
		uint64_t from = code->address + words.at;
		uint64_t near = from + 4 + 4 * gprofx_signed(word, 16),
			 to = jump_target(from + 4, word);
		uint64_t far = from + 4 + 4 * gprofx_signed(word, 26);
		uint32_t opcode = word >> 26;

		/*
		 * jalx leads to the compressed sets; release 6 has something else in its place.
		 * Behind the instruction stands one that is done before the jump.
		 */
		if ((opcode == JAL || (opcode == JALX && has_compressed(code) && !is_release_6)) &&
		    gprofx_begins(code, to))
			gprofx_add_site(calls, from, to, GPROFX_CALL_DIRECT, 8);
		else if (opcode == J && gprofx_begins(code, to))
			gprofx_add_call(calls, from, to, GPROFX_CALL_TAIL);
		/* bal, and b, which is beq of a register with itself. */
		else if (word >> 16 == 0x0411 && gprofx_begins(code, near))
			gprofx_add_site(calls, from, near, GPROFX_CALL_DIRECT, 8);
		else if (word >> 16 == 0x1000 && gprofx_begins(code, near))
			gprofx_add_call(calls, from, near, GPROFX_CALL_TAIL);
		else if ((word & 0xfc1ffbff) == 0x0000f809)
			gprofx_add_site(calls, from, 0, GPROFX_CALL_INDIRECT, 8);
		/* Release 6 has these where others have loads and stores of coprocessor 2. */
		else if (is_release_6 && (opcode == BALC || opcode == BC) &&
		         gprofx_begins(code, far))
			gprofx_add_site(calls, from, far,
			                opcode == BALC ? GPROFX_CALL_DIRECT : GPROFX_CALL_TAIL, 4);
		/* jialc, of release 6 too. */
		else if (code->image->wants_sites && is_release_6 && word >> 21 == 0x7c0)
			gprofx_add_site(calls, from, 0, GPROFX_CALL_INDIRECT, 4);
	}
}

/* Scans what is from each mark to the next one. */
static void
scan_mixed(const struct gprofx_code *code, struct gprofx_calls *calls)
{
	struct gprofx_mark_walk walk = {
		.letter = code->image->machine_flags & EF_MIPS_MICROMIPS ? 'm' : 'n'};
	uint64_t end;

	for (uint64_t at = 0; at < code->byte_count; at = end) {
		char letter = gprofx_mark_at(&walk, code, code->address + at);
		struct gprofx_code part = *code;

		end = walk.next < code->mark_count ? code->marks[walk.next].address - code->address
		                                   : code->byte_count;
		if (end <= at || end > code->byte_count)
			end = code->byte_count;
		part.bytes += at;
		part.byte_count = end - at;
		part.readable -= at;
		part.address += at;
		part.mark_count = 0;
		/* Release 6 has other instructions of microMIPS. */
		if (letter == 's' || (letter == 'm' && !has_release_6(code)))
			scan_compressed(&part, calls, letter == 's');
		else if (letter != 'd' && letter != 'm')
			scan_words(&part, calls);
	}
}

static void
scan(void *worker, const struct gprofx_code *code, struct gprofx_calls *calls)
{
	(void)worker;
	if (code->image->strict)
		scan_strictly(code, calls);
	else if (has_compressed(code))
		scan_mixed(code, calls);
	else
		scan_words(code, calls);
}

static const uint16_t machines[] = {EM_MIPS};

static const struct gprofx_findcall findcall = {.size = sizeof findcall,
                                                .machines = machines,
                                                .machine_count = 1,
                                                .scan = scan};

GPROFX_PLUGIN = {GPROFX_ABI, .name = "findcall-mips", .version = "1.0",
                 .summary = "Calls in code of MIPS", .findcall = &findcall};
