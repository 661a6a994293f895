/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Reads mon.out, the profile of System V's prof: the range of the code, how often each function was
 * called, one histogram.
 *
 * Format: as manuals of System V describe the header and the counts of monitor(3); see
 * input-prof(7) for what that leaves open.
 */
#include <unistd.h>

#include <gprofx/reader.h>

#include "../shared/other-layout.h"
#include "layout.h"

enum { BATCH = 256 };

static const char another_program[] =
	"name the program that wrote the profile, on the machine it ran on";
static const char unfinished[] =
	"the program stopped before it finished writing; run it to a normal exit";

/* What keeps the file from being one of the image's layout. */
static enum gprofx_result
fail_layout(struct gprofx *gx, const struct gprofx_file *file, const struct gprofx_target *target)
{
	struct gprofx_diagnostic diagnostic = gprofx_at(file, 0, "prof.short-header", unfinished);
	struct prof_layout l;

	if (!prof_take_header(&l, file, target))
		return gprofx_fail(gx, &diagnostic, "expected a header, found %llu bytes in all",
		                   (unsigned long long)file->length);
	if (l.low >= l.high) {
		diagnostic = gprofx_at(file, 0, "prof.bad-header", another_program);
		return gprofx_fail(gx, &diagnostic,
		                   "expected ascending addresses, found 0x%llx before 0x%llx",
		                   (unsigned long long)l.low, (unsigned long long)l.high);
	}
	diagnostic = gprofx_at(file, 2 * (uint64_t)target->pointer_bytes, "prof.short-counts",
	                       unfinished);
	diagnostic.number[0] = (file->length - l.header_bytes) / prof_row_bytes(&l);
	diagnostic.number[1] = l.count;
	return gprofx_fail(gx, &diagnostic,
	                   "expected counts of %u functions, found %llu before the end of file",
	                   l.count, (unsigned long long)diagnostic.number[0]);
}

/* Reports what was found and what is left over. */
static void
warn_inferences(struct gprofx *gx, const struct gprofx_file *file,
                const struct gprofx_target *image, const struct prof_layout *l)
{
	struct gprofx_diagnostic diagnostic;

	warn_other_layout(gx, file, &l->target, image, "prof.other-layout", another_program);
	if ((file->length - l->bins_at) % 2 != 0) {
		diagnostic = gprofx_at(file, file->length - 1, "prof.trailing-byte", unfinished);
		gprofx_warn(
			gx, &diagnostic,
			"expected another bin of 2 bytes or the end of the file, found one byte, "
			"which is left out");
	}
}

static enum gprofx_result
read_histogram(struct gprofx *gx, const struct gprofx_file *file, const struct prof_layout *l,
               struct gprofx_profile *profile)
{
	long ticks = sysconf(_SC_CLK_TCK);
	const struct gprofx_histogram histogram = {
		.size = sizeof histogram,
		.low = l->low,
		.high = l->high,
		.bin_count = l->bin_count,
		.dimension = "seconds",
		.abbreviation = 's',
		.bins = file->bytes + l->bins_at,
		.bin_bytes = 2,
		.bins_big_endian = l->target.big_endian,
		.is_only = true,
		.lacks_rate = true,
		.usual_rate = ticks > 0 ? (uint32_t)ticks : 1,
	};

	if (l->bin_count == 0)
		return GPROFX_OK;
	return profile->builder->histogram(gx, profile, file, &histogram);
}

static void
read_counts(struct gprofx *gx, const struct gprofx_file *file, const struct prof_layout *l,
            struct gprofx_profile *profile)
{
	struct gprofx_raw_call rows[BATCH];
	uint32_t held = 0;

	for (uint32_t i = 0; i < l->count; i++) {
		rows[held] = prof_row(l, file, i);
		/* The table has room for more functions than were called. */
		if (rows[held].self == 0)
			continue;
		if (++held == BATCH) {
			profile->builder->calls(gx, profile, NULL, rows, held);
			held = 0;
		}
	}
	profile->builder->calls(gx, profile, NULL, rows, held);
}

static int
weigh(const struct gprofx_file *file, const struct gprofx_target *target)
{
	struct prof_layout layout;

	return prof_inferred_layout(&layout, file, target);
}

static enum gprofx_result
read_file(struct gprofx *gx, const struct gprofx_file *file, const struct gprofx_target *target,
          struct gprofx_profile *profile, const void *options)
{
	struct gprofx_layout told;
	struct prof_layout layout;
	enum gprofx_result result;
	bool inferred = !file->strict && prof_inferred_layout(&layout, file, target) > 0;

	(void)options;
	if (!inferred && (!prof_take_header(&layout, file, target) || layout.low >= layout.high ||
	                  !prof_take_bins(&layout, file)))
		return fail_layout(gx, file, target);
	result = read_histogram(gx, file, &layout, profile);
	if (result != GPROFX_OK)
		return result;
	if (!file->strict)
		warn_inferences(gx, file, target, &layout);
	read_counts(gx, file, &layout, profile);
	told = gprofx_layout(&layout.target);
	profile->builder->describe(gx, profile, &told);
	return GPROFX_OK;
}

static const struct gprofx_reader reader = {
	.size = sizeof reader,
	.format = "prof",
	.read = read_file,
	.weigh = weigh,
};

GPROFX_PLUGIN = {
	GPROFX_ABI,        .name = "input-prof",
	.version = "1.0",  .summary = "Profiles of the prof command of System V (mon.out)",
	.reader = &reader,
};
