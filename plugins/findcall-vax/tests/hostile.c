/* SPDX-License-Identifier: Apache-2.0 */
/* Code of chance is no danger. */
#include "findcall-vax.c"

static void *
scanner_options(void)
{
	return NULL;
}

#include "scanner.h"
