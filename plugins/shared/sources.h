/* SPDX-License-Identifier: Apache-2.0 */
/* Which profiles the columns of a table are from, where times and calls are of different ones. */
#ifndef PLUGINS_SHARED_SOURCES_H
#define PLUGINS_SHARED_SOURCES_H

#include <string.h>

#include <gprofx/emitter.h>

/*
 * Whether no profile has both the times and the calls of a report that has both.  Samples that are
 * not of stacks are of the counters' own kind of file, which can have either.
 */
static inline bool
sources_differ(const struct gprofx_report *report)
{
	const struct gprofx_report_origin *origin = report->origin;
	const struct gprofx_metric *metric = origin->metrics;

	if (!gprofx_is_measured(report) || metric->file_count == 0 || origin->call_file_count == 0)
		return false;
	for (uint32_t i = 0; i < metric->file_count; i++)
		for (uint32_t k = 0; k < origin->call_file_count; k++)
			if (strcmp(metric->files[i], origin->call_files[k]) == 0)
				return false;
	return true;
}

/* "gmon.out"; "gmon.1 and gmon.2"; "gmon.1, gmon.2 and 3 others". */
static inline void
sources_put(struct gprofx_writer *w, const char *const *names, uint32_t count)
{
	gprofx_puts(w, names[0]);
	if (count > 1)
		gprofx_out(w, count == 2 ? " and %s" : ", %s", names[1]);
	if (count > 2)
		gprofx_out(w, " and %u other%s", count - 2, count == 3 ? "" : "s");
}

/* "Times are from a.perf, calls from gmon.out"; or "times". */
static inline void
sources_put_both(const struct gprofx_report *report, struct gprofx_writer *w, bool is_sentence)
{
	const struct gprofx_report_origin *origin = report->origin;
	bool are_times = strcmp(origin->metrics->unit, "seconds") == 0;

	gprofx_puts(w, are_times     ? is_sentence ? "Times" : "times"
	               : is_sentence ? "Values"
	                             : "values");
	gprofx_puts(w, " are from ");
	sources_put(w, origin->metrics->files, origin->metrics->file_count);
	gprofx_puts(w, ", calls from ");
	sources_put(w, origin->call_files, origin->call_file_count);
}

#endif
