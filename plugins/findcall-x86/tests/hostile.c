/* SPDX-License-Identifier: Apache-2.0 */
/* Code of chance is no danger. */
#include "findcall-x86.c"

static void *
scanner_options(void)
{
	static struct options options = {.verify = true, .tail_calls = true};

	return &options;
}

#include "scanner.h"
