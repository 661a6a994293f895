/* SPDX-License-Identifier: Apache-2.0 */
/* Whether the addresses would fit if the program had been loaded elsewhere: what to do then. */
#include "slide/slide.h"

#include "base/memory.h"
#include "findings/parts.h"
#include "base/run.h"
#include "profile/profile.h"

/* Advice after slides were looked for, and none was found for sure. */
static const char *
advice_for(struct findings *findings, const struct slide_verdict *verdict)
{
	char text[SLIDE_TEXT_BYTES];

	if (findings->profile->file_count > 1)
		return "name the program that wrote the profiles, or report them one by one: each "
		       "may have run at a different address";
	slide_text(findings->symbols, verdict->slide, text);
	switch (verdict->outcome) {
	case SLIDE_UNSURE:
		if (verdict->callees == 0)
			return text_format(findings->run,
			                   "try --slide=%s if this program wrote the profile: the "
			                   "histogram then starts and ends with its code; "
			                   "otherwise name the program that did",
			                   text);
		return text_format(findings->run,
		                   "try --slide=%s if this program wrote the profile: %u of %u "
		                   "called functions then match, too few to be sure; otherwise "
		                   "name the program that did",
		                   text, verdict->fitting, verdict->callees);
	case SLIDE_TOO_FEW:
		return "name the program that wrote the profile; if it is this one, it ran at "
		       "another address, but there are too few calls to find the load bias: give "
		       "it with --slide=HEX";
	default:
		return "name the program that wrote the profile: the functions called in it are "
		       "not those of this program, at any load address";
	}
}

void
findings_advise_slide(struct findings *findings, enum finding kind)
{
	const struct profile *profile = findings->profile;
	struct gprofx_histogram range = {.size = sizeof range};
	bool is_auto = findings->run->settings->slide == ENGINE_SLIDE_AUTO;
	bool is_given = findings->run->settings->slide == ENGINE_SLIDE_GIVEN;
	struct slide_verdict verdict;
	struct slide slide;
	char text[SLIDE_TEXT_BYTES];

	if (profile->histogram_count > 0) {
		range.low = profile->histograms[0].low;
		range.high = profile->histograms[0].high;
		range.bin_count = profile->histograms[0].bin_count;
	}
	slide_start(&slide, findings->run, findings->scan);
	if (!slide_solve(&slide, profile->arcs, profile->arc_count, &range,
	                 profile->histogram_count > 0, &verdict)) {
		/* A number of the user's own is off already; of another build, another file is. */
		if (!is_given && kind != FINDING_OTHER_PROGRAM)
			finding_advise(findings, kind, advice_for(findings, &verdict));
		return;
	}
	/* With auto it was tried for each file, and those that it helps were moved. */
	if (is_auto)
		return;
	finding_advise(
		findings, kind,
		text_format(findings->run,
	                    "it ran at another address: --slide=auto subtracts %s, and %u of %u "
	                    "called functions match",
	                    slide_text(findings->symbols, verdict.slide, text), verdict.fitting,
	                    verdict.callees));
}
