/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Calls with what was measured during them, of one metric or of several.  What a file says is kept
 * apart until the whole file counts.
 */
#ifndef ENGINE_PROFILE_COSTED_CALLS_H
#define ENGINE_PROFILE_COSTED_CALLS_H

#include "base/run.h"
#include "base/slots.h"
#include "profile/file-names.h"

struct costed_call {
	uint32_t caller, callee; /* places of stacks */
	uint32_t flags;          /* enum gprofx_call_flag */
	uint64_t count;          /* stays at the largest number there is */
};

/* The calls, each different one once, by first appearance; of all metrics. */
struct costed_calls {
	struct file_names files; /* that have some */
	struct costed_call *items;
	uint32_t count, room;
	struct slots slots;
	/* Of the file that is being read, in its order, and their numbers once it counts. */
	struct costed_call *file;
	uint32_t *number;
	uint32_t file_count, file_room;
};

/* A weight of a call of the file. */
struct call_entry {
	uint32_t call;
	uint64_t weight;
};

/* What the calls cost in one metric, in ticks. */
struct call_costs {
	uint64_t *weight; /* per call, once a file with calls counts; NULL: nothing is known */
	uint32_t weighed, weight_room;
	/* Per place: what files with calls say that it has itself. */
	uint64_t *self;
	uint32_t self_count, self_room;
	bool is_all; /* all files have calls: the weights of stacks say it, and this is NULL */
	/* Of the file that is being read. */
	struct call_entry *entries;
	uint32_t entry_count, entry_room;
	/* What several files had, as another run has added it up: which of them had calls. */
	enum file_calls {
		FILE_CALLS_AS_READ, /* it is one file; or all had, if there are any */
		FILE_CALLS_NONE,
		FILE_CALLS_MIXED /* those that had say what places have: the next members */
	} file_calls;
	const uint64_t *file_self;
	uint32_t file_self_count;
};

/* Whether the file has calls, or some of the files that it stands for. */
static inline bool
call_costs_are_known(const struct call_costs *costs, const struct costed_calls *calls)
{
	return calls->file_count > 0 && costs->file_calls != FILE_CALLS_NONE;
}

/* Adds a call of the file; returns its number in this file. */
uint32_t
costed_calls_add(struct run *run, struct costed_calls *calls, const struct costed_call *call);

/* Adds what a call of the file costs. */
void call_costs_add(struct run *run, struct call_costs *costs, uint32_t call, uint64_t weight);

/* The calls of the file count.  factor: of hashes. */
void costed_calls_commit(struct run *run, struct costed_calls *calls, uint64_t factor);

/*
 * So do their costs, of each metric: "grows" brings those to the ticks of all files, and "factor"
 * those of earlier files.  False: a sum would have been larger than a number can be.
 */
bool call_costs_commit(struct run *run, struct call_costs *costs, const struct costed_calls *calls,
                       uint64_t factor, uint64_t grows);

/* The file says that a place has so much itself. */
bool
call_costs_add_self(struct run *run, struct call_costs *costs, uint32_t place, uint64_t weight);

/* Takes back what the file said. */
void costed_calls_drop(struct costed_calls *calls);
void call_costs_drop(struct call_costs *costs);

/* Frees what only reading needs. */
void costed_calls_finish(struct run *run, struct costed_calls *calls);
void call_costs_finish(struct run *run, struct call_costs *costs, const struct costed_calls *calls,
                       uint32_t place_count);

#endif
