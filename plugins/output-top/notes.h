/* SPDX-License-Identifier: Apache-2.0 */
/* What explains the columns of the table, or that they are not there. */
#ifndef OUTPUT_TOP_NOTES_H
#define OUTPUT_TOP_NOTES_H

#include <stdint.h>

#include "page.h"
#include "table.h"

/* Lines below the table that shows the first "count" functions. */
void notes_put(struct page *page, const struct table *table, uint32_t count);

#endif
