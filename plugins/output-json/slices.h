/* SPDX-License-Identifier: Apache-2.0 */
/* Statistics by process, thread and phase. */
#ifndef OUTPUT_JSON_SLICES_H
#define OUTPUT_JSON_SLICES_H

#include "document.h"

/* Members of the document: two lists for each kind, if there are any. */
void slices_put(struct document *d);

#endif
