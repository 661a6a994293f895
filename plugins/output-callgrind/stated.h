/* SPDX-License-Identifier: Apache-2.0 */
/* Blocks of functions where all costs are those that profiles state of lines and calls. */
#ifndef PLUGINS_OUTPUT_CALLGRIND_STATED_H
#define PLUGINS_OUTPUT_CALLGRIND_STATED_H

#include "lines.h"

/* Finds the totals. */
void stated_measure(struct work *w);

void stated_put(struct work *w);

#endif
