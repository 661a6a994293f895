/* SPDX-License-Identifier: Apache-2.0 */
/* Code of chance is no danger. */
#include "findcall-aarch64.c"

/* Branches far and near; calls and jumps through slots; addresses. */
static const struct gprofx_word_form likely[] = {
	{0xfc000000, 0x94000000}, {0xfc000000, 0x14000000}, {0xffffffe0, 0x94000000},
	{0xffffffe0, 0x97ffffe0}, {0xffffffe0, 0x14000000}, {0xffffffe0, 0x17ffffe0},
	{0x9f00001f, 0x90000010}, {0xffc003ff, 0xf9400211}, {0xffffffff, 0xd63f0220},
	{0x9f00001f, 0x90000010}, {0xffc003ff, 0xb9400211}, {0xffffffff, 0xd61f0220},
	{0x9f00001f, 0x90000010}, {0xff8003ff, 0x91000200}, {0x9f000000, 0x10000000},
	{0xfffff81f, 0xd63f081f}};

#define SCANNER_FORMS likely
#include "scanner.h"
