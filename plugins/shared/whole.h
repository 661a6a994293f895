/* SPDX-License-Identifier: Apache-2.0 */
/* What shares of a table refer to, where the table does not have all of it. */
#ifndef PLUGINS_SHARED_WHOLE_H
#define PLUGINS_SHARED_WHOLE_H

#include <gprofx/emitter.h>

/*
 * Ticks that tables without a selection show: of stacks, which have no account where they are all
 * that there is, those of all functions.  0: not known.  Needs GPROFX_PART_GRAPH or
 * GPROFX_PART_FLAT, and GPROFX_PART_FINDINGS.
 */
static inline double
whole_ticks(const struct gprofx_report *report)
{
	const struct gprofx_account *account = report->findings->account;
	double ticks = 0;

	if (account)
		return account->shown.ticks + account->outside.ticks + account->excluded.ticks;
	for (uint32_t i = 0; gprofx_is_measured(report) && i < report->functions->count; i++)
		ticks += gprofx_self_of(report, i);
	return ticks;
}

/* Whether shares of "total" ticks are of less than all. */
static inline bool
whole_is_more(double whole, double total)
{
	const double PART = 1e-6;

	return total > 0 && whole - total > PART * whole;
}

/* Which phase of the program the report is of, if the user chose one. */
static inline void
whole_put_phase(const struct gprofx_report *report, struct gprofx_writer *w)
{
	if (report->origin->phase)
		gprofx_out(w, "Only what happened in phase %s.\n\n", report->origin->phase);
}

static inline void
whole_put_part(const struct gprofx_report *report, struct gprofx_writer *w, double total,
               double whole)
{
	const struct gprofx_metric *metric = report->origin->metrics;

	gprofx_out(w, "100 %% is %.2f of %.2f %s: what is selected.",
	           total / metric->ticks_per_unit, whole / metric->ticks_per_unit, metric->unit);
}

#endif
