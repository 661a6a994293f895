/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#ifndef RECORD_LAUNCH_H
#define RECORD_LAUNCH_H

#include <stdbool.h>
#include <stdint.h>

/* What is to be done at intervals while the program runs. */
struct launch_ticks {
	int64_t every; /* milliseconds */
	void (*take)(void *data);
	void *data;
};

/*
 * Runs a program under the collector, and waits for it: signals that others send to this process
 * are passed on.  ticks: or NULL.  *status: as waitpid() has it.  Returns false after a message if
 * the program cannot be started.
 */
bool
launch(char *const words[], const char *settings, const struct launch_ticks *ticks, int *status);

/* Ends this process as the program ended: with its status, or by its signal. */
_Noreturn void launch_end(int status);

/* What loads the shared libraries of a program. */
enum launch_loader {
	LOADER_UNKNOWN, /* it is a script, for instance */
	LOADER_NONE,    /* it is linked statically */
	LOADER_MUSL,    /* which refuses programs if it cannot load the collector */
	LOADER_USUAL
};

/* That of a program, which is looked up as a shell does. */
enum launch_loader launch_loader_of(const char *program);

#endif
