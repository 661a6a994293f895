/* SPDX-License-Identifier: Apache-2.0 */
/* Of every word the scanner says what capstone says. */
#include "findcall-ppc.c"

#include "words.h"

/* bctrl and blrl on a condition, and what they are with a guess of what it is. */
#define TO(name, what) " b" name what " b" name what "+ b" name what "- "
#define SITE(name) TO(name, "ctrl") TO(name, "lrl")
#define ON_FLAGS SITE("lt") SITE("le") SITE("eq") SITE("ge") SITE("gt") SITE("ne")
#define ON_ODD_FLAGS SITE("so") SITE("ns") SITE("un") SITE("nu")
#define COUNTED SITE("dnz") SITE("dz") SITE("dnzf") SITE("dnzt") SITE("dzf") SITE("dzt")
#define SITES SITE("") ON_FLAGS ON_ODD_FLAGS COUNTED

static const struct words_view views[] = {
	{.name = "ppc32",
         .arch = CS_ARCH_PPC,
         .mode = CS_MODE_32 | CS_MODE_BIG_ENDIAN,
         .form = WORDS_BIG_ENDIAN,
         .machine = 20,
         .pointer_bytes = 4,
         .big_endian = true,
         .opcode_bits = 0xfc0007ff,
         .calls = " bl bla ",
         .tails = " b ba ",
         .sites = SITES},
	{.name = "ppc64",
         .as_before = true,
         .arch = CS_ARCH_PPC,
         .mode = CS_MODE_64 | CS_MODE_BIG_ENDIAN,
         .form = WORDS_BIG_ENDIAN,
         .machine = 21,
         .pointer_bytes = 8,
         .big_endian = true,
         .opcode_bits = 0xfc0007ff,
         .calls = " bl bla ",
         .tails = " b ba ",
         .sites = SITES},
};

int
main(int count, char **words)
{
	return words_main(count, words, views, sizeof views / sizeof views[0]);
}
