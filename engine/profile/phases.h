/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The phase of the program that the user chose: what files have of other phases, or of none, is
 * left out as if it had never happened.  Without a choice nothing of this is kept.
 */
#ifndef ENGINE_PROFILE_PHASES_H
#define ENGINE_PROFILE_PHASES_H

#include "base/run.h"
#include "profile/slices.h"

/* In place of the row of a slice that is left out. */
#define SLICE_LEFT_OUT UINT32_MAX

struct phases {
	const char **known; /* names in files, for a message; not all if there are many */
	uint32_t known_count;
	bool has_more;
	bool is_found; /* a file has the chosen one */
	/* Of the file that is being read, by number: whether it is, or is of, the chosen one. */
	bool *is_phase, *is_slice;
	uint32_t phase_room, slice_room;
};

/* Whether the user chose one. */
bool phases_are_chosen(const struct run *run);

/* The file declared a phase, or a slice that is of one (0: of none). */
void phases_note(struct run *run, struct profile *profile, uint32_t number,
                 const struct gprofx_raw_phase *phase);
void phases_note_slice(struct run *run, struct profile *profile, uint32_t number, uint32_t phase);

/* Whether rows of a slice that the file knows by a number (0: of none) are left out. */
bool phases_leave_out(const struct run *run, const struct profile *profile, uint32_t slice);

/*
 * Which stacks are left out; NULL: none.  common: the row of the slice of those without one of
 * their own.
 */
const bool *phases_left_out_stacks(struct run *run, const struct profile *profile, uint32_t common,
                                   const struct gprofx_raw_stacks *rows);

/* Sets the counters of a record that is left out to 0. */
void phases_select_bins(struct run *run, struct gprofx_histogram *record);

/* Fails if no file has the chosen phase. */
enum gprofx_result phases_expect_chosen(struct run *run, const struct profile *profile);

#endif
