/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Times by a clock at the entry and the exit of functions, time=exact: what its parts share.
 * Anywhere.
 */
#ifndef COLLECT_EXACT_H
#define COLLECT_EXACT_H

#include "collect.h"

#include "sys.h"

/* A way from a function to one that it calls. */
struct exact_edge {
	uint64_t function; /* 0: not used */
	uint32_t from, to; /* numbers of entries, from 1; from 0: that of no function */
};

/* The calls of a thread in one phase: entries in the file, and how to find them. */
struct exact_tree {
	struct gxc_chunk *chunk; /* the newest; NULL: none yet */
	struct gxc_timed *entries;
	uint32_t used, room;
	struct exact_edge *edges;
	uint32_t edge_count, edge_mask;
	uint32_t unloads; /* as of when functions are */
};

/* A call in progress. */
struct exact_call {
	uint64_t function, site;
	uint64_t place; /* in its code, of the call of the collector: copies that are inlined differ
	                 */
	uint64_t stack; /* the stack pointer before that call */
	uint64_t frame; /* what is at or above the end of its frame, and in that of its caller; or
	                   stack: not known */
	uint32_t entry; /* 0: there was no memory for any */
	uint32_t rest;
};

/* How large the frame of a function is, which calls the collector at a place. */
struct exact_frame {
	uint64_t place;
	uint64_t words; /* 0: not known */
};

enum { EXACT_FRAMES = 64 };

/* Of a thread. */
struct exact {
	struct exact_call *calls; /* the outermost first */
	uint32_t depth, room;
	uint32_t phase;
	uint32_t changes; /* phases and unloaded objects, of which it knows */
	uint32_t marks;
	bool is_scratch; /* to measure what an entry and an exit take */
	uint64_t last;   /* when time was added up, in ticks */
	uint64_t busy;   /* stack pointer of the code at work on this; 0: none */
	/* Calls in progress that are too deep to be kept, and the stack pointer of the first. */
	uint64_t deeper, deeper_stack;
	struct exact_frame frames[EXACT_FRAMES]; /* hashed; the last ones */
	struct exact_tree *tree;                 /* of the phase */
	struct exact_tree *trees[COLLECT_PHASES + 1];
};

/* Of the process. */
struct exact_process {
	uint32_t is_on, is_measured;
	uint32_t kind;            /* enum gxc_times */
	uint32_t changes;         /* phases that began, and objects that were unloaded */
	uint32_t unloads;         /* of them, objects in which functions were called */
	uint64_t inside, outside; /* as in the header */
};
extern struct exact_process exact;

/* The clock. */
static inline uint64_t
exact_ticks(void)
{
	if (exact.kind == GXC_TIMES_SYSTEM)
		return sys_nanoseconds(CLOCK_MONOTONIC);
	return machine_ticks();
}

/* exact-tree.c: the entry of a function that is called in an entry; 0: no memory.  *has_grown: all
 * entries are new ones, of a larger table. */
uint32_t exact_child(struct exact_tree *tree, struct thread *thread, uint32_t phase, uint32_t from,
                     uint64_t function, bool *has_grown);
/* Learns where functions are now. */
void exact_tree_renew(struct exact_tree *tree);

/* exact-clock.c: measures what an entry and an exit take. */
void exact_clock_measure(struct thread *thread);

/* exact-frames.c: the end of the frame of a function that calls the collector; or its stack
 * pointer: not known. */
uint64_t exact_frame_end(struct exact *own, const struct thread *thread,
                         const struct exact_call *call, uint64_t pointer);

/* exact.c: what compilers' code calls; with the stack pointer and the frame pointer there. */
void
exact_enter(uint64_t function, uint64_t site, uint64_t place, uint64_t stack, uint64_t pointer);
void exact_exit(uint64_t function, uint64_t site, uint64_t place, uint64_t stack);

#endif
