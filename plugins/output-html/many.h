/* SPDX-License-Identifier: Apache-2.0 */
/* Values by profile, and by process, thread and phase, as members of the page's data. */
#ifndef OUTPUT_HTML_MANY_H
#define OUTPUT_HTML_MANY_H

#include "nodes.h"
#include "values.h"

void many_put_files(struct values *c, const struct nodes *nodes);
void many_put_slices(struct values *c, const struct nodes *nodes);

#endif
