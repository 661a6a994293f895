/* SPDX-License-Identifier: Apache-2.0 */
/* The reading of the profiles of a run: what is under way. */
#ifndef ENGINE_INPUT_READING_H
#define ENGINE_INPUT_READING_H

#include "base/run.h"
#include "input/input.h"
#include "slide/slide.h"

enum { OPEN_FILES = 64 }; /* whose counters wait to be added up */

/* The files whose counters have not been added yet. */
struct reading {
	struct run *run;
	struct plugin *reader; /* the one that was asked for, or NULL */
	struct slide slide;
	struct profile *profile;
	struct mapped_file *open[OPEN_FILES];
	uint32_t open_count;
	uint64_t open_bytes;
	uint64_t most_bytes; /* so many may be open before counters are added up */
	struct missing missing;
	bool warned_library; /* that one is of a library */
};

/* Adds up the counters of open files, and closes them; is_all: no file comes behind them. */
void reading_add_up(struct reading *reading, bool is_all);

/*
 * Has rows of files kept that come from here on, if anything looks at them: see copies_want().
 */
void reading_want_copies(struct reading *reading, bool of_objects);

/* Adds a partial profile in a file, the last one that was opened. */
enum gprofx_result reading_add_partial(struct reading *reading, const struct gprofx_file *file);

/* Has the files agree with the base of the settings, if there is one. */
enum gprofx_result reading_add_base(struct reading *reading);

/* Adds what the front end has from other processes.  *good: partial profiles with files. */
enum gprofx_result reading_add_passed(struct reading *reading, uint32_t *good);

/* Fails if a part of a partial profile was added that turned out not to fit. */
enum gprofx_result reading_check_whole(struct reading *reading);

/* Fails if sums have copies of counters that cannot be taken out any more. */
enum gprofx_result reading_check_copies(struct reading *reading);

#endif
