/* SPDX-License-Identifier: Apache-2.0 */
/* What each profile file held before all of them were added up. */
#include <gprofx/reader.h>

#include "base/sums.h"
#include "profile/facts.h"
#include "profile/parts.h"
#include "profile/profile.h"

/*
 * A counter that runs over begins again at 0.  What shows it is that it stands between neighbors
 * that nearly did: instructions of one loop run equally often.  One that has no samples at all does
 * not count, since a processor can charge its time to the next instruction.
 */
static bool
is_dip(const struct gprofx_histogram *record, uint32_t i, uint64_t value, uint64_t most)
{
	uint64_t high = most - most / 4;

	return value > most / 64 && value < most / 4 && i > 0 && i + 1 < record->bin_count &&
	       record_counter(record, i - 1) >= high && record_counter(record, i + 1) >= high;
}

static uint64_t
most_in_counter(const struct gprofx_histogram *record)
{
	return UINT64_MAX >> (64 - 8 * record->bin_bytes + record->bins_signed);
}

bool
record_goes_on(const struct gprofx_histogram *record, const struct gprofx_histogram *next)
{
	uint64_t most = most_in_counter(record);
	bool goes_on = false;

	for (uint32_t i = 0; i < record->bin_count; i++) {
		if (record_counter(next, i) == 0)
			continue;
		if (record_counter(record, i) != most)
			return false;
		goes_on = true;
	}
	return goes_on;
}

/* What a record of the profile's own metric says of the file. */
static void
note_own(const struct profile *profile, struct profile_file *file,
         const struct gprofx_histogram *record, uint64_t samples)
{
	if (!file->has_histogram)
		file->rate = record->lacks_rate ? profile->rate : record->rate;
	file->has_histogram = true;
	if (!record->lacks_rate && record->rate != profile->rate && !file->rate_differs) {
		file->rate_differs = true;
		file->other_rate = record->rate;
	}
	sum_add(&file->samples, samples);
}

void
profile_note_counters(const struct profile *profile, struct profile_file *file,
                      const struct counted_record *counted, uint64_t samples, uint64_t upper)
{
	const struct gprofx_histogram *record = counted->record;
	uint64_t most = most_in_counter(record);
	bool is_sum = counted->next || counted->continues;

	facts_note_record(profile, file, counted, samples);
	if (counted->is_other)
		file->has_other_metric = true;
	else
		note_own(profile, file, record, samples);
	if (upper < most - most / 4)
		return;
	for (uint32_t i = 0; i < record->bin_count; i++) {
		uint64_t value = record_counter(record, i);
		bool is_full = value == most, is_near = !is_full && value >= most - most / 8;
		bool dips = !is_full && !is_near && is_dip(record, i, value, most);

		if (is_sum && (!is_full || (counted->next && record_counter(counted->next, i) > 0)))
			continue;
		if (!is_full && !is_near && !dips)
			continue;
		if (file->full + file->nearly_full + file->dips == 0) {
			file->counter_bytes = record->bin_bytes;
			file->full_low = record->low +
			                 (uint64_t)((double)(record->high - record->low) /
			                            record->bin_count * i);
		}
		file->full += is_full;
		file->nearly_full += is_near;
		file->dips += dips;
	}
}
