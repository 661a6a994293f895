/* SPDX-License-Identifier: Apache-2.0 */
/* Code of chance is no danger. */
#include "findcall-x86.c"
#include "transfer.c"

static const void *
scanner_options(uint32_t kind)
{
	static const struct options all = {{true, true, true, true}, .verify = true}, none = {0};

	return kind & 2 ? &none : &all;
}

#include "scanner.h"
