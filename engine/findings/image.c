/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Whether the image was made anew after the profile.  Its date alone means nothing, since files are
 * copied and stripped; something else has to say the same.
 */
#include <gprofx/symbols.h>

#include "base/memory.h"
#include "findings/parts.h"
#include "fit/fit.h"
#include "profile/profile.h"
#include "symbols/symbols.h"

enum { SAME_MOMENT = 2, PAGE = 4096, ROUNDING = 16 };

/*
 * Profiling runtimes of the GNU kind make one histogram from the start of the image to the end of
 * its code, rounded up.  Others choose freely; those do not begin where a page does.
 */
static bool
ends_elsewhere(const struct findings *findings)
{
	const struct gprofx_symtab *table = &findings->symbols->table;
	const struct histogram *histogram = findings->profile->histograms;

	if (findings->profile->histogram_count != 1 || table->code_count == 0 ||
	    histogram->low % PAGE != 0 || histogram->low > table->code[0].address)
		return false;
	for (uint32_t i = 0; i < table->code_count; i++) {
		uint64_t end = table->code[i].address + table->code[i].bytes;

		if (histogram->high - end < ROUNDING)
			return false;
	}
	return true;
}

static bool
some_calls_go_astray(const struct findings *findings)
{
	const struct targets *targets = &findings->targets;
	uint32_t bad = targets->far + targets->outside;

	return bad >= 2 && bad >= targets->count / 20;
}

/* The numbers, with an example. */
static const char *
contradictions(struct findings *findings)
{
	const struct fit *fit = findings->fit;
	struct run *run = findings->run;
	const char *callees = "", *sites = "", *and = "", *files = "";

	if (fit->bad_files > 0 && fit->files > 1)
		files = text_format(run, "; the same applies to %u of %u profiles", fit->bad_files,
		                    fit->files);
	if (fit->lacks_hook)
		return text_format(
			run,
			"no function of the program calls a profiling runtime, and %u of %u called "
			"addresses are neither at a function entry nor after a call (the first one "
			"is 0x%llx)%s",
			fit->bad_callees, fit->callees, (unsigned long long)fit->bad_callee, files);
	if (fit->bad_callees > 0)
		callees = text_format(run,
		                      "%u of %u called addresses are not after a profiling call "
		                      "(the first one is 0x%llx)",
		                      fit->bad_callees, fit->callees,
		                      (unsigned long long)fit->bad_callee);
	if (fit->bad_sites > 0)
		sites = text_format(
			run,
			"%u of %u call sites are not after a matching call (the first one is "
			"0x%llx)",
			fit->bad_sites, fit->sites, (unsigned long long)fit->bad_site);
	if (fit->bad_callees > 0 && fit->bad_sites > 0)
		and = ", and ";
	return text_format(run, "%s%s%s%s", callees, and, sites, files);
}

/* Where the profiles lead to code that cannot have made them. */
static void
inspect_build(struct findings *findings)
{
	const struct profile *profile = findings->profile;
	const struct fit *fit = findings->fit;
	const char *file = profile->file_count == 1 ? profile->files[0].name : fit->file;
	const char *summary;

	if (fit->bad_callees == 0 && fit->bad_sites == 0)
		return;
	summary = fit->lacks_hook
	                  ? "the profile is from another program, or from another build: this one "
	                    "was compiled without -pg"
	                  : text_format(findings->run,
	                                "the profile is from another program, or from another "
	                                "build of this one: %u recorded %s its code",
	                                fit->bad_callees + fit->bad_sites,
	                                fit->bad_callees + fit->bad_sites == 1
	                                        ? "address does not match"
	                                        : "addresses do not match");
	finding_add(findings, FINDING_OTHER_BUILD, file, summary, contradictions(findings));
}

void
findings_inspect_image(struct findings *findings)
{
	const struct profile *profile = findings->profile;
	int64_t image = findings->symbols->image_modified;
	const char *sign;

	if (finding_is_there(findings, FINDING_NO_SAMPLE_FITS) ||
	    finding_is_there(findings, FINDING_NO_CALL_FITS) ||
	    finding_is_there(findings, FINDING_OTHER_PROGRAM))
		return;
	for (uint32_t i = 0; i < profile->file_count; i++) {
		const struct profile_file *file = &profile->files[i];

		if (image == 0 || file->modified == 0 || image < file->modified + SAME_MOMENT)
			continue;
		if (some_calls_go_astray(findings))
			sign = text_format(findings->run,
			                   "%u of %u called addresses are not at a function entry",
			                   findings->targets.far + findings->targets.outside,
			                   findings->targets.count);
		else if (ends_elsewhere(findings))
			sign = text_format(
				findings->run,
				"the histogram ends at 0x%llx, where no code of the image ends",
				(unsigned long long)profile->histograms[0].high);
		else
			return;
		finding_add(
			findings, FINDING_STALE, file->name,
			"the program was rebuilt after this profile was written",
			text_format(findings->run,
		                    "the program is %lld seconds newer than the profile, and %s",
		                    (long long)(image - file->modified), sign));
		return;
	}
	inspect_build(findings);
}
