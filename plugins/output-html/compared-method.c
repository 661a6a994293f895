/* SPDX-License-Identifier: Apache-2.0 */
/* How the figures of a comparison were obtained, and what they do not say. */
#include <gprofx/emitter.h>

#include "compared.h"
#include "prose.h"

static void
put_items_of_values(struct prose *p)
{
	const struct gprofx_report_comparison *comparison = p->report->comparison;

	gprofx_puts(p->w, "<li id=\"method-values\">Values are the time, or what else was "
	                  "measured, of one run");
	if (comparison->base.run_count > 1 || comparison->new_side.run_count > 1)
		gprofx_puts(p->w, ": the mean of the repeated runs of a side");
	if (comparison->normalization == GPROFX_NORMALIZED_BY_TOTAL)
		gprofx_puts(p->w, "; those of the base are multiplied so that the totals of both "
		                  "sides are equal");
	if (comparison->normalization == GPROFX_NORMALIZED_BY_CALLS)
		gprofx_puts(p->w, "; those of functions of the base are multiplied so that the "
		                  "numbers of calls are equal, but not those of the flame graph");
	gprofx_puts(p->w, ".</li>\n");
	gprofx_puts(
		p->w,
		comparison->estimates_totals
			? "<li id=\"method-total\">Total values, with all that was called, are "
			  "estimates on a side at least: each function's time is divided among "
			  "its callers by their numbers of calls. They are marked with ~, and "
			  "were not tested.</li>\n"
			: "<li id=\"method-total\">Total values, with all that was called, were "
			  "measured where they are known.</li>\n");
	gprofx_puts(p->w,
	            "<li id=\"method-calls\">Numbers of calls are those of one run, and exact "
	            "where they were counted. Values of callers and callees, the rows around "
	            "a function, were not tested.</li>\n");
}

static void
put_items_of_chance(struct prose *p)
{
	const struct gprofx_report_comparison *comparison = p->report->comparison;

	gprofx_puts(
		p->w,
		"<li id=\"method-verdict\">Samples differ by chance from run to run. A "
		"difference has a verdict if chance alone makes one as large so rarely that, of "
		"all verdicts of functions, at most ");
	gprofx_out(p->w, "%g in 100 are expected to be wrong, and that of the total with a ",
	           100 * comparison->row_rate);
	gprofx_out(p->w, "probability of %g %%.", 100 * comparison->total_level);
	gprofx_puts(p->w,
	            " \"None shown\" does not mean equal: these samples cannot show a "
	            "difference. \"Not tested\": the values are estimates, or their errors are "
	            "not known. An interval is one of 95 %.</li>\n");
}

static void
put_items_of_contexts(struct prose *p)
{
	const struct gprofx_report_contexts *contexts = p->report->contexts;

	if (!contexts || contexts->count == 0)
		return;
	gprofx_puts(
		p->w,
		contexts->is_estimated
			? "<li id=\"method-paths\">The chains of calls in the flame graph are "
			  "estimates on a side at least, so their differences were not "
			  "tested.</li>\n"
			: "<li id=\"method-paths\">A chain of calls in the flame graph has a "
			  "color if its difference is larger than two standard errors, and, of "
			  "all chains with a color, no more than the same part is expected to be "
			  "wrong. Only the error of sampling is known for chains, not what "
			  "varies from run to run.</li>\n");
}

void
html_compared_put_method(struct prose *p)
{
	gprofx_puts(p->w, "\n<h2>How these figures were obtained</h2>\n<ol>\n");
	put_items_of_values(p);
	put_items_of_chance(p);
	put_items_of_contexts(p);
	gprofx_out(p->w, "<li id=\"method-made\">gprofx %s made this page.</li>\n",
	           p->report->origin->version);
	gprofx_puts(p->w, "</ol>\n");
}
