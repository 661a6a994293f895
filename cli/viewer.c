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

/* How a file is shown. */
struct showing {
	const struct viewer *viewer;
	const char *command, *file;
	bool has_display;
	bool is_apart; /* the program is left alone; else the user ends it in the terminal */
	int status;    /* of waitpid(); 0: it has not ended, or without an error */
};

/* Finds out where the program can show something; false: nowhere. */
static bool
find_place(struct showing *showing)
{
	const struct viewer *viewer = showing->viewer;
	bool has_terminal = isatty(STDIN_FILENO) && isatty(STDOUT_FILENO);

	showing->has_display = is_set("DISPLAY") || is_set("WAYLAND_DISPLAY");
	showing->is_apart = showing->has_display && !viewer->is_for_terminals;
	if (showing->has_display || viewer->is_for_terminals)
		return showing->has_display || has_terminal;
	/* xdg-open takes what BROWSER names, or Debian's name for a browser in a terminal. */
	return viewer->is_browser &&
	       (is_set("BROWSER") || (has_terminal && is_installed("www-browser")));
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

/* Starts the program.  Returns 0 or an errno value. */
static int
start(const struct showing *showing, pid_t *child)
{
	const char *option = showing->viewer->display_option;
	char bytes[MOST_BYTES], *words[MOST_WORDS + 1], *state = NULL;
	struct start start = {
		.words = words,
		.channels = {-1, -1, -1},
		.is_apart = showing->is_apart,
	};
	size_t count = 0;
	int nothing = -1, error;

	snprintf(bytes, sizeof bytes, "%s %s", showing->command,
	         option && showing->has_display ? option : "");
	for (char *word = strtok_r(bytes, " ", &state); word && count + 1 < MOST_WORDS;
	     word = strtok_r(NULL, " ", &state))
		words[count++] = word;
	words[count++] = (char *)showing->file;
	words[count] = NULL;
	if (showing->is_apart) {
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

/* Runs it until it has ended, or takes so long that it shows the file.  As start(). */
static int
run_apart(struct showing *showing)
{
	const struct timespec pause = {.tv_nsec = PAUSE};
	pid_t child, ended = 0;
	int error = start(showing, &child);

	for (int i = 0; error == 0 && i < MOST_PAUSES && ended == 0; i++) {
		ended = waitpid(child, &showing->status, WNOHANG);
		if (ended == 0)
			nanosleep(&pause, NULL);
	}
	/* Where endings of children are ignored, nothing is known about it. */
	if (error == 0 && ended != child)
		showing->status = 0;
	return error;
}

/*
 * Runs it until the user ends it: the keys of the terminal are its own, and after the one for that
 * any status is right.  As start().
 */
static int
run_in_terminal(struct showing *showing)
{
	const struct sigaction ignore = {.sa_handler = SIG_IGN};
	struct sigaction interrupt;
	sigset_t key, pending, before;
	pid_t child, ended;
	int error;

	sigemptyset(&key);
	sigaddset(&key, SIGINT);
	sigprocmask(SIG_BLOCK, &key, &before);
	error = start(showing, &child);
	do
		ended = error == 0 ? waitpid(child, &showing->status, 0) : 0;
	while (ended < 0 && errno == EINTR);
	sigpending(&pending);
	if (ended < 0 || sigismember(&pending, SIGINT) == 1)
		showing->status = 0;
	/* It was for the program, and ends this one no more. */
	sigaction(SIGINT, &ignore, &interrupt);
	sigprocmask(SIG_SETMASK, &before, NULL);
	sigaction(SIGINT, &interrupt, NULL);
	return error;
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
fail(const struct showing *showing, struct console *console, int error)
{
	const char *command = showing->command;
	const struct gprofx_diagnostic diagnostic = {
		.id = "open.failed",
		.file = showing->file,
		.system_error = error,
		.hint = showing->viewer->is_browser
	                        ? "set BROWSER to a browser that is installed, or open the file in "
	                          "one"
	                        : "open the file in another way; it is complete",
		.text = {command},
	};

	if (error != 0)
		console_fail(console, &diagnostic, "cannot start %s: %s", command, strerror(error));
	else if (WIFSIGNALED(showing->status))
		console_fail(console, &diagnostic, "%s was ended by signal %d", command,
		             WTERMSIG(showing->status));
	else
		console_fail(console, &diagnostic, "%s ended with status %d", command,
		             WEXITSTATUS(showing->status));
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
	struct showing showing = {.viewer = viewer, .file = file};
	int error;

	for (size_t i = 0; i < VIEWER_COMMANDS && !showing.command; i++)
		if (viewer->commands[i] && is_installed(viewer->commands[i]))
			showing.command = viewer->commands[i];
	if (!showing.command)
		return lack(viewer, console, file);
	if (!find_place(&showing)) {
		console_warn(console, &nowhere, "there is no display to show it on");
		return true;
	}
	error = showing.is_apart ? run_apart(&showing) : run_in_terminal(&showing);
	return (error == 0 && showing.status == 0) || fail(&showing, console, error);
}
