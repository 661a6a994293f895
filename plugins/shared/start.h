/* SPDX-License-Identifier: Apache-2.0 */
/* How other programs are started: without a shell, with default signals and chosen channels. */
#ifndef SHARED_START_H
#define SHARED_START_H

#include <stdbool.h>
#include <sys/types.h>

enum { START_CHANNELS = 3 };

struct start {
	char *const *words; /* the program, found by PATH, and its arguments; ends with NULL */
	char *const *environment; /* ends with NULL; NULL: that of this process */
	/* What its standard channels are, descriptors behind these; -1: those of this process. */
	int channels[START_CHANNELS];
	bool is_apart; /* in a session of its own: keys and the end of the terminal do not reach it
	                */
};

/* Starts it.  Returns 0 or an errno value. */
int start_program(const struct start *start, pid_t *child);

#endif
