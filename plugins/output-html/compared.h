/* SPDX-License-Identifier: Apache-2.0 */
/* The page of a comparison. */
#ifndef OUTPUT_HTML_COMPARED_H
#define OUTPUT_HTML_COMPARED_H

#include <gprofx/emitter.h>

#include "nodes.h"
#include "prose.h"

/* Writes the page of a report with a comparison. */
void
html_compared_put(struct gprofx *gx, const struct gprofx_report *report, struct gprofx_writer *w);

/* Its data, in the form that data.md describes. */
void html_compared_put_data(struct gprofx_writer *w, const struct nodes *nodes);

/* How the figures were obtained: items of a list. */
void html_compared_put_method(struct prose *p);

#endif
