/* SPDX-License-Identifier: Apache-2.0 */
/* What fills up space behind functions, by clang, those of MIPS16 by hand. */
#include "findcall-mips.c"

#include "fills.h"

static const struct fill_case cases[] = {
	{.code = "03e00008 24820001 00000000 00000000", .stated = 0, .fill = 8, .big_endian = true},
	{.code = "0800e003 01008224 00000000", .stated = 4, .fill = 4},
	{.code = "03e00008 00000000 00000000",
         .stated = 0,
         .fill = 4,
         .big_endian = true}, /* the slot is executed */
	{.code = "03e00008 00000000 00000000",
         .stated = 8,
         .fill = 0,
         .big_endian = true}, /* so this size is wrong */
	{.code = "0320f809 00000000 00000000",
         .stated = 0,
         .fill = 0,
         .big_endian = true}, /* jalr returns */
	{.code = "0320f809 00000000 00000000", .stated = 4, .fill = 4, .big_endian = true},
	{.code = "1000fffe 00000000 00000000", .stated = 0, .fill = 4, .big_endian = true}, /* b */
	{.code = "03e00009 24820001 00000000",
         .stated = 0,
         .fill = 4,
         .big_endian = true,
         .machine_flags = 0x90000000},
	{.code = "0059e021 8f990000 f8190000 00000000",
         .stated = 4,
         .fill = 4,
         .big_endian = true,
         .machine_flags = 0x90000000}, /* jialc */
	{.code = "24820001 00000000 00000000", .stated = 0, .fill = 0, .big_endian = true},
	{.code = "6d40 45bf 0000 0000",
         .stated = 0,
         .fill = 4,
         .big_endian = true,
         .machine_flags = EF_MIPS_MICROMIPS},
	{.code = "ff22 0000 0f82 45d9 0000 0000 0000",
         .stated = 2,
         .fill = 2,
         .big_endian = true,
         .machine_flags = EF_MIPS_MICROMIPS}, /* jalr */
	{.code = "e820 6500 6500",
         .stated = 0,
         .fill = 2,
         .big_endian = true,
         .machine_flags = EF_MIPS_MIPS16},
	{.code = "e8a0 6500",
         .stated = 0,
         .fill = 2,
         .big_endian = true,
         .machine_flags = EF_MIPS_MIPS16},
};

FILLS_MAIN(cases)
