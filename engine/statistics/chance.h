/* SPDX-License-Identifier: Apache-2.0 */
/* Which files, threads or the like have more or less of a function than chance explains. */
#ifndef ENGINE_STATISTICS_CHANCE_H
#define ENGINE_STATISTICS_CHANCE_H

#include "base/run.h"
#include "report/model.h"

/* What is known of the error of values. */
struct chance_basis {
	const struct gprofx_column *column; /* of all files together */
	bool is_exact;                      /* events that were counted: they have no error */
};

/* Of the first metric of the first run. */
static inline struct chance_basis
chance_basis_of(const struct report_parts *parts)
{
	return (struct chance_basis){parts->graph.columns,
	                             parts->origin.metrics->kind == GPROFX_COUNTED};
}

/* Rows of a table of statistics that is complete but for what chance explains. */
struct chance_rows {
	struct gprofx_function_spread *row;
	uint32_t count;
	uint32_t files;
	/* Values as in struct gprofx_report_files; value_first is NULL: they are not known. */
	const uint32_t *value_first;
	const struct gprofx_file_value *value;
};

/* Sets the verdicts of all rows together. */
void
chance_judge(struct run *run, const struct chance_basis *basis, const struct chance_rows *rows);

#endif
