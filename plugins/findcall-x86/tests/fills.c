/* SPDX-License-Identifier: Apache-2.0 */
/* What fills up space behind functions, by gcc, clang and linkers. */
#include "fill.c"

#include "findcall-x86.c"

#include "transfer.c"

#include "fills.h"

static const struct fill_case cases[] = {
	{.code = "01c0 c3 6690", .stated = 0, .fill = 2, .machine = 1},
	{.code = "01c0 c3 cccccccc", .stated = 0, .fill = 4, .machine = 1},
	{.code = "c3 662e0f1f840000000000 0f1f00", .stated = 0, .fill = 13, .machine = 1},
	{.code = "c3 662e0f1f840000000000 0f1f00", .stated = 13, .fill = 13, .machine = 1},
	{.code = "ff25 00000000 90", .stated = 0, .fill = 1, .machine = 1}, /* jmp */
	{.code = "e900000000 90", .stated = 0, .fill = 1, .machine = 1},    /* jmp */
	{.code = "e800000000 90", .stated = 0, .fill = 0, .machine = 1},    /* call returns */
	{.code = "e800000000 90", .stated = 1, .fill = 1, .machine = 1},
	{.code = "01c0 6690", .stated = 0, .fill = 0, .machine = 1},
	{.code = "01c0 6690", .stated = 2, .fill = 0, .machine = 1},
	{.code = "c3 8db600000000", .stated = 0, .fill = 6},
	{.code = "0f0b 90", .stated = 0, .fill = 1, .machine = 1}, /* ud2 */
};

FILLS_MAIN(cases)
