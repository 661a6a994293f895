/* SPDX-License-Identifier: Apache-2.0 */
/* Code of chance is no danger. */
#include "findcall-mips.c"

/* How functions begin; calls and jumps through slots; addresses; branches far and near. */
static const struct gprofx_word_form likely[] = {
	{0xffff0000, 0x3c1c0000}, {0xffff0000, 0x279c0000}, {0xffff0000, 0x8f990000},
	{0xffffffff, 0x0320f809}, {0xffffffff, 0x00000000}, {0xffff0000, 0xdf990000},
	{0xfffffff0, 0x10400000}, {0xffffffff, 0x03200008}, {0xffff0000, 0x3c020000},
	{0xffff0000, 0x24420000}, {0xfc000000, 0x0c000000}, {0xfc000000, 0x08000000},
	{0xffff0000, 0x04110000}, {0xffffffe0, 0x04110000}, {0xffffffe0, 0x0411ffe0},
	{0xffffffe0, 0x10000000}, {0xffffffe0, 0x1000ffe0}, {0xfc000000, 0x74000000},
	{0xdc000000, 0xc8000000}, {0xffe00000, 0xf8000000}};

#define SCANNER_FORMS likely
#include "scanner.h"
