/* SPDX-License-Identifier: Apache-2.0 */
/* The places of locations: functions by name, or addresses where the profile has no names. */
#ifndef INPUT_PPROF_PLACES_H
#define INPUT_PPROF_PLACES_H

#include <gprofx/reader.h>

#include "message.h"

struct pprof_places {
	/* No location has a line: the host finds the functions in the files of the mappings. */
	bool are_addresses;
	uint32_t process;  /* of the addresses */
	uint32_t *of_line; /* the host's number for each line */
	/* For each mapping, and for what is in none, the number of its place plus 1, or 0. */
	uint32_t *of_image;
};

enum gprofx_result pprof_add_places(const struct pprof *p, struct gprofx_profile *profile,
                                    struct pprof_places *places);
void pprof_release_places(struct gprofx *gx, struct pprof_places *places);

/* The place of a location without lines among such that have some. */
uint32_t pprof_place_of_mapping(const struct pprof *p, struct gprofx_profile *profile,
                                struct pprof_places *places, uint64_t mapping);

#endif
