/* SPDX-License-Identifier: Apache-2.0 */
/* Counts of basic blocks, as counts of the lines that they are on. */
#ifndef OUTPUT_LCOV_BLOCKS_H
#define OUTPUT_LCOV_BLOCKS_H

#include <gprofx/report.h>

#include "record.h"

/* Writes the files of which blocks were counted.  Returns how many there are. */
uint32_t blocks_write(struct record *record, const struct gprofx_report *report);

#endif
