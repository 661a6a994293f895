/* SPDX-License-Identifier: Apache-2.0 */
/* The order in which symbol providers state where code is. */
#ifndef SHARED_CODE_RANGES_H
#define SHARED_CODE_RANGES_H

#include <stdlib.h>

#include <gprofx/symbols.h>

static inline int
compare_code_ranges(const void *a, const void *b)
{
	const struct gprofx_code_range *x = a, *y = b;

	if (x->address != y->address)
		return x->address < y->address ? -1 : 1;
	return x->file_offset < y->file_offset ? -1 : x->file_offset > y->file_offset;
}

/* By address, equal ones by their place in the file. */
static inline void
sort_code_ranges(struct gprofx_code_range *ranges, size_t count)
{
	qsort(ranges, count, sizeof *ranges, compare_code_ranges);
}

#endif
