/* SPDX-License-Identifier: Apache-2.0 */
/* The line of a heading that says how many bytes of code share a counter, and what a sample is. */
#ifndef PLUGINS_SHARED_GRANULARITY_H
#define PLUGINS_SHARED_GRANULARITY_H

#include <float.h>

#include <gprofx/emitter.h>

#include "costed.h"
#include "sources.h"

/*
 * "total" in ticks, "unit" what gprof calls the unit of time.  Without a positive total the line is
 * left open for what there is to say instead.
 */
static inline void
put_granularity(const struct gprofx_report *report, struct gprofx_writer *w, double total,
                const char *unit)
{
	const double LEAST_READABLE = 0.005; /* less is 0.00 */
	bool is_corrected = (report->compatibility->corrections & GPROFX_CORRECT_GRANULARITY) != 0;
	double time = total / report->origin->metrics->ticks_per_unit;

	if (costed_calls(report)) {
		gprofx_out(
			w,
			"\n"
			"measured: total costs are those of calls as a whole, %.2f %s in all; of a "
			"call, \"self\" is estimated\n"
			"\n",
			time, report->origin->metrics->unit);
		return;
	}
	if (gprofx_is_measured(report)) {
		gprofx_out(
			w,
			gprofx_is_clocked(report)
				? "\n"
				  "measured: times are by a clock, at entry and exit of functions, "
				  "%.2f %s in all\n"
				  "\n"
				: "\n"
				  "measured: total times are those of call stacks, %.2f %s in all\n"
				  "\n",
			time, report->origin->metrics->unit);
		if (sources_differ(report)) {
			sources_put_both(report, w, false);
			gprofx_puts(w, "\n\n");
		}
		return;
	}
	gprofx_puts(w, "\ngranularity: each sample hit covers ");
	if (report->compatibility->corrections & GPROFX_CORRECT_GRAPH_UNIT) {
		/* A histogram that says nothing has a width that is no number, or infinite. */
		bool is_known = report->compatibility->bin_width >= 0 &&
		                report->compatibility->bin_width <= DBL_MAX;
		double bytes = is_known ? report->compatibility->bin_width * 2 : 0;

		/* Three digits, but no exponent where there are more of them. */
		gprofx_out(w, bytes < 100 ? "%.3g" : "%.0f", bytes);
		unit = report->origin->metrics->unit;
	} else {
		gprofx_out(w, "%ld", gprofx_bin_bytes(report));
	}
	gprofx_puts(w, " byte(s)");
	if (!(total > 0))
		return;
	if (is_corrected && total < 1)
		gprofx_out(w, "; less than one sample is shown, %.3g %s\n\n", time, unit);
	else
		gprofx_out(w,
		           is_corrected && time < LEAST_READABLE ? " for %.2f%% of %.3g %s\n\n"
		                                                 : " for %.2f%% of %.2f %s\n\n",
		           100.0 / total, time, unit);
}

#endif
