/* SPDX-License-Identifier: Apache-2.0 */
/* Names of the files that annotated sources are written to, one for each. */
#ifndef OUTPUT_ANNOTATE_NAMES_H
#define OUTPUT_ANNOTATE_NAMES_H

#include <gprofx/emitter.h>

struct file_names {
	struct gprofx *gx;
	const struct gprofx_report *report;
	bool are_distinct; /* else files of one base name have one name, as for GNU gprof */
	uint32_t *sorted;  /* files by their base names */
	uint32_t *place;   /* of each file among them */
	uint32_t *group;   /* per place: the first one of the same base name */
	uint32_t *taken;   /* per such place: the number that was given to the last file */
	char *name;
	size_t room;
};

void
file_names_begin(struct file_names *names, struct gprofx *gx, const struct gprofx_report *report);

/* The name for a source's listing; valid until the next call.  Warns where it is not the usual. */
const char *file_name_for(struct file_names *names, uint32_t file);

#endif
