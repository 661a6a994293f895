/* SPDX-License-Identifier: Apache-2.0 */
#include "input/recording.h"

#include <dirent.h>
#include <fcntl.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <gprofx/gxc.h>

#include "base/mapfile.h"
#include "base/memory.h"
#include "base/short-path.h"
#include "base/sums.h"
#include "base/text.h"
#include "profile/profile.h"

enum { NANOSECONDS = 1000000000, SAME_MOMENT = 2 };

static int
is_recorded(const struct dirent *entry)
{
	size_t length = strlen(entry->d_name);

	return (entry->d_type == DT_REG || entry->d_type == DT_UNKNOWN) && length > 4 &&
	       strcmp(entry->d_name + length - 4, ".gxc") == 0;
}

/* The text at an offset in the strings of a file, or "". */
static const char *
text_at(const struct gxc_walk *walk, const struct gxc_view *strings, uint64_t offset)
{
	const char *text;

	if (offset >= strings->count)
		return "";
	text = (const char *)walk->bytes + strings->at + offset;
	return memchr(text, '\0', (size_t)(strings->count - offset)) ? text : "";
}

static void
add_counts(const struct gxc_walk *walk, const struct gxc_view *view, struct recorded *row)
{
	bool is_arcs = view->type == GXC_ARCS;
	size_t place = is_arcs ? offsetof(struct gxc_arc, count)
	                       : offsetof(struct gxc_stack, count);
	uint64_t sum = 0;

	if (!is_arcs && view->type != GXC_STACKS)
		return;
	for (uint64_t i = 0; i < view->count; i++)
		sum += gxc_u64(walk, view->at + i * view->entry_bytes + place);
	*(is_arcs ? &row->calls : &row->samples) += sum;
}

static bool
read_file(struct run *run, struct mapped_file *file, bool counts, struct recorded *row)
{
	struct gxc_view view;
	struct gxc_walk walk;
	bool has_program = false;

	if (gxc_begin(&walk, file->bytes, file->length) != GXC_FINE)
		return false;
	row->program = "";
	row->rate = gxc_u32(&walk, offsetof(struct gxc_header, rate));
	row->start = (int64_t)(gxc_u64(&walk, offsetof(struct gxc_header, start)) / NANOSECONDS);
	row->end = file->modified;
	/* The strings are in one of the first chunks. */
	while ((counts || !has_program) && gxc_next(&walk, &view) > 0) {
		if (view.type == GXC_STRINGS && !has_program) {
			uint64_t name = gxc_u64(&walk, offsetof(struct gxc_header, program_name));

			row->program = text_format(run, "%s", text_at(&walk, &view, name));
			has_program = true;
		}
		if (counts)
			add_counts(&walk, &view, row);
	}
	return true;
}

static void
add_file(struct run *run, const char *folder, int place, const char *name, bool counts,
         struct recording *recording, uint32_t *room)
{
	const char *slash = folder[strlen(folder) - 1] == '/' ? "" : "/";
	struct recorded row = {.file = NULL};
	struct mapped_file *file;
	int error;

	file = mapfile_open_in(run, place, name, MAPFILE_REGULAR, &error);
	if (!file)
		return;
	if (read_file(run, file, counts, &row)) {
		row.file = text_format(run, "%s%s%s", folder, slash, name);
		recording->rows = memory_room(run, recording->rows, sizeof row, recording->count,
		                              room, 1);
		recording->rows[recording->count++] = row;
	}
	mapfile_close(run, file);
}

struct recording
recording_read(struct run *run, const char *folder, bool counts)
{
	struct recording recording = {NULL, 0};
	int place = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC), found;
	struct dirent **entries = NULL;
	uint32_t room = 0;

	if (place < 0)
		return recording;
	found = scandir(folder, &entries, is_recorded, versionsort);
	for (int i = 0; i < found; i++) {
		add_file(run, folder, place, entries[i]->d_name, counts, &recording, &room);
		free(entries[i]);
	}
	free(entries);
	close(place);
	return recording;
}

const char *
recording_key(const struct recording *recording, const char *program)
{
	char path[PATH_MAX];

	if (!realpath(program, path))
		return text_last_name(program);
	for (uint32_t i = 0; i < recording->count; i++)
		if (strcmp(recording->rows[i].program, path) == 0)
			return recording->rows[i].program;
	return text_last_name(program);
}

bool
recording_is_of(const struct recorded *row, const char *key)
{
	return strcmp(key[0] == '/' ? row->program : text_last_name(row->program), key) == 0;
}

/* The newest process of the program; NULL: there is none. */
static const struct recorded *
newest_of(const struct recording *recording, const char *program)
{
	const char *key = recording_key(recording, program);
	const struct recorded *newest = NULL;

	for (uint32_t i = 0; i < recording->count; i++)
		if (recording_is_of(&recording->rows[i], key) &&
		    (!newest || recording->rows[i].end > newest->end))
			newest = &recording->rows[i];
	return newest;
}

/* The program: as it is named, or, where no such file is, as it was recorded from elsewhere. */
static const char *
path_of(struct run *run, const struct recorded *process, const char *image)
{
	bool is_found = strchr(image, '/') || access(image, F_OK) == 0;
	char shorter[PATH_MAX];

	if (is_found || process->program[0] != '/')
		return image;
	return short_path(process->program, shorter, sizeof shorter)
	               ? text_format(run, "%s", shorter)
	               : process->program;
}

enum gprofx_result
recording_take(struct run *run)
{
	const struct engine_settings *old = run->settings;
	struct engine_settings *settings;
	const char **profiles;
	struct recording recording;
	struct stat usual;
	const struct recorded *newest;

	if (!old->recording || old->profiles_are_named || !old->image)
		return GPROFX_OK;
	recording = recording_read(run, old->recording, false);
	newest = newest_of(&recording, old->image);
	if (!newest)
		return GPROFX_OK;
	if (stat(old->profiles[0], &usual) == 0) {
		struct gprofx_diagnostic diagnostic = {
			.id = "recording.older",
			.file = old->recording,
			.hint = "name the recording as the profile to use it",
		};

		/* Where the collector wrote both, the recording has more. */
		if (usual.st_mtime > newest->end + SAME_MOMENT) {
			diagnostic.text[0] = old->profiles[0];
			run_warn(run, &diagnostic, "the recording is not used: %s is newer",
			         old->profiles[0]);
			return GPROFX_OK;
		}
	}
	settings = memory_alloc(run, sizeof *settings);
	profiles = memory_alloc_array(run, sizeof *profiles, 1);
	*settings = *old;
	profiles[0] = old->recording;
	settings->image = path_of(run, newest, old->image);
	settings->profiles = profiles;
	settings->profile_count = 1;
	run->settings = settings;
	return GPROFX_OK;
}

static bool
is_recorded_file(struct run *run, const char *name)
{
	struct gxc_walk walk;
	struct mapped_file *file;
	bool is_one;
	int error;

	file = mapfile_open(run, name, MAPFILE_REGULAR, &error);
	if (!file)
		return false;
	is_one = gxc_begin(&walk, file->bytes, file->length) == GXC_FINE;
	mapfile_close(run, file);
	return is_one;
}

bool
recording_is_all(struct run *run)
{
	const struct engine_settings *settings = run->settings;

	/* Runs that are compared, and what only a program has. */
	if (settings->profile_count == 0 || settings->further_run_count > 0 || settings->by_line ||
	    settings->static_calls || settings->file_map || settings->object_count > 0 ||
	    settings->per_file)
		return false;
	for (uint32_t i = 0; i < settings->profile_count; i++)
		if (recording_read(run, settings->profiles[i], false).count == 0 &&
		    !is_recorded_file(run, settings->profiles[i]))
			return false;
	return true;
}

static void
warn_of_losses(struct run *run, const struct profile *profile)
{
	struct gprofx_diagnostic diagnostic = {
		.id = "recording.lost",
		.hint = "allow the collector more memory: gprofx record --memory=1G PROGRAM",
	};
	bool is_unwritten = false, is_other = false;

	for (uint32_t i = 0; i < profile->file_count; i++) {
		const struct gprofx_raw_recording *row = &profile->files[i].recording;

		is_unwritten |= (row->flags & GPROFX_RECORDING_UNWRITTEN) != 0;
		is_other |= (row->flags & GPROFX_RECORDING_BY_OTHERS) != 0 && row->lost_samples > 0;
		sum_add(&diagnostic.number[0], row->lost_calls);
		sum_add(&diagnostic.number[1], row->lost_samples);
	}
	if (is_unwritten)
		diagnostic.hint = "make room on the disk, or allow larger files (ulimit -f)";
	if (is_other)
		diagnostic.hint = "record with a lower frequency, or larger buffers: perf record "
				  "-F 500 -m 16M";
	if (diagnostic.number[0] > 0 || diagnostic.number[1] > 0)
		run_warn(run, &diagnostic, "%llu calls and %llu samples were lost, since %s",
		         (unsigned long long)diagnostic.number[0],
		         (unsigned long long)diagnostic.number[1],
		         is_other       ? "the profiler could not keep up with them"
		         : is_unwritten ? "the file could not be enlarged"
		                        : "there was no memory for them");
}

void
recording_warn_of_losses(struct run *run, const struct profile *profile)
{
	do {
		warn_of_losses(run, profile);
		profile = profile->next_run;
	} while (profile);
}
