/* SPDX-License-Identifier: Apache-2.0 */
/* Names of lines of source, "f (f.c:3 @ 4010) inlined into g (g.c:7)", in the width of a screen. */
#ifndef PLUGINS_SHARED_LINE_NAMES_H
#define PLUGINS_SHARED_LINE_NAMES_H

#include <gprofx/emitter.h>

/* Room for one name after the other; zero but for gx. */
struct line_names {
	struct gprofx *gx;
	char *text;
	size_t room;
};

/*
 * Writes a name that is the last text of a row, from a column on.  If it would pass the width, it
 * loses its address, then all but the last of several inlined calls, for which an ellipsis stands.
 * If that is not enough, calls are on rows of their own, with blanks before them.
 */
void line_names_put(struct line_names *names, struct gprofx_writer *w, struct gprofx_text name,
                    size_t column, size_t width);

#endif
