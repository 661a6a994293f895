/* SPDX-License-Identifier: Apache-2.0 */
/* What the files of this folder share. */
#ifndef ENGINE_PROFILE_PARTS_H
#define ENGINE_PROFILE_PARTS_H

#include "base/run.h"
#include "profile/profile.h"
#include "symbols/symbols.h"

/* Copies a struct of a reader's as sized_copy() does; the run ends if it cannot be right. */
void profile_take(struct run *run, const char *what, void *to, size_t to_bytes, const void *from);

/*
 * The same for what rows of a bulk call have in common; NULL: nothing.  The slice is that of the
 * profile then, and what the file did not declare ends the run.  has_metric: the rows can have one.
 */
struct gprofx_from profile_take_from(struct run *run, const struct profile *profile,
                                     const struct gprofx_from *given, bool has_metric);

/* Ends the run: what a reader did cannot be, whatever its file says. */
_Noreturn void profile_give_up(struct run *run, const char *format, ...) GPROFX_PRINTF(2, 3);

/* Rows that are not there are a defect of the reader, too. */
void profile_expect_rows(struct run *run, const void *rows, uint32_t count, const char *what);

/* Takes what so many rows need at least from what the bytes of the file can state. */
void profile_spend(struct run *run, struct profile *profile, uint32_t count, uint64_t bytes,
                   const char *what);

/* The members of the profile builder for places and stacks. */
void profile_build_places(struct gprofx *gx, struct gprofx_profile *public,
                          const struct gprofx_raw_place *rows, uint32_t count, uint32_t *numbers);
void
profile_build_places_in(struct gprofx *gx, struct gprofx_profile *public, const char *object,
                        const struct gprofx_raw_place *rows, uint32_t count, uint32_t *numbers);
void profile_build_texts(struct gprofx *gx, struct gprofx_profile *public, const char *const *rows,
                         uint32_t count, uint32_t *numbers);
void profile_build_code(struct gprofx *gx, struct gprofx_profile *public,
                        const struct gprofx_raw_code *rows, uint32_t count, uint32_t *numbers);
enum gprofx_result
profile_build_stacks(struct gprofx *gx, struct gprofx_profile *public,
                     const struct gprofx_file *file, const struct gprofx_from *given_from,
                     const struct gprofx_raw_stacks *given);

enum gprofx_result
profile_build_costed_calls(struct gprofx *gx, struct gprofx_profile *public,
                           const struct gprofx_file *file, const struct gprofx_from *given_from,
                           const struct gprofx_raw_costed_calls *given);

void profile_build_contained(struct gprofx *gx, struct gprofx_profile *public,
                             const struct gprofx_file *given);

/* The rate that the user states is that of the metric which is shown first. */
void
profile_set_rate(const struct run *run, const struct profile *of, struct gprofx_histogram *record);

/* Fails if a record measures its metric otherwise than those before it; there are some. */
enum gprofx_result
profile_check_unit(struct run *run, const struct profile *profile, const struct gprofx_file *file,
                   const struct gprofx_histogram *record);

/* Learns what the metric is from its first record. */
void profile_learn_metric(struct run *run, struct profile *profile,
                          const struct gprofx_histogram *record);

/* Checks that a histogram record agrees with those before it; its counters are not looked at. */
enum gprofx_result
profile_check_record(struct run *run, const struct profile *profile, const struct gprofx_file *file,
                     const struct gprofx_histogram *record);

/* Finds or makes the histogram of a record that was checked; returns its number. */
uint32_t profile_enter_record(struct run *run, struct profile *profile,
                              const struct gprofx_histogram *record);

/* What a bin has, as another run has added it up. */
struct bin_sum {
	uint32_t bin;
	uint64_t samples;
};

/* Adds such bins to a histogram that has them. */
void profile_add_bin_sums(struct run *run, struct histogram *histogram, const struct bin_sum *rows,
                          uint32_t count);

/* Forgets the histograms from number "count" on. */
void profile_forget_histograms(struct run *run, struct profile *profile, uint32_t count);

/*
 * The largest value that a counter of the record can have.  Fails if the record's counters are of
 * no width, or one is negative.
 */
enum gprofx_result profile_check_counters(struct run *run, const struct gprofx_file *file,
                                          const struct gprofx_histogram *record, uint64_t *upper);

/*
 * Whether the next record of the range has just what this one has no room for, as in a sum: such
 * counters are no lost samples.
 */
bool record_goes_on(const struct gprofx_histogram *record, const struct gprofx_histogram *next);

/* A record with its place among those of its range in the file. */
struct counted_record {
	const struct gprofx_histogram *record;
	const struct gprofx_histogram *next; /* what it goes on in, or NULL */
	bool continues;                      /* another one goes on in it */
	const char *metric;                  /* its name; NULL: that of its unit */
	bool is_other;                       /* of another metric than the profile's own */
};

/*
 * Notes what a histogram record of a file held: its samples, and, where the largest of its
 * counters, which is not above "upper", comes close to what such a counter can hold, which of them
 * are full.
 */
void profile_note_counters(const struct profile *profile, struct profile_file *file,
                           const struct counted_record *counted, uint64_t samples, uint64_t upper);

/* Moves a record, or the arcs, calls and blocks of the last file, to where its object is. */
enum gprofx_result
profile_place_record(struct run *run, struct profile *profile, const struct gprofx_file *file,
                     struct gprofx_histogram *record);
void profile_place_rows(struct profile *profile);

/*
 * The images of readers, which need a place beside the program where nothing of what was read
 * before is.  With the first one, rows of all files of all runs move as those of files beside
 * objects do.
 */
struct late_images *
profile_late_images(struct run *run, struct profile *profile, struct symbols *symbols);

/* Before and after rows are added that can be of a process: moves them to where its images are. */
void profile_begin_rows(struct profile *profile, const struct gprofx_from *from);
void profile_end_rows(struct run *run, struct profile *profile, const struct gprofx_from *from);

/*
 * Where the frames of stacks are, to be given back: as many as the addresses; *of: whose locations
 * that are, if not the program's.  NULL: as their addresses say.
 */
uint64_t *
profile_placed_frames(struct run *run, struct profile *profile, const struct gprofx_from *from,
                      const struct gprofx_raw_stacks *rows, const struct symbols **of);

/* Whether sums that are too large begin again at 0. */
static inline bool
sums_wrap(const struct run *run)
{
	return run->settings->sums_wrap;
}

/* Rows of "words" 64-bit numbers, the last of which is a count, the others what is counted. */
struct repeats {
	uint64_t *rows;
	uint32_t words, count;
	uint32_t *slots; /* 2^bits, zero */
	uint32_t bits;
	uint64_t factor;
	bool wrap; /* counts that pass 64 bits begin again, as in GNU gprof; else they stay there */
};

/* Makes what merging of rows needs. */
struct repeats repeats_prepare(struct run *run, void *rows, size_t row_bytes, uint32_t count);

/* Merges rows; sets count.  Uses no service of the run. */
void repeats_merge(struct repeats *repeats);

/* Rows of a profile that can repeat: arcs, calls, blocks. */
struct repeating {
	void *rows;
	size_t row_bytes;
	uint32_t *count, *distinct;
};
enum { REPEATING_KINDS = 3 };

void repeating_of(struct profile *profile, struct repeating kinds[REPEATING_KINDS]);

#endif
