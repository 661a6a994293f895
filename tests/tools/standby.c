/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The program, started once for many runs: sanitizers take longer to start than most runs of a
 * test. Each request gets a copy of this process, which calls the program's main() and ends.
 *
 * Standard input is a socket of datagrams.  A request is one of them, which carries descriptors: a
 * connection, and standard input, output and error of the run.  Through the connection the copy
 * gets its words, folder and environment (struct head), and the caller the status that wait() gave,
 * as an int32_t.  A connection that is closed before ends its run, the end of requests all of them.
 *
 * In the environment of a run, STANDBY_FAULT names a fault of the copy, for the test of this file.
 */
#include <limits.h>
#include <poll.h>
#include <sanitizer/lsan_interface.h>
#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

static int program_main(int argc, char **argv);
#define main program_main
#include "main.c"
#undef main

enum {
	REQUESTS = STDIN_FILENO,
	CHANNELS = 3,
	RUNS = 64, /* at once; the requests of others wait */
};

/* What is sent first; then follow the strings: the folder, the words, the environment. */
struct head {
	uint32_t words, variables, bytes;
};

struct run {
	pid_t process;
	int connection; /* -1: nobody waits for the status */
};

struct standby {
	struct run runs[RUNS];
	int count;
	sigset_t mask; /* that of a run, and while this process waits */
};

/* What a run was given: static, or the search for leaks would not find who holds it. */
static char *told, **lists;

/* Asked at the end of a run.  Options are read when this process starts, for all of its copies. */
int
__lsan_is_turned_off(void)
{
	const char *options = getenv("ASAN_OPTIONS");

	return options && strstr(options, "detect_leaks=0");
}

static void
run_ended(int signal_number)
{
	(void)signal_number; /* it interrupts ppoll() */
}

static bool
receive(int connection, void *where, size_t size)
{
	char *to = where;

	while (size > 0) {
		ssize_t count = recv(connection, to, size, 0);

		if (count <= 0)
			return false;
		to += count;
		size -= (size_t)count;
	}
	return true;
}

/* Cuts the next `count` strings off, whose pointers a null pointer follows. */
static char *
cut(char *text, char **list, uint32_t count)
{
	for (uint32_t i = 0; i < count; i++) {
		list[i] = text;
		text += strlen(text) + 1;
	}
	list[count] = NULL;
	return text;
}

/* Sets the environment and the folder, and gives the words in `lists`; false if they do not come.
 */
static bool
hear(int connection, struct head *head)
{
	char *text;

	if (!receive(connection, head, sizeof *head))
		return false;
	told = malloc((size_t)head->bytes + 1);
	lists = calloc((size_t)head->words + head->variables + 2, sizeof *lists);
	if (!told || !lists || !receive(connection, told, head->bytes))
		return false;
	told[head->bytes] = '\0';
	text = cut(told + strlen(told) + 1, lists, head->words);
	environ = lists + head->words + 1;
	cut(text, environ, head->variables);
	return chdir(told) == 0;
}

/* A fault of each kind that the tests have to notice. */
static void
fail_as_asked(void)
{
	const char *fault = getenv("STANDBY_FAULT");
	char *volatile memory = malloc(8);
	volatile int number = INT_MAX;

	if (fault && strcmp(fault, "address") == 0)
		memory[8] = 1;
	if (fault && strcmp(fault, "undefined") == 0)
		number++;
	if (fault && strcmp(fault, "signal") == 0)
		raise(SIGTERM);
	if (fault && strcmp(fault, "endless") == 0)
		pause();
	if (!fault || strcmp(fault, "leak") != 0)
		free(memory);
	memory = NULL;
}

/* The copy: runs the program as if it had been started, and ends. */
static _Noreturn void
run(int connection, const int *channels)
{
	struct head head;
	int status;

	if (!hear(connection, &head))
		_exit(127);
	for (int i = 0; i < CHANNELS; i++)
		dup2(channels[i], i);
	close_range(CHANNELS, ~0U, 0);
	fail_as_asked();
	status = program_main((int)head.words, lists);
	/*
	 * As exit() does it, but without the destructors of each file, which change the memory
	 * around all variables: that takes as long as a small run.  A leak changes a status of 0.
	 */
	if (!__lsan_is_turned_off())
		__lsan_do_leak_check();
	fflush(NULL);
	_exit(status);
}

/* Takes a request; false if there are no more. */
static bool
take_request(struct standby *standby)
{
	int received[1 + CHANNELS];
	char byte;
	union {
		struct cmsghdr header;
		char bytes[CMSG_SPACE(sizeof received)];
	} control;
	struct iovec data = {.iov_base = &byte, .iov_len = 1};
	struct msghdr message = {.msg_iov = &data,
	                         .msg_iovlen = 1,
	                         .msg_control = &control,
	                         .msg_controllen = sizeof control};
	const struct cmsghdr *header;
	pid_t process;

	if (recvmsg(REQUESTS, &message, 0) <= 0)
		return false;
	header = CMSG_FIRSTHDR(&message);
	if (!header || header->cmsg_len != CMSG_LEN(sizeof received))
		return false;
	memcpy(received, CMSG_DATA(header), sizeof received);
	process = fork();
	if (process == 0) {
		signal(SIGCHLD, SIG_DFL);
		sigprocmask(SIG_SETMASK, &standby->mask, NULL);
		run(received[0], received + 1);
	}
	for (int i = 1; i <= CHANNELS; i++)
		close(received[i]);
	if (process < 0)
		close(received[0]); /* which the caller notices */
	else
		standby->runs[standby->count++] = (struct run){process, received[0]};
	return true;
}

static void
tell_status(struct standby *standby, pid_t process, int32_t status)
{
	struct run *run = standby->runs;

	while (run->process != process)
		run++;
	if (run->connection >= 0) {
		(void)send(run->connection, &status, sizeof status, MSG_NOSIGNAL);
		close(run->connection);
	}
	*run = standby->runs[--standby->count];
}

static void
end_run(struct run *run)
{
	kill(run->process, SIGKILL);
	if (run->connection >= 0)
		close(run->connection);
	run->connection = -1;
}

/* Waits for whatever comes next, and does what is to be done; false at the end of requests. */
static bool
stand_by(struct standby *standby)
{
	struct pollfd polled[1 + RUNS];
	bool asked = true;
	pid_t process;
	int count = standby->count, status;

	polled[0] = (struct pollfd){.fd = REQUESTS, .events = count < RUNS ? POLLIN : 0};
	for (int i = 0; i < count; i++)
		polled[1 + i] = (struct pollfd){.fd = standby->runs[i].connection,
		                                .events = POLLRDHUP};
	if (ppoll(polled, 1 + (nfds_t)count, NULL, &standby->mask) > 0) {
		for (int i = 0; i < count; i++)
			if (polled[1 + i].revents)
				end_run(&standby->runs[i]);
		if (polled[0].revents)
			asked = count < RUNS && take_request(standby);
	}
	while (standby->count > 0 && (process = waitpid(-1, &status, WNOHANG)) > 0)
		tell_status(standby, process, status);
	return asked;
}

int
main(void)
{
	struct standby standby = {.count = 0};
	struct sigaction action = {.sa_handler = run_ended};
	sigset_t blocked;

	sigaction(SIGCHLD, &action, NULL);
	sigemptyset(&blocked);
	sigaddset(&blocked, SIGCHLD);
	sigprocmask(SIG_BLOCK, &blocked, &standby.mask);
	/* Copies then have the pages that the search reads, and need not ask for them. */
	if (!__lsan_is_turned_off())
		__lsan_do_recoverable_leak_check();
	while (stand_by(&standby))
		;
	for (int i = 0; i < standby.count; i++)
		end_run(&standby.runs[i]);
	return 0;
}
