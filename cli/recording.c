/* SPDX-License-Identifier: Apache-2.0 */
#include "recording.h"

#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/nearest.h"
#include "base/short-path.h"
#include "console.h"
#include "operands.h"

/* The programs that were seen so far, in the order of their time. */
struct programs {
	struct engine_recorded_program *rows;
	size_t count;
	bool is_out_of_memory;
};

static void
see(void *opaque, const struct engine_recorded_program *program)
{
	struct programs *programs = opaque;
	size_t bytes = (programs->count + 1) * sizeof *programs->rows;
	struct engine_recorded_program *rows = realloc(programs->rows, bytes);
	char *path = strdup(program->path);

	if (rows)
		programs->rows = rows;
	if (!rows || !path) {
		programs->is_out_of_memory = true;
		free(path);
		return;
	}
	rows[programs->count] = *program;
	rows[programs->count++].path = path;
}

/* "1.89 M": three digits and a unit. */
static const char *
short_number(char to[16], uint64_t number)
{
	static const char units[] = " kMGTPE";
	double value = (double)number;
	int unit = 0;

	for (; value >= 999.5; unit++)
		value /= 1000;
	if (unit == 0)
		snprintf(to, 16, "%.0f", value);
	else
		snprintf(to, 16, "%.*f %c",
		         value < 9.995   ? 2
		         : value < 99.95 ? 1
		                         : 0,
		         value, units[unit]);
	return to;
}

static void
print_program(struct console *console, const struct engine_recorded_program *row, double seconds)
{
	char line[128], calls[16];

	snprintf(line, sizeof line, "%8.2f s  %5.1f%%  %9u  %7s  ", row->seconds,
	         seconds > 0 ? 100 * row->seconds / seconds : 0.0, row->processes,
	         row->calls > 0 ? short_number(calls, row->calls) : "-");
	console_put(console, line);
	console_put_visible(console, row->path[0] != '\0' ? row->path : "?");
	console_put(console, "\n");
}

/* The shortest name that stands for a program of a recording. */
static const char *
short_name(const char *path)
{
	const char *slash = strrchr(path, '/');

	return slash && slash[1] != '\0' ? slash + 1 : path;
}

/*
 * What names a program on the command line: its name without folders, unless another one has that,
 * or another file of that name would be taken.
 */
static const char *
name_for_command(const struct programs *programs, size_t number)
{
	const char *path = programs->rows[number].path, *name = short_name(path);
	char real[PATH_MAX];

	for (size_t i = 0; i < programs->count; i++)
		if (i != number && strcmp(short_name(programs->rows[i].path), name) == 0)
			return path;
	return realpath(name, real) && strcmp(real, path) != 0 ? path : name;
}

/* What shows one of them, by the example of the first one. */
static void
print_command(struct console *console, const struct programs *programs, const char *folder)
{
	bool is_usual = strcmp(folder, RECORDING_FOLDER) == 0, is_example;
	char name[PATH_MAX], place[PATH_MAX], words[PATH_MAX];
	char *operands[] = {name, is_usual ? NULL : place, NULL};
	const char *example;

	example = name_for_command(programs, 0);
	if (!short_path(example, name, sizeof name))
		snprintf(name, sizeof name, "%s", example);
	snprintf(place, sizeof place, "%s", folder);
	operands_write(words, sizeof words, operands);
	is_example = strcmp(words, "PROGRAM") != 0;
	console_put(console, "\n  gprofx ");
	console_put(console, words);
	console_put(console, is_example || is_usual ? "" : " FOLDER");
	console_put(console, is_example ? "   shows the first one\n" : "   shows one of them\n");
}

static void
print(struct console *console, const struct programs *programs, const char *folder,
      const char *script)
{
	double seconds = 0;
	char line[128];

	for (size_t i = 0; i < programs->count; i++)
		seconds += programs->rows[i].seconds;
	if (script) {
		console_put_visible(console, script);
		console_put(console, " is a script, which has no profile of its own\n");
	}
	console_put_visible(console, folder);
	snprintf(line, sizeof line, " has %zu program%s, %.2f s sampled in all\n\n",
	         programs->count, programs->count == 1 ? "" : "s", seconds);
	console_put(console, line);
	console_put(console, "      time   share  processes    calls  program\n");
	for (size_t i = 0; i < programs->count; i++)
		print_program(console, &programs->rows[i], seconds);
	print_command(console, programs, folder);
}

static bool
is_script(const char *name)
{
	char start[2] = "";
	struct stat about;
	int descriptor = open(name, O_RDONLY | O_NONBLOCK | O_CLOEXEC);
	bool is_one = descriptor >= 0 && fstat(descriptor, &about) == 0 && S_ISREG(about.st_mode) &&
	              read(descriptor, start, sizeof start) == (ssize_t)sizeof start &&
	              start[0] == '#' && start[1] == '!';

	if (descriptor >= 0)
		close(descriptor);
	return is_one;
}

static bool
is_folder(const char *name)
{
	struct stat about;

	return stat(name, &about) == 0 && S_ISDIR(about.st_mode);
}

/* Whether a program of that name was recorded. */
static bool
has_program(const struct programs *programs, const char *name)
{
	for (size_t i = 0; i < programs->count; i++)
		if (strcmp(short_name(programs->rows[i].path), short_name(name)) == 0)
			return true;
	return false;
}

/*
 * "did you mean ./prog?", about a recorded program with a name like that; NULL: none has one, or
 * there is no memory.
 */
static char *
similar(const struct programs *programs, const char *name)
{
	struct nearest nearest;
	char *advice = NULL;

	nearest_begin(&nearest, short_name(name), strlen(short_name(name)));
	for (size_t i = 0; i < programs->count; i++)
		nearest_offer(&nearest, short_name(programs->rows[i].path));
	for (size_t i = 0; nearest.found && i < programs->count; i++) {
		const char *meant;

		if (short_name(programs->rows[i].path) != nearest.found)
			continue;
		meant = name_for_command(programs, i);
		if (asprintf(&advice, "did you mean %s%s?",
		             !strchr(meant, '/') && access(meant, F_OK) == 0 ? "./" : "",
		             meant) < 0)
			advice = NULL;
		break;
	}
	return advice;
}

/*
 * Where a name is none of a file, nor of a program of the recording: the program with a name like
 * that, or what says which programs there are.
 */
static void
advise_list(struct command *command, const struct programs *programs)
{
	struct engine_settings *settings = &command->settings;
	char *meant;

	if (settings->advice)
		return;
	settings->advised_operand = settings->image;
	meant = similar(programs, settings->image);
	if (meant) {
		settings->advice = command_keep(command, meant);
		return;
	}
	settings->advice =
		"write gprofx alone, which lists the recorded programs (" RECORDING_FOLDER
		"), or name the program that wrote the profile";
}

/* The only program, from a recording that may have to be named. */
static void
take_only(struct command *command, const struct programs *programs, const char *folder)
{
	struct engine_settings *settings = &command->settings;

	char shorter[PATH_MAX];
	bool is_shorter = short_path(programs->rows[0].path, shorter, sizeof shorter);

	settings->image = command_keep(command,
	                               strdup(is_shorter ? shorter : programs->rows[0].path));
	if (strcmp(folder, RECORDING_FOLDER) == 0)
		return;
	command->only_profile[0] = folder;
	settings->profiles = command->only_profile;
	settings->profile_count = 1;
	settings->profiles_are_named = true;
	settings->profiles_are_found = false;
}

bool
recording_choose(struct command *command, const struct engine_frontend *frontend, bool *went_well)
{
	struct engine_settings *settings = &command->settings;
	struct programs programs = {NULL, 0, false};
	const char *folder = settings->recording, *script = NULL;
	bool is_done = false;

	if (!folder || settings->profiles_are_named)
		return false;
	if (command->names_program) {
		if (is_folder(settings->image))
			folder = settings->image;
		else if (is_script(settings->image))
			script = settings->image;
		else if (access(settings->image, F_OK) == 0 || strcmp(settings->image, "-") == 0)
			return false;
	}
	*went_well = engine_list_recording(settings, frontend, folder, see, &programs) &&
	             !programs.is_out_of_memory;
	if (!*went_well) {
		is_done = true;
	} else if (command->names_program && !script && folder == settings->recording) {
		if (programs.count > 0 && !has_program(&programs, settings->image))
			advise_list(command, &programs);
	} else if (programs.count == 1 && programs.rows[0].path[0] != '\0' && !script) {
		take_only(command, &programs, folder);
	} else if (programs.count > 0 && settings->output_count == 0 &&
	           (!script || !has_program(&programs, script))) {
		print(command->console, &programs, folder, script);
		is_done = true;
	}
	for (size_t i = 0; i < programs.count; i++)
		free((char *)(uintptr_t)programs.rows[i].path);
	free(programs.rows);
	return is_done;
}
