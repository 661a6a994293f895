/* SPDX-License-Identifier: Apache-2.0 */
/* What fills up space behind functions, by clang. */
#include "findcall-aarch64.c"

#include "fills.h"

static const struct fill_case cases[] = {
	{.code = "00040011 c0035fd6 1f2003d5", .stated = 0, .fill = 4},
	{.code = "fd7bc1a8 c0035fd6 1f2003d5", .stated = 4, .fill = 4},
	{.code = "00000014 00000000", .stated = 0, .fill = 4}, /* b */
	{.code = "00000094 1f2003d5", .stated = 0, .fill = 0}, /* bl returns */
	{.code = "00000094 1f2003d5", .stated = 4, .fill = 4},
	{.code = "00040011 1f2003d5", .stated = 0, .fill = 0},
	{.code = "200020d4 1f2003d5", .stated = 0, .fill = 4}, /* brk */
};

FILLS_MAIN(cases)
