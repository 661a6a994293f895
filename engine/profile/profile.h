/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What was read from all profile files: histograms, arcs, basic blocks, still by address.
 */
#ifndef ENGINE_PROFILE_PROFILE_H
#define ENGINE_PROFILE_PROFILE_H

#include "base/run.h"

/* Bins that are passed over together when none of them has samples. */
enum { HISTOGRAM_BLOCK = 64 };

/* The sum of all histogram records of one address range. */
struct histogram {
	uint64_t low, high;
	uint32_t bin_count;
	uint32_t *bins;   /* bin_count sums, unless bins64 is set */
	uint64_t *bins64; /* the same, once a sum passed 32 bits */
	bool *is_used;    /* per block of bins, the last one cut short: some of them have samples */
};

static inline uint64_t
histogram_bin(const struct histogram *histogram, uint32_t i)
{
	return histogram->bins64 ? histogram->bins64[i] : histogram->bins[i];
}

/*
 * The first bin at or after i that has samples, or bin_count.  Most bins have none, and many lie in
 * memory that was never touched.
 */
static inline uint32_t
histogram_next(const struct histogram *histogram, uint32_t i)
{
	for (; i < histogram->bin_count; i++) {
		if (i % HISTOGRAM_BLOCK == 0)
			while (!histogram->is_used[i / HISTOGRAM_BLOCK]) {
				i += HISTOGRAM_BLOCK;
				if (i >= histogram->bin_count)
					return histogram->bin_count;
			}
		if (histogram_bin(histogram, i) != 0)
			break;
	}
	return i;
}

/* What one file held, kept when it is added to the others. */
struct profile_file {
	const char *name;     /* as the user gave it */
	int64_t modified;     /* when it was written, in seconds since 1970; 0: not known */
	uint64_t samples;     /* over all histograms */
	uint64_t calls;       /* over all arcs, modulo 2^64 */
	uint32_t arc_count;   /* records */
	uint32_t rate;        /* of its first histogram */
	uint32_t other_rate;  /* the first one that differs from that of the first file */
	uint32_t full;        /* counters at the largest value that they can hold */
	uint32_t nearly_full; /* counters in the last eighth below that value */
	uint32_t dips; /* counters far below both of their neighbours, which are nearly full */
	uint8_t counter_bytes; /* width of the counters that are full, nearly full, or dip */
	uint64_t full_low;     /* address of the first of them */
	bool has_histogram, rate_differs;
};

struct profile {
	struct gprofx_profile public; /* first: what readers get */

	/* Histograms in order of first appearance; the first record sets what follows. */
	struct histogram *histograms;
	uint32_t histogram_count, histogram_room;
	uint32_t rate; /* 0 until a histogram was read */
	char dimension[16];
	char abbreviation;
	double scale; /* width of a bin in units of 2 bytes */

	/* Arcs in the order of the files. */
	struct gprofx_raw_arc *arcs;
	uint32_t arc_count, arc_room;

	struct gprofx_raw_block *blocks;
	uint32_t block_count, block_room;

	bool has_histogram, has_arcs, has_blocks;

	/* The files in order; what comes before the first one has a name counts for none. */
	struct profile_file *files;
	uint32_t file_count, file_room;

	/* Histogram records of a file that wait for its end, if they have to; see slide/. */
	bool holds;
	struct gprofx_histogram *held;
	uint32_t held_count, held_room;
};

struct profile *profile_new(struct run *run);

/* What is built from here on is of this file.  The name has run lifetime. */
void
profile_begin_file(struct run *run, struct profile *profile, const char *name, int64_t modified);

/*
 * Notes what a histogram record held: its samples, and, where the largest of its counters comes
 * close to what such a counter can hold, which of them are full.
 */
void profile_note_counters(struct profile *profile, const struct gprofx_histogram *record,
                           uint64_t samples, uint64_t largest);

/* The file that is being read, or NULL. */
static inline struct profile_file *
profile_current_file(struct profile *profile)
{
	return profile->file_count > 0 ? &profile->files[profile->file_count - 1] : NULL;
}

/* Merges the records that waited, in their order, up to the first that does not agree. */
enum gprofx_result
profile_merge_held(struct run *run, struct profile *profile, const struct gprofx_file *file);

#endif
