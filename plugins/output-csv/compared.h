/* SPDX-License-Identifier: Apache-2.0 */
#ifndef PLUGINS_OUTPUT_CSV_COMPARED_H
#define PLUGINS_OUTPUT_CSV_COMPARED_H

#include "sheet.h"

/* The functions of a comparison, and its arcs. */
void compared_put(struct sheet *s);
void compared_put_arcs(struct sheet *s);

#endif
