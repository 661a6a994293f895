/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Reads the untagged BSD formats: a header, the bins of one histogram, arcs up to the end.
 *
 * Format: gmon.out of 4.3BSD and 4.4BSD as their manuals and programs show it, and files of the
 * systems that took it over.
 */
#include "bsd.h"

#include <unistd.h>

#include "../shared/other-layout.h"
#include "layout.h"

enum { BATCH = 256 };

struct reading {
	struct gprofx *gx;
	const struct gprofx_file *file;
	struct gprofx_profile *profile;
	struct bsd_layout layout;
};

static const char unfinished[] =
	"the program stopped before it finished writing; run it to a normal exit";
static const char another_program[] =
	"name the program that wrote the profile, on the machine it ran on";

static enum gprofx_result
fail_short(const struct reading *r)
{
	struct gprofx_diagnostic diagnostic = gprofx_at(r->file, 0, "bsd.short-header", unfinished);

	return gprofx_fail(r->gx, &diagnostic, "expected a header, found %llu bytes in all",
	                   (unsigned long long)r->file->length);
}

static enum gprofx_result
fail_version(const struct reading *r)
{
	struct gprofx_diagnostic diagnostic = gprofx_at(
		r->file, 2 * r->layout.target.pointer_bytes + 4, "bsd.bad-version",
		"leave out -O to detect the format");

	diagnostic.number[0] = r->layout.version;
	return gprofx_fail(r->gx, &diagnostic, "expected the version 0x%x, found 0x%x", BSD_VERSION,
	                   r->layout.version);
}

static enum gprofx_result
fail_header(const struct reading *r)
{
	const struct bsd_layout *l = &r->layout;
	struct gprofx_diagnostic diagnostic = gprofx_at(r->file, 0, "bsd.bad-header",
	                                                another_program);

	if (l->low > l->high)
		return gprofx_fail(r->gx, &diagnostic,
		                   "expected ascending addresses, found 0x%llx before 0x%llx",
		                   (unsigned long long)l->low, (unsigned long long)l->high);
	diagnostic.offset = 2 * l->target.pointer_bytes;
	return gprofx_fail(r->gx, &diagnostic,
	                   "expected a size of header and bins from %u to %d, found %u",
	                   l->header_bytes, INT32_MAX, l->size);
}

/* Tells what was detected and what is left over. */
static void
warn_inferences(const struct reading *r, const struct gprofx_target *image)
{
	const struct bsd_layout *l = &r->layout;
	uint64_t left = r->file->length - bsd_arcs_at(l);
	uint64_t trailing = left % bsd_arc_bytes(l);
	struct gprofx_diagnostic diagnostic;

	warn_other_layout(r->gx, r->file, &l->target, image, "bsd.other-layout", another_program);
	if (l->header == BSD_VERSIONED && l->counter_type != 0 && l->bin_bytes == 2 &&
	    l->counter_type != 16 && l->counter_type != -16) {
		diagnostic = gprofx_at(
			r->file, 2 * l->target.pointer_bytes + 12, "bsd.counter-type",
			"ignore this unless the numbers look wrong: most programs leave random "
			"memory there");
		gprofx_warn(r->gx, &diagnostic,
		            "expected a type of counters that fits the file, found %d; 16 bits are "
		            "taken for each bin",
		            l->counter_type);
	}
	if (l->narrow_counts) {
		diagnostic = gprofx_at(r->file, bsd_arcs_at(l), "bsd.narrow-counts",
		                       "do nothing: programs for Windows write such files");
		gprofx_warn(
			r->gx, &diagnostic,
			"expected counts of calls, found more than 2^32 in every arc; only four "
			"bytes of each count are used");
	}
	if (trailing != 0 && !gprofx_is_padding(r->file, r->file->length - trailing)) {
		diagnostic = gprofx_at(r->file, r->file->length - trailing, "bsd.trailing-bytes",
		                       unfinished);
		gprofx_warn(r->gx, &diagnostic,
		            "expected another arc of %u bytes or the end of the file, found %u "
		            "bytes, which are left out",
		            bsd_arc_bytes(l), (unsigned)trailing);
	}
}

/* A file that does not belong to those before it is reported first. */
static enum gprofx_result
check(const struct reading *r, const struct gprofx_histogram *histogram)
{
	return r->profile->builder->check_histogram(r->gx, r->profile, r->file, histogram);
}

static enum gprofx_result
fail_bins(const struct reading *r, const struct gprofx_histogram *histogram)
{
	const struct bsd_layout *l = &r->layout;
	uint64_t length = r->file->length;
	uint64_t found = length > l->header_bytes ? (length - l->header_bytes) / l->bin_bytes : 0;
	struct gprofx_diagnostic diagnostic = gprofx_at(r->file, length, "bsd.short-bins",
	                                                unfinished);
	enum gprofx_result result = check(r, histogram);

	if (result != GPROFX_OK)
		return result;
	/* The number of the last bin that was read. */
	diagnostic.number[0] = found - 1;
	diagnostic.number[1] = l->bin_count;
	return gprofx_fail(r->gx, &diagnostic,
	                   "expected %u bins, found %llu before the end of file", l->bin_count,
	                   (unsigned long long)found);
}

static enum gprofx_result
read_histogram(struct reading *r)
{
	const struct bsd_layout *l = &r->layout;
	long ticks = sysconf(_SC_CLK_TCK);
	struct gprofx_histogram histogram = {
		.size = sizeof histogram,
		.low = l->low,
		.high = l->high,
		.bin_count = l->bin_count,
		.rate = l->header == BSD_VERSIONED ? l->rate : 0,
		.dimension = "seconds",
		.abbreviation = 's',
		.bin_bytes = l->bin_bytes,
		.bins_big_endian = l->target.big_endian,
		.bins_signed = l->bins_signed,
		.is_only = true,
		.lacks_rate = l->header != BSD_VERSIONED,
		.usual_rate = ticks > 0 ? (uint32_t)ticks : 1,
	};

	if (!bsd_is_sane(l)) {
		enum gprofx_result result = check(r, &histogram);

		return result == GPROFX_OK ? fail_header(r) : result;
	}
	if (l->bin_count > 0) {
		if (bsd_arcs_at(l) > r->file->length)
			return fail_bins(r, &histogram);
		histogram.bins = r->file->bytes + l->header_bytes;
	}
	return r->profile->builder->histogram(r->gx, r->profile, r->file, &histogram);
}

static uint64_t
count_at(const struct bsd_layout *layout, const uint8_t *bytes)
{
	return gprofx_number_at(bytes, layout->narrow_counts ? 4 : layout->target.pointer_bytes,
	                        layout->target.big_endian);
}

/* All complete arcs; the file can end before their place, if there is neither a bin nor an arc. */
static void
read_arcs(struct reading *r)
{
	const struct gprofx_profile_builder *builder = r->profile->builder;
	const struct gprofx_target *target = &r->layout.target;
	uint64_t place = bsd_arcs_at(&r->layout), arc_bytes = bsd_arc_bytes(&r->layout);
	struct gprofx_raw_arc rows[BATCH];
	uint32_t held = 0;

	for (; place + arc_bytes <= r->file->length; place += arc_bytes) {
		const uint8_t *bytes = r->file->bytes + place;

		rows[held].from = gprofx_address_at(bytes, target);
		rows[held].self = gprofx_address_at(bytes + target->pointer_bytes, target);
		rows[held].count = count_at(&r->layout, bytes + 2 * target->pointer_bytes);
		if (++held == BATCH) {
			builder->arcs(r->gx, r->profile, NULL, rows, held);
			held = 0;
		}
	}
	/* These files have arcs, be it none. */
	builder->arcs(r->gx, r->profile, NULL, rows, held);
}

/* What a file is like besides what the name of its format says. */
static const char *
variant_of(const struct bsd_layout *layout, const struct gprofx_file *file, bool needs_version)
{
	if (layout->header == BSD_ALIGNED)
		return "header of OSF/1";
	if (layout->narrow_counts && !file->strict)
		return "counts of calls in half of their bytes";
	return layout->header == BSD_VERSIONED && !needs_version ? "header of 4.4BSD" : NULL;
}

static void
describe(const struct reading *r, bool needs_version)
{
	struct gprofx_layout layout = gprofx_layout(&r->layout.target);

	layout.has_version = r->layout.header == BSD_VERSIONED;
	layout.version = layout.has_version ? r->layout.version : 0;
	layout.variant = variant_of(&r->layout, r->file, needs_version);
	r->profile->builder->describe(r->gx, r->profile, &layout);
}

static enum gprofx_result
find_layout(struct reading *r, const struct gprofx_target *target, bool needs_version)
{
	bool strict = r->file->strict;

	if (!strict && bsd_inferred_layout(&r->layout, r->file, target, needs_version) > 0)
		return GPROFX_OK;
	if (!bsd_strict_layout(&r->layout, r->file, target, needs_version))
		return fail_short(r);
	if (needs_version && r->layout.header != BSD_VERSIONED)
		return fail_version(r);
	if (strict)
		return GPROFX_OK;
	return r->file->length < r->layout.header_bytes ? fail_short(r) : fail_header(r);
}

enum gprofx_result
bsd_read(struct gprofx *gx, const struct gprofx_file *file, const struct gprofx_target *target,
         struct gprofx_profile *profile, struct bsd_needs needs)
{
	struct reading r = {.gx = gx, .file = file, .profile = profile};
	enum gprofx_result result = find_layout(&r, target, needs.version);

	if (result == GPROFX_OK && needs.usual_counts && !file->strict)
		bsd_take_usual_counts(&r.layout);
	if (result == GPROFX_OK)
		result = read_histogram(&r);
	if (result != GPROFX_OK)
		return result;
	if (!file->strict)
		warn_inferences(&r, target);
	read_arcs(&r);
	describe(&r, needs.version);
	return GPROFX_OK;
}

int
bsd_weigh(const struct gprofx_file *file, const struct gprofx_target *target, bool with_version)
{
	struct bsd_layout layout;
	int weight = bsd_inferred_layout(&layout, file, target, false);

	if (weight == 0 || (layout.header == BSD_VERSIONED) != with_version ||
	    !bsd_is_likely(&layout, file))
		return 0;
	return weight;
}
