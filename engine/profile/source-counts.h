/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Executions of lines and functions of source, as compilers' counters have them: by place in the
 * source, not by address.
 */
#ifndef ENGINE_PROFILE_SOURCE_COUNTS_H
#define ENGINE_PROFILE_SOURCE_COUNTS_H

#include "base/run.h"

/* Executions of a line; file: number in profile->source_files. */
struct source_count {
	uint32_t file;
	uint32_t line; /* from 1 */
	uint64_t count;
};

/* Executions of a function of a file. */
struct source_function {
	uint32_t file;
	uint32_t name; /* number in profile->source_names */
	uint32_t first_line, last_line;
	uint64_t count;
};

/* IWYU pragma: no_include "profile/profile.h" */
struct profile;
struct gprofx_raw_source;

/* Adds what a reader found in a source file. */
void
source_counts_add(struct run *run, struct profile *profile, const struct gprofx_raw_source *source);

/* Adds up lines and functions that came several times, if there are many. */
void source_counts_merge(struct run *run, struct profile *profile);

/*
 * Everything was read: brings files into the order of their paths, lines into that of files and
 * numbers, functions into that of files, lines and names; each is there once.
 */
void source_counts_finish(struct run *run, struct profile *profile);

struct gprofx_profile_file;

/*
 * What a file has about source: its lines and functions, which are the last ones of the profile,
 * begin with these.
 */
void source_counts_facts(struct run *run, const struct profile *profile, uint32_t first_line,
                         uint32_t first_function, struct gprofx_profile_file *to);

/* The number of a source file by any of its paths, or NO_NAME.  For a finished profile. */
uint32_t source_counts_file(struct run *run, const struct profile *profile, const char *path);

/*
 * A path without what has no meaning in it: ".", "..", slashes in a row.  A path that a relative
 * one is put behind, or NULL.  Run lifetime.
 */
const char *source_counts_path(struct run *run, const char *folder, const char *path);

#endif
