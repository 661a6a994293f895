/* SPDX-License-Identifier: Apache-2.0 */
/*
 * How the extent of a histogram fits the code: runtimes let it begin at a symbol, or at the page
 * that the image begins with, and end where the code does, both rounded to whole bins.
 */
#include <gprofx/symbols.h>

#include "slide/evidence.h"
#include "symbols/symbols.h"

enum { PAGE = 4096, LEAST_ROUNDED = 8 };

/* How many bytes of the code a record covers with a slide taken off, and how it misses the end. */
static uint64_t
covered(const struct slide_entries *entries, const struct gprofx_histogram *range, uint64_t slide,
        uint64_t *missed)
{
	uint64_t low = (range->low - slide) & entries->mask;
	uint64_t high = low + slide_range_bytes(&entries->symbols->table.target, range);
	uint64_t first = low > entries->code_start ? low : entries->code_start;
	uint64_t past = high < entries->code_end ? high : entries->code_end;

	*missed = high > past ? high - past : entries->code_end - past;
	return first < past ? past - first : 0;
}

bool
slide_moves_range(const struct slide_entries *entries, const struct gprofx_histogram *range,
                  uint64_t slide)
{
	uint64_t missed_unmoved, missed_moved;
	uint64_t unmoved = covered(entries, range, 0, &missed_unmoved);
	uint64_t moved = covered(entries, range, slide, &missed_moved);

	return moved > unmoved || (moved == unmoved && missed_moved <= missed_unmoved);
}

/* By how much less than this runtimes round begin and end: to whole bins. */
static uint64_t
rounded_by(const struct slide_entries *entries, const struct gprofx_histogram *range)
{
	uint64_t bytes = slide_range_bytes(&entries->symbols->table.target, range);
	uint64_t bin = range->bin_count > 0 ? (bytes - 1) / range->bin_count + 1 : 0;

	if (bin > PAGE / 4)
		bin = PAGE / 4;
	return bin > LEAST_ROUNDED ? bin : LEAST_ROUNDED;
}

/* Whether it begins where a runtime lets it begin. */
static bool
begins_with_image(const struct slide_entries *entries, uint64_t low, uint64_t rounded)
{
	const struct gprofx_symtab *table = &entries->symbols->table;

	if (low <= entries->code_start && low % PAGE == 0)
		return true;
	for (uint32_t i = 0; i < entries->start_count; i++)
		if (((entries->starts[i] - low) & entries->mask) < rounded)
			return true;
	return ((entries->code_start - low) & entries->mask) < rounded ||
	       ((table->text_start - low) & entries->mask) < rounded;
}

/* The symbol says best where the code ends; where there is none, its sections do. */
static bool
ends_with_code(const struct slide_entries *entries, uint64_t end, uint64_t rounded)
{
	const struct gprofx_symtab *table = &entries->symbols->table;

	for (uint32_t i = 0; i < entries->end_count; i++)
		if (((end - entries->ends[i]) & entries->mask) < rounded)
			return true;
	return entries->end_count == 0 && (((end - entries->code_end) & entries->mask) < rounded ||
	                                   ((end - table->text_end) & entries->mask) < rounded);
}

enum slide_extent
slide_extent(const struct slide_entries *entries, const struct gprofx_histogram *range,
             uint64_t slide)
{
	uint64_t rounded = rounded_by(entries, range);
	uint64_t by = slide_moves_range(entries, range, slide) ? slide : 0;
	uint64_t low = (range->low - by) & entries->mask;
	uint64_t end = low + slide_range_bytes(&entries->symbols->table.target, range);

	if (end <= entries->code_start || !begins_with_image(entries, low, rounded))
		return SLIDE_EXTENT_UNKNOWN;
	return ends_with_code(entries, end, rounded) ? SLIDE_EXTENT_MATCHES
	                                             : SLIDE_EXTENT_CONTRADICTS;
}

uint64_t
slide_by_extent(const struct slide_entries *entries, const struct gprofx_histogram *range)
{
	uint64_t end = range->low + slide_range_bytes(&entries->symbols->table.target, range);
	uint64_t ends[SLIDE_MOST_ANCHORS + 2] = {entries->code_end,
	                                         entries->symbols->table.text_end};

	for (uint32_t i = 0; i < entries->end_count; i++)
		ends[2 + i] = entries->ends[i];
	for (uint32_t i = 0; i < 2 + entries->end_count; i++) {
		uint64_t slide = (end - ends[i]) & entries->mask & -(uint64_t)PAGE;

		if (slide != 0 && slide_moves_range(entries, range, slide) &&
		    slide_extent(entries, range, slide) == SLIDE_EXTENT_MATCHES)
			return slide;
	}
	return 0;
}
