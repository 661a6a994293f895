/* SPDX-License-Identifier: Apache-2.0 */
/* The programs that "gprofx open" shows a report with. */
#ifndef CLI_VIEWER_H
#define CLI_VIEWER_H

#include <stdbool.h>

#include "console.h"

/* What --with takes. */
#define VIEWER_WORDS "browser kcachegrind pprof speedscope dot"

enum { VIEWER_COMMANDS = 2 };

struct viewer {
	const char *name;           /* what --with calls it */
	const char *format;         /* of the output that it reads */
	const char *before, *after; /* the program's name, in the name of the file */
	/* What is run, and the file as its last word: the first one that is installed. */
	const char *commands[VIEWER_COMMANDS];
	const char *display_option; /* between these, where there is a display; or NULL */
	const char *install;        /* what to do where none is */
	bool is_browser;            /* xdg-open, which is not what --with names */
	bool reads_sources;         /* the format has lines of source */
	bool is_for_terminals;      /* it runs until the user ends it, with a display or without */
};

extern const struct viewer *const viewer_browser;

/* The one that --with calls that; NULL: none. */
const struct viewer *viewer_named(const char *name);

/* The one to take in its place where what draws its files is not installed; or itself. */
const struct viewer *viewer_here(const struct viewer *viewer);

/* Whether a file could have been written for one of them, by its name. */
bool viewer_has_file(const char *name);

/*
 * Shows the file.  Returns false if an error was reported.  If xdg-open is not installed, or there
 * is nothing to show it on, that is a warning: there still is the file.
 */
bool viewer_show(const struct viewer *viewer, struct console *console, const char *file);

#endif
