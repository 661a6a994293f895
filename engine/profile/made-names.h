/* SPDX-License-Identifier: Apache-2.0 */
/* Code that is made up for functions that profiles know by name only: a range in an image each. */
#ifndef ENGINE_PROFILE_MADE_NAMES_H
#define ENGINE_PROFILE_MADE_NAMES_H

#include "base/name-table.h"
#include "base/run.h"
#include "profile/profile.h" /* IWYU pragma: keep */

struct made_object {
	uint32_t image, count; /* count: of its functions */
};

struct made_function {
	uint32_t image;
	uint64_t offset; /* in the image */
};

/* Zero, but for the first two members: nothing is made yet. */
struct made_names {
	struct profile *first; /* of all runs */
	struct symbols *symbols;
	struct name_table paths, keys;
	struct made_object *objects; /* of paths */
	uint32_t object_room;
	struct made_function *functions; /* of keys */
	uint32_t function_room;
};

/*
 * The number of a function, from 0 in the order in which they appear.  Those of one name in several
 * objects, or in several files of source, are several.  object, file: NULL where they are not
 * known; all texts have run lifetime.
 */
uint32_t made_names_add(struct run *run, struct made_names *made, const char *object,
                        const char *function, const char *file);

/* Where it is, once all of them are known: each object gets one range. */
uint64_t made_names_location(struct run *run, const struct made_names *made, uint32_t number);

void made_names_release(struct run *run, struct made_names *made);

#endif
