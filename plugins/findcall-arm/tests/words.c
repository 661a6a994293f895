/* SPDX-License-Identifier: Apache-2.0 */
/* Of every word, and every half, the scanner says what capstone says. */
#include "findcall-arm.c"

#include "words.h"

#define CALLS " bl blx bleq blne blhs bllo blmi blpl blvs blvc blhi blls blge bllt blgt blle "
#define JUMPS                                                                                     \
	" b beq bne bhs blo bmi bpl bvs bvc bhi bls bge blt bgt ble b.w beq.w bne.w bhs.w blo.w " \
	"bmi.w bpl.w bvs.w bvc.w bhi.w bls.w bge.w blt.w bgt.w ble.w "

#define SITES \
	" blx blxeq blxne blxhs blxlo blxmi blxpl blxvs blxvc blxhi blxls blxge blxlt blxgt blxle "

static const struct words_view views[] = {
	{.name = "arm",
         .arch = CS_ARCH_ARM,
         .mode = CS_MODE_ARM,
         .machine = 40,
         .pointer_bytes = 4,
         .mark = "$a",
         .opcode_bits = 0xfff000f0,
         .calls = CALLS,
         .tails = JUMPS,
         .sites = SITES},
	{.name = "thumb",
         .arch = CS_ARCH_ARM,
         .mode = CS_MODE_THUMB,
         .form = WORDS_HALVES,
         .machine = 40,
         .pointer_bytes = 4,
         .mark = "$t",
         .opcode_bits = 0xffffd000,
         .calls = CALLS,
         .tails = JUMPS,
         .sites = SITES},
};

int
main(int count, char **words)
{
	return words_main(count, words, views, sizeof views / sizeof views[0]);
}
