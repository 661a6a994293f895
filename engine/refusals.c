/* SPDX-License-Identifier: Apache-2.0 */
#include "refusals.h"

#include "profile-writer/profile-writer.h"

enum gprofx_result
refuse_images(struct run *run, const struct symbols *symbols, const struct profile *profile,
              bool needs_statistics)
{
	bool is_recording = profile->file_count > 0 && profile->files[0].is_recording;
	const struct gprofx_diagnostic sum = {
		.id = "sum.has-images",
		.file = run->settings->sum_file,
		.hint = is_recording ? "name the program, and recordings alone; their sum is what "
	                               "they have of the program itself"
	                             : "name all profiles in each report, or leave out those "
	                               "with images",
	};
	const struct gprofx_diagnostic metrics = {
		.id = "sum.several-metrics",
		.file = run->settings->sum_file,
		.hint = "name the recordings themselves in reports; they can be as many as you "
			"like; or record without --clock=wall and --time=exact",
	};
	const struct gprofx_diagnostic clock = {
		.id = "sum.has-clock",
		.file = run->settings->sum_file,
		.hint = "name the recordings themselves in reports, or record without --time=exact",
	};
	const struct gprofx_diagnostic statistics = {
		.id = "report.images-per-file",
		.hint = "leave out the per-file statistics, or the profiles with images",
	};

	/* Those of clock=wall, which also say where threads wait, and of time=exact. */
	if (run->settings->sum_file && is_recording && profile->stacks.other_count > 0)
		return run_fail(run, &metrics,
		                "cannot write a sum: the recordings have several metrics, and the "
		                "format has room for one");
	if (run->settings->sum_file && is_recording &&
	    profile->stacks.metric_kind == GPROFX_CLOCKED)
		return run_fail(run, &clock,
		                "cannot write a sum: the recordings have times by a clock, and the "
		                "format has room for samples only");
	if (run->settings->sum_file && !profile_sum_takes_recordings(symbols, profile))
		return run_fail(run, &sum,
		                "cannot write a sum: some profiles have images of other code, for "
		                "which it has no records");
	if (needs_statistics && !slices_are_by_file(profile))
		return run_fail(run, &statistics,
		                "cannot compute per-file statistics: some profiles have images of "
		                "other code");
	return GPROFX_OK;
}

/* Whether a profile has sparse samples of any metric. */
static bool
has_sparse(const struct profile *profile)
{
	bool has = profile->has_sparse;

	for (uint32_t i = 0; i < profile->other_count; i++)
		has = has || profile->others[i]->has_sparse;
	return has;
}

enum gprofx_result
refuse_sum(struct run *run, const struct symbols *symbols, const struct profile *profile)
{
	const struct gprofx_diagnostic stacks = {
		.id = "sum.has-stacks",
		.file = run->settings->sum_file,
		.hint = "name all profiles in each report, or leave out those with stacks",
	};
	const struct gprofx_diagnostic samples = {
		.id = "sum.has-samples",
		.file = run->settings->sum_file,
		.hint = "name all profiles in each report, or leave out those with samples at "
			"single addresses",
	};

	if (profile->stacks.is_there && !profile_sum_takes_recordings(symbols, profile))
		return run_fail(run, &stacks,
		                "cannot write a sum: some profiles have call stacks, for which it "
		                "has no records");
	if (has_sparse(profile))
		return run_fail(run, &samples,
		                "cannot write a sum: some profiles have samples at single "
		                "addresses, for which it has no records");
	return GPROFX_OK;
}
