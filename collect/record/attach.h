/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Records a process that runs already, and that does not run under the collector. */
#ifndef RECORD_ATTACH_H
#define RECORD_ATTACH_H

#include <stdbool.h>
#include <stdint.h>

#include "attach-events.h"

struct attach {
	const char *folder;
	int pid;
	uint32_t rate, depth;
	enum events_stacks stacks;
	bool follows;          /* child processes, too */
	int64_t duration;      /* milliseconds; 0: until the process ends */
	uint64_t throttled;    /* set: how often the system sampled less than it was asked to */
	bool is_still_running; /* set */
};

/*
 * Takes samples of a process until it ends, the time is over, or a signal asks for the end, and
 * writes them into a new folder.  Returns false after a message: there is no recording.
 */
bool attach_run(struct attach *attach);

/* attach-check.c: whether the process can be attached to, as far as this can be seen; a message
 * otherwise. */
bool attach_check(int pid);

/* Says what the system does not allow; error: of performance events, which it allows for other
 * processes, or does not. */
void attach_explain(int pid, int error, bool allows_others);

/* Reads the number of a process; false after a message. */
bool attach_read_pid(const char *words, int *pid);

/* attach-options.c: reads settings as the collector has them, ",key=value" each, and sets the usual
 * values of others; false after a message: one has no use here, or another value. */
bool attach_read_settings(struct attach *attach, const char *settings);

/* Reads a number of seconds; false after a message. */
bool attach_read_duration(const char *words, int64_t *milliseconds);

#endif
