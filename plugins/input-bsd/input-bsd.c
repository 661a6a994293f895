/* SPDX-License-Identifier: Apache-2.0 */
/* Reads profiles in the format of old BSD systems; those of 4.4BSD as well, if it is asked to. */
#include <gprofx/reader.h>

#include "bsd.h"

static int
weigh(const struct gprofx_file *file, const struct gprofx_target *target)
{
	return bsd_weigh(file, target, false);
}

static enum gprofx_result
read_file(struct gprofx *gx, const struct gprofx_file *file, const struct gprofx_target *target,
          struct gprofx_profile *profile, const void *options)
{
	(void)options;
	return bsd_read(gx, file, target, profile, (struct bsd_needs){.version = false});
}

static const struct gprofx_reader reader = {
	.size = sizeof reader,
	.format = "bsd",
	.read = read_file,
	.weigh = weigh,
};

GPROFX_PLUGIN = {
	GPROFX_ABI,        .name = "input-bsd",
	.version = "1.0",  .summary = "Profiles of old BSD systems, with a header of three numbers",
	.reader = &reader,
};
