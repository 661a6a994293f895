/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The rows of single files, kept as long as they are few: what a process counted before a fork is
 * in the files of its children, too, and only row by row it can be told from another run.
 */
#ifndef ENGINE_PROFILE_COPIES_H
#define ENGINE_PROFILE_COPIES_H

#include "base/run.h"
#include "profile/profile.h"

enum { COPIES_MOST_FILES = 64, COPIES_MOST_ROWS = 8192 };

/* What one file has. */
struct file_rows {
	struct file_bin {
		uint64_t address, count; /* first address of the bin; never 0 */
	} * bins;                        /* in the order of the file */
	struct gprofx_raw_arc *arcs;     /* by callee, then by caller; each pair once */
	uint32_t bin_count, arc_count;
	bool is_whole; /* all that the file has is here */
};

/* From here on the rows of files are kept; to be called before the first file. */
void copies_want(struct run *run, struct profile *profile);

/* Keeps the arcs of the file that was read last. */
void copies_keep_arcs(struct profile *profile);
/* Keeps the counters of a record that are not 0. */
void copies_keep_bins(const struct profile *profile, struct profile_file *file,
                      const struct gprofx_histogram *record);

#endif
