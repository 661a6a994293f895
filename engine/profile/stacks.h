/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Call stacks, as they were measured.  Equal chains of frames are there once: they make a tree, a
 * node of which stands for a frame below the frames that lead to it.
 */
#ifndef ENGINE_PROFILE_STACKS_H
#define ENGINE_PROFILE_STACKS_H

#include "base/run.h"
#include "base/slots.h"
#include "profile/kept-rows.h"

#define NO_FRAME UINT32_MAX

/* A flag of places with addresses, beside those that readers give: the address is a location. */
#define PLACE_IS_PLACED (UINT32_C(1) << 31)

enum { STACK_MEASURES_AT_MOST = 256 }; /* as there are metrics */

/* What a frame is in. */
struct stack_place {
	const char *function; /* a name; NULL: the address counts */
	const char *file;     /* of source; NULL: not known */
	uint64_t address;
	uint32_t line, flags;
};

/* What a file added to a node, until it is known that the whole file counts. */
struct stack_entry {
	uint32_t node, slice; /* NO_FRAME: of a stack without frames, and where slices are kept */
	uint64_t weight;
};

/* A row of struct kept_rows: what a node, or NO_FRAME, has of a slice (see slices.h). */
struct stack_slice {
	uint32_t slice, node;
	uint64_t weight;
};

/* What stacks were measured in: weight i * step is that of stack i. */
struct stack_measure {
	const char *name;    /* of the metric */
	uint32_t kind, rate; /* enum gprofx_metric_kind; ticks per unit */
	char dimension[16], abbreviation;
	const uint64_t *weight;
	const uint64_t *squares; /* of the weights, likewise; NULL: not known */
	uint32_t step;
};

/* Stacks of one call of a reader, after they were checked. */
struct stack_batch {
	const struct gprofx_raw_stacks *rows; /* but for the weights, which the measures have */
	const uint32_t *slices;               /* that of each; NULL: none has one */
	/* Whose locations the addresses are, whatever image they are in; NULL: of the program. */
	const struct symbols *placed;
	const struct stack_measure *measures;
	uint32_t count; /* of these */
};

/*
 * The tree, and what it has of the metric that is shown first.  Each further metric is another one
 * that has its weights and what these are in; the tree is that of the first, which all share once
 * everything is read.
 */
struct stacks {
	bool is_there; /* some file has stacks, of this metric */
	const char *metric_name;
	uint32_t metric_kind;
	struct stacks **others; /* by first appearance; while files are read, some are not there */
	uint32_t other_count, other_room;
	/*
	 * What has the squares of the weights as its own weights, in the same tree; NULL: nothing.
	 * They are known unless some stacks have none; the weights themselves can be their squares.
	 */
	struct stacks *squares;
	bool lacks_squares, file_lacks_squares, are_squares;
	bool is_squares; /* this is one of those */
	struct stack_place *places;
	uint32_t place_count, place_room;
	uint32_t *function; /* per place, once stacks_find_functions() ran: a symbol, or what is in
	                       none */

	/* The tree, callers before what they called. */
	uint32_t *parent; /* NO_FRAME: outermost */
	uint32_t *place;
	uint64_t *weight; /* of the stacks whose innermost frame it is, in ticks */
	uint32_t count, parent_room, place_item_room, weight_room;
	uint32_t weighed;  /* so many nodes have a weight */
	uint64_t nowhere;  /* weight of stacks without frames */
	uint64_t total;    /* of all stacks */
	bool is_saturated; /* some sum would have been larger than a number can be */

	uint32_t rate; /* ticks per unit */
	char dimension[16], abbreviation;

	bool keeps_slices; /* the next member is wanted */
	struct kept_rows by_slice;

	/* While files are read. */
	uint64_t factor; /* of hashes */
	struct slots place_slots, node_slots;
	uint32_t *path; /* nodes of the stack that was added last, the outermost first */
	uint32_t path_count, path_room;

	/* Of the file that is being read. */
	bool file_has_stacks, file_has_any; /* of this metric, of any */
	uint64_t file_count;                /* stacks */
	uint32_t file_deepest;              /* frames of the longest one */
	struct stack_entry *entries;
	uint32_t entry_count, entry_room;
	uint64_t file_nowhere, file_total;
	uint64_t frames_left; /* so many more frames its bytes can hold */
	uint32_t old_count;   /* nodes before it */
	uint32_t old_places;
	uint32_t file_rate;
	char file_dimension[16], file_abbreviation;
};

/* What comes next is of a file that holds so many frames at most. */
void stacks_begin_file(struct stacks *stacks, uint64_t most_frames);

/*
 * What the file says counts.  Sums that are too large stay at the largest number there is, which is
 * reported.
 */
void stacks_commit_file(struct run *run, struct stacks *stacks, const char *name);

/* Takes back what the file said. */
void stacks_drop_file(struct run *run, struct stacks *stacks);

/*
 * See struct gprofx_profile_builder, whose rows these are after they were checked.  A place that is
 * there already keeps its number.
 */
uint32_t
stacks_add_place(struct run *run, struct stacks *stacks, const struct gprofx_raw_place *row);
enum gprofx_result stacks_add(struct run *run, struct stacks *stacks,
                              const struct gprofx_file *file, const struct stack_batch *batch);

/*
 * Takes a slide off the addresses that frames of the file have, but for those that have their
 * places.
 */
void stacks_move_file(struct run *run, struct stacks *stacks, const struct gprofx_target *target,
                      uint64_t by);

/* The metric of that name that some file has, or NULL. */
struct stacks *stacks_of_metric(struct stacks *stacks, const char *name);

/* The tree is final, and its functions are known: all metrics have it. */
void stacks_share_tree(struct stacks *stacks);

/* All files were read: frees what only reading needs, and forgets metrics that are not there. */
void stacks_finish(struct run *run, struct stacks *stacks);

#endif
