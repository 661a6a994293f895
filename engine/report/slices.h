/* SPDX-License-Identifier: Apache-2.0 */
/* The part of the report that has values by process, thread and phase. */
#ifndef ENGINE_REPORT_SLICES_H
#define ENGINE_REPORT_SLICES_H

#include "base/run.h"

enum { SLICE_COMBINATIONS = 8 }; /* of bits of enum gprofx_slice_kind */

/* Values of all slices as the profile has them, by slice, then node. */
struct sliced {
	const struct slices *slices;
	/* Their slice is a row of the profile's plus 1; 0: none. */
	struct gprofx_slice_value *values;
	uint32_t count, room;
	double *ticks;     /* per such number */
	bool is_inclusive; /* stacks have measured what is below */
};

/*
 * The part that splits values by "kinds", by rows whose names are as they are in the profile, or
 * printable.
 */
struct gprofx_report_slices
report_slices(struct run *run, const struct sliced *sliced, uint32_t kinds);

#endif
