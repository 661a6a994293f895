/* SPDX-License-Identifier: Apache-2.0 */
#include "wire.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/bytes.h"
#include "job.h"

static const uint64_t magic = 0x6770726f66786d70; /* "gprofxmp" */

enum { SHORTEST_PAUSE = 10 * 1000, LONGEST_PAUSE = 4 * 1000 * 1000 };

void
wire_set_head(struct wire_head *head, enum wire_kind kind)
{
	memset(head, 0, offsetof(struct wire_head, text));
	head->magic = magic;
	head->version = WIRE_VERSION;
	head->kind = kind;
}

void
wire_set_text(struct wire_head *head, const char *text, size_t length)
{
	head->text_length = length < sizeof head->text ? length : sizeof head->text - 1;
	memcpy(head->text, text, head->text_length);
}

size_t
wire_seal(struct wire_head *head)
{
	size_t bytes = offsetof(struct wire_head, text) + head->text_length;

	head->check = 0;
	head->check = bytes_checksum(head, bytes);
	return bytes;
}

/* The head is NULL where bytes are sent. */
static MPI_Request *
new_request(struct wire_outbox *outbox, struct wire_head *head)
{
	struct wire_sending *sending;

	if (outbox->count == outbox->room) {
		outbox->room = outbox->room * 2 + 16;
		outbox->items = job_grow(outbox->items,
		                         (size_t)outbox->room * sizeof *outbox->items);
	}
	sending = &outbox->items[outbox->count++];
	sending->head = head;
	return &sending->request;
}

void
wire_send_head(struct wire_outbox *outbox, MPI_Comm world, int to, enum wire_tag tag,
               const struct wire_head *head)
{
	struct wire_head *copy = job_alloc(sizeof *copy);
	size_t bytes;

	*copy = *head;
	bytes = wire_seal(copy);
	MPI_Isend(copy, (int)bytes, MPI_BYTE, to, (int)tag, world, new_request(outbox, copy));
}

void
wire_send_bytes(struct wire_outbox *outbox, MPI_Comm world, int to, enum wire_tag tag,
                const void *bytes, uint64_t count)
{
	const char *at = bytes;

	while (count > 0) {
		int piece = count < WIRE_PIECE ? (int)count : WIRE_PIECE;

		MPI_Isend(at, piece, MPI_BYTE, to, (int)tag, world, new_request(outbox, NULL));
		at += piece;
		count -= (uint64_t)piece;
	}
}

bool
wire_is_sent(struct wire_outbox *outbox)
{
	int kept = 0;

	for (int i = 0; i < outbox->count; i++) {
		struct wire_sending *sending = &outbox->items[i];
		int is_sent;

		MPI_Test(&sending->request, &is_sent, MPI_STATUS_IGNORE);
		if (is_sent)
			free(sending->head);
		else
			outbox->items[kept++] = *sending;
	}
	outbox->count = kept;
	return kept == 0;
}

void
wire_free_outbox(struct wire_outbox *outbox)
{
	free(outbox->items);
}

bool
wire_has_message(MPI_Comm world, int from, enum wire_tag tag)
{
	int has_one;

	MPI_Iprobe(from, (int)tag, world, &has_one, MPI_STATUS_IGNORE);
	return has_one != 0;
}

bool
wire_take_head(MPI_Comm world, int from, enum wire_tag tag, struct wire_head *head)
{
	const size_t fixed = offsetof(struct wire_head, text);
	MPI_Status status;
	uint64_t check;
	int count;

	MPI_Probe(from, (int)tag, world, &status);
	MPI_Get_count(&status, MPI_BYTE, &count);
	/* What is longer stays: nothing that follows it would be understood either. */
	if (count < 0 || (size_t)count > sizeof *head)
		return false;
	memset(head, 0, sizeof *head);
	MPI_Recv(head, count, MPI_BYTE, from, (int)tag, world, MPI_STATUS_IGNORE);
	if ((size_t)count < fixed || head->magic != magic || head->version != WIRE_VERSION ||
	    head->text_length >= WIRE_TEXT || fixed + head->text_length != (size_t)count)
		return false;
	check = head->check;
	return wire_seal(head) == (size_t)count && head->check == check;
}

/* Receives a piece; as wire_take_bytes(). */
static bool
take_piece(MPI_Comm world, int from, enum wire_tag tag, void *bytes, int count,
           bool (*go_on)(void *opaque), void *opaque)
{
	struct wire_pause pause = {0};
	MPI_Request request;
	int is_there = 0;

	MPI_Irecv(bytes, count, MPI_BYTE, from, (int)tag, world, &request);
	for (;;) {
		MPI_Test(&request, &is_there, MPI_STATUS_IGNORE);
		if (is_there)
			return true;
		if (!go_on(opaque)) {
			MPI_Cancel(&request);
			MPI_Request_free(&request);
			return false;
		}
		wire_sleep(&pause);
	}
}

bool
wire_take_bytes(MPI_Comm world, int from, enum wire_tag tag, void *bytes, uint64_t count,
                bool (*go_on)(void *opaque), void *opaque)
{
	char *at = bytes;

	while (count > 0) {
		int piece = count < WIRE_PIECE ? (int)count : WIRE_PIECE;

		if (!take_piece(world, from, tag, at, piece, go_on, opaque))
			return false;
		at += piece;
		count -= (uint64_t)piece;
	}
	return true;
}

void
wire_sleep(struct wire_pause *pause)
{
	struct timespec time = {.tv_nsec = pause->nanoseconds};

	if (pause->nanoseconds > 0)
		nanosleep(&time, NULL);
	pause->nanoseconds = pause->nanoseconds < SHORTEST_PAUSE      ? SHORTEST_PAUSE
	                     : pause->nanoseconds < LONGEST_PAUSE / 2 ? pause->nanoseconds * 2
	                                                              : LONGEST_PAUSE;
}

void
wire_await(struct wire_outbox *outbox, MPI_Comm world, int from, enum wire_tag tag)
{
	struct wire_pause pause = {0};

	while (!wire_has_message(world, from, tag)) {
		(void)wire_is_sent(outbox);
		wire_sleep(&pause);
	}
}
