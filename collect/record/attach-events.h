/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Performance events of other processes' threads: samples, and what they map, start and end. */
#ifndef RECORD_ATTACH_EVENTS_H
#define RECORD_ATTACH_EVENTS_H

#include <linux/perf_event.h>
#include <stdbool.h>
#include <stdint.h>

enum events_stacks {
	EVENTS_CFI, /* registers, and a copy of the stack */
	EVENTS_FP,  /* addresses that the system found by frame pointers */
	EVENTS_OFF  /* where the thread is */
};

enum {
	EVENTS_STACK_BYTES = 32 * 1024,
#if defined __x86_64__
	EVENTS_HAS_CFI = 1
#else
	EVENTS_HAS_CFI = 0
#endif
};

/* What the system shows of a processor's samples. */
struct events_ring {
	int descriptor;
	struct perf_event_mmap_page *page;
	uint8_t *data;
	uint64_t bytes, head, tail; /* of the data; the head when it was looked at last */
	uint8_t *record;            /* the next one, in one piece; NULL: none */
	uint64_t time;              /* of that */
	uint8_t *joined;            /* room for one that goes round the end */
};

/* A thread that was attached to by its number, and not since it was started by one. */
struct target {
	uint32_t tid;
	int *descriptors; /* one for each processor */
	uint64_t *ids;
};

struct events {
	struct perf_event_attr attributes;
	int *processors;
	struct events_ring *rings;
	uint32_t processor_count;
	struct target *targets;
	uint32_t target_count, target_room;
	struct pollfd *waits; /* of the rings, and one more for the caller, at first */
};

/*
 * Prepares events of a rate, in samples per second.  follows: child processes, too; by_user: where
 * the kernel may not be sampled.  Returns an errno value, or 0.
 */
int events_begin(struct events *events, enum events_stacks stacks, uint32_t rate, uint32_t depth,
                 bool follows);

/* Attaches to a thread.  Returns an errno value, or 0. */
int events_attach(struct events *events, uint32_t tid);

/* The target of a thread, or NULL. */
struct target *events_target(const struct events *events, uint32_t tid);
bool events_is_of(const struct events *events, const struct target *target, uint64_t id);

/* Lets go of a thread that has events by the one that started it, too. */
void events_detach(struct events *events, struct target *target);

/* What events counted: processor time, in nanoseconds, and records for which there was no room, of
 * those that a record was made of and others; 0 from systems that do not count them. */
struct events_count {
	uint64_t time, lost;
};

/* No event counts from here on. */
struct events_count events_stop(struct events *events);

/* The next record that is older than a time, of all processors in the order of their times; NULL:
 * none.  The one before is gone then. */
const struct perf_event_header *events_next(struct events *events, uint64_t before);

/* Time of a record. */
uint64_t events_time(const struct perf_event_header *record);

/* What a sample has. */
struct events_sample {
	uint64_t id;
	uint32_t pid, tid;
	uint64_t count;        /* of addresses */
	const uint8_t *chain;  /* of 8 bytes each, in any order of bytes in memory */
	const uint8_t *values; /* of registers; NULL: none, as the process ends */
	const uint8_t *stack;
	uint64_t stack_bytes;
};

/* Reads a sample; false: it is none that was asked for. */
bool events_read(const struct events *events, const struct perf_event_header *record,
                 struct events_sample *sample);

void events_end(struct events *events);

/* The registers that are asked for, in their order: their numbers in DWARF. */
extern const uint8_t events_registers[];
extern const uint32_t events_register_count;

#endif
