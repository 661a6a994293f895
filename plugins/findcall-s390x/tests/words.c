/* SPDX-License-Identifier: Apache-2.0 */
/* Of all first four bytes of instructions the scanner says what capstone says. */
#include "findcall-s390x.c"

#include "words.h"

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
         .tails = " jg j "},
};

int
main(int count, char **words)
{
	return words_main(count, words, views, sizeof views / sizeof views[0]);
}
