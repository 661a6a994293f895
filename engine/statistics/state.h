/* SPDX-License-Identifier: Apache-2.0 */
/* What per-file statistics have taken so far. */
#ifndef ENGINE_STATISTICS_STATE_H
#define ENGINE_STATISTICS_STATE_H

#include "base/loose.h"
#include "base/run.h"
#include "graph/arcs.h"
#include "graph/samples.h"
#include "statistics/series.h"
#include "symbols/symbols.h"

/* What a worker found in the file that it is at. */
struct found {
	struct sample_credits samples;
	uint64_t *calls; /* per symbol */
	uint32_t *called, called_count;
	struct loose_list late; /* of struct late_calls */
	struct late_samples late_samples;
};

/* A file that waits. */
struct part {
	uint32_t file;
	uint32_t number;      /* among those that are distinguished */
	uint32_t first, past; /* records that wait */
	uint32_t first_arc, past_arc;
	uint32_t first_call, past_call; /* those without a known caller */
	uint32_t first_sparse, past_sparse;
};

struct statistics {
	struct run *run;
	struct sample_rules samples;
	struct arc_rules arcs;
	bool has_rules; /* which cost something, and need no profile */
	struct labels *labels;
	struct series_table self, calls; /* per symbol, and one more for what lies in none */
	struct file_values *values;      /* NULL: not wanted */
	struct found *found;             /* per worker */
	uint32_t found_count;
	const char *crowded; /* a file of too many records, or NULL */
	uint32_t file_count; /* distinguished so far: those that are of a run */
	uint32_t quantum;    /* so far, at most, call sites were rounded; 1: not at all */
	/* What waits, by file: calls in doubt, of struct late_calls; shared bins, with known ticks.
	 */
	struct loose_list late, bins, known;
	/* Under way. */
	struct profile *profile;
	struct part *parts;
	uint32_t part_count, part_room;
};

/* How many symbols there are, with what lies in none. */
static inline uint32_t
statistics_rows(const struct statistics *statistics)
{
	return statistics->samples.symbols->count + SYMBOL_MORE_ROWS;
}

/* Frees all that waits, which is not the run's. */
void statistics_drop_waiting(struct statistics *statistics);

/* Completes the rules, once a file comes. */
void statistics_prepare(struct statistics *statistics);

#endif
