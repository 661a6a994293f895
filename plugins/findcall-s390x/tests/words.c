/* SPDX-License-Identifier: Apache-2.0 */
/* Of all first four bytes of instructions the scanner says what capstone says. */
#include "findcall-s390x.c"

#include "words.h"

/*
 * Without a second register basr goes nowhere, so that it is no call; capstone 4 does not know bas,
 * which objdump has with this opcode.
 */
static uint32_t
kind_of(uint32_t word, uint32_t kind)
{
	enum { BAS = 0x4d };

	if ((word & 0xff0f0000) == 0x0d000000)
		return WORDS_NONE;
	return word >> 24 == BAS ? WORDS_SITE : kind;
}

static const struct words_view views[] = {
	{.name = "s390x",
         .arch = CS_ARCH_SYSZ,
         .mode = CS_MODE_BIG_ENDIAN,
         .form = WORDS_OF_6,
         .machine = 22,
         .pointer_bytes = 8,
         .big_endian = true,
         .opcode_bits = 0xffff0000,
         .calls = " brasl bras ",
         .tails = " jg j ",
         .sites = " basr bas ",
         .kind = kind_of},
};

int
main(int count, char **words)
{
	return words_main(count, words, views, sizeof views / sizeof views[0]);
}
