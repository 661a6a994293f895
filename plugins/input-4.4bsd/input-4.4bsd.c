/* SPDX-License-Identifier: Apache-2.0 */
/* Reads profiles in the format of 4.4BSD. */
#include <gprofx/reader.h>

#include "bsd.h"

struct options {
	uint32_t counters; /* enum counters */
};

enum counters { COUNTERS_AS_STATED, COUNTERS_16_BIT };

static const char *const counters_words[] = {"as-stated", "16-bit", NULL};

static const struct gprofx_option table[] = {
	{.key = "counters",
         .type = GPROFX_CHOICE,
         .offset = offsetof(struct options, counters),
         .initial = "as-stated",
         .choices = counters_words,
         .help = "width of counters of samples: as the header states it, or 16 bits whatever is "
                 "there"},
};

static int
weigh(const struct gprofx_file *file, const struct gprofx_target *target)
{
	return bsd_weigh(file, target, true);
}

static enum gprofx_result
read_file(struct gprofx *gx, const struct gprofx_file *file, const struct gprofx_target *target,
          struct gprofx_profile *profile, const void *options)
{
	const struct options *set = options;

	return bsd_read(
		gx, file, target, profile,
		(struct bsd_needs){.version = true,
	                           .usual_counts = set && set->counters == COUNTERS_16_BIT});
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
	GPROFX_OPTIONS(struct options, table),
	.reader = &reader,
};
