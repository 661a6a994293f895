/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Shared libraries that are not of the system: they are work of the user's as the program is, and
 * their time is not sampled.  A library counts as such if it is a file where the program asks for
 * it, or beside the program, and that is in no folder of the system.
 */

#include "base/memory.h"
#include "base/run.h"
#include "base/text.h"
#include "findings/parts.h"
#include "symbols/symbols.h"

static void
report(struct findings *findings, const char *library, const char *file, uint32_t count,
       uint32_t needed)
{
	struct run *run = findings->run;
	const char *name = text_last_name(library), *more = "";

	if (count > 1)
		more = text_format(run, " and %u more %s", count - 1,
		                   count == 2 ? "library" : "libraries");
	finding_add(findings, FINDING_OWN_LIBRARIES, NULL,
	            text_format(run,
	                        "time in %s%s is not in this profile: shared libraries are not "
	                        "sampled",
	                        name, more),
	            text_format(run,
	                        "of %u libraries that the program needs, %u %s not in a folder of "
	                        "the system: %s%s",
	                        needed, count, count == 1 ? "is" : "are", file, more));
	/* With -pg the program would take the only timer. */
	finding_advise(
		findings, FINDING_OWN_LIBRARIES,
		text_format(run,
	                    "link statically what is in %s, which shows true shares; or build the "
	                    "program without -pg, remove %s.profile, run the program with "
	                    "LD_PROFILE=%s and LD_PROFILE_OUTPUT=$PWD, and report the library "
	                    "by itself: gprofx %s %s.profile; calls from other objects then "
	                    "take much longer than usual",
	                    name, library, library, file, library));
}

void
findings_inspect_libraries(struct findings *findings, const struct gprofx_account *account)
{
	enum { MUCH = 3 };
	const struct symbols *symbols = findings->symbols;
	const char *first = NULL, *file = NULL;
	uint32_t count = 0, absent = 0;

	/* Little was not sampled; or whose files these are is not the user's business. */
	if ((account->cpu_time > 0 && account->unsampled * MUCH < account->cpu_time) ||
	    findings->run->settings->is_privileged || !symbols_have_image(symbols))
		return;
	/* Those of the account are some of these, in the same order. */
	for (uint32_t i = 0; i < symbols->needed_count && absent < account->library_count; i++) {
		const struct needed_library *library = &symbols->needed[i];

		if (account->libraries[absent] != library->name)
			continue;
		absent++;
		if (!library->file || count++ > 0)
			continue;
		first = library->name;
		file = library->file;
	}
	if (count > 0)
		report(findings, first, file, count, account->library_count);
}
