/* SPDX-License-Identifier: Apache-2.0 */
/* Of every word the scanner says what capstone says. */
#include "findcall-sparc.c"

#include "words.h"

static const struct words_view views[] = {
	{.name = "sparc",
         .arch = CS_ARCH_SPARC,
         .mode = CS_MODE_BIG_ENDIAN,
         .form = WORDS_BIG_ENDIAN,
         .machine = 2,
         .pointer_bytes = 4,
         .big_endian = true,
         .opcode_bits = 0xfff80000,
         .calls = " call "},
	{.name = "sparc64",
         .as_before = true,
         .arch = CS_ARCH_SPARC,
         .mode = CS_MODE_BIG_ENDIAN | CS_MODE_V9,
         .form = WORDS_BIG_ENDIAN,
         .machine = 43,
         .pointer_bytes = 8,
         .big_endian = true,
         .opcode_bits = 0xfff80000,
         .calls = " call "},
};

int
main(int count, char **words)
{
	return words_main(count, words, views, sizeof views / sizeof views[0]);
}
