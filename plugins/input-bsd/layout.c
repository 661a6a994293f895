/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Finds out how a BSD profile is laid out.  Nothing in these files states address size or byte
 * order, an old header does not even state what it is; but few readings of a file make sense: the
 * addresses ascend, the bins end within the file, whole arcs follow, and bins divide the range.
 */
#include "layout.h"

#include <string.h>

enum {
	MACHINE_ALPHA = 0x9026,
	SPARE_BYTES = 12,
	WIDEST_BIN = 65536,      /* bytes of code; wider ones are not likely */
	UNUSUAL_RATE = 65536,    /* samples a second */
	UNUSUAL_CALLS = 1 << 16, /* times 2^32, of one arc */
	/* What speaks for a reading of a file. */
	FOR_SENSE = 10,
	FOR_VERSION = 50,
	FOR_BINS = 20,
	FOR_ARCS = 10,
	FOR_WIDTH = 5,
	FOR_ADDRESSES = 2,
	FOR_ORDER = 2
};

static uint32_t
header_bytes(const struct bsd_layout *layout, enum bsd_header header)
{
	uint32_t plain = 2 * layout->target.pointer_bytes + 4;

	switch (header) {
	case BSD_VERSIONED:
		return plain + 8 + SPARE_BYTES;
	case BSD_ALIGNED:
		return (plain + 7) / 8 * 8;
	default:
		return plain;
	}
}

static void
set_bins(struct bsd_layout *layout, uint8_t bytes, bool is_signed)
{
	layout->bin_bytes = bytes;
	layout->bins_signed = is_signed;
	layout->bin_count = (layout->size - layout->header_bytes) / bytes;
}

static void
set_header(struct bsd_layout *layout, enum bsd_header header)
{
	layout->header = header;
	layout->header_bytes = header_bytes(layout, header);
	set_bins(layout, 2, false);
}

/*
 * Takes the fields that stand in the file.  The word behind an old header has to be there as well,
 * since it shows which header it is.
 */
static bool
take_fields(struct bsd_layout *layout, const struct gprofx_file *file)
{
	static const uint8_t zeros[SPARE_BYTES];
	struct gprofx_cursor cursor = gprofx_cursor(file, layout->target.big_endian);
	const uint8_t *spare;

	layout->low = gprofx_take_address(&cursor, &layout->target);
	layout->high = gprofx_take_address(&cursor, &layout->target);
	layout->size = (uint32_t)gprofx_number(&cursor, 4);
	layout->version = (uint32_t)gprofx_number(&cursor, 4);
	set_header(layout, layout->version == BSD_VERSION ? BSD_VERSIONED : BSD_PLAIN);
	if (layout->header == BSD_PLAIN || cursor.short_by != 0)
		return cursor.short_by == 0;
	layout->rate = (uint32_t)gprofx_number(&cursor, 4);
	if (cursor.short_by != 0)
		return false;
	spare = gprofx_take(&cursor, SPARE_BYTES);
	layout->spare_is_zero = !spare || memcmp(spare, zeros, SPARE_BYTES) == 0;
	if (spare)
		layout->counter_type = (int32_t)(uint32_t)gprofx_number_at(
			spare, 4, layout->target.big_endian);
	return true;
}

void
bsd_take_usual_counts(struct bsd_layout *layout)
{
	layout->counter_type = 0;
	set_bins(layout, 2, false);
}

bool
bsd_is_sane(const struct bsd_layout *layout)
{
	return layout->low <= layout->high && layout->size >= layout->header_bytes &&
	       layout->size <= INT32_MAX;
}

/* The code that a bin stands for, in bytes; 0: the bins do not divide the range evenly. */
static uint64_t
even_width(const struct bsd_layout *layout)
{
	uint64_t range = layout->high - layout->low;

	if (layout->bin_count == 0 || range % layout->bin_count != 0)
		return 0;
	return range / layout->bin_count;
}

/* Collectors count over 2, 4, 8, … bytes of code. */
static bool
has_usual_width(const struct bsd_layout *layout)
{
	uint64_t width = even_width(layout);

	return width != 0 && width <= WIDEST_BIN && (width & (width - 1)) == 0;
}

/*
 * The first bins of an old file can look like a version.  The bins end at the same place either
 * way, so the size of the file does not tell; the number of bins does.
 */
static bool
is_plain_after_all(const struct bsd_layout *versioned)
{
	struct bsd_layout plain = *versioned;

	set_header(&plain, BSD_PLAIN);
	if (!bsd_is_sane(&plain))
		return false;
	if (versioned->size < versioned->header_bytes)
		return true;
	if (even_width(&plain) == 0)
		return false;
	if (versioned->bin_count > 0 && even_width(versioned) == 0)
		return has_usual_width(&plain);
	return versioned->rate >= UNUSUAL_RATE && !versioned->spare_is_zero;
}

static void
choose_header(struct bsd_layout *layout, bool needs_version)
{
	if (layout->header == BSD_VERSIONED && !needs_version && is_plain_after_all(layout))
		set_header(layout, BSD_PLAIN);
}

bool
bsd_strict_layout(struct bsd_layout *layout, const struct gprofx_file *file,
                  const struct gprofx_target *target, bool needs_version)
{
	*layout = (struct bsd_layout){.target = *target};
	if (!take_fields(layout, file))
		return false;
	choose_header(layout, needs_version);
	return true;
}

/* OSF/1 ran on one machine only. */
static void
choose_alignment(struct bsd_layout *layout)
{
	struct bsd_layout aligned = *layout;

	if (layout->header != BSD_PLAIN || layout->target.machine != MACHINE_ALPHA)
		return;
	set_header(&aligned, BSD_ALIGNED);
	if (bsd_is_sane(&aligned) && (even_width(layout) == 0 || even_width(&aligned) != 0))
		*layout = aligned;
}

/*
 * FreeBSD's type of counters stands where others leave what they find in memory, so it is believed
 * only if the file is made up of such counters.
 */
static void
choose_counters(struct bsd_layout *layout)
{
	int64_t type = layout->counter_type;
	uint32_t bits = (uint32_t)(type < 0 ? -type : type);
	uint32_t bytes = layout->size - layout->header_bytes;

	if (layout->header != BSD_VERSIONED || !bsd_is_sane(layout))
		return;
	if (bits != 8 && bits != 16 && bits != 32 && bits != 64)
		return;
	if (bytes % (bits / 8) == 0 && bytes / (bits / 8) <= layout->high - layout->low)
		set_bins(layout, (uint8_t)(bits / 8), type < 0);
}

/*
 * Windows programs and old macOS ones keep counts in four bytes and write them with the four bytes
 * of memory behind.  No real program has nothing but arcs of more than 2^32 calls.
 */
static bool
has_narrow_counts(const struct bsd_layout *layout, const struct gprofx_file *file)
{
	uint64_t at = bsd_arcs_at(layout), arc_bytes = bsd_arc_bytes(layout), high = 0, count = 0;
	uint32_t high_half = 16 + (layout->target.big_endian ? 0 : 4);

	if (layout->target.pointer_bytes != 8 || at > file->length)
		return false;
	for (; file->length - at >= arc_bytes; at += arc_bytes, count++) {
		high = gprofx_number_at(file->bytes + at + high_half, 4, layout->target.big_endian);
		if (high == 0)
			return false;
	}
	return count > 1 || high >= UNUSUAL_CALLS;
}

bool
bsd_is_likely(const struct bsd_layout *layout, const struct gprofx_file *file)
{
	uint64_t range = layout->high - layout->low;

	if (layout->header == BSD_VERSIONED || has_usual_width(layout))
		return true;
	return layout->size <= file->length && range / WIDEST_BIN <= layout->bin_count &&
	       layout->bin_count <= range;
}

static int
score(const struct bsd_layout *layout, const struct gprofx_file *file,
      const struct gprofx_target *target)
{
	int sum = FOR_SENSE;

	bool like_image = layout->target.pointer_bytes == target->pointer_bytes &&
	                  layout->target.big_endian == target->big_endian;

	if (!bsd_is_sane(layout) || (!like_image && !bsd_is_likely(layout, file)))
		return 0;
	if (layout->header == BSD_VERSIONED)
		sum += FOR_VERSION;
	if (layout->size <= file->length)
		sum += FOR_BINS;
	if (bsd_arcs_at(layout) <= file->length &&
	    (file->length - bsd_arcs_at(layout)) % bsd_arc_bytes(layout) == 0)
		sum += FOR_ARCS;
	if (has_usual_width(layout))
		sum += FOR_WIDTH;
	if (layout->target.pointer_bytes == target->pointer_bytes)
		sum += FOR_ADDRESSES;
	if (layout->target.big_endian == target->big_endian)
		sum += FOR_ORDER;
	return sum;
}

int
bsd_inferred_layout(struct bsd_layout *layout, const struct gprofx_file *file,
                    const struct gprofx_target *target, bool needs_version)
{
	int best = 0;

	for (uint32_t i = 0; i < 4; i++) {
		struct bsd_layout other = {.target = *target};
		int own;

		other.target.pointer_bytes = i & 1 ? 8 : 4;
		other.target.big_endian = i & 2;
		if (!take_fields(&other, file))
			continue;
		choose_header(&other, needs_version);
		choose_alignment(&other);
		choose_counters(&other);
		if (other.header_bytes > file->length ||
		    (needs_version && other.header != BSD_VERSIONED))
			continue;
		own = score(&other, file, target);
		if (own > best) {
			best = own;
			*layout = other;
		}
	}
	if (best > 0)
		layout->narrow_counts = has_narrow_counts(layout, file);
	return best;
}
