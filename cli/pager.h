/* SPDX-License-Identifier: Apache-2.0 */
/* The program that shows standard output page by page, where that is a terminal. */
#ifndef CLI_PAGER_H
#define CLI_PAGER_H

#include <signal.h>
#include <stdbool.h>
#include <sys/types.h>

struct pager {
	const char *command;  /* NULL: there is none */
	const char *variable; /* of the environment, which names it; NULL: it is the default */
	pid_t child;          /* 0: it does not run */
	int output, error;    /* copies of the standard channels that it has; -1: it has not */
	bool is_gone;         /* it ended before the output: the rest is not read */
	struct sigaction interrupt, quit, pipe; /* what was set before it ran */
};

/* Finds the pager that the user wants: none if the variable is empty or names cat. */
void pager_choose(struct pager *pager);

/* Whether it can show the escape sequences of colors, as far as its settings say. */
bool pager_takes_color(const struct pager *pager);

/*
 * Starts it, if there is one and it does not run yet: standard output leads to it, and so does
 * standard error if that is a terminal.  Returns 0, or an errno value: then there is none any more.
 */
int pager_start(struct pager *pager);

/* Gives the channels back after a write found no reader.  False: the pager has no part. */
bool pager_leave(struct pager *pager);

/* Waits until the user has read all. */
void pager_finish(struct pager *pager);

#endif
