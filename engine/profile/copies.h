/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The rows of single files, kept as long as they are few: what a process counted before a fork is
 * in the files of its children, too, and only row by row it can be distinguished from another run.
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
	uint64_t samples;             /* in all bins */
	uint32_t first_arc, raw_arcs; /* where its arcs begin in the profile, and how many */
	bool is_whole;                /* all that the file has is here */
};

/*
 * From here on the rows of files are kept; to be called before the first file, if several come.
 * of_objects: those of files of other objects than the program, too.  before: files that other runs
 * read, and that come before.
 */
void copies_want(struct run *run, struct profile *profile, bool of_objects, uint64_t before);

/* Whether rows of one more file are kept, of which another run has kept them: they count then. */
bool copies_take_place(struct profile *profile);

/* Keeps the arcs of the file that was read last. */
void copies_keep_arcs(struct profile *profile);

/*
 * Keeps the bins of all files that wait to be added up.  is_all: no file comes behind them.  Then,
 * if none was added up before and that is corrected, what files are proven to have copied from
 * another one is left out of what is added up: see forks.c.
 */
void copies_compare(struct run *run, struct profile *profile, bool is_all);
/* The last step of it. */
void copies_take_out(struct run *run, struct profile *profile);

/*
 * Whether there are such copies in files that several runs have read, whose counters cannot be
 * taken out of sums any more.
 */
bool copies_are_left(struct run *run, struct profile *profile);

/* Whether both are the same file, under one name or several. */
bool copies_are_one_file(const struct profile_file *a, const struct profile_file *b);

/*
 * Whether the names are those that the C library gives the files of two processes, a common one
 * with the number of the process behind it, and the first process was there before.
 */
bool copies_is_earlier(const struct profile_file *a, const struct profile_file *b);

/* Whether both have the same samples, counter by counter. */
bool copies_have_same_bins(const struct file_rows *a, const struct file_rows *b);

/* The order of struct file_rows.arcs, for qsort() and bsearch(). */
int copies_compare_arcs(const void *left, const void *right);

/* Whether no call of "parent" is missing in "child".  *more: the child has more calls. */
bool
copies_are_calls_within(const struct file_rows *parent, const struct file_rows *child, bool *more);

/*
 * How unlikely it is that another run has these samples, counter by counter, where "other" has:
 * 1 in e to that, at least.
 */
double copies_evidence(const struct profile *profile, const struct file_rows *rows,
                       const struct file_rows *other);

#endif
