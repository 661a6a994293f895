/* SPDX-License-Identifier: Apache-2.0 */
/* Code of chance is no danger. */
#include "findcall-arm.c"

/* Branches far and near; calls through registers; addresses. */
static const struct gprofx_word_form likely[] = {
	{0xff000000, 0xeb000000}, {0xff000000, 0xea000000}, {0xffffffe0, 0xeb000000},
	{0xffffffe0, 0xebffffe0}, {0xffffffe0, 0xea000000}, {0xffffffe0, 0xeaffffe0},
	{0xfe000000, 0xfa000000}, {0xfffffff0, 0xe12fff30}, {0xfff0f000, 0xe3000000},
	{0xfff0f000, 0xe3400000}, {0xffffffe0, 0xe59f0000}};

#define SCANNER_FORMS likely
#include "scanner.h"
