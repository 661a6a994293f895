/* SPDX-License-Identifier: Apache-2.0 */
/* Of every word the scanner says what capstone says. */
#include "findcall-sparc.c"

#include "words.h"

#define JUMPS " ba ba,a ba,pn ba,a,pn "

/* A jump over nothing, which aligns the next function and is not taken for a call. */
static uint32_t
kind_of(uint32_t word, uint32_t kind)
{
	bool is_alignment = word == 0x30800001 || (word & 0xffd7ffff) == 0x30400001;

	return is_alignment ? WORDS_NONE : kind;
}

static const struct words_view views[] = {
	{.name = "sparc",
         .arch = CS_ARCH_SPARC,
         .mode = CS_MODE_BIG_ENDIAN,
         .form = WORDS_BIG_ENDIAN,
         .machine = 2,
         .pointer_bytes = 4,
         .big_endian = true,
         .opcode_bits = 0xfff80000,
         .calls = " call ",
         .tails = JUMPS,
         .sites = " call ",
         .kind = kind_of},
	{.name = "sparc64",
         .as_before = true,
         .arch = CS_ARCH_SPARC,
         .mode = CS_MODE_BIG_ENDIAN | CS_MODE_V9,
         .form = WORDS_BIG_ENDIAN,
         .machine = 43,
         .pointer_bytes = 8,
         .big_endian = true,
         .opcode_bits = 0xfff80000,
         .calls = " call ",
         .tails = JUMPS,
         .sites = " call ",
         .kind = kind_of},
};

int
main(int count, char **words)
{
	return words_main(count, words, views, sizeof views / sizeof views[0]);
}
