/* SPDX-License-Identifier: Apache-2.0 */
/* What fills up space behind functions, by clang. */
#include "findcall-s390x.c"

#include "fills.h"

static const struct fill_case cases[] = {
	{.code = "a72a0001 b9140022 07fe 0707 0707 0707",
         .stated = 0,
         .fill = 6,
         .big_endian = true},
	{.code = "ebeff1100004 07fe 0707", .stated = 2, .fill = 2, .big_endian = true},
	{.code = "c0f400000000 0707", .stated = 0, .fill = 2, .big_endian = true},      /* jg */
	{.code = "a7f4fffe 47000000 0700", .stated = 0, .fill = 6, .big_endian = true}, /* j */
	{.code = "07fe c00400000000 0707", .stated = 0, .fill = 8, .big_endian = true},
	{.code = "a7fbff60 c0e500000000 0707",
         .stated = 0,
         .fill = 0,
         .big_endian = true}, /* brasl returns */
	{.code = "a7fbff60 c0e500000000 0707", .stated = 2, .fill = 2, .big_endian = true},
	{.code = "a72a0001 0707", .stated = 0, .fill = 0, .big_endian = true},
};

FILLS_MAIN(cases)
