/* SPDX-License-Identifier: Apache-2.0 */
/* What only fills up space between functions. */
#ifndef FINDCALL_X86_FILL_H
#define FINDCALL_X86_FILL_H

#include <gprofx/code.h>

/* See gprofx_findcall.fill. */
uint64_t fill_at_end(const struct gprofx_code *code, uint64_t stated);

#endif
