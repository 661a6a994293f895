/* SPDX-License-Identifier: Apache-2.0 */
/* Runs dot of Graphviz, which draws. */
#ifndef OUTPUT_SVG_DRAW_H
#define OUTPUT_SVG_DRAW_H

#include <gprofx/emitter.h>

/*
 * Has a graph drawn as SVG, within this number of seconds, and writes the picture: all of it, or
 * nothing.
 */
enum gprofx_result
draw(struct gprofx *gx, struct gprofx_text graph, int64_t seconds, struct gprofx_writer *writer);

#endif
