/* SPDX-License-Identifier: Apache-2.0 */
#ifndef OUTPUT_JSON_COMPARISON_H
#define OUTPUT_JSON_COMPARISON_H

#include <gprofx/plugin.h>

#include "document.h"

/* Writes a comparison, in the form that gprofx-comparison.schema.json describes. */
void comparison_put(struct gprofx *gx, struct document *d);

#endif
