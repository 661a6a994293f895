/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Processes, threads and phases that rows of profiles are of, and what of the input belongs to
 * which of them.  A slice is a thread in a phase.  Nothing of this is kept unless an emitter asks
 * for it: then all slices are 0, and readers get numbers all the same.  Bins and calls are kept
 * from the first file on that has any: those before it belong to none.
 *
 * Slices can be distinguished by file, too: then each is of one file, and what has no thread and
 * no phase is of a slice that only says of which file.  Bins and calls are then kept from the first
 * file on that has stacks or is a recording.
 */
#ifndef ENGINE_PROFILE_SLICES_H
#define ENGINE_PROFILE_SLICES_H

#include "base/run.h"
#include "base/slots.h"
#include "profile/kept-rows.h"
#include "profile/source-counts.h"

enum slice_kind { SLICE_PROCESS, SLICE_THREAD, SLICE_PHASE, SLICE_SLICE, SLICE_KINDS };

/* Rows are the same if all of this is, in whatever file. */
struct slice_row {
	uint32_t kind; /* enum slice_kind */
	/* Rows plus 1, 0: none.  Of a process its parent; of a thread its process; of a slice its
	 * thread. */
	uint32_t of;
	uint64_t number; /* of a slice: the row of its phase plus 1, or 0 */
	const char *name;
	uint32_t file; /* of a slice: the number of its file plus 1; 0: not distinguished */
	/* What else is known of a thread, in any of the files; not compared. */
	uint32_t threads;
	bool is_unknown;
	uint64_t cpu_ns;
};

/* Rows of struct kept_rows.  slice: a row plus 1, or 0: none. */
struct slice_bin { /* of a histogram of the first metric */
	uint32_t slice, histogram;
	uint64_t bin, samples;
};
struct slice_call {
	uint32_t slice, has_caller;
	uint64_t from, self, count;
};

/* Arcs or calls of the file that is being read which have a slice. */
struct slice_batch {
	uint32_t slice, first, count;
};

struct slice_batches {
	struct slice_batch *items;
	uint32_t count, room;
};

struct slices {
	uint32_t wanted;          /* enum gprofx_slice_kind; 0: not wanted */
	uint32_t found;           /* what files have, likewise */
	bool always;              /* they are kept even if files have none */
	bool by_file;             /* they are distinguished by file */
	bool keeps_files;         /* a file was there from which on that is so of bins and calls */
	bool has_bins, has_calls; /* those of earlier files are kept, too */

	struct slice_row *rows;
	uint32_t count, room;
	struct slots slots;
	uint64_t factor;              /* of hashes */
	struct kept_rows bins, calls; /* those of stacks are with these */

	/* Of the file that is being read. */
	uint32_t of_file; /* the row plus 1 of what is of no other slice; 0: not by file */
	uint32_t old_count, old_calls, file_found;
	uint32_t declared[SLICE_KINDS]; /* so many it has declared */
	uint32_t *row_of[SLICE_KINDS];  /* their rows, if wanted */
	uint32_t row_room[SLICE_KINDS];
	struct slice_batches arc_batches, call_batches;
	uint32_t *of_stacks, of_stacks_room;
};

struct profile;

/*
 * Has what belongs to which slice kept, of all files that are read from now on; always: even if
 * none of them has any.
 */
void slices_want(struct profile *profile, uint32_t kinds, bool always);

/* Has slices distinguished by file, of all files that are read from now on. */
void slices_want_files(struct profile *profile);

/* Whether what is read is kept by file, or was. */
bool slices_are_by_file(const struct profile *profile);

/* The members of the profile builder. */
uint32_t slices_process(struct gprofx *gx, struct gprofx_profile *public,
                        const struct gprofx_file *file, const struct gprofx_raw_process *given);
uint32_t slices_thread(struct gprofx *gx, struct gprofx_profile *public,
                       const struct gprofx_file *file, const struct gprofx_raw_thread *given);
uint32_t slices_phase(struct gprofx *gx, struct gprofx_profile *public,
                      const struct gprofx_file *file, const struct gprofx_raw_phase *given);
uint32_t slices_slice(struct gprofx *gx, struct gprofx_profile *public,
                      const struct gprofx_file *file, uint32_t thread, uint32_t phase);

/*
 * The slice of each of these stacks, which have that of the call or one each; NULL: not wanted.
 */
const uint32_t *slices_of_stacks(struct run *run, struct profile *profile, uint32_t common,
                                 const struct gprofx_raw_stacks *stacks);

/* The slice that a file knows by a number, or SLICE_LEFT_OUT; what it did not declare ends the run.
 */
uint32_t slices_resolve(struct run *run, const struct profile *profile, uint32_t number);

void slices_begin_file(struct run *run, struct profile *profile);
void slices_drop_file(struct run *run, struct profile *profile);
/* The arcs and calls of the file have their final addresses. */
void slices_commit_file(struct run *run, struct profile *profile);
/* Arcs or calls from "first" on are of a slice. */
void slices_note_batch(struct run *run, struct slice_batches *batches, uint32_t slice,
                       uint32_t first, uint32_t count);

/* The number of a row, which is made if none is the same; its name is copied. */
uint32_t slices_row(struct run *run, struct slices *slices, const struct slice_row *row);

/*
 * From here on it is kept which slice bins and calls belong to; what there is belongs to none,
 * unless that is known already.
 */
void slices_begin_bins(struct run *run, struct profile *profile);
void slices_begin_calls(struct run *run, struct profile *profile);
/* Keeps the arcs and calls from these on; those that no batch has belong to no slice. */
void
slices_add_calls(struct run *run, struct profile *profile, uint32_t first_arc, uint32_t first_call);
void slices_add_bin(struct run *run, struct slices *slices, struct slice_bin row);

/* Takes the bins that wait to be added up, and merges what is alike. */
void slices_add_up(struct run *run, struct profile *profile);

#endif
