/* SPDX-License-Identifier: Apache-2.0 */
/* Of every word the scanner says what capstone says. */
#include "findcall-mips.c"

#include "words.h"

static const struct words_view views[] = {
	{.name = "mips32",
         .arch = CS_ARCH_MIPS,
         .mode = CS_MODE_MIPS32,
         .machine = 8,
         .pointer_bytes = 4,
         .machine_flags = 0x50001000,
         .opcode_bits = 0xfc1f083f,
         .calls = " jal bal ",
         .tails = " j b ",
         .indirect = " jalr jalr.hb "},
	{.name = "mips64",
         .arch = CS_ARCH_MIPS,
         .mode = CS_MODE_MIPS64 | CS_MODE_BIG_ENDIAN,
         .form = WORDS_BIG_ENDIAN,
         .machine = 8,
         .pointer_bytes = 8,
         .machine_flags = 0x60000000,
         .big_endian = true,
         .opcode_bits = 0xfc1f083f,
         .calls = " jal bal ",
         .tails = " j b ",
         .indirect = " jalr jalr.hb "},
	{.name = "mips32r6",
         .arch = CS_ARCH_MIPS,
         .mode = CS_MODE_MIPS32R6,
         .machine = 8,
         .pointer_bytes = 4,
         .machine_flags = 0x90001000,
         .opcode_bits = 0xfc1f083f,
         .calls = " jal bal balc ",
         .tails = " j b bc ",
         .distances = " balc bc ",
         .indirect = " jalr jalr.hb ",
         .sites = " jialc "},
};

int
main(int count, char **words)
{
	return words_main(count, words, views, sizeof views / sizeof views[0]);
}
