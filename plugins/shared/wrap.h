/* SPDX-License-Identifier: Apache-2.0 */
/* Texts that explain a table, in the width of a screen. */
#ifndef PLUGINS_SHARED_WRAP_H
#define PLUGINS_SHARED_WRAP_H

#include <gprofx/emitter.h>

#include "kept.h"

struct wrap {
	struct kept kept;
	struct gprofx_writer *to;
	size_t width;
};

/* The writer to put the text into: "to" itself if the width is 0, which leaves all as it is. */
struct gprofx_writer *
wrap_begin(struct wrap *wrap, struct gprofx *gx, struct gprofx_writer *to, size_t width);

/*
 * Writes the text.  Paragraphs with a line that is too wide are filled anew; those that begin with
 * a blank have a word before a column of text, in which further lines begin; with
 * two, they are rows of figures, which stay as they are.  Words stay whole.
 */
void wrap_end(struct wrap *wrap);

#endif
