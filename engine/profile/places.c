/* SPDX-License-Identifier: Apache-2.0 */
/* Where the addresses of a file are among those of the program and of other objects. */
#include "base/run.h"
#include "profile/parts.h"
#include "profile/profile.h"
#include "symbols/symbols.h"

void
profile_place_file(struct profile *profile, const struct symbols *symbols,
                   const struct symbol_image *image)
{
	profile->symbols = symbols;
	profile->holds = profile->holds || image;
	profile_current_file(profile)->image = image;
}

void
profile_place_rows(struct profile *profile)
{
	const struct symbols *symbols = profile->symbols;
	const struct symbol_image *image;

	if (!symbols)
		return;
	image = profile_current_file(profile)->image;
	for (uint32_t i = profile->mark.arc_count; i < profile->arc_count; i++) {
		struct gprofx_raw_arc *arc = &profile->arcs[i];

		arc->from = symbols_location(symbols, image, arc->from);
		arc->self = symbols_location(symbols, image, arc->self);
	}
	for (uint32_t i = profile->mark.call_count; i < profile->call_count; i++)
		profile->calls[i].self = symbols_location(symbols, image, profile->calls[i].self);
	for (uint32_t i = profile->mark.block_count; i < profile->block_count; i++)
		profile->blocks[i].address = symbols_location(symbols, image,
		                                              profile->blocks[i].address);
	for (uint32_t i = 0; i < profile->sparse_file.count; i++) {
		struct gprofx_raw_sample *sample = &profile->sparse_file.rows[i];

		sample->address = symbols_location(symbols, image, sample->address);
	}
}

enum gprofx_result
profile_place_record(struct run *run, struct profile *profile, const struct gprofx_file *file,
                     struct gprofx_histogram *record)
{
	const struct symbols *symbols = profile->symbols;
	uint64_t low = record->low, high = record->high;
	struct gprofx_diagnostic diagnostic;
	const struct symbol_image *image;

	if (!symbols)
		return GPROFX_OK;
	image = profile_current_file(profile)->image;
	if (symbols_move_range(symbols, image, &record->low, &record->high))
		return GPROFX_OK;
	diagnostic = gprofx_at(file, record->offset, "profile.far-off",
	                       "name each profile with the object that wrote it; its addresses are "
	                       "those that the object was linked for");
	diagnostic.number[0] = low;
	diagnostic.number[1] = high;
	return run_fail(run, &diagnostic,
	                "expected a histogram within 4 GiB of the code of %s, found 0x%llx-0x%llx",
	                (image ? image : symbols->images)->path, (unsigned long long)low,
	                (unsigned long long)high);
}
