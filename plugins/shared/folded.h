/* SPDX-License-Identifier: Apache-2.0 */
/* Names at the end of rows, in the width of a screen. */
#ifndef PLUGINS_SHARED_FOLDED_H
#define PLUGINS_SHARED_FOLDED_H

#include <gprofx/emitter.h>

/*
 * Writes a name that is the last text of a row, from a column on.  Words that would pass the width
 * go to further lines, with blanks before them; 0: all of them stay.
 */
void folded_put(struct gprofx_writer *w, struct gprofx_text name, size_t column, size_t width);

#endif
