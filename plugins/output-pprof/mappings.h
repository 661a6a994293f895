/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Where the code of images is, as if a process had mapped it: the program where it was linked, each
 * other image behind those before it, so that an address is in one image only.
 */
#ifndef OUTPUT_PPROF_MAPPINGS_H
#define OUTPUT_PPROF_MAPPINGS_H

#include <gprofx/emitter.h>

struct mapping {
	uint64_t start, limit; /* addresses in the file of pprof */
	uint64_t offset;       /* of the first one in the file of the image */
	uint32_t image;        /* 0: the program; others are numbered from 1 */
};

struct mappings {
	struct mapping
		*rows; /* by image, and then by address; their IDs are their numbers plus 1 */
	uint32_t count;
	uint32_t image_count; /* with the program */
	/* Per image: its first row, one item more; what is added to its addresses. */
	uint32_t *first;
	uint64_t *moves;
};

void
mappings_make(struct gprofx *gx, const struct gprofx_report *report, struct mappings *mappings);

/* The ID of the mapping that has an address of an image, which becomes that in the file. */
uint64_t mappings_find(const struct mappings *mappings, uint32_t image, uint64_t *address);

#endif
