/* SPDX-License-Identifier: Apache-2.0 */
/* What each profile file held before all of them were added up. */
#include "base/memory.h"
#include "profile/profile.h"

void
profile_begin_file(struct run *run, struct profile *profile, const char *name, int64_t modified)
{
	profile->files = memory_room(run, profile->files, sizeof *profile->files,
	                             profile->file_count, &profile->file_room, 1);
	profile->files[profile->file_count++] = (struct profile_file){.name = name,
	                                                              .modified = modified};
}

static uint64_t
counter(const struct gprofx_histogram *record, uint32_t i)
{
	return gprofx_number_at(record->bins + (size_t)i * record->bin_bytes, record->bin_bytes,
	                        record->bins_big_endian);
}

/*
 * A counter that runs over begins again at 0.  What shows it is that it stands between neighbours
 * that nearly did: instructions of one loop run equally often.  One that has no samples at all does
 * not count, since a processor can charge its time to the next instruction.
 */
static bool
is_dip(const struct gprofx_histogram *record, uint32_t i, uint64_t value, uint64_t most)
{
	uint64_t high = most - most / 4;

	return value > most / 64 && value < most / 4 && i > 0 && i + 1 < record->bin_count &&
	       counter(record, i - 1) >= high && counter(record, i + 1) >= high;
}

void
profile_note_counters(struct profile *profile, const struct gprofx_histogram *record,
                      uint64_t samples, uint64_t largest)
{
	struct profile_file *file = profile_current_file(profile);
	uint64_t most = UINT64_MAX >> (64 - 8 * record->bin_bytes);

	if (record->bins_signed)
		most >>= 1;
	if (!file)
		return;
	if (!file->has_histogram)
		file->rate = record->rate;
	file->has_histogram = true;
	if (record->rate != profile->rate && !file->rate_differs) {
		file->rate_differs = true;
		file->other_rate = record->rate;
	}
	file->samples += samples;
	if (largest < most - most / 4)
		return;
	for (uint32_t i = 0; i < record->bin_count; i++) {
		uint64_t value = counter(record, i);
		bool is_full = value == most, is_near = !is_full && value >= most - most / 8;
		bool dips = !is_full && !is_near && is_dip(record, i, value, most);

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
