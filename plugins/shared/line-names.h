/* SPDX-License-Identifier: Apache-2.0 */
/* Names of lines of source, "f (f.c:3 @ 4010) inlined into g (g.c:7)", in the width of a screen. */
#ifndef PLUGINS_SHARED_LINE_NAMES_H
#define PLUGINS_SHARED_LINE_NAMES_H

#include <gprofx/emitter.h>

/* Room for one name after the other.  Set the first two members, the others are zero. */
struct line_names {
	struct gprofx *gx;
	bool drops_addresses; /* of names that are too wide */
	bool left_out;        /* some names lack inlined calls */
	char *text;
	size_t room;
};

/*
 * The name with the last of several inlined calls only, that by the function that has the code;
 * "..." stands for the others.  It is good up to the next call.
 */
struct gprofx_text line_names_ends(struct line_names *names, struct gprofx_text name);

/* Says what "..." stands for, if it was in a name. */
void line_names_explain(const struct line_names *names, struct gprofx_writer *w);

/*
 * Writes such a name, as the last text of a row, from a column on.  If it would pass the width, 0:
 * none, it can lose its address.  If that is not enough, calls are on rows of their own, with
 * blanks before them.
 */
void line_names_put(struct line_names *names, struct gprofx_writer *w, struct gprofx_text name,
                    size_t column, size_t width);

#endif
