/* SPDX-License-Identifier: Apache-2.0 */
/* Whether samples or calls are at addresses that several sections of code have, in turn. */
#include "base/memory.h"
#include "base/run.h"
#include "findings/parts.h"
#include "profile/profile.h"
#include "symbols/symbols.h"

static bool
is_within(const struct symbol_overlays *overlays, uint64_t address)
{
	return address >= overlays->low && address < overlays->past;
}

static bool
has_calls(const struct profile *profile, const struct symbol_overlays *overlays)
{
	for (uint32_t i = 0; i < profile->arc_count; i++)
		if (profile->arcs[i].count > 0 && (is_within(overlays, profile->arcs[i].self) ||
		                                   is_within(overlays, profile->arcs[i].from)))
			return true;
	return false;
}

void
findings_inspect_overlays(struct findings *findings)
{
	const struct symbol_overlays *overlays = &findings->symbols->overlays;
	struct run *run = findings->run;

	if (overlays->sections == 0 || !overlays->first || !overlays->second ||
	    (!profile_has_samples(findings->profile, overlays->low, overlays->past) &&
	     !has_calls(findings->profile, overlays)))
		return;
	finding_add(
		findings, FINDING_OVERLAYS, NULL,
		text_format(run,
	                    "%u sections of code share addresses, and the profile does not say "
	                    "which one was loaded: %s, %s%s",
	                    overlays->sections, overlays->first, overlays->second,
	                    overlays->sections > 2 ? " and others" : ""),
		text_format(run,
	                    "they share addresses from 0x%llx to 0x%llx; a sample or call there "
	                    "counts for the function of any of them that starts next before it",
	                    (unsigned long long)overlays->low, (unsigned long long)overlays->past));
}
