/* SPDX-License-Identifier: Apache-2.0 */
#include "recording.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "console.h"

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

static void
print(struct console *console, const struct programs *programs)
{
	double seconds = 0;
	char line[128];

	for (size_t i = 0; i < programs->count; i++)
		seconds += programs->rows[i].seconds;
	snprintf(line, sizeof line, "%s has %zu programs, %.2f s sampled in all\n\n",
	         RECORDING_FOLDER, programs->count, seconds);
	console_put(console, line);
	console_put(console, "      time   share  processes    calls  program\n");
	for (size_t i = 0; i < programs->count; i++)
		print_program(console, &programs->rows[i], seconds);
	console_put(console, "\n  gprofx PROGRAM shows one of them\n");
}

bool
recording_choose(struct command *command, const struct engine_frontend *frontend, bool *went_well)
{
	struct programs programs = {NULL, 0, false};
	bool is_done = false;

	if (!command->settings.recording || command->names_program)
		return false;
	*went_well = engine_list_recording(&command->settings, frontend,
	                                   command->settings.recording, see, &programs) &&
	             !programs.is_out_of_memory;
	if (!*went_well) {
		is_done = true;
	} else if (programs.count == 1 && programs.rows[0].path[0] != '\0') {
		command->settings.image = command_keep(command, strdup(programs.rows[0].path));
	} else if (programs.count > 1) {
		print(command->console, &programs);
		is_done = true;
	}
	for (size_t i = 0; i < programs.count; i++)
		free((char *)(uintptr_t)programs.rows[i].path);
	free(programs.rows);
	return is_done;
}
