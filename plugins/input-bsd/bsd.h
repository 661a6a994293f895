/* SPDX-License-Identifier: Apache-2.0 */
/* The reader callbacks of input-bsd and input-4.4bsd. */
#ifndef INPUT_BSD_BSD_H
#define INPUT_BSD_BSD_H

#include <gprofx/reader.h>

/* How sure it is that the file has, or has not, the header with a version. */
int
bsd_weigh(const struct gprofx_file *file, const struct gprofx_target *target, bool with_version);

/* What is required of a file. */
struct bsd_needs {
	bool version;      /* its header has one; otherwise either header will do */
	bool usual_counts; /* its counters have 2 bytes, whatever the header says */
};

enum gprofx_result
bsd_read(struct gprofx *gx, const struct gprofx_file *file, const struct gprofx_target *target,
         struct gprofx_profile *profile, struct bsd_needs needs);

#endif
