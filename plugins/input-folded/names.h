/* SPDX-License-Identifier: Apache-2.0 */
/* Names of frames by number, so that each is handed to the host once. */
#ifndef INPUT_FOLDED_NAMES_H
#define INPUT_FOLDED_NAMES_H

#include <gprofx/reader.h>

enum { FOLDED_COPIED = 1 << 18 }; /* bytes */

struct folded_name {
	const char *bytes; /* of the file, or copied */
	size_t length;
	uint64_t hash;
	uint32_t place; /* the host's number */
};

struct folded_slot {
	uint32_t number, hash; /* of an item, plus 1; 0: free */
};

/* Zero, but for the first two members, is an empty table. */
struct folded_names {
	struct gprofx *gx;
	struct gprofx_profile *profile;
	struct folded_name *items;
	uint32_t count, room;
	struct folded_slot *slots;
	uint32_t slot_count;
	/* The first names, side by side: in the file each would be in a page of its own. */
	char *copies;
	size_t copied;
	uint64_t factor; /* of hashes */
};

/* The host's number for a frame, which may be empty; its bytes last as long as the table. */
uint32_t folded_place(struct folded_names *names, const char *bytes, size_t length);

/* Gives the table back. */
void folded_names_release(struct folded_names *names);

#endif
