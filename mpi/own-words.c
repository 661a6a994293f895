/* SPDX-License-Identifier: Apache-2.0 */
#include "own-words.h"

#include <string.h>

#include <gprofx/plugin.h>

#include "job.h"

enum { LONGEST_TIMEOUT = 1000 * 1000 };

/* Whole seconds. */
static bool
take_timeout(struct own_words *own, struct console *console, const char *value)
{
	const struct gprofx_diagnostic diagnostic = {
		.id = "mpi.bad-timeout",
		.hint = "give whole seconds, ten times what one file takes or more",
		.text = {value},
	};
	int64_t seconds = 0;
	const char *at = value;

	while (at && *at >= '0' && *at <= '9' && seconds <= LONGEST_TIMEOUT)
		seconds = seconds * 10 + (*at++ - '0');
	if (at && at > value && *at == '\0' && seconds > 0 && seconds <= LONGEST_TIMEOUT) {
		own->timeout = seconds * 1000;
		return true;
	}
	console_fail(console, &diagnostic,
	             "--timeout expects a number of seconds from 1 to %d, found %s",
	             (int)LONGEST_TIMEOUT, value ? value : "nothing");
	return false;
}

/* Whether a word is an option without an argument, which then is set. */
static bool
take_switch(struct own_words *own, const char *word)
{
	const struct {
		const char *word;
		bool *member;
	} switches[] = {
		{"--node-local", &own->node_local},   {"--no-program", &own->has_no_program},
		{"--progress", &own->shows_progress}, {"--help", &own->wants_help},
		{"--version", &own->wants_version},
	};
	size_t i = 0, count = sizeof switches / sizeof switches[0];

	while (i < count && strcmp(switches[i].word, word) != 0)
		i++;
	if (i == count)
		return false;
	*switches[i].member = true;
	return true;
}

bool
own_words_take(struct own_words *own, struct console *console, int argc, char **argv)
{
	static const char timeout[] = "--timeout";
	const size_t length = sizeof timeout - 1;
	bool is_over = false;

	memset(own, 0, sizeof *own);
	own->rest = job_alloc(((size_t)argc + 1) * sizeof *own->rest);
	for (int i = 0; i < argc; i++) {
		char *word = argv[i], *value;
		bool is_timeout;

		is_over = is_over || strcmp(word, "--") == 0;
		is_timeout = strncmp(word, timeout, length) == 0 &&
		             (word[length] == '=' || word[length] == '\0');
		if (i == 0 || is_over || (!is_timeout && !take_switch(own, word))) {
			own->rest[own->rest_count++] = word;
			continue;
		}
		if (!is_timeout)
			continue;
		value = word[length] == '=' ? word + length + 1 : argv[++i];
		if (!take_timeout(own, console, value))
			return false;
	}
	return true;
}

void
own_words_print_help(struct console *console)
{
	console_put(
		console,
		"Usage: mpirun gprofx-mpi [OPTION...] PROGRAM FILE|FOLDER|PATTERN...\n"
		"\n"
		"Reads the profiles of many processes with the processes of an MPI job, and "
		"reports\n"
		"them as gprofx does.  Folders stand for the profiles in them; patterns, in "
		"quotes, for\n"
		"the files that they match.\n"
		"\n"
		"  --node-local       read what lies on each node, which no other node sees\n"
		"  --no-program       all operands are profiles that name their functions\n"
		"  --progress         print each second how many files were read\n"
		"  --timeout=SECONDS  give up on processes that show no sign of life for so "
		"long;\n"
		"                     with --keep-going, report the others\n"
		"  --keep-going       leave out files and processes that fail\n"
		"  --help, --version  print this, or the version, and exit\n"
		"\n"
		"All other options are those of gprofx: see gprofx --help.\n"
		"\n"
		"Example: srun gprofx-mpi --output=json:job.json ./program /scratch/profiles\n");
}
