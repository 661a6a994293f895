/* SPDX-License-Identifier: Apache-2.0 */
/* The rows of a comparison, and what can be said of them. */
#ifndef ENGINE_COMPARE_ROWS_H
#define ENGINE_COMPARE_ROWS_H

#include "base/run.h"
#include "compare/match.h"
#include "compare/values.h"

/* What rows are made from. */
struct compare_rows_input {
	struct compare_values base, new_side;
	struct compare_matches matches;
	uint32_t normalization;
	/* Per function of the base that has no partner and a row: its node in the report. */
	uint32_t *node_of_base;
	const uint8_t
		*is_needed;  /* per function of the base: it gets a node in any case; or NULL */
	uint32_t node_count; /* of the report */
};

/*
 * Gives functions that only the base has, and that have time or calls or are needed, nodes behind
 * those of the new side.
 */
void compare_number_nodes(struct run *run, struct compare_rows_input *input);

/* Makes the rows in their order, the total, and the numbers of both sides; returns the rows. */
struct gprofx_compared *compare_make_rows(struct run *run, const struct compare_rows_input *input,
                                          struct gprofx_report_comparison *comparison);

#endif
