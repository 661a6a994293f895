/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Reads what the GNU dynamic linker writes about a shared library under LD_PROFILE: a header like
 * that of gmon.out, one histogram, and a table of calls that was made as large as it may get.
 *
 * Format: files as the GNU C library 2.36 writes them.
 */
#include <string.h>

#include <gprofx/reader.h>

#include "../shared/other-layout.h"

enum {
	VERSION = 0x1ffff,
	HEADER_BYTES = 20,
	DIMENSION_BYTES = 15,
	TAG_HISTOGRAM = 0,
	TAG_ARCS = 1,
	BATCH = 256
};

/* What is wrong with a file if it is taken to be laid out in some way. */
enum problem {
	FITS,
	SHORT_HISTOGRAM,
	BAD_HISTOGRAM_TAG,
	BAD_RANGE,
	SHORT_BINS,
	SHORT_TABLE,
	BAD_TABLE_TAG
};

struct layout {
	struct gprofx_target target; /* with the address size and the byte order of the file */
	uint64_t low, high;
	uint32_t bin_count, rate;
	const uint8_t *unit;
	uint64_t bins_at, table_at; /* offsets */
	uint32_t tag;               /* the one that is wrong */
	uint32_t arc_count;         /* as the file states it */
	uint64_t arcs_at;
};

struct reading {
	struct gprofx *gx;
	const struct gprofx_file *file;
	struct gprofx_profile *profile;
	struct layout layout;
	/* What is not passed on yet. */
	struct gprofx_raw_arc arcs[BATCH];
	struct gprofx_raw_call calls[BATCH];
	uint32_t arc_count, call_count;
};

static const char unfinished[] =
	"the file is damaged or incomplete; remove it and run the program again under LD_PROFILE";

static enum problem
take_layout(struct layout *l, const struct gprofx_file *file)
{
	struct gprofx_cursor cursor = gprofx_cursor(file, l->target.big_endian);

	gprofx_take(&cursor, HEADER_BYTES);
	l->tag = (uint32_t)gprofx_number(&cursor, 4);
	l->low = gprofx_take_address(&cursor, &l->target);
	l->high = gprofx_take_address(&cursor, &l->target);
	l->bin_count = (uint32_t)gprofx_number(&cursor, 4);
	l->rate = (uint32_t)gprofx_number(&cursor, 4);
	l->unit = gprofx_take(&cursor, DIMENSION_BYTES + 1);
	if (!l->unit || cursor.short_by != 0)
		return SHORT_HISTOGRAM;
	if (l->tag != TAG_HISTOGRAM)
		return BAD_HISTOGRAM_TAG;
	if (l->low >= l->high)
		return BAD_RANGE;
	l->bins_at = cursor.at;
	if (!gprofx_take(&cursor, (uint64_t)l->bin_count * 2))
		return SHORT_BINS;
	l->table_at = cursor.at;
	l->tag = (uint32_t)gprofx_number(&cursor, 4);
	l->arc_count = (uint32_t)gprofx_number(&cursor, 4);
	l->arcs_at = cursor.at;
	if (cursor.short_by != 0)
		return SHORT_TABLE;
	return l->tag == TAG_ARCS ? FITS : BAD_TABLE_TAG;
}

/*
 * The byte order is that in which the version makes sense; the size of addresses that of the image,
 * unless the file is only whole with the other.
 */
static enum problem
find_layout(struct layout *layout, const struct gprofx_file *file,
            const struct gprofx_target *target)
{
	struct layout other;
	enum problem problem;

	layout->target = *target;
	if (!file->strict)
		layout->target.big_endian = gprofx_number_at(file->bytes + 4, 4, true) == VERSION;
	problem = take_layout(layout, file);
	if (problem == FITS || file->strict)
		return problem;
	other = (struct layout){.target = layout->target};
	other.target.pointer_bytes = target->pointer_bytes == 4 ? 8 : 4;
	if (take_layout(&other, file) != FITS)
		return problem;
	*layout = other;
	return FITS;
}

static enum gprofx_result
fail_tag(const struct reading *r, uint64_t offset, uint32_t expected)
{
	struct gprofx_diagnostic diagnostic = gprofx_at(r->file, offset, "ldprofile.bad-tag",
	                                                unfinished);

	diagnostic.number[0] = r->layout.tag;
	return gprofx_fail(r->gx, &diagnostic, "expected a record tag of %u, found %u", expected,
	                   r->layout.tag);
}

static enum gprofx_result
fail_short(const struct reading *r, const char *what)
{
	struct gprofx_diagnostic diagnostic = gprofx_at(r->file, r->file->length,
	                                                "ldprofile.short-record", unfinished);

	return gprofx_fail(r->gx, &diagnostic, "expected %s, found the end of the file", what);
}

static enum gprofx_result
fail_layout(const struct reading *r, enum problem problem)
{
	const struct layout *l = &r->layout;
	struct gprofx_diagnostic diagnostic;

	switch (problem) {
	case SHORT_HISTOGRAM:
		return fail_short(r, "the header of a histogram");
	case BAD_HISTOGRAM_TAG:
		return fail_tag(r, HEADER_BYTES, TAG_HISTOGRAM);
	case SHORT_TABLE:
		return fail_short(r, "an arc table");
	case BAD_TABLE_TAG:
		return fail_tag(r, l->table_at, TAG_ARCS);
	case SHORT_BINS:
		diagnostic = gprofx_at(r->file, r->file->length, "ldprofile.short-bins",
		                       unfinished);
		diagnostic.number[0] = (r->file->length - l->bins_at) / 2;
		diagnostic.number[1] = l->bin_count;
		return gprofx_fail(r->gx, &diagnostic,
		                   "expected %u bins, found %llu before the end of file",
		                   l->bin_count, (unsigned long long)diagnostic.number[0]);
	default:
		diagnostic = gprofx_at(r->file, HEADER_BYTES + 4, "ldprofile.bad-range",
		                       unfinished);
		return gprofx_fail(r->gx, &diagnostic,
		                   "expected ascending addresses, found 0x%llx before 0x%llx",
		                   (unsigned long long)l->low, (unsigned long long)l->high);
	}
}

static enum gprofx_result
read_histogram(const struct reading *r)
{
	const struct layout *l = &r->layout;
	struct gprofx_histogram histogram = {
		.size = sizeof histogram,
		.low = l->low,
		.high = l->high,
		.bin_count = l->bin_count,
		.rate = l->rate,
		.abbreviation = (char)l->unit[DIMENSION_BYTES],
		.bins = r->file->bytes + l->bins_at,
		.bin_bytes = 2,
		.bins_big_endian = l->target.big_endian,
		.offset = HEADER_BYTES,
		.is_only = true,
	};

	memcpy(histogram.dimension, l->unit, DIMENSION_BYTES);
	return r->profile->builder->histogram(r->gx, r->profile, r->file, &histogram);
}

static void
hand_over(struct reading *r)
{
	const struct gprofx_profile_builder *builder = r->profile->builder;

	/* These files have arcs, be it none. */
	builder->arcs(r->gx, r->profile, NULL, r->arcs, r->arc_count);
	builder->calls(r->gx, r->profile, NULL, r->calls, r->call_count);
	r->arc_count = r->call_count = 0;
}

static void
describe(const struct reading *r)
{
	struct gprofx_layout layout = gprofx_layout(&r->layout.target);

	layout.has_version = true;
	layout.version = VERSION;
	layout.counts_plt_calls = true;
	r->profile->builder->describe(r->gx, r->profile, &layout);
}

/* An address that the file counts from the start of the library's code. */
static uint64_t
absolute(const struct layout *l, uint64_t relative)
{
	uint64_t address = l->low + relative;

	if (l->target.pointer_bytes == 8)
		return address;
	return l->target.sign_extends ? (uint64_t)(int64_t)(int32_t)(uint32_t)address
	                              : (uint32_t)address;
}

/*
 * Calls beyond the end of the table were counted as entries, but not written.  Entries that were
 * reserved and never filled are all zeros.
 */
static void
read_arcs(struct reading *r)
{
	const struct layout *l = &r->layout;
	uint32_t address_bytes = l->target.pointer_bytes;
	uint64_t arc_bytes = 2 * (uint64_t)address_bytes + 4;
	uint64_t room = (r->file->length - l->arcs_at) / arc_bytes;
	uint32_t count = l->arc_count;

	if (count > room) {
		struct gprofx_diagnostic diagnostic = gprofx_at(
			r->file, l->table_at + 4, "ldprofile.full-table",
			"treat call counts as lower bounds, unless the file was cut");

		diagnostic.number[0] = room;
		diagnostic.number[1] = count;
		gprofx_warn(r->gx, &diagnostic,
		            "expected at most %llu arcs, as many as the file has room for, found "
		            "%u; those after them are not known",
		            (unsigned long long)room, count);
		count = (uint32_t)room;
	}
	for (uint32_t i = 0; i < count; i++) {
		const uint8_t *bytes = r->file->bytes + l->arcs_at + i * arc_bytes;
		bool big = l->target.big_endian;
		uint64_t from = gprofx_number_at(bytes, address_bytes, big);
		uint64_t self = gprofx_number_at(bytes + address_bytes, address_bytes, big);
		uint64_t calls = gprofx_number_at(bytes + 2 * (size_t)address_bytes, 4, big);

		if (from == 0 && self == 0 && calls == 0)
			continue;
		if (from == 0)
			r->calls[r->call_count++] = (struct gprofx_raw_call){absolute(l, self),
			                                                     calls};
		else
			r->arcs[r->arc_count++] = (struct gprofx_raw_arc){absolute(l, from),
			                                                  absolute(l, self), calls};
		if (r->arc_count == BATCH || r->call_count == BATCH)
			hand_over(r);
	}
	hand_over(r);
}

static bool
has_version(const uint8_t *bytes, bool big_endian)
{
	return gprofx_number_at(bytes + 4, 4, big_endian) == VERSION;
}

static int
probe(const uint8_t *head, size_t bytes)
{
	if (bytes < 8 || memcmp(head, "gmon", 4) != 0)
		return 0;
	return has_version(head, false) || has_version(head, true) ? 100 : 0;
}

static enum gprofx_result
read_file(struct gprofx *gx, const struct gprofx_file *file, const struct gprofx_target *target,
          struct gprofx_profile *profile, const void *options)
{
	struct reading r = {.gx = gx, .file = file, .profile = profile};
	enum gprofx_result result;
	enum problem problem;

	(void)options;
	if (probe(file->bytes, (size_t)file->length) == 0 ||
	    (file->strict && !has_version(file->bytes, target->big_endian))) {
		struct gprofx_diagnostic diagnostic = gprofx_at(
			file, 0, "ldprofile.bad-header", "leave out -O to detect the format");

		return gprofx_fail(gx, &diagnostic,
		                   "expected the bytes \"gmon\" and the version 0x%x, found others",
		                   VERSION);
	}
	problem = find_layout(&r.layout, file, target);
	if (problem != FITS)
		return fail_layout(&r, problem);
	result = read_histogram(&r);
	if (result != GPROFX_OK)
		return result;
	warn_other_layout(gx, file, &r.layout.target, target, "ldprofile.other-layout",
	                  "name the library that was profiled, from the machine it ran on");
	read_arcs(&r);
	describe(&r);
	return GPROFX_OK;
}

static const struct gprofx_reader reader = {
	.size = sizeof reader,
	.format = "ldprofile",
	.probe = probe,
	.read = read_file,
};

GPROFX_PLUGIN = {
	GPROFX_ABI,
	.name = "input-ldprofile",
	.version = "1.0",
	.summary =
		"Profiles of shared libraries that the GNU dynamic linker writes under LD_PROFILE",
	.reader = &reader,
};
