/* SPDX-License-Identifier: Apache-2.0 */
/* Of every word the scanner says what capstone says. */
#include "findcall-aarch64.c"

#include "words.h"

/* Capstone 4 knows no calls that check the pointer first: by objdump, blraaz and blraa are these.
 */
static uint32_t
kind_of(uint32_t word, uint32_t kind)
{
	bool checks = (word & 0xfffff81f) == 0xd63f081f || (word & 0xfffff800) == 0xd73f0800;

	return checks ? WORDS_SITE : kind;
}

static const struct words_view views[] = {
	{.name = "aarch64",
         .arch = CS_ARCH_ARM64,
         .machine = 183,
         .pointer_bytes = 8,
         .opcode_bits = 0xffe00000,
         .calls = " bl ",
         .tails = " b ",
         .sites = " blr blraa blrab blraaz blrabz ",
         .kind = kind_of},
};

int
main(int count, char **words)
{
	return words_main(count, words, views, sizeof views / sizeof views[0]);
}
