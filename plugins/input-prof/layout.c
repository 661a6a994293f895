/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Finds out how a mon.out is laid out.  What speaks for a reading are the counts of functions: each
 * has an address within the range, or none and no calls.
 */
#include "layout.h"

#include <string.h>

enum {
	WIDEST_BIN = 65536, /* bytes of code; wider ones are not likely */
	/* What speaks for a reading of a file. */
	FOR_SENSE = 20,
	FOR_FUNCTIONS = 30,
	FOR_WIDTH = 10,
	FOR_ADDRESSES = 2,
	FOR_ORDER = 2
};

bool
prof_take_header(struct prof_layout *layout, const struct gprofx_file *file,
                 const struct gprofx_target *target)
{
	struct gprofx_cursor cursor = gprofx_cursor(file, target->big_endian);

	*layout = (struct prof_layout){.target = *target};
	layout->low = gprofx_take_address(&cursor, target);
	layout->high = gprofx_take_address(&cursor, target);
	layout->count = (uint32_t)gprofx_number(&cursor, 4);
	/* Addresses follow, and are aligned. */
	if (target->pointer_bytes == 8)
		gprofx_take(&cursor, 4);
	layout->header_bytes = (uint32_t)cursor.at;
	return cursor.short_by == 0;
}

/*
 * Bins are not narrower than the shortest instructions, two bytes: where there is room for more,
 * the rest of it stays empty.
 */
static void
leave_out_unused(struct prof_layout *layout, const struct gprofx_file *file)
{
	uint64_t range = layout->high - layout->low, most = range / 2 + range % 2;
	const uint8_t *bins = file->bytes + layout->bins_at;

	if (layout->low >= layout->high || layout->bin_count <= most)
		return;
	for (uint64_t i = 2 * most; i < 2 * (uint64_t)layout->bin_count; i++)
		if (bins[i] != 0)
			return;
	layout->bin_count = (uint32_t)most;
}

bool
prof_take_bins(struct prof_layout *layout, const struct gprofx_file *file)
{
	uint64_t left = file->length - layout->header_bytes, bins;

	if (layout->count > left / prof_row_bytes(layout))
		return false;
	layout->bins_at = layout->header_bytes + (uint64_t)layout->count * prof_row_bytes(layout);
	bins = (file->length - layout->bins_at) / 2;
	layout->bin_count = bins < UINT32_MAX ? (uint32_t)bins : UINT32_MAX;
	leave_out_unused(layout, file);
	return true;
}

static bool
has_usual_width(const struct prof_layout *layout)
{
	uint64_t range = layout->high - layout->low, width;

	if (layout->bin_count == 0 || range % layout->bin_count != 0)
		return false;
	width = range / layout->bin_count;
	return width <= WIDEST_BIN && (width & (width - 1)) == 0;
}

/* The number of functions that were called, or -1: the rows are something else. */
static int64_t
functions_called(const struct prof_layout *layout, const struct gprofx_file *file)
{
	int64_t called = 0;

	for (uint32_t i = 0; i < layout->count; i++) {
		struct gprofx_raw_call row = prof_row(layout, file, i);

		if (row.self == 0 && row.count == 0)
			continue;
		if (row.self < layout->low || row.self >= layout->high)
			return -1;
		called += row.count != 0;
	}
	return called;
}

static int
score(const struct prof_layout *layout, const struct gprofx_file *file,
      const struct gprofx_target *image)
{
	int64_t called = functions_called(layout, file);
	bool like_image = layout->target.pointer_bytes == image->pointer_bytes &&
	                  layout->target.big_endian == image->big_endian;
	int sum = FOR_SENSE;

	/* Three numbers and bins are little to go by. */
	if (called < 0 || (called == 0 && !(like_image && has_usual_width(layout))))
		return 0;
	if (called > 0)
		sum += FOR_FUNCTIONS;
	if (has_usual_width(layout))
		sum += FOR_WIDTH;
	if (layout->target.pointer_bytes == image->pointer_bytes)
		sum += FOR_ADDRESSES;
	if (layout->target.big_endian == image->big_endian)
		sum += FOR_ORDER;
	return sum;
}

int
prof_inferred_layout(struct prof_layout *layout, const struct gprofx_file *file,
                     const struct gprofx_target *target)
{
	int best = 0;

	if (file->length >= 4 && memcmp(file->bytes, "gmon", 4) == 0)
		return 0;
	for (uint32_t i = 0; i < 4; i++) {
		struct gprofx_target own = *target;
		struct prof_layout other;
		int sum;

		own.pointer_bytes = i & 1 ? 8 : 4;
		own.big_endian = i & 2;
		if (!prof_take_header(&other, file, &own) || other.low >= other.high ||
		    !prof_take_bins(&other, file))
			continue;
		sum = score(&other, file, target);
		if (sum > best) {
			best = sum;
			*layout = other;
		}
	}
	return best;
}
