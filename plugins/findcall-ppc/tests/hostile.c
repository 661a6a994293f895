/* SPDX-License-Identifier: Apache-2.0 */
/* Code of chance is no danger. */
#include "findcall-ppc.c"

/* Branches far and near; calls and jumps through slots; addresses. */
static const struct gprofx_word_form likely[] = {
	{0xfc000001, 0x48000001}, {0xfc000001, 0x48000000}, {0xffffffc3, 0x48000001},
	{0xffffffc3, 0x4bffffc1}, {0xffffffc3, 0x48000000}, {0xffffffc3, 0x4bffffc0},
	{0xffff0000, 0x3d820000}, {0xffff0003, 0xe98c0000}, {0xffffffff, 0x7d8903a6},
	{0xfffffffe, 0x4e800420}, {0xffff0000, 0x3d600000}, {0xffff0000, 0x816b0000},
	{0xffffffff, 0x7d6903a6}, {0xfffffffe, 0x4e800420}, {0xffff0000, 0x3d820000},
	{0xffff0000, 0x386c0000}, {0xfc00e7ff, 0x4c000021}};

#define SCANNER_FORMS likely
#include "scanner.h"
