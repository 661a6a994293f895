/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "launch.h"

#include <elf.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <poll.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <syscall.h>
#include <time.h>
#include <unistd.h>

#include "message.h"

/* For the handler, which has no other way to know. */
static volatile sig_atomic_t child;

static const char library[] = "libgprofx-collect.so.1";

/* What other processes send to this one is for the program.  One that the system sends is not:
 * where the limit of files is met by a copy of --every, there is a message. */
static const int passed_on[] = {SIGHUP,  SIGINT,  SIGQUIT, SIGTERM,  SIGUSR1,
                                SIGUSR2, SIGALRM, SIGCONT, SIGWINCH, SIGXFSZ};

enum { PASSED_ON = sizeof passed_on / sizeof passed_on[0] };

/* What the system sends, as for a key of the terminal, it sends to the program as well. */
static void
pass_on(int number, siginfo_t *info, void *context)
{
	(void)context;
	if (child > 0 && info->si_code <= 0 && info->si_pid != child)
		kill((pid_t)child, number);
}

/* The library beside this program, as it was installed or built. */
static bool
find_library(char path[PATH_MAX])
{
	char here[PATH_MAX], wanted[PATH_MAX + 128];
	ssize_t length = readlink("/proc/self/exe", here, sizeof here - 1);
	char *slash;

	if (length <= 0)
		return false;
	here[length] = '\0';
	slash = strrchr(here, '/');
	if (!slash)
		return false;
	*slash = '\0';
	snprintf(wanted, sizeof wanted, "%s/" GPROFX_LIBRARY_FROM_BIN "/%s", here, library);
	return realpath(wanted, path) != NULL;
}

static int
open_program(const char *program)
{
	const char *folders = getenv("PATH");
	int descriptor = -1;

	if (strchr(program, '/') || !folders)
		return open(program, O_RDONLY | O_CLOEXEC);
	while (descriptor < 0 && *folders) {
		size_t length = strcspn(folders, ":");
		char path[PATH_MAX];

		if (snprintf(path, sizeof path, "%.*s/%s", (int)length, folders, program) <
		            (int)sizeof path &&
		    access(path, X_OK) == 0)
			descriptor = open(path, O_RDONLY | O_CLOEXEC);
		folders += length + (folders[length] == ':');
	}
	return descriptor;
}

enum launch_loader
launch_loader_of(const char *program)
{
	int descriptor = open_program(program);
	enum launch_loader loader = LOADER_UNKNOWN;
	Elf64_Ehdr header;

	if (descriptor < 0)
		return LOADER_UNKNOWN;
	if (pread(descriptor, &header, sizeof header, 0) == (ssize_t)sizeof header &&
	    memcmp(header.e_ident, ELFMAG, SELFMAG) == 0 && header.e_ident[EI_CLASS] == ELFCLASS64)
		loader = LOADER_NONE;
	for (unsigned i = 0; loader == LOADER_NONE && i < header.e_phnum; i++) {
		char path[PATH_MAX] = "";
		Elf64_Phdr part;

		if (pread(descriptor, &part, sizeof part,
		          (off_t)(header.e_phoff + i * sizeof part)) != (ssize_t)sizeof part ||
		    part.p_type != PT_INTERP)
			continue;
		loader = LOADER_USUAL;
		if (pread(descriptor, path, sizeof path - 1, (off_t)part.p_offset) > 0 &&
		    strstr(path, "/ld-musl-"))
			loader = LOADER_MUSL;
	}
	close(descriptor);
	return loader;
}

/* What is to be loaded into the program, before what is already; NULL after a message: it cannot.
 */
static char *
list_libraries(void)
{
	const char *before = getenv("LD_PRELOAD");
	char path[PATH_MAX], *value;
	size_t room;

	if (!find_library(path)) {
		message("cannot find %s: install the package gprofx-collect", library);
		return NULL;
	}
	if (strpbrk(path, " :")) {
		message("cannot load %s, since its path has a space or a colon", path);
		return NULL;
	}
	room = strlen(path) + (before ? strlen(before) : 0) + 2;
	value = malloc(room);
	if (value)
		snprintf(value, room, "%s%s%s", path, before && *before ? ":" : "",
		         before ? before : "");
	return value;
}

/* In the child: its signals are those that this process was started with, and it alone has the
 * collector in its environment: what this process runs later is not to be recorded. */
static _Noreturn void
run(char *const words[], const char *libraries, const char *settings,
    const struct sigaction *actions, const sigset_t *mask, int channel)
{
	int error;

	for (int i = 0; i < PASSED_ON; i++)
		sigaction(passed_on[i], &actions[i], NULL);
	sigprocmask(SIG_SETMASK, mask, NULL);
	/* The loader of musl would not run the program with a library that is not for musl. */
	if ((launch_loader_of(words[0]) == LOADER_MUSL ||
	     setenv("LD_PRELOAD", libraries, 1) == 0) &&
	    setenv("GPROFX_COLLECT", settings, 1) == 0)
		execvp(words[0], words);
	error = errno;
	if (write(channel, &error, sizeof error) < 0)
		_exit(126);
	_exit(127);
}

static void
set_signals(struct sigaction *before)
{
	struct sigaction action;

	memset(&action, 0, sizeof action);
	action.sa_sigaction = pass_on;
	action.sa_flags = SA_SIGINFO | SA_RESTART;
	for (int i = 0; i < PASSED_ON; i++) {
		sigaction(passed_on[i], NULL, &before[i]);
		if (before[i].sa_handler != SIG_IGN)
			sigaction(passed_on[i], &action, NULL);
	}
}

static int64_t
milliseconds(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (int64_t)now.tv_sec * 1000 + now.tv_nsec / 1000000;
}

/* Waits for the end of a process, and does what is to be done at intervals meanwhile. */
static void
wait_with_ticks(pid_t pid, const struct launch_ticks *ticks, int *status)
{
	enum { LOOK = 20 };
	struct pollfd end = {.fd = (int)syscall(SYS_pidfd_open, pid, 0), .events = POLLIN};
	int64_t next = milliseconds() + ticks->every;

	while (waitpid(pid, status, WNOHANG) == 0) {
		int64_t left = next - milliseconds();

		if (left <= 0) {
			ticks->take(ticks->data);
			next += ticks->every;
			/* Where it takes longer than the interval, some are left out. */
			if (next < milliseconds())
				next = milliseconds() + ticks->every;
			continue;
		}
		if (left > INT_MAX)
			left = INT_MAX;
		/* An old system does not tell when a process ends. */
		if (end.fd < 0 && left > LOOK)
			left = LOOK;
		(void)poll(&end, end.fd >= 0 ? 1 : 0, (int)left);
	}
	if (end.fd >= 0)
		close(end.fd);
}

bool
launch(char *const words[], const char *settings, const struct launch_ticks *ticks, int *status)
{
	struct sigaction before[PASSED_ON];
	sigset_t all, mask;
	char *libraries = list_libraries();
	int channel[2], error = 0;
	pid_t pid;

	if (!libraries)
		return false;
	if (pipe2(channel, O_CLOEXEC) != 0) {
		message("cannot start %s: %s", words[0], strerror(errno));
		free(libraries);
		return false;
	}
	sigfillset(&all);
	sigprocmask(SIG_SETMASK, &all, &mask);
	set_signals(before);
	pid = fork();
	if (pid == 0)
		run(words, libraries, settings, before, &mask, channel[1]);
	free(libraries);
	child = pid;
	sigprocmask(SIG_SETMASK, &mask, NULL);
	close(channel[1]);
	if (pid < 0 || read(channel[0], &error, sizeof error) == (ssize_t)sizeof error) {
		message("cannot start %s: %s", words[0], strerror(pid < 0 ? errno : error));
		if (pid > 0)
			waitpid(pid, status, 0);
		close(channel[0]);
		return false;
	}
	close(channel[0]);
	if (ticks)
		wait_with_ticks(pid, ticks, status);
	else
		while (waitpid(pid, status, 0) < 0 && errno == EINTR) {
		}
	child = 0;
	return true;
}

void
launch_end(int status)
{
	const struct rlimit none = {0, 0};

	if (WIFSIGNALED(status)) {
		/* The program has left what there was to leave. */
		setrlimit(RLIMIT_CORE, &none);
		signal(WTERMSIG(status), SIG_DFL);
		kill(getpid(), WTERMSIG(status));
	}
	exit(WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status));
}
