/* SPDX-License-Identifier: Apache-2.0 */
/* Statistics by process, thread or phase, from the values of slices. */
#ifndef ENGINE_STATISTICS_SLICE_TABLES_H
#define ENGINE_STATISTICS_SLICE_TABLES_H

#include "base/run.h"
#include "report/model.h"
#include "select/filters.h"

/*
 * Gives a part of the report its tables: one for each of its kinds that the profile has ("found"),
 * of the report's functions that are selected for the flat profile.  The columns of the report are
 * made.
 */
void slice_tables_make(struct run *run, struct gprofx_report_slices *part, uint32_t found,
                       const struct report_parts *parts, const struct filters *filters);

#endif
