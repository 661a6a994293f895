/* SPDX-License-Identifier: Apache-2.0 */
/* What the parts of the reader share. */
#ifndef INPUT_COLLECT_READING_H
#define INPUT_COLLECT_READING_H

/* IWYU pragma: begin_exports */
#include <gprofx/gxc.h>
#include <gprofx/reader.h>
/* IWYU pragma: end_exports */

/* An object, in the byte order of this machine. */
struct object {
	uint64_t low, high, bias;
	uint32_t first_epoch, last_epoch; /* last: UINT32_MAX if it is still there */
	uint32_t image;                   /* of the profile builder; 0: not declared yet */
	const uint8_t *build_id;
	const char *path; /* or NULL */
};

struct reading {
	struct gprofx *gx;
	const struct gprofx_file *file;
	struct gprofx_profile *profile;
	struct gxc_walk walk;
	uint32_t rate, clock, flags;
	uint32_t process; /* of the profile builder */
	struct gxc_view *chunks;
	uint32_t chunk_count;
	struct object *objects;
	uint32_t object_count;
	uint64_t strings_at, string_bytes; /* the first chunk of them */
	const char *program;               /* its path; NULL: not known */
	uint64_t mappings_left;            /* so many more may be declared */
	/* Weights of samples: of all, with cut stacks, and with broken ones. */
	uint64_t weight, cut, broken;
};

/* A text of the file, or NULL. */
const char *reading_text(const struct reading *r, uint64_t offset);

/* objects.c: notes the objects of a chunk. */
void objects_add(struct reading *r, const struct gxc_view *chunk);
/* Maps what was there in an epoch, and then an object in front of it (its number, from 1; 0: none).
 */
enum gprofx_result objects_map(struct reading *r, uint32_t epoch, uint32_t object);

/* stacks.c: says that samples were taken, be it that there are none. */
enum gprofx_result stacks_declare(struct reading *r);
/* Passes on the samples of a chunk. */
enum gprofx_result stacks_read(struct reading *r, const struct gxc_view *chunk);

#endif
