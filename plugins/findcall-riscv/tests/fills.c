/* SPDX-License-Identifier: Apache-2.0 */
/* What fills up space behind functions, by clang. */
#include "findcall-riscv.c"

#include "fills.h"

static const struct fill_case cases[] = {
	{.code = "0525 8280 1300000013000000", .stated = 0, .fill = 8},
	{.code = "0525 8280 0100 13000000", .stated = 6, .fill = 6},
	{.code = "17030000 67000300 13000000", .stated = 0, .fill = 4}, /* jr */
	{.code = "97000000 e7800000 0100", .stated = 0, .fill = 0},     /* jalr returns */
	{.code = "97000000 e7800000 0100", .stated = 2, .fill = 2},
	{.code = "01a0 0000", .stated = 0, .fill = 2},     /* c.j */
	{.code = "6ff0dfff 0100", .stated = 0, .fill = 2}, /* j */
	{.code = "0525 0100", .stated = 0, .fill = 0},
	{.code = "0525 13000000", .stated = 4, .fill = 0},
	{.code = "0290 0100", .stated = 0, .fill = 2}, /* c.ebreak */
};

FILLS_MAIN(cases)
