/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Where the addresses of processes are: mappings show ranges of images, and hold for what a file
 * says after them.
 */
#ifndef ENGINE_PROFILE_MAPS_H
#define ENGINE_PROFILE_MAPS_H

#include "base/run.h"
#include "profile/profile.h"

/* What one file says of images, processes and mappings. */
struct maps;

/* Forgets what the file before has said. */
void maps_begin_file(struct run *run, struct profile *profile);

/* Ends the run if the file has no such process. */
void maps_expect_process(struct run *run, const struct profile *profile, uint32_t process);

/*
 * Lets the next process, of which a number was declared, have the mappings of its parent (0: none),
 * until one of both changes.
 */
void maps_add_process(struct run *run, struct profile *profile, uint32_t parent);

/* The members of the profile builder. */
uint32_t maps_declare_image(struct gprofx *gx, struct gprofx_profile *public,
                            const struct gprofx_file *file, const struct gprofx_raw_image *given);
enum gprofx_result
maps_declare_names(struct gprofx *gx, struct gprofx_profile *public, const struct gprofx_file *file,
                   uint32_t image, const struct gprofx_raw_name *rows, uint32_t count);
enum gprofx_result
maps_declare_mapping(struct gprofx *gx, struct gprofx_profile *public,
                     const struct gprofx_file *file, const struct gprofx_raw_mapping *given);

/* Where an address of a process is; ends the run if there is no such process. */
uint64_t maps_locate(struct run *run, struct profile *profile, uint32_t process, uint64_t address);

/* The same of a range.  Fails if it is not in one mapping. */
enum gprofx_result
maps_locate_record(struct run *run, struct profile *profile, const struct gprofx_file *file,
                   struct gprofx_histogram *record);

/* Says how often mappings of the file took the place of others. */
void maps_tell(struct run *run, struct profile *profile, const char *file);

#endif
