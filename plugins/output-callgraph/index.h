/* SPDX-License-Identifier: Apache-2.0 */
/* The index of functions. */
#ifndef OUTPUT_CALLGRAPH_INDEX_H
#define OUTPUT_CALLGRAPH_INDEX_H

#include <gprofx/emitter.h>

#include "../shared/line-names.h"
#include "../shared/names.h"

/*
 * Writes it in three columns of lines of so many characters; in fewer ones where items would pass
 * the width of a row, if that is not 0.
 */
void
index_put(const struct gprofx_report *report, struct gprofx_writer *writer, struct names *names,
          struct line_names *line_names, size_t line_width, size_t row_width);

#endif
