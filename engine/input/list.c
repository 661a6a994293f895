/* SPDX-License-Identifier: Apache-2.0 */
/* Which files are read: those named, and those in folders that are named. */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/memory.h"
#include "base/run.h"
#include "input/input.h"
#include "input/parts.h"
#include "input/recording.h"
#include "partial/partial.h"

/*
 * The names that runs of a program with -pg give their profiles: gmon.out, and gmon.out.PID.  Pipes
 * and the like are none, whatever they are called: who reads one may wait for ever.
 */
static bool
is_waited_for(const struct dirent *entry)
{
	return entry->d_type == DT_FIFO || entry->d_type == DT_SOCK || entry->d_type == DT_CHR ||
	       entry->d_type == DT_BLK;
}

static int
is_profile(const struct dirent *entry)
{
	static const char name[] = "gmon.out";
	size_t length = sizeof name - 1;

	if (is_waited_for(entry))
		return 0;
	return strncmp(entry->d_name, name, length) == 0 &&
	       (entry->d_name[length] == '\0' || entry->d_name[length] == '.');
}

/* The length of NAME in the NAME.PID that GMON_OUT_PREFIX=NAME makes; 0: it is another name. */
static size_t
prefix_length(const char *name)
{
	const char *dot = strrchr(name, '.');
	size_t digits = dot ? strspn(dot + 1, "0123456789") : 0;

	return digits > 0 && dot[1 + digits] == '\0' ? (size_t)(dot - name) : 0;
}

static int
is_numbered(const struct dirent *entry)
{
	return entry->d_type != DT_DIR && !is_waited_for(entry) && prefix_length(entry->d_name) > 0;
}

/* Whether a file in a folder begins as profiles do that have a tag. */
static bool
has_tag(const char *folder, const char *name)
{
	int place = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC), file;
	char tag[4];
	bool has;

	if (place < 0)
		return false;
	file = openat(place, name, O_RDONLY | O_NONBLOCK | O_CLOEXEC);
	close(place);
	has = file >= 0 && read(file, tag, sizeof tag) == (ssize_t)sizeof tag &&
	      memcmp(tag, "gmon", sizeof tag) == 0;
	if (file >= 0)
		close(file);
	return has;
}

/*
 * Finds the profiles NAME.PID of a folder without a gmon.out: none if they have several names, as
 * those of different programs have.
 */
static int
find_numbered(const char *folder, struct dirent ***entries)
{
	int found = scandir(folder, entries, is_numbered, versionsort), kept = 0;
	bool is_one_name = true;

	for (int i = 0; i < found; i++) {
		struct dirent *entry = (*entries)[i], *first = (*entries)[0];
		size_t length = prefix_length(entry->d_name);

		if (!has_tag(folder, entry->d_name)) {
			free(entry);
			continue;
		}
		is_one_name = is_one_name &&
		              (kept == 0 || (length == prefix_length(first->d_name) &&
		                             strncmp(entry->d_name, first->d_name, length) == 0));
		(*entries)[kept++] = entry;
	}
	for (int i = 0; i < kept && !is_one_name; i++)
		free((*entries)[i]);
	return is_one_name ? kept : 0;
}

enum gprofx_result
input_fail_folder(struct run *run, const char *folder, int error)
{
	const struct gprofx_diagnostic diagnostic = {
		.id = "profile.cannot-open",
		.file = folder,
		.system_error = error,
		.hint = "check the path and the permissions of the folder",
	};

	return run_fail(run, &diagnostic, "cannot read the folder: %s", strerror(error));
}

static enum gprofx_result
fail_folder(struct run *run, const char *folder, int error)
{
	const struct gprofx_diagnostic empty = {
		.id = "profile.is-a-folder",
		.file = folder,
		.hint = "name other files one by one: in a folder, only gmon.out, gmon.out.* and, "
			"of one NAME, NAME.PID are profiles",
	};

	if (error != 0)
		return input_fail_folder(run, folder, error);
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

/* There is no program: these are all profiles. */
static enum gprofx_result
take_profiles(struct run *run, const char *const *profiles, uint32_t count)
{
	struct engine_settings *settings = memory_alloc(run, sizeof *settings);

	if (check_options(run) != GPROFX_OK)
		return GPROFX_FAILED;
	*settings = *run->settings;
	settings->image = NULL;
	settings->profiles = profiles;
	settings->profile_count = count;
	run->settings = settings;
	return GPROFX_OK;
}

enum gprofx_result
input_take_program_for_profile(struct run *run)
{
	uint32_t named = run->settings->profiles_are_named ? run->settings->profile_count : 0;
	const char **profiles = memory_alloc_array(run, sizeof *profiles, (size_t)named + 1);

	if (!run->settings->image)
		return check_options(run);
	profiles[0] = run->settings->image;
	for (uint32_t i = 0; i < named; i++)
		profiles[i + 1] = run->settings->profiles[i];
	return take_profiles(run, profiles, named + 1);
}

/* The files that the profiles of the settings stand for. */
static enum gprofx_result
list_of_settings(struct run *run, const char *const **names, uint32_t *count)
{
	const struct engine_run of = {
		.profiles = run->settings->profiles,
		.profile_count = run->settings->profile_count,
	};

	return input_list_files(run, &of, names, count);
}

enum gprofx_result
input_take_recording_alone(struct run *run)
{
	const char *const *names;
	uint32_t count;
	enum gprofx_result result = list_of_settings(run, &names, &count);

	return result == GPROFX_OK ? take_profiles(run, names, count) : result;
}

/* Whether a file begins as partial profiles do, which mostly have several files. */
static bool
is_partial(const struct run *run, const char *name)
{
	uint8_t head[32];
	struct gprofx_file file = {.size = sizeof file, .bytes = head};
	ssize_t count;
	int place;

	if (run->settings->strict_layouts || strcmp(name, "-") == 0)
		return false;
	place = open(name, O_RDONLY | O_NONBLOCK | O_CLOEXEC);
	count = place >= 0 ? read(place, head, sizeof head) : -1;
	if (place >= 0)
		close(place);
	file.length = count > 0 ? (uint64_t)count : 0;
	return partial_is(&file);
}

bool
input_can_have_several(const struct run *run)
{
	const struct engine_settings *settings = run->settings;

	if (settings->whole || input_shares_files(run))
		return input_shares_files(run);
	return settings->profile_count > 1 ||
	       (settings->profile_count == 1 &&
	        (is_folder(run, settings->profiles[0]) || is_partial(run, settings->profiles[0])));
}

/* Of a recording, the files of the processes that ran the program; false: it is none. */
static bool
list_recorded(struct run *run, const char *folder, const char ***names, uint32_t *used,
              uint32_t *room, enum gprofx_result *result)
{
	struct recording recording = recording_read(run, folder, false);
	const char *program = run->settings->image;
	const char *key = program ? recording_key(&recording, program) : NULL;
	uint32_t before = *used;
	struct gprofx_diagnostic diagnostic = {
		.id = "recording.other-program",
		.file = folder,
		.text = {program, NULL},
	};

	for (uint32_t i = 0; i < recording.count; i++)
		if (!key || recording_is_of(&recording.rows[i], key)) {
			*names = memory_room(run, *names, sizeof **names, *used, room, 1);
			(*names)[(*used)++] = recording.rows[i].file;
		}
	if (*used > before || recording.count == 0)
		return recording.count > 0;
	diagnostic.text[1] = recording.rows[0].program;
	diagnostic.hint = text_format(run, "name a program that was recorded, such as %s",
	                              recording.rows[0].program);
	*result = run_fail(run, &diagnostic, "the recording has no process of %s", program);
	return true;
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
		const char *name = of->profiles[i], *first;
		struct dirent **entries = NULL;
		bool is_file = !is_folder(run, name);
		int found;

		first = is_file ? name : parts_first(run, name);
		if (is_file || first) {
			list = memory_room(run, list, sizeof *list, *count, &room, 1);
			list[(*count)++] = first;
			continue;
		}
		if (list_recorded(run, name, &list, count, &room, &result))
			continue;
		found = scandir(name, &entries, is_profile, versionsort);
		if (found == 0) {
			free(entries);
			entries = NULL;
			found = find_numbered(name, &entries);
		}
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

struct listing {
	void (*each)(void *opaque, const char *name);
	void *opaque;
};

static enum gprofx_result
list_named(struct run *run, void *argument)
{
	const struct listing *listing = argument;
	const char *const *names;
	uint32_t count;
	enum gprofx_result result = list_of_settings(run, &names, &count);

	for (uint32_t i = 0; i < count; i++)
		listing->each(listing->opaque, names[i]);
	return result;
}

bool
engine_list_files(const struct engine_settings *settings, const struct engine_frontend *frontend,
                  void (*each)(void *opaque, const char *name), void *opaque)
{
	struct listing listing = {each, opaque};

	return run_whole(settings, frontend, list_named, &listing);
}
