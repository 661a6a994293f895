/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Snapshots of a recording under way, at regular intervals: the last ones are kept. */
#ifndef RECORD_RING_H
#define RECORD_RING_H

#include <limits.h>
#include <stdbool.h>

struct ring {
	const char *recording; /* folder */
	unsigned keep;         /* snapshots at most */
	char folder[PATH_MAX];
	unsigned count; /* taken so far; they are numbered from 1 */
	bool has_failed;
};

/* Makes the folder of the snapshots, without those of an earlier recording; false after a message.
 */
bool ring_begin(struct ring *ring);

/* Takes one of all processes that run, and removes the oldest one if there are too many. */
void ring_take(struct ring *ring);

/* Says what is there, or removes the folder where there is nothing. */
void ring_end(const struct ring *ring);

#endif
