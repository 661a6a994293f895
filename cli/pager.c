/* SPDX-License-Identifier: Apache-2.0 */
#include "pager.h"

#include <errno.h>
#include <fcntl.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "shared/start.h"

static const char usual[] = "less";

/* Options of less by default: end at once if all fits the screen, show colors, keep the screen.
 */
static char less_settings[] = "LESS=FRX";

enum { MOST_WORDS = 16, MOST_BYTES = 1024 };

void
pager_choose(struct pager *pager)
{
	static const char *const variables[] = {"GPROFX_PAGER", "PAGER"};
	const char *terminal = getenv("TERM");

	*pager = (struct pager){.output = -1, .error = -1};
	/* Such a terminal cannot go back to what was shown. */
	if (!terminal || strcmp(terminal, "dumb") == 0)
		return;
	pager->command = usual;
	for (size_t i = 0; i < sizeof variables / sizeof variables[0]; i++) {
		const char *value = getenv(variables[i]);

		if (!value)
			continue;
		pager->command = value;
		pager->variable = variables[i];
		break;
	}
	if (pager->command[strspn(pager->command, " \t")] == '\0' ||
	    strcmp(pager->command, "cat") == 0)
		pager->command = NULL;
}

bool
pager_takes_color(const struct pager *pager)
{
	const char *settings = getenv("LESS");

	if (!pager->command || strncmp(pager->command, usual, sizeof usual - 1) != 0)
		return true;
	return !settings || strpbrk(settings, "rR") || strpbrk(pager->command, "rR");
}

/* Whether a variable is not in the environment, which ends with NULL. */
static bool
lacks(char *const *environment, const char *name)
{
	size_t length = strlen(name);

	for (; *environment; environment++)
		if (strncmp(*environment, name, length) == 0 && (*environment)[length] == '=')
			return false;
	return true;
}

/* The environment with defaults for less; from malloc, or NULL. */
static char **
environment_of_child(void)
{
	size_t count = 0;
	char **copy;

	while (environ[count])
		count++;
	copy = calloc(count + 2, sizeof *copy);
	if (!copy)
		return NULL;
	memcpy(copy, environ, count * sizeof *copy);
	if (lacks(environ, "LESS"))
		copy[count] = less_settings;
	return copy;
}

/* Divides a command into words, if it needs no shell for that. */
static bool
split(char *words[MOST_WORDS + 1], char bytes[MOST_BYTES], const char *command)
{
	static const char shell[] = "|&;<>()$`\\\"'\n*?[#~=%{}!";
	size_t count = 0;
	char *state = NULL;

	if (strpbrk(command, shell) || strlen(command) >= MOST_BYTES)
		return false;
	memcpy(bytes, command, strlen(command) + 1);
	for (char *word = strtok_r(bytes, " \t", &state); word;
	     word = strtok_r(NULL, " \t", &state)) {
		if (count == MOST_WORDS)
			return false;
		words[count++] = word;
	}
	words[count] = NULL;
	return count > 0;
}

/* Starts the command with the end of a pipe as its input.  Returns 0 or an errno value. */
static int
spawn(struct pager *pager, int input)
{
	/* If the shell does not find the command, nothing was read yet, and all is shown as it is.
	 */
	static char script[] = "eval \"$1\"; s=$?; case $s in 126|127) exec cat;; esac; exit $s";
	char shell[] = "sh", option[] = "-c", bytes[MOST_BYTES], *words[MOST_WORDS + 1];
	char **environment = environment_of_child(), *command = strdup(pager->command);
	struct start start = {.words = words,
	                      .environment = environment,
	                      .channels = {input, -1, -1}};
	int error = environment && command ? 0 : ENOMEM;

	if (error == 0 && !split(words, bytes, command)) {
		char *const through_shell[] = {shell, option, script, shell, command, NULL};

		memcpy(words, through_shell, sizeof through_shell);
	}
	if (error == 0)
		error = start_program(&start, &pager->child);
	free(environment);
	free(command);
	return error;
}

/* Has a channel lead to the pipe; a copy of what it was, or -1: it is as it was. */
static int
redirect(int channel, int pipe)
{
	int copy = fcntl(channel, F_DUPFD_CLOEXEC, STDERR_FILENO + 1);

	if (copy >= 0 && dup2(pipe, channel) < 0) {
		close(copy);
		copy = -1;
	}
	return copy;
}

static void
restore(int channel, int *copy)
{
	if (*copy < 0)
		return;
	dup2(*copy, channel);
	close(*copy);
	*copy = -1;
}

int
pager_start(struct pager *pager)
{
	const struct sigaction ignore = {.sa_handler = SIG_IGN};
	int ends[2], error = 0;

	if (!pager->command || pager->child > 0)
		return 0;
	if (pipe2(ends, O_CLOEXEC) != 0) {
		error = errno;
	} else {
		error = spawn(pager, ends[0]);
		if (error == 0)
			pager->output = redirect(STDOUT_FILENO, ends[1]);
		if (error == 0 && isatty(STDERR_FILENO))
			pager->error = redirect(STDERR_FILENO, ends[1]);
		close(ends[0]);
		close(ends[1]);
	}
	if (error != 0) {
		pager->child = 0;
		pager->command = NULL;
		return error;
	}
	/* The keys are the pager's, and its end is noticed by a write. */
	sigaction(SIGINT, &ignore, &pager->interrupt);
	sigaction(SIGQUIT, &ignore, &pager->quit);
	sigaction(SIGPIPE, &ignore, &pager->pipe);
	return 0;
}

bool
pager_leave(struct pager *pager)
{
	if (pager->child <= 0)
		return false;
	pager->is_gone = true;
	restore(STDOUT_FILENO, &pager->output);
	restore(STDERR_FILENO, &pager->error);
	sigaction(SIGINT, &pager->interrupt, NULL);
	sigaction(SIGQUIT, &pager->quit, NULL);
	return true;
}

void
pager_finish(struct pager *pager)
{
	if (pager->child <= 0)
		return;
	/* Without another writer, the pipe ends. */
	restore(STDOUT_FILENO, &pager->output);
	restore(STDERR_FILENO, &pager->error);
	while (waitpid(pager->child, NULL, 0) < 0 && errno == EINTR)
		;
	if (!pager->is_gone) {
		sigaction(SIGINT, &pager->interrupt, NULL);
		sigaction(SIGQUIT, &pager->quit, NULL);
	}
	sigaction(SIGPIPE, &pager->pipe, NULL);
	pager->child = 0;
	pager->command = NULL;
}
