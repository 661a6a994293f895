/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Source files of the program, which no output may replace, whether the run has read them or not.
 * The debug information is looked at for them only if an output would replace some file.
 */
#include <fcntl.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/inputs.h"
#include "base/memory.h"
#include "base/run.h"
#include "base/text.h"
#include "symbols/symbols.h"

/* Whether there is a file with something in it that no profile begins with. */
static bool
may_be_source(const char *name, struct stat *status)
{
	static const char magic[] = {'g', 'm', 'o', 'n'};
	int descriptor = open(name, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
	char first[sizeof magic] = {0};
	bool may = descriptor >= 0 && fstat(descriptor, status) == 0 && S_ISREG(status->st_mode) &&
	           read(descriptor, first, sizeof first) > 0 &&
	           memcmp(first, magic, sizeof magic) != 0;

	if (descriptor >= 0)
		close(descriptor);
	return may;
}

static bool
is_each_located(const struct run *run, const struct symbols *symbols)
{
	if (!symbols->is_located || run->settings->by_line)
		return symbols->is_located;
	for (uint32_t i = 0; i < symbols->count; i++)
		if (!symbols->asked || !(symbols->asked[i] & 1))
			return false;
	return true;
}

/*
 * Notes the file if it is a source.  One that has a single name is compared with sources of that
 * name only: there can be a hundred thousand.
 */
static void
note(struct run *run, const struct symbols *symbols, const char *name, const struct stat *target)
{
	char path[PATH_MAX];
	struct stat source;
	const char *last;

	if (!realpath(name, path))
		return;
	last = text_last_name(path);
	for (uint32_t i = 1; i < symbols->file_count; i++) {
		const struct source_file *file = &symbols->files[i];

		if ((target->st_nlink > 1 || strcmp(file->base, last) == 0) &&
		    stat(file->path, &source) == 0 && source.st_dev == target->st_dev &&
		    source.st_ino == target->st_ino) {
			inputs_note_name(run, file->path, "a source file of the program");
			return;
		}
	}
}

void
symbols_note_source(struct run *run, const struct symbols *symbols, const char *output)
{
	struct symbols all = *symbols;
	struct stat status;
	bool was_silent = run->is_silent;

	if (!may_be_source(output, &status))
		return;
	if (is_each_located(run, symbols)) {
		note(run, symbols, output, &status);
		return;
	}
	all.is_located = false;
	all.file = all.line = NULL;
	all.asked = NULL;
	all.files = NULL;
	all.file_hash = NULL;
	all.file_count = all.file_room = all.file_hash_size = 0;
	/* What is wrong with it matters to those who want to see lines. */
	run->is_silent = true;
	symbols_locate(run, &all, NULL, 0);
	run->is_silent = was_silent;
	note(run, &all, output, &status);
	memory_release(run, all.file);
	memory_release(run, all.line);
	memory_release(run, all.asked);
}
