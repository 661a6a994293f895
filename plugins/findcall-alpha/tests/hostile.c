/* SPDX-License-Identifier: Apache-2.0 */
/* Code of chance is no danger. */
#include "findcall-alpha.c"

/* How functions begin; calls and jumps through slots; addresses; branches far and near. */
static const struct gprofx_word_form likely[] = {
	{0xffff0000, 0x27bb0000}, {0xffff0000, 0x23bd0000}, {0xffff0000, 0xa77d0000},
	{0xffffffff, 0x6b5b4000}, {0xffff0000, 0xa77d0000}, {0xffffffff, 0x6bfb0000},
	{0xffff0000, 0x243d0000}, {0xffff0000, 0x20210000}, {0xffff0000, 0x203d0000},
	{0xfc000000, 0xd0000000}, {0xffe00000, 0xc3e00000}, {0xffffffe0, 0xd3400000},
	{0xffffffe0, 0xd35fffe0}, {0xffffffe0, 0xc3e00000}, {0xffffffe0, 0xc3ffffe0}};

#define SCANNER_FORMS likely
#include "scanner.h"
