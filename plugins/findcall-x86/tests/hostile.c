/* SPDX-License-Identifier: Apache-2.0 */
/* Code of chance is no danger. */
#include "findcall-x86.c"
#include "fill.c"
#include "transfer.c"

#define SCANNER_OPTIONS struct options
#include "scanner.h"
