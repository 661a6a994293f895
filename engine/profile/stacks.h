/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Call stacks, as they were measured.  Equal ones are there once.  A stack shares the frames that
 * it begins with with one before it, as far as the one that was added last has them, so that frames
 * make a tree, in which siblings can be of one place.
 */
#ifndef ENGINE_PROFILE_STACKS_H
#define ENGINE_PROFILE_STACKS_H

#include "base/name-table.h"
#include "base/run.h"
#include "base/slots.h"
#include "profile/file-names.h"
#include "profile/costed-calls.h" /* IWYU pragma: export */
#include "profile/kept-rows.h"

#define NO_FRAME UINT32_MAX
#define NO_STACK UINT32_MAX

/* A flag of places with addresses, beside those that readers give: the address is a location. */
#define PLACE_IS_PLACED (UINT32_C(1) << 31)
/* Likewise: its texts are those of the table, each of which is there once. */
#define PLACE_HAS_TEXTS (UINT32_C(1) << 30)
#define PLACE_OWN_FLAGS (PLACE_IS_PLACED | PLACE_HAS_TEXTS)

enum { STACK_MEASURES_AT_MOST = 256 }; /* as there are metrics */

/* What places of one function have in common: those of its lines can be many. */
struct stack_names {
	const char *function; /* a name; NULL: the address counts */
	const char *file;     /* of source; NULL: not known */
	const char *object;   /* of code, until stacks_place_objects() ran; NULL: not known */
	const char *source;   /* the file that lines are in; NULL: not known */
	uint32_t hash;        /* while files are read */
	uint32_t number;      /* what these names were found to be, plus 1; 0: not known */
};

/* What a frame is in. */
struct stack_place {
	struct stack_names *names;
	uint64_t address;
	uint32_t line, flags;
};

/* What a file added to a stack, until it is known that the whole file counts. */
struct stack_entry {
	uint32_t stack, slice; /* NO_STACK: without frames, and where slices are kept */
	uint64_t weight;
};

/* A row of struct kept_rows: what a stack, or NO_STACK, has of a slice (see slices.h). */
struct stack_slice {
	uint32_t slice, stack;
	uint64_t weight;
};

/* A frame of the stack that was added last, or of the one that is being added. */
struct stack_frame {
	uint32_t frame, stack; /* whose own frame it is */
	uint32_t place;
	uint64_t hash; /* of its place and those of its callers */
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
	const bool *left_out;                 /* whether each is; NULL: none */
	/* Whose locations the addresses are, whatever image they are in; NULL: of the program. */
	const struct symbols *placed;
	const struct stack_measure *measures;
	uint32_t count; /* of these */
};

/*
 * The stacks, and what they have of the metric that is shown first.  Each further metric is another
 * one that has its weights and what these are in; the stacks are those of the first, which all
 * share once everything is read.
 */
struct stacks {
	bool is_there; /* some file has stacks, of this metric */
	const char *metric_name;
	uint32_t metric_kind;
	struct stacks **others; /* by first appearance; while files are read, some are not there */
	uint32_t other_count, other_room;
	/*
	 * What has the squares of the weights as its own weights, of the same stacks; NULL:
	 * nothing. They are known unless some stacks have none; the weights themselves can be their
	 * squares.
	 */
	struct stacks *squares;
	bool lacks_squares, file_lacks_squares, are_squares;
	bool is_squares; /* this is one of those */
	struct stack_place *places;
	uint32_t place_count, place_room;
	struct stack_names **names; /* of places, and of files that do not count */
	uint32_t names_count, names_room;
	uint32_t *function; /* per place, once stacks_find_functions() ran: a symbol, or what is in
	                       none */
	/* Per place, likewise, the symbol of the line that is at its address, where lines are parts
	 * of functions; else NULL. */
	uint32_t *line;

	/*
	 * The stacks, by first appearance.  A stack has its own frames, the outermost first, behind
	 * those of the stack before, and is below what it shares with others; what comes next has
	 * no frames but those of its path.
	 */
	uint32_t *past;        /* behind its own frames */
	uint32_t *above;       /* the innermost frame that it shares; NO_FRAME: none */
	uint32_t *above_stack; /* whose own frame that is; not set: none */
	uint64_t *weight;      /* in ticks */
	uint32_t count, past_room, above_room, above_stack_room, weight_room;
	uint32_t weighed; /* so many stacks have a weight */
	uint32_t *place;  /* per frame */
	uint32_t frame_count, frame_room;
	uint64_t nowhere;  /* weight of stacks without frames */
	uint64_t total;    /* of all stacks */
	bool is_saturated; /* some sum would have been larger than a number can be */

	uint32_t rate; /* ticks per unit */
	char dimension[16], abbreviation;

	struct file_names files; /* that have stacks of the metric */
	/* Calls that were measured as a whole, of all metrics, and what they cost in this one. */
	struct costed_calls calls;
	struct call_costs costs;

	bool keeps_slices; /* the next member is wanted */
	struct kept_rows by_slice;

	/* While files are read. */
	uint64_t factor;         /* of hashes */
	struct name_table texts; /* of places */
	struct slots place_slots, stack_slots, names_slots;
	struct stack_names *last_names; /* those that were looked for last */
	uint32_t *hash; /* per stack that has several frames; the others are in no slot */
	uint32_t hash_room, in_slots;
	/* Per place, as far as needed, the stack that is of it alone, plus 1; 0: there is none. */
	uint32_t *alone;
	uint32_t alone_count, alone_room;
	/* The stack that was made last, and the one that is wanted, the outermost frame first. */
	struct stack_frame *path, *wanted;
	uint32_t last, path_count, path_room, wanted_count, wanted_room;

	/* Of the file that is being read. */
	bool file_has_stacks, file_has_any; /* of this metric, of any */
	uint64_t file_count;                /* stacks */
	uint32_t file_deepest;              /* frames of the longest one */
	struct stack_entry *entries;
	uint32_t entry_count, entry_room;
	uint64_t file_nowhere, file_total;
	uint64_t file_left_out; /* of another phase than the chosen one; not in the total */
	uint64_t frames_left;   /* so many more frames its bytes can hold */
	uint32_t old_count;     /* stacks before it */
	uint32_t old_places;
	uint32_t file_rate;
	char file_dimension[16], file_abbreviation;
};

/* The first of a stack's own frames. */
static inline uint32_t
stacks_first(const struct stacks *stacks, uint32_t stack)
{
	return stack > 0 ? stacks->past[stack - 1] : 0;
}

/* The innermost frame of a stack. */
static inline uint32_t
stacks_end(const struct stacks *stacks, uint32_t stack)
{
	uint32_t past = stacks->past[stack];

	return past > stacks_first(stacks, stack) ? past - 1 : stacks->above[stack];
}

/* A sweep along all frames, callers first.  Zero is before the first one. */
struct stack_sweep {
	uint32_t frame, above; /* its caller; NO_FRAME: it is outermost */
	uint32_t next, stack;  /* whose own frame it is */
};

/* Goes on to the next frame.  False: there is none. */
static inline bool
stacks_sweep(const struct stacks *stacks, struct stack_sweep *at)
{
	if (at->next == stacks->frame_count)
		return false;
	at->frame = at->next++;
	while (stacks->past[at->stack] <= at->frame)
		at->stack++;
	at->above = at->frame == stacks_first(stacks, at->stack) ? stacks->above[at->stack]
	                                                         : at->frame - 1;
	return true;
}

/* A walk from the innermost frame of a stack outwards. */
struct stack_walk {
	uint32_t frame, stack; /* whose own frame it is; frame NO_FRAME: the walk is over */
};

static inline struct stack_walk
stacks_walk(const struct stacks *stacks, uint32_t stack)
{
	uint32_t past = stacks->past[stack];

	if (past > stacks_first(stacks, stack))
		return (struct stack_walk){past - 1, stack};
	return (struct stack_walk){stacks->above[stack], stacks->above_stack[stack]};
}

static inline struct stack_walk
stacks_outwards(const struct stacks *stacks, struct stack_walk at)
{
	if (at.frame > stacks_first(stacks, at.stack))
		return (struct stack_walk){at.frame - 1, at.stack};
	return (struct stack_walk){stacks->above[at.stack], stacks->above_stack[at.stack]};
}

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
uint32_t stacks_add_place(struct run *run, struct stacks *stacks,
                          const struct gprofx_raw_place *row, const char *object);
/* The same of a place whose names are texts of the table. */
uint32_t stacks_add_code(struct run *run, struct stacks *stacks, const struct gprofx_raw_code *row);
enum gprofx_result stacks_add(struct run *run, struct stacks *stacks,
                              const struct gprofx_file *file, const struct stack_batch *batch);

/* Adds calls that were measured, likewise. */
enum gprofx_result
stacks_add_calls(struct run *run, struct stacks *stacks, const struct gprofx_file *file,
                 const struct gprofx_raw_costed_call *rows, uint32_t count,
                 const struct stack_measure *measures, uint32_t measure_count);

/*
 * For what another run has read: makes sure that places can be added; adds one as it was there,
 * whose names are texts of the table if its flags say so; enters a metric that the file has, if
 * its unit is that of earlier ones, which is reported otherwise: NULL.
 */
void stacks_prepare(struct stacks *stacks);
uint32_t stacks_add_known_place(struct run *run, struct stacks *stacks,
                                const struct stack_place *place, const struct stack_names *names);
struct stacks *
stacks_enter_metric(struct run *run, struct stacks *stacks, const struct gprofx_file *file,
                    const struct stack_measure *measure);

/*
 * Takes a slide off the addresses that frames of the file have, but for those that have their
 * places.
 */
void stacks_move_file(struct run *run, struct stacks *stacks, const struct gprofx_target *target,
                      uint64_t by);

/* The metric of that name that some file has, or NULL. */
struct stacks *stacks_of_metric(struct stacks *stacks, const char *name);

/* The stacks are final, and their functions are known: all metrics have them. */
void stacks_share_all(struct stacks *stacks);

/* All files were read: frees what only reading needs, and forgets metrics that are not there. */
void stacks_finish(struct run *run, struct stacks *stacks);

#endif
