/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Partial profiles: what one run has read of some files, for another run that adds it to what it
 * has read itself.  Files of the same list, read in several parts and added in the order of these,
 * make the report that one run would make of all of them, byte for byte: the sums are of integers,
 * and what depends on an order keeps it.
 *
 * Layout: a line that says what it is, a version, the length and the CRC-32 (that of libiberty) of
 * what follows, and then numbers and texts as base/bytes.h has them, in the order in which the
 * files of this folder describe them.  Only the same version of gprofx reads it, with the same
 * program and settings; it is no format for archives.
 */
#ifndef ENGINE_PARTIAL_PARTIAL_H
#define ENGINE_PARTIAL_PARTIAL_H

#include "base/run.h"
#include "profile/profile.h"

/* Whether these are the bytes of a partial profile, damaged or not. */
bool partial_is(const struct gprofx_file *file);

/* Whether there was no program when they were written, and none is needed to read them. */
bool partial_needs_no_program(const struct gprofx_file *file);

/*
 * Adds a partial profile: its files come behind all that were read before, which have to be added
 * up.  If it turns out too late that it does not fit, profile->is_spoiled is set, and no report can
 * be made of what there is.  is_base: what was measured in which unit and range counts as
 * read, and no number does.  Fails where it is damaged, or does not fit, which was reported.
 */
enum gprofx_result partial_read(struct run *run, struct profile *profile,
                                const struct gprofx_file *file, bool is_base);

/*
 * What was read and added up, as one partial profile; run lifetime.  Rows that are alike are merged
 * for that.
 */
const uint8_t *partial_write(struct run *run, struct profile *profile, size_t *count);

#endif
