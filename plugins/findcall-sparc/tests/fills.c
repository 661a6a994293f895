/* SPDX-License-Identifier: Apache-2.0 */
/* What fills up space behind functions, as assemblers and linkers put them there. */
#include "findcall-sparc.c"

#include "fills.h"

static const struct fill_case cases[] = {
	{.code = "81c3e008 90022001 01000000 01000000", .stated = 0, .fill = 8, .big_endian = true},
	{.code = "81c7e008 81e80000 00000000", .stated = 0, .fill = 4, .big_endian = true},
	{.code = "81c3e008 01000000 01000000",
         .stated = 0,
         .fill = 4,
         .big_endian = true}, /* the slot is executed */
	{.code = "81c3e008 01000000 30800003 01000000 01000000",
         .stated = 0,
         .fill = 12,
         .big_endian = true}, /* the assembler jumps */
	{.code = "40000000 01000000 01000000",
         .stated = 0,
         .fill = 0,
         .big_endian = true}, /* call returns */
	{.code = "40000000 01000000 01000000", .stated = 4, .fill = 4, .big_endian = true},
	{.code = "90022001 01000000", .stated = 0, .fill = 0, .big_endian = true},
	{.code = "10800001 01000000 01000000", .stated = 0, .fill = 4, .big_endian = true}, /* ba */
	{.code = "90022001 30bffff0 01000000",
         .stated = 0,
         .fill = 4,
         .big_endian = true}, /* ba,a */
};

FILLS_MAIN(cases)
