/* SPDX-License-Identifier: Apache-2.0 */
/* Names at the end of rows, in the width of a screen. */
#ifndef PLUGINS_SHARED_FOLDED_H
#define PLUGINS_SHARED_FOLDED_H

#include <gprofx/emitter.h>

/* folded_put() for a width that is not 0. */
void folded_wrap(struct gprofx_writer *w, struct gprofx_text name, size_t column, size_t width);

/*
 * Writes a name that is the last text of a row, from a column on.  Words that would pass the width
 * go to further lines, with blanks before them; 0: all of them stay.
 */
static inline void
folded_put(struct gprofx_writer *w, struct gprofx_text name, size_t column, size_t width)
{
	if (width == 0)
		gprofx_put(w, name.bytes, name.length);
	else
		folded_wrap(w, name, column, width);
}

#endif
