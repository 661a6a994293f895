/* SPDX-License-Identifier: Apache-2.0 */
/* Profile files: which reader takes which file. */
#ifndef ENGINE_INPUT_INPUT_H
#define ENGINE_INPUT_INPUT_H

#include "base/run.h"
#include "plugin/plugins.h"
#include "profile/profile.h"
#include "symbols/symbols.h"
#include "scan/scan.h"

struct plugin;

/*
 * Finds the reader that was asked for, before any file is opened; NULL: each file shows what it
 * is.
 */
enum gprofx_result input_choose_reader(struct run *run, struct plugin **reader);

/* Sets *reader to the one for a file, unless it was chosen before. */
enum gprofx_result input_find_reader(struct run *run, const struct gprofx_file *file,
                                     const struct gprofx_target *target, struct plugin **reader);

/* The reader of a file of a format that can do without the program; NULL: there is none. */
const struct plugin *input_reader_without_program(struct run *run, const struct gprofx_file *file);

/* Whether a file is a profile of a format that can do without the program; nothing is said. */
bool input_needs_no_program(struct run *run, const struct gprofx_file *file);

/* Makes what stands in the place of the program the first profile of the settings. */
enum gprofx_result input_take_program_for_profile(struct run *run);

/*
 * Has the profiles of the settings, which are recordings of the program, read without it: what they
 * say about its code takes its place.
 */
enum gprofx_result input_take_recording_alone(struct run *run);

/*
 * The profiles of a run, in order; outside of GNU mode a folder stands for those in it, by
 * name.  Fails if a folder has none, or cannot be read; the others are listed all the same.
 */
enum gprofx_result input_list_files(struct run *run, const struct engine_run *of,
                                    const char *const **names, uint32_t *count);

/* Reports that a folder cannot be read; error: an errno value. */
enum gprofx_result input_fail_folder(struct run *run, const char *folder, int error);

/*
 * The repeated runs that a name stands for: those in it, by name, if it is a folder that is no
 * recording itself, each a file or a recording, of gprofx or of perf; else itself.  Warns of what
 * else is in the folder.  NULL: it cannot be read, has none, or more than ENGINE_RUNS_AT_MOST,
 * which was reported.
 */
const char *const *input_list_runs(struct run *run, const char *name, uint32_t *count);

/* Whether the run ends with a partial profile. */
static inline bool
input_makes_partial(const struct run *run)
{
	return run->settings->partial_file || run->frontend->take_partial;
}

/* Whether other runs read some of several files. */
static inline bool
input_shares_files(const struct run *run)
{
	if (run->settings->whole)
		return run->settings->whole_count > 1;
	return input_makes_partial(run) || run->frontend->next_partial;
}

/* Whether the profiles of the first run can be several: the user names them, or a folder. */
bool input_can_have_several(const struct run *run);

/* What to do about a file that is no profile: to leave it out, if it is a text among several. */
const char *input_text_hint(struct run *run, const struct gprofx_file *file, const char *otherwise);

/* What is known of profiles that are not there. */
struct missing {
	uint32_t count;      /* of them */
	const char *reasons; /* that the program leaves; NULL: not looked for yet */
};

/*
 * What to do about a profile that is not there: the name in its folder that may be meant; of the
 * usual name, the reasons that the program leaves.  Run lifetime.
 */
const char *input_missing_hint(struct run *run, const struct symbols *symbols,
                               struct missing *missing, const char *name);

/*
 * Warns of a profile of the program whose name is that of a library's.  Returns whether it is one.
 */
bool input_warn_of_library(struct run *run, const struct symbols *symbols, const char *name);

/* Warns of a file that was read more than once. */
void input_warn_repeated(struct run *run, const struct profile *profile);

/*
 * Reads every profile of the settings, in order, by addresses of the image: those of the first run
 * into the profile, with those of objects, and those of each further run into profile->next_run.
 */
enum gprofx_result input_read_profiles(struct run *run, struct plugin *reader, struct scan *scan,
                                       struct profile *profile);

#endif
