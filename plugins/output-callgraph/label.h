/* SPDX-License-Identifier: Apache-2.0 */
/* The numbers of entries in brackets. */
#ifndef OUTPUT_CALLGRAPH_LABEL_H
#define OUTPUT_CALLGRAPH_LABEL_H

#include <gprofx/emitter.h>

enum { LABEL_ROOM = 16, LABEL_SHOWN = 6 };

/* Whether a number that is longer than its column is not cut. */
static inline bool
label_is_whole(const struct gprofx_report *r)
{
	return (r->compatibility->corrections & GPROFX_CORRECT_WIDE_INDEX) != 0;
}

/* The number of an entry between brackets, as text; returns its length. */
static inline size_t
label_make(char *label, const char *brackets, uint32_t index)
{
	size_t length = 0;

	label[length++] = brackets[0];
	for (uint32_t unit = 1000000000; unit > 0; unit /= 10)
		if (index >= unit)
			label[length++] = (char)('0' + index / unit % 10);
	label[length++] = brackets[1];
	return length;
}

#endif
