/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Attaches to a process by performance events: each thread has an event on each processor, which
 * its further threads inherit.  The process is not stopped, and nothing is put into it: the system
 * copies registers and a part of the stack of what runs, and callers are found here.
 */
#include "attach.h"

#include <dirent.h>
#include <elf.h>
#include <errno.h>
#include <linux/perf_event.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <syscall.h>
#include <time.h>
#include <unistd.h>

#include <gprofx/gxc.h>

#include "attach-image.h"
#include "attach-process.h"
#include "attach-session.h"
#include "data.h"
#include "message.h"

enum {
	LOOKS = 16,     /* for threads that start meanwhile */
	PAUSE_MS = 100, /* between looks at rings that are nowhere near full */
	NS_PER_MS = 1000000,
	/* What is written at the same time is there after so long. */
	SETTLED_NS = 2 * NS_PER_MS
};

/* For the handler, which has no other way to say so. */
static volatile sig_atomic_t is_asked_to_end;

static void
ask_to_end(int number)
{
	(void)number;
	is_asked_to_end = 1;
}

/* Attaches to threads that are not known yet.  Returns an errno value, or 0; *found: how many. */
static int
attach_threads(struct session *session, uint32_t *found)
{
	const struct dirent *entry;
	char name[64];
	int error = 0;
	DIR *threads;

	*found = 0;
	snprintf(name, sizeof name, "/proc/%d/task", session->attach->pid);
	threads = opendir(name);
	if (!threads)
		return errno == ENOENT ? ESRCH : errno;
	while (error == 0 && (entry = readdir(threads))) {
		uint32_t tid = (uint32_t)strtoul(entry->d_name, NULL, 10);
		struct session_thread *thread;

		if (tid == 0 || session_find(session, tid))
			continue;
		error = events_attach(&session->events, tid);
		/* It ended meanwhile. */
		if (error == ESRCH) {
			error = 0;
			continue;
		}
		thread = error == 0 ? session_add(session, session->root, tid, NULL, session_now())
		                    : NULL;
		if (thread) {
			thread->is_target = true;
			++*found;
		}
	}
	closedir(threads);
	return error;
}

/* Reads what is mapped: records from before say less. */
static void
look_again(struct session *session)
{
	session->has_lost_records = false;
	for (struct process *process = session->processes; process; process = process->next)
		if (!process->has_ended) {
			process->looked = session_now();
			if (!process_look(process, &session->images))
				process->looked = 0;
		}
}

/* Returns an errno value, or 0. */
static int
open_session(struct session *session)
{
	const struct attach *attach = session->attach;
	uint32_t found = 1;
	int error = 0;

	session->root = process_make((uint32_t)attach->pid, 0, session_now());
	if (!session->root)
		return ENOMEM;
	session->processes = session->root;
	/* Threads that one starts after it was attached to have its events; those that started
	 * just before are found by another look. */
	for (int i = 0; i < LOOKS && found > 0 && error == 0; i++)
		error = attach_threads(session, &found);
	if (error == 0 && session->root->threads == 0)
		error = ESRCH;
	if (error == 0)
		look_again(session);
	return error;
}

/* Takes in what happened before a time. */
static void
take_until(struct session *session, uint64_t time)
{
	const struct perf_event_header *header;

	while ((header = events_next(&session->events, time)))
		session_take(session, header);
	if (session->has_lost_records && time != UINT64_MAX)
		look_again(session);
}

/* Sleeps until there is something to do; whether the process has ended. */
static bool
wait_a_while(struct session *session, int64_t milliseconds, const sigset_t *mask)
{
	struct events *events = &session->events;
	const struct timespec time = {0, (long)milliseconds * NS_PER_MS};
	uint32_t ended = 0;

	if (ppoll(events->waits, events->processor_count + 1, &time, mask) < 0)
		return false;
	for (uint32_t i = 1; i <= events->processor_count; i++) {
		/* The thread that the ring was made for has ended: others still write there. */
		if (events->waits[i].revents & (POLLHUP | POLLERR))
			events->waits[i].fd = -1;
		ended += events->waits[i].fd < 0;
	}
	if (events->waits[0].fd >= 0)
		return (events->waits[0].revents & POLLIN) != 0;
	/* An old system does not tell when a process ends. */
	return ended == events->processor_count &&
	       (session->root->running == 0 || kill(session->attach->pid, 0) != 0);
}

static void
watch(struct session *session, const sigset_t *mask)
{
	const struct attach *attach = session->attach;
	uint64_t end = attach->duration > 0 ? session_now() + (uint64_t)attach->duration * NS_PER_MS
	                                    : UINT64_MAX;
	bool has_ended = false;

	while (!is_asked_to_end && !has_ended) {
		uint64_t now = session_now();
		int64_t left = PAUSE_MS;

		if (now >= end)
			break;
		if (end - now < PAUSE_MS * (uint64_t)NS_PER_MS)
			left = (int64_t)((end - now) / NS_PER_MS) + 1;
		has_ended = wait_a_while(session, left, mask);
		take_until(session, session_now() - SETTLED_NS);
	}
	session->attach->is_still_running = !has_ended;
}

/* The rest of what happened, and what no sample is of. */
static void
finish(struct session *session)
{
	struct events_count counted = events_stop(&session->events);
	uint64_t now = session_now(), taken;

	take_until(session, UINT64_MAX);
	/* What was lost last has no record, since none came later. */
	if (counted.lost > session->lost) {
		session->root->lost += counted.lost - session->lost;
		session->samples += counted.lost - session->lost;
	}
	taken = session->samples * session->events.attributes.sample_period;
	session->root->unsampled = counted.time > taken ? counted.time - taken : 0;
	for (struct process *process = session->processes; process; process = process->next) {
		if (process->has_ended)
			continue;
		process->has_ended = process == session->root ? !session->attach->is_still_running
		                                              : kill((pid_t)process->pid, 0) != 0;
		process->end = now;
	}
}

static int64_t
real_time(void)
{
	struct timespec now;

	clock_gettime(CLOCK_REALTIME, &now);
	return (int64_t)now.tv_sec * 1000000000 + now.tv_nsec - (int64_t)session_now();
}

static void
release(struct session *session)
{
	while (session->processes) {
		struct process *next = session->processes->next;

		process_release(session->processes);
		session->processes = next;
	}
	for (uint32_t i = 0; i < SESSION_BUCKETS; i++)
		while (session->threads[i]) {
			struct session_thread *next = session->threads[i]->next;

			free(session->threads[i]);
			session->threads[i] = next;
		}
	events_end(&session->events);
	image_release_all(session->images);
	free(session->pcs);
}

/* From here on, signals ask for the end; those of this process's start stay ignored. */
static void
catch_signals(sigset_t *before)
{
	static const int signals[] = {SIGINT, SIGTERM, SIGHUP};
	struct sigaction action, former;
	sigset_t blocked;

	memset(&action, 0, sizeof action);
	action.sa_handler = ask_to_end;
	sigemptyset(&blocked);
	for (size_t i = 0; i < sizeof signals / sizeof signals[0]; i++) {
		sigaddset(&blocked, signals[i]);
		sigaction(signals[i], NULL, &former);
		if (former.sa_handler != SIG_IGN)
			sigaction(signals[i], &action, NULL);
	}
	/* They come while this waits, and at no other time. */
	sigprocmask(SIG_BLOCK, &blocked, before);
}

/* Many threads on many processors take many descriptors. */
static void
allow_descriptors(void)
{
	struct rlimit limit;

	if (getrlimit(RLIMIT_NOFILE, &limit) == 0) {
		limit.rlim_cur = limit.rlim_max;
		(void)setrlimit(RLIMIT_NOFILE, &limit);
	}
}

/* Attaches, watches, and writes; false after a message. */
static bool
record(struct session *session, const sigset_t *mask)
{
	struct attach *attached = session->attach;
	int error = open_session(session);

	if (error == ESRCH)
		message("error[attach.no-process]: process %d ended before it could be attached to",
		        attached->pid);
	else if (error != 0)
		attach_explain(attached->pid, error, true);
	if (error != 0)
		return false;
	session->events.waits[0].fd = (int)syscall(SYS_pidfd_open, attached->pid, 0);
	session->events.waits[0].events = POLLIN;
	message("attached to process %d; end with Ctrl-C%s", attached->pid,
	        attached->duration > 0 ? ", or wait" : "");
	watch(session, mask);
	if (session->events.waits[0].fd >= 0)
		close(session->events.waits[0].fd);
	finish(session);
	while (session->processes)
		session_write(session, session->processes);
	return session->written > 0;
}

bool
attach_run(struct attach *attach)
{
	struct session *session = calloc(1, sizeof *session);
	bool is_fine = false, has_moved;
	sigset_t mask;
	int error;

	if (!session || !attach_check(attach->pid)) {
		free(session);
		return false;
	}
	session->attach = attach;
	session->pcs = calloc(attach->depth, sizeof *session->pcs);
	allow_descriptors();
	error = session->pcs ? events_begin(&session->events, attach->stacks, attach->rate,
	                                    attach->depth, attach->follows)
	                     : ENOMEM;
	session->recording = (struct recording)
	{
		.folder = attach->folder, .rate = attach->rate,
		.flags = (attach->stacks == EVENTS_FP ? (uint32_t)GXC_FRAME_POINTERS : 0) |
		         (session->events.attributes.exclude_kernel ? (uint32_t)GXC_USER_ONLY : 0),
		.real_time = real_time(),
#if defined __x86_64__
		.machine = EM_X86_64,
#else
		.machine = EM_AARCH64,
#endif
	};
	if (error != 0) {
		attach_explain(attach->pid, error, false);
	} else if (data_make_folder(attach->folder, &has_moved)) {
		catch_signals(&mask);
		is_fine = record(session, &mask);
		if (is_fine)
			data_drop_earlier(attach->folder);
		else
			data_forget_folder(attach->folder, has_moved);
		sigprocmask(SIG_SETMASK, &mask, NULL);
	}
	release(session);
	free(session);
	return is_fine;
}
