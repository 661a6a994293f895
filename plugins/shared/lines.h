/* SPDX-License-Identifier: Apache-2.0 */
/* Lines in the width of a screen: what does not fit continues below, at the start of a word. */
#ifndef PLUGINS_SHARED_LINES_H
#define PLUGINS_SHARED_LINES_H

#include <gprofx/emitter.h>

#include "kept.h"

/* A row of the table of options; the options have a member row_width, an int64_t. */
#define LINES_ROW_WIDTH                                                                       \
	{                                                                                     \
		.key = "row-width", .type = GPROFX_INT,                                       \
		.offset = offsetof(struct options, row_width), .initial = "0", .minimum = 0,  \
		.maximum = INT32_MAX,                                                         \
		.help = "width of a line in columns: wider ones continue below; 0: any width" \
	}

struct lines {
	struct kept kept;
	struct gprofx_writer *to;
	size_t width, indent;
};

/*
 * The writer for some lines, which then continue at the indent: "to" itself if the width is 0,
 * which leaves all as it is.
 */
struct gprofx_writer *lines_begin(struct lines *lines, struct gprofx *gx, struct gprofx_writer *to,
                                  size_t width, size_t indent);
/* Writes the lines. */
void lines_end(struct lines *lines);

/*
 * Writes a text without newlines, from a column on, and returns the column where it ends.  A word
 * that is wider than a line stays whole.
 */
size_t lines_put(struct gprofx_writer *w, struct gprofx_text text, size_t column, size_t indent,
                 size_t width);

#endif
