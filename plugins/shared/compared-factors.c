/* SPDX-License-Identifier: Apache-2.0 */
#include "compared-factors.h"

static bool
has_calls(uint64_t calls)
{
	return calls != 0 && calls != GPROFX_CALLS_UNKNOWN;
}

const double *
compared_factors(struct gprofx *gx, const struct gprofx_report *report)
{
	const struct gprofx_report_comparison *comparison = report->comparison;
	double *factors;

	if (!comparison || comparison->normalization != GPROFX_NORMALIZED_BY_CALLS)
		return NULL;
	factors = gprofx_alloc(gx, ((size_t)report->functions->count + 1) * sizeof *factors);
	for (uint32_t i = 0; i < report->functions->count; i++)
		factors[i] = 1;
	for (uint32_t i = 0; i < comparison->row_count; i++) {
		const struct gprofx_compared *row = gprofx_compared_at(report, i);

		if (has_calls(row->base_calls) && has_calls(row->new_calls))
			factors[row->node] = (double)row->new_calls /
			                     comparison->new_side.run_count *
			                     comparison->base.run_count / (double)row->base_calls;
	}
	return factors;
}
