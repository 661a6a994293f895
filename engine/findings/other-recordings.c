/* SPDX-License-Identifier: Apache-2.0 */
/* What other profilers say about how completely they recorded, such as perf. */
#include "base/memory.h"
#include "base/run.h"
#include "base/sums.h"
#include "findings/parts.h"
#include "profile/profile.h"

enum { WHOLE = 95 }; /* percent of the time with all callers: less is worth a word */

static void
inspect_cut(struct findings *findings, uint64_t cut, uint64_t ticks)
{
	double share = ticks > 0 ? 100 * (double)cut / (double)ticks : 0;

	share = share < 100 ? share : 100;
	if (share <= 100 - WHOLE)
		return;
	finding_add(
		findings, FINDING_CUT_STACKS, NULL,
		text_format(findings->run,
	                    "%.0f %% of the time has no outer callers: the total times of "
	                    "such callers, main among them, lack it",
	                    share),
		text_format(findings->run,
	                    "%.1f %% of the time is in stacks with as many frames as the kernel "
	                    "keeps",
	                    share));
	finding_advise(findings, FINDING_CUT_STACKS,
	               "keep more frames: sysctl kernel.perf_event_max_stack=1024, and perf record "
	               "--max-stack=1024");
}

void
findings_inspect_other_recordings(struct findings *findings)
{
	const struct profile *profile = findings->profile;
	uint64_t lost = 0, cut = 0, ticks = 0;

	for (uint32_t i = 0; i < profile->file_count; i++) {
		const struct profile_file *file = &profile->files[i];

		if ((file->recording.flags & GPROFX_RECORDING_BY_OTHERS) == 0)
			continue;
		sum_add(&lost, file->recording.lost_samples);
		sum_add(&cut, file->recording.cut_ticks);
		sum_add(&ticks, file->stack_ticks);
	}
	if (lost > 0) {
		finding_add(
			findings, FINDING_LOST, NULL,
			text_format(findings->run,
		                    "%llu samples were lost, since the profiler could not keep "
		                    "up with them: these figures are too low",
		                    (unsigned long long)lost),
			text_format(findings->run, "%llu lost samples", (unsigned long long)lost));
		finding_advise(
			findings, FINDING_LOST,
			"record with a lower frequency, or larger buffers: perf record -F 500 "
			"-m 16M");
	}
	inspect_cut(findings, cut, ticks);
}
