/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Whether the recorded arcs agree with the program's code.  A function that was compiled for
 * profiling calls the profiling runtime, and the runtime records where that call returns to; the
 * call site that it records is where another call returns to.  A build with other addresses has
 * other instructions there.
 */
#ifndef ENGINE_FIT_FIT_H
#define ENGINE_FIT_FIT_H

#include "base/run.h"
#include "profile/profile.h"
#include "symbols/symbols.h"
#include "scan/scan.h"

/* What was checked, and what contradicts; a called address or call site counts once. */
struct fit {
	uint32_t callees;     /* called addresses in functions whose profiling call is known */
	uint32_t bad_callees; /* of these, not behind such a call */
	uint32_t sites;       /* arcs whose call site was checked */
	uint32_t bad_sites;   /* of these, not behind an instruction that can make the call */
	uint64_t bad_callee, bad_site; /* the first ones */
	bool has_hook;                 /* the code that was looked at calls the profiling runtime */
	/*
	 * No function of the program calls the profiling runtime, or is it; "callees" are then all
	 * that are in its code, "bad_callees" those that are neither at an entry nor behind a call.
	 */
	bool lacks_hook;
	/* Of several files: the first one that contradicts, whose numbers these are; or NULL. */
	const char *file;
	uint32_t bad_files, files; /* so many do, of so many that were checked by themselves */
	uint32_t odd_callees;      /* not behind profiling calls; some runtimes record others */
};

/*
 * Checks arcs of the profile, some of them if there are many; of several files each by itself where
 * all together give reason to.  Nothing is known where findings are not wanted, local functions are
 * left out, or code that has to be decoded is of a machine without a scanner.
 */
struct fit fit_check(struct run *run, struct symbols *symbols, struct scan *scan,
                     const struct profile *profile);

#endif
