/* SPDX-License-Identifier: Apache-2.0 */
/* What fills up space behind functions, as assemblers and linkers put them there. */
#include "findcall-alpha.c"

#include "fills.h"

static const struct fill_case cases[] = {
	{.code = "0180fa6b 1f04ff47 0000fe2f", .stated = 0, .fill = 8},
	{.code = "0180fa6b 1f04ff47", .stated = 4, .fill = 4},
	{.code = "0000e0c3 00000000", .stated = 0, .fill = 4}, /* br */
	{.code = "000040d3 1f04ff47", .stated = 0, .fill = 0}, /* bsr returns */
	{.code = "000040d3 1f04ff47", .stated = 4, .fill = 4},
	{.code = "01041042 1f04ff47", .stated = 0, .fill = 0},
};

FILLS_MAIN(cases)
