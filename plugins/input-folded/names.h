/* SPDX-License-Identifier: Apache-2.0 */
/* Names of frames by number, so that each is handed to the host once. */
#ifndef INPUT_FOLDED_NAMES_H
#define INPUT_FOLDED_NAMES_H

#include <gprofx/reader.h>

#include "../shared/text-table.h"

struct folded_names {
	struct text_table table; /* the host's number for each name */
	struct gprofx_profile *profile;
};

/* The host's number for a frame, which may be empty; its bytes last as long as the table. */
uint32_t folded_place(struct folded_names *names, const char *bytes, size_t length);

#endif
