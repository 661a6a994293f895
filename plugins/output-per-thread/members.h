/* SPDX-License-Identifier: Apache-2.0 */
/* The table of threads, processes or phases. */
#ifndef OUTPUT_PER_THREAD_MEMBERS_H
#define OUTPUT_PER_THREAD_MEMBERS_H

#include <gprofx/emitter.h>

#include "../shared/options.h"

/* What they are called. */
struct member_words {
	const char *one, *many, *title;
};

/*
 * A row for each member, the heaviest first, with its time, its share of the time of all, its calls
 * and its heaviest function: at most so many (0: all), and what the others have together.
 */
void
members_put(struct gprofx *gx, const struct gprofx_report *report, struct gprofx_writer *writer,
            const struct gprofx_slice_table *table, const struct member_words *words,
            const struct table_options *options, int64_t most, bool explain);

#endif
