/* SPDX-License-Identifier: Apache-2.0 */
/* Which files are read: those named, and those in folders that are named. */
#include <dirent.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/memory.h"
#include "base/run.h"
#include "input/input.h"

/*
 * The names that runs of a program with -pg give their profiles: gmon.out, and gmon.out.PID.  Pipes
 * and the like are none, whatever they are called: who reads one may wait for ever.
 */
static int
is_profile(const struct dirent *entry)
{
	static const char name[] = "gmon.out";
	size_t length = sizeof name - 1;

	if (entry->d_type == DT_FIFO || entry->d_type == DT_SOCK || entry->d_type == DT_CHR ||
	    entry->d_type == DT_BLK)
		return 0;
	return strncmp(entry->d_name, name, length) == 0 &&
	       (entry->d_name[length] == '\0' || entry->d_name[length] == '.');
}

static enum gprofx_result
fail_folder(struct run *run, const char *folder, int error)
{
	const struct gprofx_diagnostic unreadable = {
		.id = "profile.cannot-open",
		.file = folder,
		.system_error = error,
		.hint = "check the path and the permissions of the folder",
	};
	const struct gprofx_diagnostic empty = {
		.id = "profile.is-a-folder",
		.file = folder,
		.hint = "name other files one by one: in a folder, only gmon.out and gmon.out.* "
			"are profiles",
	};

	if (error != 0)
		return run_fail(run, &unreadable, "cannot read the folder: %s", strerror(error));
	return run_fail(run, &empty, "the folder contains no profiles");
}

static bool
is_folder(const struct run *run, const char *name)
{
	struct stat status;

	return !run->settings->strict_layouts && strcmp(name, "-") != 0 &&
	       stat(name, &status) == 0 && S_ISDIR(status.st_mode);
}

/* Copies the names that scandir() found. */
static const char **
keep_names(struct run *run, const char *folder, struct dirent **entries, int count,
           const char **names, uint32_t *used, uint32_t *room)
{
	const char *slash = folder[strlen(folder) - 1] == '/' ? "" : "/";

	names = memory_room(run, names, sizeof *names, *used, room, (uint32_t)count);
	for (int i = 0; i < count; i++)
		names[(*used)++] = text_format(run, "%s%s%s", folder, slash, entries[i]->d_name);
	return names;
}

#define HINT(option) "name the program before its profile, or leave out " option

/* What can only be done with a program. */
static enum gprofx_result
check_options(struct run *run)
{
	const struct engine_settings *settings = run->settings;
	const struct {
		bool is_wanted;
		const char *what, *hint;
	} options[] = {
		{settings->by_line, "a report by line", HINT("-l")},
		{settings->static_calls, "the search for static calls", HINT("-c")},
		{settings->symbol_list != NULL, "a list of symbols", HINT("-S")},
		{settings->file_map != NULL, "a map of files", HINT("-R")},
		{settings->object_count > 0, "a profile of a library", HINT("--object")},
		{settings->per_file, "a report of times per file", HINT("--per-file")},
	};

	for (size_t i = 0; i < sizeof options / sizeof options[0]; i++) {
		const struct gprofx_diagnostic diagnostic = {
			.id = "image.needed",
			.hint = options[i].hint,
		};

		if (options[i].is_wanted)
			return run_fail(run, &diagnostic, "%s needs a program, but none was named",
			                options[i].what);
	}
	return GPROFX_OK;
}

enum gprofx_result
input_take_program_for_profile(struct run *run)
{
	struct engine_settings *settings = memory_alloc(run, sizeof *settings);
	uint32_t named = run->settings->profiles_are_named ? run->settings->profile_count : 0;
	const char **profiles = memory_alloc_array(run, sizeof *profiles, (size_t)named + 1);

	if (!run->settings->image)
		return check_options(run);
	profiles[0] = run->settings->image;
	for (uint32_t i = 0; i < named; i++)
		profiles[i + 1] = run->settings->profiles[i];
	if (check_options(run) != GPROFX_OK)
		return GPROFX_FAILED;
	*settings = *run->settings;
	settings->image = NULL;
	settings->profiles = profiles;
	settings->profile_count = named + 1;
	run->settings = settings;
	return GPROFX_OK;
}

enum gprofx_result
input_list_files(struct run *run, const struct engine_run *of, const char *const **names,
                 uint32_t *count)
{
	enum gprofx_result result = GPROFX_OK;
	const char **list = NULL;
	uint32_t room = 0;

	*count = 0;
	for (uint32_t i = 0; i < of->profile_count; i++) {
		const char *name = of->profiles[i];
		struct dirent **entries = NULL;
		int found;

		if (!is_folder(run, name)) {
			list = memory_room(run, list, sizeof *list, *count, &room, 1);
			list[(*count)++] = name;
			continue;
		}
		found = scandir(name, &entries, is_profile, versionsort);
		if (found > 0)
			list = keep_names(run, name, entries, found, list, count, &room);
		else
			result = fail_folder(run, name, found < 0 ? errno : 0);
		for (int k = 0; k < found; k++)
			free(entries[k]);
		free(entries);
	}
	*names = list;
	return result;
}
