/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* What is known while processes are looked at. */
#ifndef RECORD_ATTACH_SESSION_H
#define RECORD_ATTACH_SESSION_H

#include <linux/perf_event.h>
#include <stdbool.h>
#include <stdint.h>

#include "attach-events.h"
#include "attach-process.h"

enum { SESSION_BUCKETS = 4096 };

/* A thread that runs. */
struct session_thread {
	struct session_thread *next; /* with the same hash */
	struct process *process;
	uint32_t tid, table;
	bool is_target; /* it was attached to by its number */
};

struct session {
	struct attach *attach;
	struct events events;
	struct recording recording;
	struct image *images;
	struct process *processes, *root;
	struct session_thread *threads[SESSION_BUCKETS];
	uint64_t *pcs;         /* of a stack: as many as attach->depth */
	uint64_t nodes;        /* of all processes */
	uint64_t samples;      /* that were taken, whether they are kept or not */
	uint64_t lost;         /* of these, as records say */
	bool has_lost_records; /* they can have been about what is mapped */
	bool has_failed;       /* a file could not be written */
	uint32_t written;      /* files */
};

uint64_t session_now(void);

/* The thread of a number, or NULL. */
struct session_thread *session_find(struct session *session, uint32_t tid);

/* Notes a thread; a name of NULL is asked of the system.  NULL: there is no memory. */
struct session_thread *session_add(struct session *session, struct process *process, uint32_t tid,
                                   const char *name, uint64_t time);

/* attach-records.c: takes in a record. */
void session_take(struct session *session, const struct perf_event_header *record);

/* Writes a process, and forgets it. */
void session_write(struct session *session, struct process *process);

/* attach-unwind.c: takes in a sample of a thread. */
void session_sample(struct session *session, const struct session_thread *thread,
                    const struct events_sample *sample);

#endif
