/* SPDX-License-Identifier: Apache-2.0 */
#include "team.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <gprofx/plugin.h>

#include "console.h"
#include "message.h"

enum {
	BEAT = 200,  /* ms between two messages to the parent */
	LINE = 1000, /* and between two lines about progress */
	NOTES_AT_MOST = 10,
	TAG_NAME = 100 /* of the first message */
};

int64_t
team_now(void)
{
	struct timespec time;

	clock_gettime(CLOCK_MONOTONIC, &time);
	return (int64_t)time.tv_sec * 1000 + time.tv_nsec / 1000000;
}

struct name {
	int number;
	char host[JOB_HOST_ROOM];
};

void
team_begin(struct team *team, const struct job *job, struct voice *voice)
{
	struct name name = {.number = job->number};

	memset(team, 0, sizeof *team);
	team->job = job;
	team->voice = voice;
	tree_find(&team->place, job->rank, job->size);
	memcpy(name.host, job->host, sizeof name.host);
	if (team->place.parent >= 0)
		MPI_Send(&name, (int)sizeof name, MPI_BYTE, team->place.parent, TAG_NAME,
		         job->world);
	for (int i = 0; i < team->place.child_count; i++) {
		struct child *child = &team->children[i];

		child->rank = team->place.child[i];
		child->past = team->place.child[i + 1];
		MPI_Recv(&name, (int)sizeof name, MPI_BYTE, child->rank, TAG_NAME, job->world,
		         MPI_STATUS_IGNORE);
		child->number = name.number;
		memcpy(child->host, name.host, sizeof child->host);
		child->host[sizeof child->host - 1] = '\0';
	}
}

void
team_end(struct team *team)
{
	for (int i = 0; i < team->place.child_count; i++)
		free(team->children[i].first_file);
	wire_free_outbox(&team->outbox);
}

/* What a child and those behind it have read is not there. */
static void
count_lost(struct team *team, struct child *child)
{
	char note[JOB_HOST_ROOM + 64];

	snprintf(note, sizeof note, "all of process %d on %s", child->number, child->host);
	team_note(team, note);
	child->state = CHILD_IS_LOST;
	team->lost += (uint64_t)(child->past - child->rank);
	if (child->knows_files)
		team->left_out += child->files;
}

/* An answer that is none: nothing more can be understood. */
static void
refuse_head(struct team *team, struct child *child)
{
	const struct gprofx_diagnostic diagnostic = {
		.id = "mpi.bad-message",
		.hint = "run the same gprofx-mpi on all nodes; if it is, try again",
	};

	voice_fail(team->voice, &diagnostic,
	           "process %d on %s sent a message that is not one of this version of the program",
	           child->number, child->host);
	count_lost(team, child);
}

static void
hear(struct team *team, struct child *child)
{
	struct wire_head head;

	if (!wire_take_head(team->job->world, child->rank, WIRE_UP, &head)) {
		refuse_head(team, child);
		return;
	}
	if (child == team->awaited)
		team->heard = team_now();
	child->done = head.done;
	if (head.kind == WIRE_IS_RESULT) {
		child->result = head;
		child->state = CHILD_HAS_RESULT;
	} else if (!child->knows_files) {
		child->knows_files = true;
		child->files = head.files;
		if (head.files > 0)
			child->first_file = job_copy(head.text);
	}
}

static void
listen(struct team *team)
{
	for (int i = 0; i < team->place.child_count; i++) {
		struct child *child = &team->children[i];

		while (child->state == CHILD_WORKS &&
		       wire_has_message(team->job->world, child->rank, WIRE_UP))
			hear(team, child);
	}
}

/* Files of the block that were read so far. */
static uint64_t
done_so_far(const struct team *team)
{
	uint64_t done = team->done + team->done_behind;

	for (int i = 0; i < team->place.child_count; i++)
		if (team->children[i].state != CHILD_IS_OVER)
			done += team->children[i].done;
	return done;
}

static void
tell_parent(struct team *team, int64_t time)
{
	int has_arrived = 1;

	if (team->is_underway)
		MPI_Test(&team->alive_request, &has_arrived, MPI_STATUS_IGNORE);
	if (!has_arrived || time < team->next_alive)
		return;
	team->next_alive = time + BEAT;
	wire_set_head(&team->alive, WIRE_IS_ALIVE);
	team->alive.files = team->files;
	team->alive.done = done_so_far(team);
	if (team->first_file)
		wire_set_text(&team->alive, team->first_file, strlen(team->first_file));
	/* It counts as sent when the parent has looked at it, so there are never two. */
	MPI_Issend(&team->alive, (int)wire_seal(&team->alive), MPI_BYTE, team->place.parent,
	           WIRE_UP, team->job->world, &team->alive_request);
	team->is_underway = true;
}

void
team_print_progress(struct team *team)
{
	struct message line = {.used = 0};
	uint64_t done = done_so_far(team);

	if (done == team->printed)
		return;
	team->printed = done;
	message_format(&line, "gprofx-mpi: %" PRIu64 " of %" PRIu64 " files were read\n", done,
	               team->total);
	message_send(&line);
}

static void
show_progress(struct team *team, int64_t time)
{
	if (team->shows_progress)
		console_progress(&team->voice->console, (uint32_t)done_so_far(team),
		                 (uint32_t)team->total);
	if (!team->prints_progress || time < team->next_line)
		return;
	if (team->next_line > 0)
		team_print_progress(team);
	team->next_line = time + LINE;
}

bool
team_go_on(void *opaque)
{
	struct team *team = opaque;
	int64_t time = team_now();

	listen(team);
	(void)wire_is_sent(&team->outbox);
	if (team->keeps_alive)
		tell_parent(team, time);
	show_progress(team, time);
	return !team->awaited || team->timeout == 0 || time - team->heard <= team->timeout;
}

/* States which files are missing. */
static void
describe_missing(const struct team *team, const struct child *child, char *text, size_t room)
{
	int behind = child->past - child->rank - 1;
	size_t used;

	if (!child->knows_files)
		used = (size_t)snprintf(text, room, "its files are missing");
	else if (!child->first_file)
		used = (size_t)snprintf(text, room, "it has no files");
	else
		used = (size_t)snprintf(text, room, "%" PRIu64 " file%s missing, first of all %s",
		                        child->files, child->files == 1 ? " is" : "s are",
		                        child->first_file);
	if (behind > 0 && team->job->node_local && used < room)
		snprintf(text + used, room - used, ", and those of %d processes behind it", behind);
}

static void
lose(struct team *team, struct child *child)
{
	const struct gprofx_diagnostic diagnostic = {
		.id = "mpi.no-answer",
		.hint = "look at that host; give a longer --timeout if it is only slow, or "
			"--keep-going to report the others",
	};
	char missing[WIRE_TEXT + 256];

	describe_missing(team, child, missing, sizeof missing);
	voice_fail(team->voice, &diagnostic,
	           "process %d on %s has not answered for %" PRId64 " s: %s", child->number,
	           child->host, team->timeout / 1000, missing);
	count_lost(team, child);
}

static void
begin_waiting(struct team *team, struct child *child)
{
	team->awaited = child;
	team->heard = team_now();
}

bool
team_await(struct team *team, struct child *child)
{
	struct wire_pause pause = {0};

	begin_waiting(team, child);
	while (child->state == CHILD_WORKS) {
		bool is_in_time = team_go_on(team);

		if (child->state != CHILD_WORKS)
			break;
		if (is_in_time)
			wire_sleep(&pause);
		else
			lose(team, child);
	}
	team->awaited = NULL;
	return child->state != CHILD_IS_LOST;
}

static void
answer(struct team *team, const struct child *child, enum wire_kind kind)
{
	struct wire_head head;

	wire_set_head(&head, kind);
	wire_send_head(&team->outbox, team->job->world, child->rank, WIRE_DOWN, &head);
}

uint8_t *
team_take(struct team *team, struct child *child)
{
	uint64_t length = child->result.length, taken = 0;
	uint8_t *bytes = job_alloc((size_t)length);
	bool is_there = true;

	answer(team, child, WIRE_IS_TAKEN);
	while (is_there && taken < length) {
		uint64_t piece = length - taken < WIRE_PIECE ? length - taken : WIRE_PIECE;

		/* Each piece is a sign of life. */
		begin_waiting(team, child);
		is_there = wire_take_bytes(team->job->world, child->rank, WIRE_UP, bytes + taken,
		                           piece, team_go_on, team);
		taken += piece;
	}
	team->awaited = NULL;
	child->result.length = 0;
	if (is_there)
		return bytes;
	lose(team, child);
	return NULL;
}

static void
add_notes(struct team *team, const struct wire_head *head)
{
	const char *line = head->text;

	while (*line != '\0') {
		size_t length = strcspn(line, "\n");
		char note[WIRE_TEXT];

		snprintf(note, sizeof note, "%.*s", (int)length, line);
		team_note(team, note);
		line += length + (line[length] == '\n');
	}
}

void
team_finish_child(struct team *team, struct child *child)
{
	const struct wire_head *result = &child->result;

	if (result->length > 0)
		answer(team, child, WIRE_IS_LEFT);
	team->left_out += result->left_out;
	team->lost += result->lost;
	team->done_behind += result->done;
	add_notes(team, result);
	child->state = CHILD_IS_OVER;
}

void
team_dismiss(struct team *team)
{
	for (int i = 0; i < team->place.child_count; i++) {
		struct child *child = &team->children[i];

		if (child->state == CHILD_WORKS)
			(void)team_await(team, child);
		if (child->state == CHILD_HAS_RESULT)
			team_finish_child(team, child);
	}
}

void
team_note(struct team *team, const char *what)
{
	size_t length = strlen(what);

	if (team->note_count == NOTES_AT_MOST ||
	    length + 2 > sizeof team->notes - team->notes_length) {
		team->lacks_notes = true;
		return;
	}
	/* A name can have the byte that ends a note. */
	for (char *at = team->notes + team->notes_length; *what != '\0'; at++, what++) {
		if (*what == '\n')
			*at = '?';
		else
			*at = *what;
	}
	team->notes_length += length;
	team->notes[team->notes_length++] = '\n';
	team->note_count++;
}

void
team_forget_notes(struct team *team)
{
	team->left_out = 0;
	team->notes_length = team->note_count = 0;
	team->notes[0] = '\0';
	team->lacks_notes = false;
}

void
team_flush(struct team *team)
{
	struct wire_pause pause = {0};

	while (!wire_is_sent(&team->outbox))
		wire_sleep(&pause);
}
