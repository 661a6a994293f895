/* SPDX-License-Identifier: Apache-2.0 */
/* Reads profiles in the format of 4.4BSD. */
#include <gprofx/reader.h>

#include "bsd.h"

static int
weigh(const struct gprofx_file *file, const struct gprofx_target *target)
{
	return bsd_weigh(file, target, true);
}

static enum gprofx_result
read_file(struct gprofx *gx, const struct gprofx_file *file, const struct gprofx_target *target,
          struct gprofx_profile *profile, const void *options)
{
	(void)options;
	return bsd_read(gx, file, target, profile, true);
}

static const struct gprofx_reader reader = {
	.size = sizeof reader,
	.format = "4.4bsd",
	.read = read_file,
	.weigh = weigh,
};

GPROFX_PLUGIN = {
	GPROFX_ABI,
	.name = "input-4.4bsd",
	.version = "1.0",
	.summary = "Profiles of 4.4BSD and its descendants, Windows programs and others",
	.reader = &reader,
};
