/* SPDX-License-Identifier: Apache-2.0 */
/* What functions have to do with lines of source. */
#ifndef PLUGINS_SHARED_LINE_CALLS_H
#define PLUGINS_SHARED_LINE_CALLS_H

#include <gprofx/report.h>

/* How often all functions that start on the line of a row of gprofx_report_source.line ran. */
static inline uint64_t
line_calls(const struct gprofx_report *report, uint32_t row)
{
	const struct gprofx_lists *lists = &report->source->functions;
	uint64_t calls = 0;

	for (uint32_t i = lists->first[row]; i < lists->first[row + 1]; i++)
		calls += gprofx_executions_of(report, lists->item[i]);
	return calls;
}

#endif
