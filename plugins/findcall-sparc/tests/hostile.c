/* SPDX-License-Identifier: Apache-2.0 */
/* Code of chance is no danger. */
#include "findcall-sparc.c"

/* Calls and jumps far and near; what fills places behind jumps; addresses. */
static const struct gprofx_word_form likely[] = {
	{0xc0000000, 0x40000000}, {0xffffffe0, 0x40000000}, {0xffffffe0, 0x7fffffe0},
	{0xffc00000, 0x10800000}, {0xffffffe0, 0x10800000}, {0xffffffe0, 0x10bfffe0},
	{0xfff80000, 0x10680000}, {0xffffffe0, 0x10680000}, {0xfffffffc, 0x30800000},
	{0xffffffff, 0x01000000}, {0xffffffff, 0x01000000}, {0xfffffffc, 0x30680000},
	{0xffffffff, 0x01000000}, {0xffc00000, 0x03000000}, {0xfffff000, 0x90106000},
	{0xfff82000, 0x9fc02000}};

#define SCANNER_FORMS likely
#include "scanner.h"
