/* SPDX-License-Identifier: Apache-2.0 */
#include "start.h"

#include <signal.h>
#include <spawn.h>
#include <unistd.h>

static int
spawn(const struct start *start, const posix_spawn_file_actions_t *actions, pid_t *child)
{
	short flags = POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF;
	posix_spawnattr_t attributes;
	sigset_t signals;
	int error = posix_spawnattr_init(&attributes);

	if (error != 0)
		return error;
	if (start->is_apart)
		flags |= POSIX_SPAWN_SETSID;
	/* What this process does about signals is not for other programs. */
	sigemptyset(&signals);
	posix_spawnattr_setsigmask(&attributes, &signals);
	sigaddset(&signals, SIGPIPE);
	sigaddset(&signals, SIGXFSZ);
	posix_spawnattr_setsigdefault(&attributes, &signals);
	posix_spawnattr_setflags(&attributes, flags);
	error = posix_spawnp(child, start->words[0], actions, &attributes, start->words,
	                     start->environment ? start->environment : environ);
	posix_spawnattr_destroy(&attributes);
	return error;
}

int
start_program(const struct start *start, pid_t *child)
{
	posix_spawn_file_actions_t actions;
	int error = posix_spawn_file_actions_init(&actions);

	if (error != 0)
		return error;
	for (int i = 0; i < START_CHANNELS && error == 0; i++)
		if (start->channels[i] >= 0)
			error = posix_spawn_file_actions_adddup2(&actions, start->channels[i], i);
	if (error == 0)
		error = spawn(start, &actions, child);
	posix_spawn_file_actions_destroy(&actions);
	return error;
}
