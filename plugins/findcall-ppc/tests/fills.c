/* SPDX-License-Identifier: Apache-2.0 */
/* What fills up space behind functions, by clang; behind the code it says how to unwind. */
#include "findcall-ppc.c"

#include "fills.h"

static const struct fill_case cases[] = {
	{.code = "38630001 4e800020 60000000", .stated = 0, .fill = 4, .big_endian = true},
	{.code = "2000804e 00000000 00000000 00000060", .stated = 0, .fill = 12},
	{.code = "4bfffffc 60000000", .stated = 4, .fill = 4, .big_endian = true}, /* b */
	{.code = "48000001 60000000", .stated = 0, .fill = 0, .big_endian = true}, /* bl returns */
	{.code = "48000001 60000000", .stated = 4, .fill = 4, .big_endian = true},
	{.code = "38630001 60000000", .stated = 0, .fill = 0, .big_endian = true},
	{.code = "7fe00008 60000000", .stated = 0, .fill = 4, .big_endian = true}, /* trap */
};

FILLS_MAIN(cases)
