/* SPDX-License-Identifier: Apache-2.0 */
/* Names that became the same when they were shortened, distinguished by what they differ in. */
#ifndef OUTPUT_TOP_APART_H
#define OUTPUT_TOP_APART_H

#include <gprofx/emitter.h>

#include "../shared/names.h"

/* A name, as it is and as a column shows it. */
struct apart_name {
	struct gprofx_text whole, shown;
	uint32_t row;  /* whose name it is */
	bool is_apart; /* result: it looked like another one */
};

/*
 * Changes what is shown of names that look the same though they are not: "push" and "push" become
 * "push<int>" and "push<..double>", of at most so many columns.  Names that are the same as a whole
 * stay.  Sorts the names.  Run lifetime.
 */
void apart_names(struct names *names, struct apart_name *all, uint32_t count, size_t width);

#endif
