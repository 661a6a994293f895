/* SPDX-License-Identifier: Apache-2.0 */
/* Sources that cannot be found: of a library, one warning is enough. */
#ifndef PLUGINS_OUTPUT_ANNOTATE_MISSING_H
#define PLUGINS_OUTPUT_ANNOTATE_MISSING_H

#include <stdint.h>

#include "../shared/find-source.h"
#include "listing.h"

/* By image, the program's first. */
struct missing {
	const struct gprofx_report *report;
	struct finder *finder;
	uint32_t *wanted, *count; /* files that were looked for, and not found */
	const char **first;       /* the first of these; of the program, none is kept */
};

void missing_begin(struct missing *missing, struct finder *finder);

/* Opens a source with these lines; -1: it is not there, which a warning says now or in the end. */
int missing_open(struct missing *missing, const char *name, struct listed_rows rows);

void missing_end(struct missing *missing);

#endif
