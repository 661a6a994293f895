/* SPDX-License-Identifier: Apache-2.0 */
#include "viewer.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include <gprofx/plugin.h>

#include "shared/start.h"

enum {
	MOST_WORDS = 8,
	MOST_BYTES = 64,        /* of a command of the table */
	PAUSE = 20000000,       /* nanoseconds */
	MOST_PAUSES = 150,      /* 3 s, in which a program ends that cannot show the file */
	MOST_DESCRIPTORS = 1024 /* where the system does not list them */
};

#define INSTALL_XDG_OPEN "install the package xdg-utils, or open the file in a browser"

static const struct viewer viewers[] = {
	{
		.name = "browser",
		.format = "html",
		.before = "",
		.after = ".html",
		.commands = {"xdg-open"},
		.install = INSTALL_XDG_OPEN,
		.is_browser = true,
		.reads_sources = true,
	},
	{
		.name = "kcachegrind",
		.format = "callgrind",
		.before = "callgrind.out.",
		.after = "",
		.commands = {"kcachegrind", "qcachegrind"},
		.install = "install the package kcachegrind",
	},
	{
		.name = "pprof",
		.format = "pprof",
		.before = "",
		.after = ".pb.gz",
		/* A program named pprof can be that of gperftools, which reads other files. */
		.commands = {"go tool pprof", "pprof"},
		.display_option = "-http=localhost:",
		.install = "install the package golang-go",
		.is_for_terminals = true,
	},
	{
		.name = "speedscope",
		.format = "speedscope",
		.before = "",
		.after = ".speedscope.json",
		.commands = {"speedscope"},
		.install = "install it from npm: npm install -g speedscope",
	},
	{
		.name = "dot",
		.format = "svg",
		.before = "",
		.after = ".svg",
		.commands = {"xdg-open"},
		.install = INSTALL_XDG_OPEN,
		.is_browser = true,
	},
};

enum { VIEWERS = sizeof viewers / sizeof viewers[0] };

static const char drawing_program[] = "dot", drawn_format[] = "svg";

/* What dot draws is written instead where it is not installed. */
static const struct viewer without_dot = {
	.name = "dot",
	.format = "dot",
	.before = "",
	.after = ".dot",
	.commands = {drawing_program},
	.install = "install the package graphviz",
};

const struct viewer *const viewer_browser = &viewers[0];

const struct viewer *
viewer_named(const char *name)
{
	for (size_t i = 0; i < VIEWERS; i++)
		if (strcmp(viewers[i].name, name) == 0)
			return &viewers[i];
	return NULL;
}

/* Whether a program is found by the path: the first word of a command. */
static bool
is_installed(const char *command)
{
	const char *at = getenv("PATH");
	size_t length = strcspn(command, " ");
	char file[PATH_MAX];
	struct stat status;

	if (!at)
		at = "/bin:/usr/bin";
	for (;; at++) {
		size_t folder = strcspn(at, ":");
		/* An empty one is the working directory. */
		int used = snprintf(file, sizeof file, "%.*s%s%.*s", (int)folder, at,
		                    folder > 0 ? "/" : "", (int)length, command);

		if (used > 0 && (size_t)used < sizeof file && access(file, X_OK) == 0 &&
		    stat(file, &status) == 0 && S_ISREG(status.st_mode))
			return true;
		at += folder;
		if (*at == '\0')
			return false;
	}
}

const struct viewer *
viewer_here(const struct viewer *viewer)
{
	return strcmp(viewer->format, drawn_format) == 0 && !is_installed(drawing_program)
	               ? &without_dot
	               : viewer;
}

static bool
is_named_for(const struct viewer *viewer, const char *name)
{
	size_t before = strlen(viewer->before), after = strlen(viewer->after);
	size_t length = strlen(name);

	return length > before + after && strncmp(name, viewer->before, before) == 0 &&
	       strcmp(name + length - after, viewer->after) == 0;
}

bool
viewer_has_file(const char *name)
{
	bool is_named = is_named_for(&without_dot, name);

	for (size_t i = 0; i < VIEWERS; i++)
		is_named = is_named || is_named_for(&viewers[i], name);
	return is_named;
}

/* Whether a variable of the environment says something. */
static bool
is_set(const char *name)
{
	const char *value = getenv(name);

	return value && value[0] != '\0';
}

enum place { ON_DISPLAY, ON_TERMINAL, NOWHERE };

/* Where a program can show something. */
static enum place
place_for(const struct viewer *viewer)
{
	bool has_terminal = isatty(STDIN_FILENO) && isatty(STDOUT_FILENO);

	if (is_set("DISPLAY") || is_set("WAYLAND_DISPLAY"))
		return ON_DISPLAY;
	if (viewer->is_for_terminals && has_terminal)
		return ON_TERMINAL;
	/* xdg-open takes what BROWSER names, or Debian's name for a browser in a terminal. */
	if (viewer->is_browser &&
	    (is_set("BROWSER") || (has_terminal && is_installed("www-browser"))))
		return ON_TERMINAL;
	return NOWHERE;
}

/*
 * Leaves no descriptor to a program that can outlive this one by hours: it would keep pipes and
 * locks of the process that started this one.
 */
static void
close_descriptors_in_children(void)
{
	DIR *stream = opendir("/proc/self/fd");
	const struct dirent *entry;

	for (int i = STDERR_FILENO + 1; !stream && i < MOST_DESCRIPTORS; i++)
		(void)fcntl(i, F_SETFD, FD_CLOEXEC);
	if (!stream)
		return;
	while ((entry = readdir(stream)) != NULL) {
		long descriptor = strtol(entry->d_name, NULL, 10);

		if (descriptor > STDERR_FILENO)
			(void)fcntl((int)descriptor, F_SETFD, FD_CLOEXEC);
	}
	closedir(stream);
}

/* Starts a command of the table.  Returns 0 or an errno value. */
static int
start(const struct viewer *viewer, const char *command, enum place place, const char *file,
      pid_t *child)
{
	bool is_apart = place == ON_DISPLAY && !viewer->is_for_terminals;
	char bytes[MOST_BYTES], *words[MOST_WORDS + 1], *state = NULL;
	struct start start = {.words = words, .channels = {-1, -1, -1}, .is_apart = is_apart};
	size_t count = 0;
	int nothing = -1, error;

	snprintf(bytes, sizeof bytes, "%s %s", command,
	         place == ON_DISPLAY && viewer->display_option ? viewer->display_option : "");
	for (char *word = strtok_r(bytes, " ", &state); word && count + 1 < MOST_WORDS;
	     word = strtok_r(NULL, " ", &state))
		words[count++] = word;
	words[count++] = (char *)file;
	words[count] = NULL;
	if (is_apart) {
		nothing = open("/dev/null", O_RDWR | O_CLOEXEC);
		for (int i = 0; i < START_CHANNELS; i++)
			start.channels[i] = nothing;
		close_descriptors_in_children();
	}
	error = start_program(&start, child);
	if (nothing >= 0)
		close(nothing);
	return error;
}

/* Waits until the program has ended, or takes so long that it shows the file. */
static bool
wait_a_while(pid_t child, int *status)
{
	const struct timespec pause = {.tv_nsec = PAUSE};

	for (int i = 0; i < MOST_PAUSES; i++) {
		pid_t ended = waitpid(child, status, WNOHANG);

		if (ended == child)
			return true;
		/* Where endings of children are ignored, nothing is known about it. */
		if (ended < 0 && errno != EINTR)
			return false;
		nanosleep(&pause, NULL);
	}
	return false;
}

/*
 * Waits until the user ends the program, whose the keys of the terminal are.  Returns whether it
 * has ended otherwise than by the key for that, after which any status is right.
 */
static bool
wait_for_user(pid_t child, int *status)
{
	const struct sigaction ignore = {.sa_handler = SIG_IGN};
	struct sigaction interrupt;
	sigset_t key, pending, before;
	bool is_interrupted;
	pid_t ended;

	sigemptyset(&key);
	sigaddset(&key, SIGINT);
	sigprocmask(SIG_BLOCK, &key, &before);
	do
		ended = waitpid(child, status, 0);
	while (ended < 0 && errno == EINTR);
	sigpending(&pending);
	is_interrupted = sigismember(&pending, SIGINT) == 1;
	/* It was for the program, and ends this one no more. */
	sigaction(SIGINT, &ignore, &interrupt);
	sigprocmask(SIG_SETMASK, &before, NULL);
	sigaction(SIGINT, &interrupt, NULL);
	return ended == child && !is_interrupted;
}

/* Reports that a viewer is not installed.  xdg-open is not what --with names. */
static bool
lack(const struct viewer *viewer, struct console *console, const char *file)
{
	const struct gprofx_diagnostic diagnostic = {
		.id = "open.no-program",
		.file = file,
		.hint = viewer->install,
		.text = {viewer->commands[0]},
	};

	(viewer->is_browser ? console_warn : console_fail)(
		console, &diagnostic, "%s, which shows it, is not installed", viewer->commands[0]);
	return viewer->is_browser;
}

static bool
fail(const struct viewer *viewer, struct console *console, const char *command, const char *file,
     int error, int status)
{
	const struct gprofx_diagnostic diagnostic = {
		.id = "open.failed",
		.file = file,
		.system_error = error,
		.hint = viewer->is_browser
	                        ? "set BROWSER to a browser that is installed, or open the file in "
	                          "one"
	                        : "open the file in another way; it is complete",
		.text = {command},
	};

	if (error != 0)
		console_fail(console, &diagnostic, "cannot start %s: %s", command, strerror(error));
	else if (WIFSIGNALED(status))
		console_fail(console, &diagnostic, "%s was ended by signal %d", command,
		             WTERMSIG(status));
	else
		console_fail(console, &diagnostic, "%s ended with status %d", command,
		             WEXITSTATUS(status));
	return false;
}

bool
viewer_show(const struct viewer *viewer, struct console *console, const char *file)
{
	const struct gprofx_diagnostic nowhere = {
		.id = "open.no-display",
		.file = file,
		.hint = "open the file on a machine with a display, or set DISPLAY or "
			"WAYLAND_DISPLAY",
	};
	const char *command = NULL;
	enum place place;
	int error, status;
	bool has_ended;
	pid_t child;

	for (size_t i = 0; i < VIEWER_COMMANDS && !command; i++)
		if (viewer->commands[i] && is_installed(viewer->commands[i]))
			command = viewer->commands[i];
	if (!command)
		return lack(viewer, console, file);
	place = place_for(viewer);
	if (place == NOWHERE) {
		console_warn(console, &nowhere, "there is no display to show it on");
		return true;
	}
	error = start(viewer, command, place, file, &child);
	if (error != 0)
		return fail(viewer, console, command, file, error, 0);
	has_ended = place == ON_TERMINAL || viewer->is_for_terminals ? wait_for_user(child, &status)
	                                                             : wait_a_while(child, &status);
	if (has_ended && status != 0)
		return fail(viewer, console, command, file, 0, status);
	return true;
}
