/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* What is known of processes that are looked at from outside: code, threads, and stacks. */
#ifndef RECORD_ATTACH_PROCESS_H
#define RECORD_ATTACH_PROCESS_H

#include <stdbool.h>
#include <stdint.h>

#include "attach-image.h"

enum {
	PROCESS_TABLES = 128, /* of threads that are distinguished */
	PROCESS_NAME = 16,
	PROCESS_EVENTS = 10000
};

/* Code that is mapped, or was. */
struct object {
	uint64_t low, high, bias, offset, device, inode;
	const struct image *image; /* with its path */
	bool is_gone, is_used;
	uint64_t kept; /* when it is written: the address that it has, if it is gone */
};

/* A frame below another one. */
struct node {
	uint64_t pc, count;
	uint32_t parent; /* its number, from 1; 0: none */
	uint32_t object; /* the same of the objects */
	uint32_t table, flags;
};

struct tree {
	struct node *nodes;
	uint32_t *slots; /* numbers of nodes; their count is a power of two */
	uint32_t count, room, slot_count;
};

/* Stacks of a thread, or of several that ran one after the other. */
struct table {
	uint32_t tid, threads;
	uint64_t start, end; /* of the monotonic clock; end: 0 while it runs */
	char name[PROCESS_NAME];
};

/* A program in a process: another one takes its place with exec. */
struct process {
	struct process *next;
	uint32_t pid, parent, sequence;
	bool is_forked, has_ended, is_replaced, is_known; /* known: the path is the program's */
	char *path;                                       /* "": not known */
	struct object *objects;
	uint32_t object_count, object_room;
	uint32_t *live; /* numbers of those that are there, by address */
	uint32_t live_count, live_room;
	struct table tables[PROCESS_TABLES]; /* the first has number 1 */
	uint32_t table_count;
	uint32_t threads, running; /* that were seen, and that have not ended */
	struct tree tree;
	struct gxc_event *events; /* of the monotonic clock, until they are written */
	uint32_t event_count, event_room;
	uint64_t start, end;
	uint64_t lost;      /* samples */
	uint64_t unsampled; /* nanoseconds of processor time without a sample, of all processes */
	uint64_t looked;    /* when what is mapped was read: what was mapped before is old */
};

/* NULL: there is no memory. */
struct process *process_make(uint32_t pid, uint32_t parent, uint64_t time);
void process_release(struct process *process);

/* The same code as another one: it is forked from that. */
void process_copy_code(struct process *process, const struct process *from);

/* Learns the path of its program, and all that is mapped, from the system; false: it cannot. */
bool process_look(struct process *process, struct image **images);

/* Something is mapped; what was there is gone. */
void
process_map(struct process *process, struct image **images, const struct image_mapping *mapping);

/* The number of the object at an address; 0: none. */
uint32_t process_find(const struct process *process, uint64_t pc);

/* For image_follow(). */
bool process_place(const void *process, uint64_t pc, struct image_place *place);

/* Gives a thread a table, and its number; 0: one that all further ones share. */
uint32_t
process_start_thread(struct process *process, uint32_t tid, const char *name, uint64_t time);

void process_note(struct process *process, uint64_t time, uint32_t kind, uint32_t value);

/*
 * Adds a sample: frames are the innermost first.  most: nodes of all processes that may be there;
 * *count: that are.  What has no room is lost.
 */
void process_sample(struct process *process, uint32_t table, const uint64_t *pcs, uint32_t frames,
                    uint32_t flags, uint64_t *count, uint64_t most);

/* attach-write.c: what is the same for all files of a recording. */
struct recording {
	const char *folder;
	uint32_t rate, flags; /* of their headers */
	int64_t real_time;    /* what is added to the monotonic clock, in nanoseconds */
	uint16_t machine;
};

/* Writes the file of a process.  Returns false after a message: nothing is left of it. */
bool attach_write(const struct recording *recording, struct process *process);

#endif
