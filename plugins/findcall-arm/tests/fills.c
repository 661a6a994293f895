/* SPDX-License-Identifier: Apache-2.0 */
/* What fills up space behind functions, by clang for ARM; those of gcc for Thumb. */
#include "findcall-arm.c"

#include "fills.h"

static const struct fill_case cases[] = {
	{.code = "010080e2 1eff2fe1 00f020e3 00f020e3", .stated = 0, .fill = 8},
	{.code = "010080e2 1eff2fe1 00f020e3 00f020e3", .stated = 8, .fill = 8},
	{.code = "feffffeb 010080e2 0088bde8 00f020e3", .stated = 0, .fill = 4}, /* pop */
	{.code = "feffffea 0000a0e1", .stated = 0, .fill = 4},                   /* b */
	{.code = "04f09de4 00000000", .stated = 0, .fill = 4},                   /* ldr */
	{.code = "feffffeb 00f020e3", .stated = 0, .fill = 0},                   /* bl returns */
	{.code = "feffffeb 00f020e3", .stated = 4, .fill = 4},                   /* or does not */
	{.code = "010080e2 00f020e3", .stated = 0, .fill = 0},                   /* falls through */
	{.code = "010080e2 00f020e3", .stated = 4, .fill = 0}, /* whatever its size is */
	{.code = "7047 00bf", .stated = 0, .fill = 2},         /* Thumb */
	{.code = "80bd 00bf c046", .stated = 0, .fill = 4},
	{.code = "00f0 01b8 aff30080", .stated = 0, .fill = 4}, /* b.w */
	{.code = "bde8 8080 0000", .stated = 0, .fill = 2},     /* pop.w */
	{.code = "00f0 01f8 00bf", .stated = 0, .fill = 0},     /* bl returns */
	{.code = "00f0 01f8 00bf", .stated = 2, .fill = 2},
	{.code = "0130 00bf", .stated = 0, .fill = 0},
	{.code = "e12fff1e e320f000", .stated = 0, .fill = 4, .big_endian = true},
};

FILLS_MAIN(cases)
