/* SPDX-License-Identifier: Apache-2.0 */
/* Places of frames, by their names. */
#ifndef INPUT_PERF_SCRIPT_FRAMES_H
#define INPUT_PERF_SCRIPT_FRAMES_H

#include <gprofx/reader.h>

#include "../shared/text-lines.h"
#include "../shared/text-table.h"
#include "line.h"

struct frames {
	struct gprofx *gx;
	struct gprofx_profile *profile;
	struct text_table places;  /* the host's numbers, plus 1 */
	struct text_table inlined; /* the same, by name and object */
};

/*
 * The host's number of a frame.  object: of the frame that it is inlined into; otherwise it is its
 * own.
 */
uint32_t
script_place(struct frames *frames, const struct frame_line *frame, struct text_span object);

void script_forget_frames(struct frames *frames);

#endif
