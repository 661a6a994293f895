/* SPDX-License-Identifier: Apache-2.0 */
/* Sources that were changed after the build: lines of the debug information are not theirs. */
#ifndef PLUGINS_OUTPUT_ANNOTATE_NEWER_H
#define PLUGINS_OUTPUT_ANNOTATE_NEWER_H

#include <gprofx/emitter.h>

#include "listing.h"

/* The warnings about such sources. */
struct newer {
	struct gprofx *gx;
	const struct gprofx_report *report;
	/* When each image was written, seconds since 1970, the program's first; 0: not known. */
	int64_t *built;
	uint32_t count; /* sources that are newer */
};

void newer_begin(struct newer *newer, struct gprofx *gx, const struct gprofx_report *report);

/*
 * Warns if a source was modified, in seconds since 1970, after an image with functions of it was
 * built.  0: when is not known, so nothing is said.
 */
void newer_check(struct newer *newer, const char *name, struct listed_rows rows, int64_t modified);

/* Says how many more there are, if not all had a warning. */
void newer_end(struct newer *newer);

#endif
