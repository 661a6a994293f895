/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What the histograms cover, by GNU gprof's rules.  A hostile profile can have as many histograms
 * as the image has symbols, so they are searched.
 */
#include "base/memory.h"
#include "base/run.h"
#include "base/sort.h"
#include "profile/profile.h"
#include "scan/parts.h"

struct scan_profiled
scan_profiled(struct run *run, const struct profile *profile)
{
	struct scan_profiled profiled = {0};
	uint32_t count = 0, kept = 0;

	memory_array(run, profiled.low, profile->histogram_count);
	memory_array(run, profiled.high, profile->histogram_count);
	memory_array(run, profiled.number, profile->histogram_count);
	for (uint32_t i = 0; i < profile->histogram_count; i++) {
		const struct histogram *histogram = &profile->histograms[i];

		if (histogram->low >= histogram->high)
			continue;
		profiled.low[count] = histogram->low;
		profiled.number[count++] = i;
	}
	sort_ascending(run, profiled.low, profiled.number, count);
	for (uint32_t i = 0; i < count; i++) {
		/* Ranges are the same or apart; of the same ones, the first counts. */
		if (kept > 0 && profiled.low[i] == profiled.low[kept - 1])
			continue;
		profiled.low[kept] = profiled.low[i];
		profiled.high[kept] = profile->histograms[profiled.number[i]].high;
		profiled.number[kept++] = profiled.number[i];
	}
	profiled.count = kept;
	return profiled;
}

bool
scan_profiled_part(struct scan_profiled *profiled, uint64_t *low, uint64_t *high)
{
	uint32_t first = NO_HISTOGRAM;

	while (profiled->next < profiled->count && profiled->high[profiled->next] <= *low)
		profiled->next++;
	for (uint32_t i = profiled->next; i < profiled->count && profiled->low[i] < *high; i++)
		if (first == NO_HISTOGRAM || profiled->number[i] < profiled->number[first])
			first = i;
	if (first == NO_HISTOGRAM)
		return false;
	*low = *low > profiled->low[first] ? *low : profiled->low[first];
	*high = *high < profiled->high[first] ? *high : profiled->high[first];
	return true;
}

bool
scan_is_profiled(const struct scan_profiled *profiled, uint64_t address)
{
	uint32_t cut = (uint32_t)address;
	uint32_t up_to = sorted_up_to(profiled->low, profiled->count, cut);

	return up_to > 0 && cut < profiled->high[up_to - 1];
}
