/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What each profile file held, in detail: form, ranges, how much of it lies in known functions.  It
 * is determined only if some output shows it.
 */
#ifndef ENGINE_PROFILE_FACTS_H
#define ENGINE_PROFILE_FACTS_H

#include "base/codec.h"
#include "base/run.h"
#include "profile/profile.h"
#include "symbols/symbols.h"

struct counted_record;

/* Has details noted of all files that begin from now on. */
void facts_want(struct run *run, struct profile *profile, const struct symbols *symbols);

/*
 * What is known about the file being read: nothing happens where it is not wanted, or there is no
 * such file.  Records: as they were added, with their counters.
 */
void facts_begin_file(struct profile *profile);
/* Of a file that may be read as a whole already: counters are added up later. */
void facts_note_record(const struct profile *profile, const struct profile_file *file,
                       const struct counted_record *counted, uint64_t samples);
/*
 * Samples at single addresses, of the file that is being read; "of" has their metric, "record"
 * their rate.
 */
void facts_note_samples(const struct profile *profile, const struct profile *of,
                        const struct gprofx_histogram *record, const struct gprofx_raw_sample *rows,
                        uint32_t count);
/* The member "describe" of the profile builder. */
void
facts_describe(struct gprofx *gx, struct gprofx_profile *public, const struct gprofx_layout *given);
/* The member "recording" of the profile builder. */
void facts_note_recording(struct gprofx *gx, struct gprofx_profile *public,
                          const struct gprofx_raw_recording *given);
/*
 * The file was read as a whole, and its arcs, which are the last ones of the profile, have the
 * addresses of the image.  The texts have run lifetime.
 */
void facts_finish_file(struct profile *profile, const struct gprofx_file *file, const char *format,
                       const char *reader);

/* Writes, or reads, what is known about a file. */
void facts_code(struct codec *codec, struct profile_file *file);

/* The files that were read as a whole, for a report; NULL if not wanted. */
const struct gprofx_profile_file *
facts_list(struct run *run, const struct profile *profile, uint32_t *count);

#endif
