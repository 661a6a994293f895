/* SPDX-License-Identifier: Apache-2.0 */
/* What the files of this folder share. */
#ifndef ENGINE_PARTIAL_PARTS_H
#define ENGINE_PARTIAL_PARTS_H

/* IWYU pragma: begin_exports */
#include <gprofx/plugin.h>

#include "base/codec.h"
#include "profile/file-names.h"
#include "profile/profile.h"
#include "symbols/late.h"
#include "symbols/symbols.h"
/* IWYU pragma: end_exports */

/* A range of locations of the run that wrote, and what it is of. */
struct partial_range {
	uint64_t first, past, base;
	uint32_t image; /* of partial.images; or of the objects of the settings */
	bool is_object;
};

/* A partial profile that is being written or read. */
struct partial {
	struct run *run;
	struct profile *profile;
	const struct gprofx_file *file; /* that is read */
	bool is_base;
	struct codec codec;
	/* The files of the profile from this one on are its own. */
	uint32_t first_file, file_count;

	/* Where locations were. */
	uint64_t others_first, others_bytes;
	struct partial_range *ranges; /* ascending */
	uint32_t range_count;
	uint32_t *images; /* their numbers here */
	uint32_t image_count;

	struct profile_file *files; /* that are read */
	uint32_t rate;              /* of the first file that was read there; 0: not known */
	/* What is read belongs to no slice, and here that is kept. */
	bool needs_bins, needs_calls;

	/* The rows of slices here, by those of the run that wrote. */
	uint32_t *slices;
	uint32_t slice_count;
	/* Likewise the histograms of the first metric. */
	uint32_t *histograms;
	uint32_t histogram_count, histogram_room;
};

/* Reports that the bytes cannot be right. */
enum gprofx_result partial_fail(const struct partial *partial);

/* Each writes, or reads and adds, a part of what there is. */
void partial_images(struct partial *partial);
enum gprofx_result partial_metrics(struct partial *partial);
void partial_slice_table(struct partial *partial);
void partial_slice_rows(struct partial *partial);
void partial_rows(struct partial *partial);
void partial_source(struct partial *partial);
enum gprofx_result partial_stacks(struct partial *partial);
void partial_files(struct partial *partial);

/* The files that were read take the place of the one that stood for them meanwhile. */
void partial_add_files(struct partial *partial);

/* Where a location of the run that wrote is here. */
uint64_t partial_location(const struct partial *partial, uint64_t location);
/* The row plus 1 of a slice here; 0 stays 0. */
uint32_t partial_slice(struct partial *partial, uint64_t slice);

/* Which of the files have something; names are those of the files. */
void partial_names(struct partial *partial, struct file_names *names);

#endif
