/* SPDX-License-Identifier: Apache-2.0 */
#include "open.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/text.h"
#include "console.h"
#include "folder.h"
#include "viewer.h"

enum { LONGEST_NAME = 60 };

bool
open_choose(struct command *command, const char *value)
{
	const struct gprofx_diagnostic diagnostic = {
		.id = "usage.unknown-word",
		.hint = "without --with a browser shows the report",
		.text = {value, NULL},
	};

	command->viewer = viewer_named(value);
	if (command->viewer)
		return true;
	console_fail(command->console, &diagnostic,
	             "expected browser, kcachegrind, pprof, speedscope or dot after --with, "
	             "found '%s'",
	             value);
	return false;
}

bool
open_check(const struct command *command)
{
	const struct gprofx_diagnostic privileged = {
		.id = "usage.privileged",
		.hint = "use a copy of the program without the set-user-ID and set-group-ID bits",
	};
	const struct gprofx_diagnostic no_sources = {
		.id = "usage.unused-option",
		.hint = "leave it out; the program looks for sources itself",
	};

	/* It would be found by the user's path, and have the rights of another one. */
	if (command->settings.is_privileged) {
		console_fail(command->console, &privileged,
		             "the program has rights that the user does not have, so it starts no "
		             "other program");
		return false;
	}
	if (!command->viewer->reads_sources &&
	    command->source_folder_count + command->source_map_count > 0) {
		console_fail(
			command->console, &no_sources,
			"-I and --source-map have no effect: files of the format \"%s\" have no "
			"lines of source",
			command->viewer->format);
		return false;
	}
	return true;
}

/* The name of a program or profile as a part of the name of a file that every program can take. */
static void
make_plain(char plain[LONGEST_NAME + 1], const char *path)
{
	static const char letters[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
				      "0123456789_.+-";
	const char *name = text_last_name(path);
	size_t length = 0;

	/* It is not hidden, and no option. */
	name += strspn(name, ".-");
	for (; *name != '\0' && length < LONGEST_NAME; name++)
		plain[length++] = (char)(strchr(letters, *name) ? *name : '_');
	plain[length] = '\0';
	if (length == 0)
		memcpy(plain, "report", sizeof "report");
}

/* Makes the folder of the file; NULL: the console has reported why there is none. */
static const char *
make_folder(struct command *command)
{
	struct gprofx_diagnostic diagnostic = {
		.id = "open.no-folder",
		.hint = "set TMPDIR to a folder that only you can write to",
	};
	const char *base = getenv("TMPDIR");
	char *folder;

	base = base && base[0] != '\0' ? base : "/tmp";
	base = diagnostic.file = command_absolute(command, base, strlen(base));
	if (!base)
		return NULL;
	if (folder_is_open_to_all(base)) {
		console_fail(command->console, &diagnostic,
		             "all users can replace what is in this folder, so no report is "
		             "written there");
		return NULL;
	}
	folder_clean(base, viewer_has_file);
	folder = folder_make(base);
	if (folder)
		return command_keep(command, folder);
	diagnostic.system_error = errno;
	console_fail(command->console, &diagnostic, "cannot make a folder in it: %s",
	             strerror(errno));
	return NULL;
}

bool
open_run(struct command *command, const struct engine_frontend *frontend)
{
	const struct viewer *viewer = viewer_here(command->viewer);
	struct engine_settings *settings = &command->settings;
	const char *folder = make_folder(command);
	char name[LONGEST_NAME + 1], *file;
	bool went_well;

	if (!folder)
		return false;
	make_plain(name, settings->image);
	if (asprintf(&file, "%s/%s%s%s", folder, viewer->before, name, viewer->after) < 0)
		file = NULL;
	file = command_keep(command, file);
	if (!file)
		return false;
	command->outputs[settings->output_count++] = (struct engine_output){
		.format = viewer->format,
		.file = file,
	};
	/* Files of settings are not to add what goes to standard output. */
	engine_give(settings, ENGINE_SET_OUTPUTS);
	engine_give(settings, ENGINE_SET_PER_FILE);
	engine_give(settings, ENGINE_SET_PER_THREAD);
	engine_give(settings, ENGINE_SET_PER_PROCESS);
	engine_give(settings, ENGINE_SET_PER_PHASE);
	went_well = engine_run(settings, frontend);
	/* With --keep-going there can be a report although not all went well. */
	if (access(file, F_OK) != 0) {
		(void)rmdir(folder);
		return false;
	}
	console_put_visible(command->console, file);
	console_put(command->console, "\n");
	console_flush(command->console);
	return viewer_show(viewer, command->console, file) && went_well;
}
