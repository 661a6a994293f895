/* SPDX-License-Identifier: Apache-2.0 */
/* Whether the addresses would fit if the program had been loaded elsewhere: then that is the
 * advice. */
#include "slide/slide.h"

#include "base/memory.h"
#include "findings/parts.h"

void
findings_advise_slide(struct findings *findings, enum finding kind)
{
	const struct profile *profile = findings->profile;
	struct gprofx_histogram range = {.size = sizeof range};
	struct slide_verdict verdict;
	struct slide slide;
	char text[SLIDE_TEXT_BYTES];

	/* Then it was tried for each file, and those that it helps were moved. */
	if (findings->run->settings->slide == ENGINE_SLIDE_AUTO)
		return;
	if (profile->histogram_count > 0) {
		range.low = profile->histograms[0].low;
		range.high = profile->histograms[0].high;
	}
	slide_start(&slide, findings->run, findings->symbols);
	if (!slide_solve(&slide, profile->arcs, profile->arc_count, &range,
	                 profile->histogram_count > 0, &verdict))
		return;
	finding_advise(
		findings, kind,
		text_format(findings->run,
	                    "it ran at another address: with --slide=auto %s is taken off, and "
	                    "%u of %u called functions fit",
	                    slide_text(findings->symbols, verdict.slide, text), verdict.fitting,
	                    verdict.callees));
}
