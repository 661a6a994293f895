/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "command.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "shared/shell-words.h"

void
command_put_word(FILE *out, const char *word)
{
	if (shell_takes(word)) {
		fprintf(out, " %s", word);
		return;
	}
	fputs(" '", out);
	for (; *word != '\0'; word++)
		if (*word == '\'')
			fputs("'\\''", out);
		else
			fputc(*word, out);
	fputc('\'', out);
}

/* Whether the only program of the recording is what the user started: not if that is a script. */
static bool
is_what_was_started(const char *word, const struct summary *summary)
{
	const char *recorded = strrchr(summary->program, '/'), *name = strrchr(word, '/');
	char *path;
	bool is_same;

	/* What the search path or a link led to has another name at most. */
	if (!name)
		return !recorded || strcmp(recorded + 1, word) == 0;
	path = realpath(word, NULL);
	is_same = !path || strcmp(path, summary->program) == 0;
	free(path);
	return is_same;
}

const char *
command_program(const char *folder, const char *word, const struct summary *summary)
{
	if (summary->has_several || !is_what_was_started(word, summary))
		return NULL;
	/* It is looked up in the usual folder only. */
	return folder && !strchr(word, '/') ? summary->program : word;
}

void
command_print(const char *folder, const char *program, const struct summary *summary)
{
	enum { WIDTH = 80, GAP = 3 };
	const char *about = summary->has_several ? "lists the programs" : "shows the report";
	const char *shown = command_program(folder, program, summary);
	char *command = NULL;
	size_t length = 0;
	FILE *out = open_memstream(&command, &length);

	if (!out)
		return;
	fputs("  gprofx", out);
	if (shown)
		command_put_word(out, shown);
	if (folder)
		command_put_word(out, folder);
	if (fclose(out) == 0) {
		fputs(command, stderr);
		if (length + GAP + strlen(about) <= WIDTH)
			fprintf(stderr, "%*s%s", GAP, "", about);
		fputc('\n', stderr);
	}
	free(command);
}
