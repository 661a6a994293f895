/* SPDX-License-Identifier: Apache-2.0 */
#ifndef PLUGINS_OUTPUT_CSV_COMPARED_H
#define PLUGINS_OUTPUT_CSV_COMPARED_H

#include "sheet.h"

/* The functions of a comparison, its arcs, and its lines of source. */
void compared_put(struct sheet *s);
void compared_put_arcs(struct sheet *s);
void compared_put_lines(struct sheet *s);

#endif
