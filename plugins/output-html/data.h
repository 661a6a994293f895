/* SPDX-License-Identifier: Apache-2.0 */
/* The data of the page, in the form that data.md describes. */
#ifndef OUTPUT_HTML_DATA_H
#define OUTPUT_HTML_DATA_H

#include <gprofx/emitter.h>

#include "many.h"
#include "nodes.h"
#include "parts.h"
#include "source.h"

void data_put(struct gprofx_writer *w, const struct nodes *nodes, struct parts *parts,
              struct source *source, const struct many *many);

#endif
