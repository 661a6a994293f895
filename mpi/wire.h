/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Messages between processes: a head, and bytes that follow it in pieces.  Nothing here waits
 * without calling back: who waits has something else to do meanwhile.
 */
#ifndef MPI_WIRE_H
#define MPI_WIRE_H

#include <mpi.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
	WIRE_TEXT = 2048,
	WIRE_PIECE = 16 << 20, /* bytes of a message at most */
	WIRE_VERSION = 1       /* of the heads and of the order of messages */
};

/* Ways: each has an order of its own between two processes. */
enum wire_tag {
	WIRE_UP = 1, /* from a child to its parent */
	WIRE_DOWN,   /* from a parent to its child */
	WIRE_LIST,   /* names of files, within a group */
	WIRE_ASK,    /* from process 0 to the first process of a group */
	WIRE_ANSWER, /* and back */
	WIRE_FACTS   /* to process 0: what the list of a process is */
};

enum wire_kind {
	WIRE_IS_LIST = 1, /* names of files; "files" is their number */
	WIRE_IS_BASE,     /* a partial profile without counts, or no bytes */
	WIRE_IS_ASKED,    /* for a base */
	WIRE_IS_ALIVE,    /* the process has read "done" files; the text is its first file */
	WIRE_IS_RESULT,   /* it has finished; "length" is that of its partial profile */
	WIRE_IS_TAKEN,    /* the parent wants the bytes of the result */
	WIRE_IS_LEFT,     /* or not */
	WIRE_IS_END       /* the job is over, with "status" */
};

enum wire_status {
	WIRE_WENT_WELL,
	WIRE_FAILED, /* the process has reported why */
	WIRE_EMPTY,  /* there was nothing to read */
	WIRE_MISFIT  /* what several processes have read does not fit */
};

struct wire_head {
	uint64_t magic, version;
	uint64_t check; /* sum of the head itself, where this is 0 */
	uint64_t kind;
	uint64_t status;   /* enum wire_status; of an end the exit status */
	uint64_t length;   /* of the bytes that follow */
	uint64_t files;    /* of the process, or of the list */
	uint64_t done;     /* files that were read or left out, of the process and those behind */
	uint64_t left_out; /* of these */
	uint64_t lost;     /* processes that did not answer */
	uint64_t sum;      /* of the bytes that follow, for those that have none of their own */
	uint64_t text_length;
	char text[WIRE_TEXT];
};

/* What is being sent: it has to last until it has arrived. */
struct wire_sending {
	MPI_Request request;
	struct wire_head *head; /* to be freed then; NULL: the bytes are someone else's */
};
struct wire_outbox {
	struct wire_sending *items;
	int count, room;
};

/* A head of this kind with nothing in it. */
void wire_set_head(struct wire_head *head, enum wire_kind kind);
void wire_set_text(struct wire_head *head, const char *text, size_t length);
/* Completes a head that is to be sent.  Returns how many bytes of it. */
size_t wire_seal(struct wire_head *head);

/* Begins to send a head, which is copied, and bytes, which are not. */
void wire_send_head(struct wire_outbox *outbox, MPI_Comm world, int to, enum wire_tag tag,
                    const struct wire_head *head);
void wire_send_bytes(struct wire_outbox *outbox, MPI_Comm world, int to, enum wire_tag tag,
                     const void *bytes, uint64_t count);
/* Whether all has been sent; then the outbox is empty. */
bool wire_is_sent(struct wire_outbox *outbox);
void wire_free_outbox(struct wire_outbox *outbox);

/* Whether a message has arrived. */
bool wire_has_message(MPI_Comm world, int from, enum wire_tag tag);
/* Receives a head that has arrived.  False: it is not one of this program. */
bool wire_take_head(MPI_Comm world, int from, enum wire_tag tag, struct wire_head *head);
/*
 * Receives bytes.  Calls go_on(opaque) while it waits; once that returns false, it gives up and
 * returns false, and the bytes must stay where they are.
 */
bool wire_take_bytes(MPI_Comm world, int from, enum wire_tag tag, void *bytes, uint64_t count,
                     bool (*go_on)(void *opaque), void *opaque);

/* Sleeps between two looks: longer and longer, up to some milliseconds. */
struct wire_pause {
	long nanoseconds;
};
void wire_sleep(struct wire_pause *pause);
/* Waits until a message has arrived, however long; meanwhile, what is in the outbox is sent. */
void wire_await(struct wire_outbox *outbox, MPI_Comm world, int from, enum wire_tag tag);

#endif
