/* SPDX-License-Identifier: Apache-2.0 */
/* Inlined subroutines, which have no row: their time is that of what they were inlined into. */
#ifndef OUTPUT_TOP_COPIES_H
#define OUTPUT_TOP_COPIES_H

#include "page.h"
#include "table.h"

/*
 * "inlined in job: find 59.4 %, hash 6.2 %": the heaviest ones, in one line if names are not
 * very long; NULL: none has much time.  Shares are of the time that was sampled.
 */
const char *copies_text(struct page *page, const struct table *table);

#endif
