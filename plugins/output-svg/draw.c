/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The graph goes to dot, and the picture comes back, through one pair of sockets: unlike pipes,
 * they can be written to without a signal when dot has ended.  While dot runs, nothing is called
 * that can end the run.
 */
#include "draw.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "../shared/start.h"

enum { MESSAGE_BYTES = 200, PIECE = 65536, MILLISECONDS = 1000, NANOSECONDS = 1000000 };

/* A larger picture is of no use to anybody. */
#define MOST_BYTES ((size_t)1 << 28)

enum outcome { DRAWN, FAILED, TOO_SLOW, TOO_LARGE, NO_MEMORY };

struct drawing {
	struct gprofx_text graph; /* what is left to send */
	pid_t child;
	int channel, errors; /* to and from dot; -1: closed */
	struct timespec end;
	char *picture;
	size_t length, room;
	char message[MESSAGE_BYTES + 1]; /* how what dot said begins */
	size_t message_length;
};

static void
close_one(int *descriptor)
{
	if (*descriptor >= 0)
		close(*descriptor);
	*descriptor = -1;
}

/* Moves a descriptor away from those that a process has from its start. */
static bool
move_up(int *descriptor)
{
	int above;

	if (*descriptor > STDERR_FILENO)
		return true;
	above = fcntl(*descriptor, F_DUPFD_CLOEXEC, STDERR_FILENO + 1);
	close_one(descriptor);
	*descriptor = above;
	return above >= 0;
}

/* Returns 0 or an errno value. */
static int
begin(struct drawing *d)
{
	int pair[2] = {-1, -1}, pipes[2] = {-1, -1}, error = 0;

	d->channel = d->errors = -1;
	if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, pair) != 0 ||
	    pipe2(pipes, O_CLOEXEC) != 0 || !move_up(&pair[0]) || !move_up(&pair[1]) ||
	    !move_up(&pipes[0]) || !move_up(&pipes[1]))
		error = errno;
	if (error == 0) {
		char name[] = "dot", format[] = "-Tsvg", *words[] = {name, format, NULL};
		const struct start start = {
			.words = words,
			.channels = {pair[1], pair[1], pipes[1]},
		};

		error = start_program(&start, &d->child);
	}
	close_one(&pair[1]);
	close_one(&pipes[1]);
	if (error != 0) {
		close_one(&pair[0]);
		close_one(&pipes[0]);
	}
	d->channel = pair[0];
	d->errors = pipes[0];
	return error;
}

/* Milliseconds until the end; 0: it is over. */
static int
time_left(const struct drawing *d)
{
	struct timespec now;
	int64_t left;

	clock_gettime(CLOCK_MONOTONIC, &now);
	left = ((int64_t)d->end.tv_sec - now.tv_sec) * MILLISECONDS +
	       (d->end.tv_nsec - now.tv_nsec) / NANOSECONDS;
	return left > 0 ? (int)left : 0;
}

static void
send_some(struct drawing *d)
{
	ssize_t sent = send(d->channel, d->graph.bytes, d->graph.length,
	                    MSG_NOSIGNAL | MSG_DONTWAIT);

	if (sent < 0 && (errno == EINTR || errno == EAGAIN))
		return;
	/* If dot reads no more, it says why. */
	if (sent < 0)
		sent = (ssize_t)d->graph.length;
	d->graph.bytes += sent;
	d->graph.length -= (size_t)sent;
	if (d->graph.length == 0)
		shutdown(d->channel, SHUT_WR);
}

static enum outcome
receive_some(struct drawing *d)
{
	ssize_t received;

	if (d->room - d->length < PIECE) {
		size_t room = 2 * d->room + PIECE;
		char *larger = room <= MOST_BYTES ? realloc(d->picture, room) : NULL;

		if (!larger)
			return room <= MOST_BYTES ? NO_MEMORY : TOO_LARGE;
		d->picture = larger;
		d->room = room;
	}
	received = recv(d->channel, d->picture + d->length, d->room - d->length, MSG_DONTWAIT);
	if (received < 0 && (errno == EINTR || errno == EAGAIN))
		return DRAWN;
	if (received <= 0)
		close_one(&d->channel);
	else
		d->length += (size_t)received;
	return DRAWN;
}

static void
receive_message(struct drawing *d)
{
	char rest[MESSAGE_BYTES];
	size_t room = MESSAGE_BYTES - d->message_length;
	bool is_full = room == 0;
	ssize_t received = read(d->errors, is_full ? rest : d->message + d->message_length,
	                        is_full ? sizeof rest : room);

	if (received < 0 && errno == EINTR)
		return;
	if (received <= 0)
		close_one(&d->errors);
	else if (!is_full)
		d->message_length += (size_t)received;
}

/* Sends the graph and receives the picture until dot closes its ends. */
static enum outcome
exchange(struct drawing *d)
{
	enum outcome outcome = DRAWN;

	while (outcome == DRAWN && (d->channel >= 0 || d->errors >= 0)) {
		bool is_sending = d->graph.length > 0;
		struct pollfd both[] = {
			{.fd = d->channel,
		         .events = (short)(is_sending ? POLLIN | POLLOUT : POLLIN)},
			{.fd = d->errors, .events = POLLIN},
		};
		int left = time_left(d), ready = left > 0 ? poll(both, 2, left) : 0;

		if (ready == 0 && time_left(d) == 0)
			return TOO_SLOW;
		if (ready <= 0)
			continue;
		if (is_sending && (both[0].revents & (POLLOUT | POLLERR | POLLHUP)))
			send_some(d);
		if (both[0].revents & (POLLIN | POLLERR | POLLHUP))
			outcome = receive_some(d);
		if (both[1].revents)
			receive_message(d);
	}
	return outcome;
}

/* Waits for dot, which has closed its ends, but at most until the end. */
static enum outcome
wait_for(const struct drawing *d)
{
	const struct timespec pause = {.tv_nsec = NANOSECONDS};
	int status;

	for (;;) {
		pid_t ended = waitpid(d->child, &status, WNOHANG);

		if (ended == d->child)
			return WIFEXITED(status) && WEXITSTATUS(status) == 0 ? DRAWN : FAILED;
		/* Where endings of children are ignored, the end of the picture has to do. */
		if (ended < 0 && errno != EINTR)
			return errno == ECHILD ? DRAWN : FAILED;
		if (time_left(d) == 0)
			return TOO_SLOW;
		nanosleep(&pause, NULL);
	}
}

static void
kill_child(const struct drawing *d)
{
	int status;

	kill(d->child, SIGKILL);
	while (waitpid(d->child, &status, 0) < 0 && errno == EINTR)
		;
}

/* Whether the picture goes to its end. */
static bool
is_whole(const struct drawing *d)
{
	static const char last[] = "</svg>\n";
	size_t length = sizeof last - 1;

	return d->length >= length && memcmp(d->picture + d->length - length, last, length) == 0;
}

static enum gprofx_result
fail_start(struct gprofx *gx, int error)
{
	const struct gprofx_diagnostic diagnostic = {
		.id = "svg.no-program",
		.system_error = error,
		.hint = error == ENOENT ? "install the package graphviz, or write --output=dot:FILE"
	                                : "write --output=dot:FILE, and run \"dot -Tsvg FILE\"",
	};

	if (error == ENOENT)
		return gprofx_fail(gx, &diagnostic,
		                   "dot, which draws the picture, is not installed");
	return gprofx_fail(gx, &diagnostic, "cannot start dot, which draws the picture: %s",
	                   strerror(error));
}

static enum gprofx_result
fail(struct gprofx *gx, struct drawing *d, enum outcome outcome, int64_t seconds)
{
	static const struct gprofx_diagnostic slow = {
		.id = "svg.too-slow",
		.hint = "raise svg.seconds, or show fewer functions with svg.most",
	};
	static const struct gprofx_diagnostic failed = {
		.id = "svg.failed",
		.hint = "write --output=dot:FILE, and run \"dot -Tsvg FILE\"",
	};
	static const struct gprofx_diagnostic large = {
		.id = "svg.too-large",
		.hint = "show fewer functions with svg.most",
	};
	static const struct gprofx_diagnostic no_memory = {
		.id = "memory.exhausted",
		.hint = "allow the program more memory",
	};

	switch (outcome) {
	case TOO_SLOW:
		return gprofx_fail(gx, &slow, "dot has not drawn the picture within %lld s",
		                   (long long)seconds);
	case TOO_LARGE:
		return gprofx_fail(gx, &large, "the picture that dot draws is larger than 256 MiB");
	case NO_MEMORY:
		return gprofx_fail(gx, &no_memory, "cannot allocate memory for the picture");
	default:
		break;
	}
	/* One line. */
	d->message[strcspn(d->message, "\r\n")] = '\0';
	return gprofx_fail(gx, &failed, "dot could not draw the picture%s%s",
	                   d->message[0] ? ": " : "", d->message);
}

enum gprofx_result
draw(struct gprofx *gx, struct gprofx_text graph, int64_t seconds, struct gprofx_writer *writer)
{
	struct drawing d = {.graph = graph};
	enum gprofx_result result = GPROFX_OK;
	enum outcome outcome;
	/* The search path is that of the user, and so should be the rights. */
	int error = getauxval(AT_SECURE) != 0 ? EPERM : begin(&d);

	if (error != 0)
		return fail_start(gx, error);
	clock_gettime(CLOCK_MONOTONIC, &d.end);
	d.end.tv_sec += (time_t)seconds;
	outcome = exchange(&d);
	if (outcome == DRAWN)
		outcome = wait_for(&d);
	/* What failed has ended. */
	if (outcome != DRAWN && outcome != FAILED)
		kill_child(&d);
	close_one(&d.channel);
	close_one(&d.errors);
	if (outcome == DRAWN && !is_whole(&d))
		outcome = FAILED;
	if (outcome == DRAWN)
		gprofx_put(writer, d.picture, d.length);
	else
		result = fail(gx, &d, outcome, seconds);
	free(d.picture);
	return result;
}
