/* SPDX-License-Identifier: Apache-2.0 */
/* What the files of this folder share. */
#ifndef ENGINE_PROFILE_WRITER_PARTS_H
#define ENGINE_PROFILE_WRITER_PARTS_H

#include <gprofx/reader.h>

#include "profile/profile.h"

enum {
	/* What one record cannot hold goes into further ones of its kind, but not into more. */
	MOST_EXTRA_RECORDS = 4096,
	MOST_IN_BIN = UINT16_MAX
};

struct sum {
	struct run *run;
	const struct symbols *symbols;
	const struct profile *profile;
	const struct graph *graph;         /* NULL: records stay as they were read */
	const struct gprofx_raw_arc *arcs; /* without a graph */
	uint32_t arc_count;
	const struct gprofx_target *target;
	struct writer *writer;
	bool is_untagged; /* a format of BSD; else the tagged one */
	bool is_cut;      /* something does not fit, and is as large as can be */
};

/* What recordings have and a sum has not. */
struct sum_rest {
	uint64_t calls, samples; /* from or in other code than the program */
	uint64_t blocks;         /* executions of basic blocks, likewise */
	bool has_stacks;
};

/*
 * Takes what there is room for: the calls into the sum, and the samples into a copy of the profile,
 * which becomes that of the sum.
 */
enum gprofx_result
sum_take_recordings(struct sum *sum, struct profile *taken, struct sum_rest *rest);
void sum_warn_rest(const struct sum *sum, const struct sum_rest *rest);

/* Numbers and addresses in the target's layout. */
void sum_put(struct sum *sum, uint64_t value, uint32_t bytes);
void sum_put_address(struct sum *sum, uint64_t address);

/* A range as it is written. */
struct sum_range {
	uint32_t histogram; /* the first of it */
	uint32_t rate;
	bool joins;       /* its histograms of other rates are converted and added */
	uint32_t records; /* at least 1; a sum that would need more is cut */
};

struct histogram_plan {
	struct sum_range *ranges;
	uint32_t count;
	bool differ; /* the rates of the ranges do */
	bool fits;   /* no sum is cut */
};

/* How histograms are written; as little as possible is cut. */
struct histogram_plan sum_plan_histograms(const struct sum *sum);
/* Counters of 16 bits of one record of a range: what the records before it have left. */
void sum_put_bins(struct sum *sum, const struct sum_range *range, uint32_t record);

/* The calls of the sum, one after the other, in the order in which they are written. */
struct arc_walk {
	const struct sum *sum;
	uint32_t caller, at;
};

bool sum_next_arc(struct arc_walk *walk, struct gprofx_raw_arc *arc);

/* The blocks to write; owned by the run. */
const struct gprofx_block *sum_blocks(const struct sum *sum, uint32_t *count);

#endif
