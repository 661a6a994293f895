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

enum { WIDTH = 10 }; /* of the first column */

/* The programs that were seen so far, in the order of their time. */
struct programs {
	struct engine_recorded_program *rows;
	size_t count, known; /* of all; of those with a path */
	char unit[64];       /* of their amounts */
	bool is_file;        /* they are in a file, not in a folder */
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
	rows[programs->count].path = path;
	programs->known += path[0] != '\0';
	snprintf(programs->unit, sizeof programs->unit, "%s", program->unit);
	rows[programs->count++].unit = NULL;
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

/* "12.34 s" or "1.89 M": an amount in its unit, which the head of the table names. */
static const char *
short_amount(char to[32], double amount, bool is_time)
{
	if (is_time)
		snprintf(to, 32, "%.2f s", amount);
	else
		short_number(to, amount < 1e19 ? (uint64_t)amount : UINT64_MAX);
	return to;
}

static void
print_program(struct console *console, const struct engine_recorded_program *row, double sum,
              bool is_time)
{
	char line[128], calls[16], amount[32];

	snprintf(line, sizeof line, "%10s  %5.1f%%  %9u  %7s  ",
	         short_amount(amount, row->amount, is_time),
	         sum > 0 ? 100 * row->amount / sum : 0.0, row->processes,
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

/* The first program that is known. */
static size_t
first_known(const struct programs *programs)
{
	size_t i = 0;

	while (i + 1 < programs->count && programs->rows[i].path[0] == '\0')
		i++;
	return i;
}

/* What shows one of them, by the example of the first one, or all of a file. */
static void
print_command(struct console *console, const struct programs *programs, const char *recording)
{
	bool is_usual = strcmp(recording, RECORDING_FOLDER) == 0, is_example;
	char name[PATH_MAX], place[PATH_MAX], words[PATH_MAX];
	char *operands[] = {name, is_usual ? NULL : place, NULL};
	char *all[] = {place, NULL};
	size_t first = first_known(programs);
	const char *example = name_for_command(programs, first);

	if (!short_path(example, name, sizeof name))
		snprintf(name, sizeof name, "%s", example);
	snprintf(place, sizeof place, "%s", recording);
	operands_write(words, sizeof words, operands);
	is_example = strcmp(words, "PROGRAM") != 0;
	console_put(console, "\n  gprofx ");
	console_put(console, words);
	if (!is_example && !is_usual)
		console_put(console, programs->is_file ? " FILE" : " FOLDER");
	console_put(console, is_example && first == 0 ? "   shows the first one\n"
	                                              : "   shows one of them\n");
	if (!programs->is_file)
		return;
	operands_write(words, sizeof words, all);
	console_put(console, "  gprofx -p ");
	console_put(console, strcmp(words, "PROGRAM") != 0 ? words : "FILE");
	console_put(console, "   shows all of them together\n");
}

static void
print(struct console *console, const struct programs *programs, const char *name,
      const char *script)
{
	bool is_time = strcmp(programs->unit, "seconds") == 0;
	size_t count = programs->is_file ? programs->known : programs->count;
	char line[128], amount[32];
	double sum = 0;

	for (size_t i = 0; i < programs->count; i++)
		sum += programs->rows[i].amount;
	if (script) {
		console_put_visible(console, script);
		console_put(console, " is a script, which has no profile of its own\n");
	}
	console_put_visible(console, name);
	snprintf(line, sizeof line, " has %zu program%s, %s%s%.32s sampled in all\n\n", count,
	         count == 1 ? "" : "s", short_amount(amount, sum, is_time), is_time ? "" : " ",
	         is_time ? "" : programs->unit);
	console_put(console, line);
	snprintf(line, sizeof line, "%10s   share  processes    calls  program\n",
	         is_time                           ? "time"
	         : strlen(programs->unit) <= WIDTH ? programs->unit
	                                           : "amount");
	console_put(console, line);
	for (size_t i = 0; i < programs->count; i++)
		print_program(console, &programs->rows[i], sum, is_time);
	print_command(console, programs, name);
}

/* The first bytes of a regular file; of anything else, what is there stays. */
static void
read_start(const char *name, char *to, size_t bytes)
{
	struct stat about;
	int descriptor = open(name, O_RDONLY | O_NONBLOCK | O_CLOEXEC);

	if (descriptor < 0)
		return;
	if (fstat(descriptor, &about) == 0 && S_ISREG(about.st_mode) &&
	    read(descriptor, to, bytes) != (ssize_t)bytes)
		memset(to, 0, bytes);
	close(descriptor);
}

static bool
is_script(const char *name)
{
	char start[2] = "";

	read_start(name, start, sizeof start);
	return start[0] == '#' && start[1] == '!';
}

static bool
is_folder(const char *name)
{
	struct stat about;

	return stat(name, &about) == 0 && S_ISDIR(about.st_mode);
}

/* Whether a folder is a recording that consists of parts, as that of perf record --threads. */
static bool
has_parts(const char *folder)
{
	char first[PATH_MAX];
	int length = snprintf(first, sizeof first, "%s/data", folder);

	return length > 0 && (size_t)length < sizeof first && access(first, F_OK) == 0;
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

/* Whether nothing but what is shown by default is asked for. */
static bool
is_plain(const struct engine_settings *settings)
{
	return !engine_has_outputs(settings) && !settings->sum_file && !settings->per_process &&
	       !settings->per_thread && !settings->per_phase && !settings->per_file;
}

/* Whether a file is a program, which has nothing to list. */
static bool
is_elf(const char *name)
{
	static const char magic[] = "\177ELF";
	char start[sizeof magic - 1] = "";

	read_start(name, start, sizeof start);
	return memcmp(start, magic, sizeof start) == 0;
}

/* What is wrong with a file is not reported. */
static void
ignore(void *opaque, enum engine_severity severity, const struct gprofx_diagnostic *diagnostic,
       const char *message, const char *doing)
{
	(void)opaque;
	(void)severity;
	(void)diagnostic;
	(void)message;
	(void)doing;
}

static void
forget(struct programs *programs)
{
	for (size_t i = 0; i < programs->count; i++)
		free((char *)(uintptr_t)programs->rows[i].path);
	free(programs->rows);
}

/*
 * Lists the programs of a file, if it has several.  What is wrong with it is reported with the list
 * alone: otherwise it is read for the report, too.
 */
static bool
list_file(struct command *command, const struct engine_frontend *frontend, bool *went_well)
{
	const struct engine_settings *settings = &command->settings;
	struct engine_frontend silent = *frontend;
	struct programs programs = {.is_file = true};
	bool has_several;

	if (!is_plain(settings) || is_elf(settings->image))
		return false;
	silent.diagnose = ignore;
	has_several = engine_list_recording(settings, &silent, settings->image, see, &programs) &&
	              programs.known > 1 && !programs.is_out_of_memory;
	forget(&programs);
	if (!has_several)
		return false;
	programs = (struct programs){.is_file = true};
	*went_well = engine_list_recording(settings, frontend, settings->image, see, &programs) &&
	             !programs.is_out_of_memory;
	if (*went_well)
		print(command->console, &programs, settings->image, NULL);
	forget(&programs);
	return true;
}

bool
recording_choose(struct command *command, const struct engine_frontend *frontend, bool *went_well)
{
	struct engine_settings *settings = &command->settings;
	struct programs programs = {.rows = NULL};
	const char *folder = settings->recording, *script = NULL;
	bool is_done = false;

	if (!folder || settings->profiles_are_named)
		return false;
	if (command->names_program) {
		if (is_folder(settings->image) && has_parts(settings->image))
			return list_file(command, frontend, went_well);
		if (is_folder(settings->image))
			folder = settings->image;
		else if (is_script(settings->image))
			script = settings->image;
		else if (strcmp(settings->image, "-") == 0)
			return false;
		else if (access(settings->image, F_OK) == 0)
			return list_file(command, frontend, went_well);
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
	forget(&programs);
	return is_done;
}
