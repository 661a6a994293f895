/* SPDX-License-Identifier: Apache-2.0 */
/* What is said with numbers of calls that threads can have made too low. */
#ifndef PLUGINS_SHARED_THREADS_H
#define PLUGINS_SHARED_THREADS_H

#include <gprofx/report.h>

/*
 * A sentence, or NULL: there is nothing to say, or tables are to be as gprof's, with none of the
 * corrections.  Needs GPROFX_PART_FINDINGS.
 */
static inline const char *
threads_note(const struct gprofx_report *report)
{
	return report->findings->can_start_threads && report->compatibility->corrections != 0
	               ? "Calls are lower bounds if several threads ran: this program can start "
	                 "threads."
	               : NULL;
}

#endif
