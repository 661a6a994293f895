/* SPDX-License-Identifier: Apache-2.0 */
/* The reader callbacks of input-bsd and input-4.4bsd. */
#ifndef INPUT_BSD_BSD_H
#define INPUT_BSD_BSD_H

#include <gprofx/reader.h>

/* How sure it is that the file has, or has not, the header with a version. */
int
bsd_weigh(const struct gprofx_file *file, const struct gprofx_target *target, bool with_version);

/* Reads a file of either header, or, if needs_version, of the one with a version only. */
enum gprofx_result
bsd_read(struct gprofx *gx, const struct gprofx_file *file, const struct gprofx_target *target,
         struct gprofx_profile *profile, bool needs_version);

#endif
