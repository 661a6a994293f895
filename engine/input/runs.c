/* SPDX-License-Identifier: Apache-2.0 */
/* Repeated runs of a program, whose profiles are in one folder. */
#include <dirent.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/memory.h"
#include "base/run.h"
#include "input/input.h"
#include "input/parts.h"
#include "input/recording.h"

static bool
is_folder(const char *name)
{
	struct stat about;

	return strcmp(name, "-") != 0 && stat(name, &about) == 0 && S_ISDIR(about.st_mode);
}

static bool
is_file(const char *name)
{
	struct stat about;

	return stat(name, &about) == 0 && S_ISREG(about.st_mode);
}

/* Whether a folder is one profile: a recording of gprofx, or of perf. */
static bool
is_recording(struct run *run, const char *folder)
{
	return parts_first(run, folder) != NULL || recording_read(run, folder, false).count > 0;
}

static int
is_visible(const struct dirent *entry)
{
	return entry->d_name[0] != '.';
}

static enum gprofx_result
fail(struct run *run, const char *folder, uint32_t count, int error)
{
	const struct gprofx_diagnostic empty = {
		.id = "diff.no-runs",
		.file = folder,
		.hint = "name a profile, a folder that gprofx record wrote, or a folder of several",
	};
	const struct gprofx_diagnostic many = {
		.id = "diff.too-many-runs",
		.file = folder,
		.hint = "compare fewer, or add some of them up with --sum before",
	};

	if (error != 0)
		return input_fail_folder(run, folder, error);
	if (count == 0)
		return run_fail(run, &empty, "the folder contains neither profiles nor recordings");
	return run_fail(run, &many, "the folder contains more than %d runs", ENGINE_RUNS_AT_MOST);
}

/* What is in a folder of runs, but is none. */
struct left_out {
	const char *first; /* its name */
	uint32_t count;
};

static void
warn_left_out(struct run *run, const struct left_out *left_out)
{
	const struct gprofx_diagnostic diagnostic = {
		.id = "diff.not-a-run",
		.file = left_out->first,
		.hint = "move its profiles, if they are runs, into the folder itself",
		.number = {left_out->count},
	};

	if (left_out->count == 1)
		run_warn(run, &diagnostic, "neither a file nor a recording: it is left out");
	else if (left_out->count > 1)
		run_warn(run, &diagnostic,
		         "neither a file nor a recording: it is left out, and so %s of the folder",
		         left_out->count == 2
		                 ? "is 1 other"
		                 : text_format(run, "are %u others", left_out->count - 1));
}

/* The files and recordings of a folder; false: it cannot be read. */
static bool
list_folder(struct run *run, const char *folder, const char **names, uint32_t *count)
{
	struct dirent **entries;
	int found = scandir(folder, &entries, is_visible, versionsort);
	const char *slash = folder[strlen(folder) - 1] == '/' ? "" : "/";
	struct left_out left_out = {NULL, 0};

	for (int i = 0; i < found; i++) {
		const char *name = text_format(run, "%s%s%s", folder, slash, entries[i]->d_name);

		free(entries[i]);
		if (*count > ENGINE_RUNS_AT_MOST)
			continue;
		if (is_file(name) || (is_folder(name) && is_recording(run, name)))
			names[(*count)++] = name;
		else if (left_out.count++ == 0)
			left_out.first = name;
	}
	if (found >= 0)
		free(entries);
	if (*count > 0)
		warn_left_out(run, &left_out);
	return found >= 0;
}

const char *const *
input_list_runs(struct run *run, const char *name, uint32_t *count)
{
	const char **names;
	int error = 0;

	names = memory_alloc_array(run, sizeof *names, ENGINE_RUNS_AT_MOST + 1);
	*count = 0;
	if (!is_folder(name) || is_recording(run, name)) {
		names[(*count)++] = name;
		return names;
	}
	if (!list_folder(run, name, names, count))
		error = errno;
	if (error == 0 && *count > 0 && *count <= ENGINE_RUNS_AT_MOST)
		return names;
	fail(run, name, *count, error);
	return NULL;
}
