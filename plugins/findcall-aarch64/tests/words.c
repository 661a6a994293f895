/* SPDX-License-Identifier: Apache-2.0 */
/* Of every word the scanner says what capstone says. */
#include "findcall-aarch64.c"

#include "words.h"

static const struct words_view views[] = {
	{.name = "aarch64",
         .arch = CS_ARCH_ARM64,
         .machine = 183,
         .pointer_bytes = 8,
         .opcode_bits = 0xffe00000,
         .calls = " bl ",
         .tails = " b "},
};

int
main(int count, char **words)
{
	return words_main(count, words, views, sizeof views / sizeof views[0]);
}
