/* SPDX-License-Identifier: Apache-2.0 */
/* What fills up space behind functions, as assemblers and linkers put them there. */
#include "findcall-m68k.c"

#include "fills.h"

static const struct fill_case cases[] = {
	{.code = "4e75 4e71 4e71", .stated = 0, .fill = 4, .big_endian = true},
	{.code = "4e75 4e71", .stated = 2, .fill = 2, .big_endian = true},
	{.code = "4e5e 4e74 0008 0000", .stated = 0, .fill = 2, .big_endian = true}, /* rtd */
	{.code = "6000 fffe 4e71", .stated = 0, .fill = 2, .big_endian = true},      /* bra */
	{.code = "60ff 00000010 4e71", .stated = 0, .fill = 2, .big_endian = true},  /* bra.l */
	{.code = "4ef9 00010000 4e71", .stated = 0, .fill = 2, .big_endian = true},  /* jmp */
	{.code = "61ff 00000010 4e71",
         .stated = 0,
         .fill = 0,
         .big_endian = true}, /* bsr returns */
	{.code = "61ff 00000010 4e71", .stated = 2, .fill = 2, .big_endian = true},
	{.code = "d080 4e71", .stated = 0, .fill = 0, .big_endian = true},
	{.code = "d080 4e71", .stated = 2, .fill = 0, .big_endian = true},
};

FILLS_MAIN(cases)
