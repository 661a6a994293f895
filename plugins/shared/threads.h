/* SPDX-License-Identifier: Apache-2.0 */
/* What is said with numbers of calls that threads can have made too low. */
#ifndef PLUGINS_SHARED_THREADS_H
#define PLUGINS_SHARED_THREADS_H

#include <string.h>

#include <gprofx/report.h>

/* Whether threads lost calls: what was counted in the source shows it. */
static inline bool
threads_lost_calls(const struct gprofx_report *report)
{
	for (uint32_t i = 0; i < report->findings->count; i++)
		if (strcmp(gprofx_finding_at(report, i)->id, "calls.threads") == 0)
			return true;
	return false;
}

/*
 * A sentence, or NULL: there is nothing to say, or tables are to be as gprof's, with none of the
 * corrections.  Needs GPROFX_PART_FINDINGS.
 */
static inline const char *
threads_note(const struct gprofx_report *report)
{
	if (!report->findings->can_start_threads || report->compatibility->corrections == 0)
		return NULL;
	return threads_lost_calls(report)
	               ? "Calls are lower bounds: threads lost some of them."
	               : "Calls are lower bounds if several threads ran: this program can start "
	                 "threads.";
}

#endif
