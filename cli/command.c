/* SPDX-License-Identifier: Apache-2.0 */
/* The command line from its first to its last word. */
#include "command.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>
#include <unistd.h>

#include "args.h"
#include "compat.h"
#include "diff.h"
#include "faults.h"
#include "open.h"
#include "operands.h"
#include "options.h"
#include "own.h"
#include "recording.h"
#include "repeat.h"
#include "subcommands.h"
#include "terminal.h"
#include "viewer.h"

/* What --no-plugins leaves. */
static const char *const own_plugins[] = {GPROFX_OWN_PLUGINS, NULL};
static const char *const default_profiles[] = {"gmon.out"};

static const char folders_variable[] = "GPROFX_PLUGIN_PATH";
/* In the user's folder of settings; the number is that of the interface. */
static const char user_plugins[] = "plugins/1";
_Static_assert(GPROFX_ABI_MAJOR == 1, "the folders of plugins have another number");

int
command_usage_status(const struct command *command)
{
	return command->gnu_mode ? 1 : 2;
}

static bool
out_of_memory(struct command *command)
{
	const struct gprofx_diagnostic diagnostic = {
		.id = "memory.exhausted",
		.hint = "shorten the command line",
	};

	command->is_out_of_memory = true;
	console_fail(command->console, &diagnostic, "cannot allocate memory for the command line");
	return false;
}

static size_t
count_folders(const char *list)
{
	size_t count = list ? 1 : 0;

	for (; list && *list != '\0'; list++)
		count += *list == ':';
	return count;
}

/* Every word can fill at most so many elements of each array; one block holds them all. */
static bool
make_room(struct command *command, size_t words)
{
	size_t specs = COMPAT_SPECS_PER_WORD * words + COMPAT_DEFAULT_SPECS;
	size_t names = words + count_folders(secure_getenv(folders_variable)) + 12;
	size_t options = words + COMPAT_EMITTER_OPTIONS, configs = words + COMMAND_DEFAULT_CONFIGS;
	size_t repeated = words + CLI_OPTIONS_AT_MOST;
	char *room = malloc(specs * sizeof *command->symspecs + words * sizeof *command->outputs +
	                    (options + words) * sizeof *command->emitter_options +
	                    configs * sizeof *command->configs + words * sizeof *command->objects +
	                    (names * 3 + repeated * 2 + words * 4 + 1) * sizeof *command->plugins);

	if (!room)
		return out_of_memory(command);
	command->symspecs = (struct engine_symspec *)room;
	command->outputs = (struct engine_output *)(command->symspecs + specs);
	command->emitter_options = (struct engine_option *)(command->outputs + words);
	command->output_options = command->emitter_options + options;
	command->configs = (struct engine_config *)(command->output_options + words);
	memset(command->configs, 0, configs * sizeof *command->configs);
	command->objects = (struct engine_object *)(command->configs + configs);
	command->plugins = (const char **)(command->objects + words);
	command->plugin_folders = command->plugins + names;
	command->own_strings = command->plugin_folders + names;
	command->repeated = command->own_strings + names + repeated;
	command->checked = command->repeated + repeated;
	command->source_maps = command->checked + words;
	command->set_values = command->source_maps + words;
	/* One more for what the environment names. */
	command->source_folders = command->set_values + words;
	return true;
}

void
command_add_output_option(struct command *command, const char *format, const char *key,
                          const char *value)
{
	command->output_options[command->output_option_count++] = (struct engine_option){
		.format = format,
		.key = key,
		.value = value,
		.is_asked_for = true,
	};
}

/* Takes over a string from malloc; NULL is an allocation that failed. */
char *
command_keep(struct command *command, char *text)
{
	if (text)
		command->own_strings[command->own_string_count++] = text;
	else
		out_of_memory(command);
	return text;
}

/*
 * A copy of the path that starts at the root: later changes of the working directory do not matter
 * to it.
 */
const char *
command_absolute(struct command *command, const char *path, size_t length)
{
	char here[PATH_MAX], *whole;
	bool is_relative = path[0] != '/' && getcwd(here, sizeof here);

	while (is_relative && length > 2 && path[0] == '.' && path[1] == '/') {
		path += 2;
		length -= 2;
	}
	if (asprintf(&whole, "%s%s%.*s", is_relative ? here : "", is_relative ? "/" : "",
	             (int)length, path) < 0)
		whole = NULL;
	return command_keep(command, whole);
}

/* What others may have put into the working directory must not be loaded. */
static void
warn_relative_folder(struct command *command, const char *folder, size_t length)
{
	const struct gprofx_diagnostic diagnostic = {
		.id = "environment.relative-folder",
		.hint = "write absolute paths, or use --plugin-path, which may be relative",
	};
	char message[PATH_MAX];

	snprintf(message, sizeof message,
	         "%s has a path that is not absolute, \"%.*s\"; it is not used", folders_variable,
	         (int)length, folder);
	console_diagnose(command->console, ENGINE_WARNING, &diagnostic, message, NULL);
}

/* The folders that the environment names, with colons between them. */
static bool
add_listed_folders(struct command *command, const char *list)
{
	size_t length;

	for (; list; list = list[length] == ':' ? list + length + 1 : NULL) {
		length = strcspn(list, ":");
		if (length > 0 && list[0] != '/')
			warn_relative_folder(command, list, length);
		else if (length > 0 && !own_add_folder(command, list, length))
			return false;
	}
	return true;
}

/* The folder that the program is in, or NULL if the system does not tell, as without /proc. */
static const char *
program_folder(struct command *command)
{
	char program[PATH_MAX];
	ssize_t length;

	if (command->program_folder || command->settings.place_problem)
		return command->program_folder;
	length = readlink("/proc/self/exe", program, sizeof program - 1);
	if (length <= 0) {
		char *text;

		if (asprintf(&text, "/proc/self/exe cannot be read: %s", strerror(errno)) < 0)
			text = NULL;
		command->settings.place_problem = command_keep(command, text);
		return NULL;
	}
	program[length] = '\0';
	*strrchr(program, '/') = '\0';
	return command->program_folder = command_keep(command, strdup(program));
}

/*
 * A folder that stands at a fixed place relative to the program, wherever both have been moved; the
 * one it was built for if the system does not say where the program is.
 */
static bool
installed_folder(struct command *command, const char *relative, const char *built_for,
                 const char **folder)
{
	const char *program = program_folder(command);
	int length = program ? (int)strlen(program) : 0;
	char *text;

	*folder = built_for;
	if (!program)
		return !command->is_out_of_memory;
	/* The system has resolved all links in the program's name, so steps up can be taken here.
	 */
	while (strncmp(relative, "../", 3) == 0 && length > 0) {
		while (program[--length] != '/')
			;
		relative += 3;
	}
	if (asprintf(&text, "%.*s/%s", length, program, relative) < 0)
		text = NULL;
	*folder = command_keep(command, text);
	return *folder != NULL;
}

static bool
add_default_folder(struct command *command)
{
	const char *folder;

	if (!installed_folder(command, GPROFX_PLUGIN_FOLDER_FROM_BIN, GPROFX_PLUGIN_FOLDER,
	                      &folder))
		return false;
	if (folder) {
		command->plugin_folders[command->settings.plugin_folder_count++] = folder;
		command->settings.installed_folder_count++;
	}
	return true;
}

/* The user's file or folder of that name: NULL if there is no telling where it would be. */
static bool
user_config(struct command *command, const char *name, const char **path)
{
	const char *folder = secure_getenv("XDG_CONFIG_HOME"), *below = "";
	char *text;

	*path = NULL;
	/* A relative folder would be one of the working directory, which others may own. */
	if (!folder || folder[0] != '/') {
		folder = secure_getenv("HOME");
		below = "/.config";
	}
	if (!folder || folder[0] != '/')
		return true;
	if (asprintf(&text, "%s%s/gprofx/%s", folder, below, name) < 0)
		text = NULL;
	*path = command_keep(command, text);
	return *path != NULL;
}

/* The user's own folder of plugins, if there is one. */
static bool
add_user_folder(struct command *command)
{
	struct engine_settings *settings = &command->settings;
	const char *folder;

	if (command->gnu_mode || settings->only_installed)
		return true;
	if (!user_config(command, user_plugins, &folder))
		return false;
	if (folder && access(folder, F_OK) == 0) {
		command->plugin_folders[settings->plugin_folder_count++] = folder;
		settings->user_folder_count = settings->installed_folder_count = 1;
	}
	return true;
}

/* What the environment says, for a program that its caller gave no more rights than it has. */
static const char *
environment(const char *name)
{
	const char *value = secure_getenv(name);

	return value && value[0] != '\0' ? value : NULL;
}

/* Adds what is there before all that were listed so far. */
static void
list_before(struct command *command, enum engine_config_kind kind, const char *word,
            const char *text)
{
	struct engine_settings *settings = &command->settings;

	if (kind == ENGINE_CONFIG_TEXT ? !text : !word)
		return;
	command->configs[COMMAND_DEFAULT_CONFIGS + command->named_configs -
	                 ++settings->config_count] = (struct engine_config){kind, word, text};
}

/* The files of settings, the more special ones behind. */
static bool
list_configs(struct command *command)
{
	struct engine_settings *settings = &command->settings;
	const char *path, *named = environment("GPROFX_CONFIG");
	const struct gprofx_diagnostic diagnostic = {
		.id = "config.relative-path",
		.hint = "set GPROFX_CONFIG to an absolute path, or use --config=FILE",
		.text = {named},
	};

	settings->config_count = command->named_configs;
	if (!command->skips_configs && !command->gnu_mode) {
		if (named && named[0] != '/') {
			console_fail(command->console, &diagnostic,
			             "the path in GPROFX_CONFIG is not absolute: '%s'", named);
			return false;
		}
		if (!user_config(command, "config.yaml", &path))
			return false;
		list_before(command, ENGINE_CONFIG_TEXT, "GPROFX_SET", environment("GPROFX_SET"));
		list_before(command, ENGINE_CONFIG_FILE, named, NULL);
		list_before(command, ENGINE_CONFIG_FOUND, path, NULL);
		list_before(command, ENGINE_CONFIG_FOUND, GPROFX_SYSTEM_CONFIG "/config.yaml",
		            NULL);
	}
	settings->configs = command->configs + COMMAND_DEFAULT_CONFIGS + command->named_configs -
	                    settings->config_count;
	/* Each word of the command line fills one place at most. */
	for (uint32_t i = 0; i < command->set_count; i++)
		command->configs[COMMAND_DEFAULT_CONFIGS + command->named_configs + i] =
			(struct engine_config){.kind = ENGINE_CONFIG_VALUE,
		                               .word = command->set_values[i]};
	settings->config_count += command->set_count;
	return true;
}

/* Where presets are looked for. */
static bool
list_preset_folders(struct command *command)
{
	struct engine_settings *settings = &command->settings;
	const char **folders = command->preset_folders;

	/* Only what is read can name one. */
	if (settings->config_count == 0)
		return true;
	settings->preset_folders = folders;
	if (!user_config(command, "presets", folders))
		return false;
	settings->preset_folder_count = folders[0] ? 1 : 0;
	folders[settings->preset_folder_count++] = GPROFX_SYSTEM_CONFIG "/presets";
	return installed_folder(command, GPROFX_PRESET_FOLDER_FROM_BIN, GPROFX_PRESET_FOLDER,
	                        &settings->installed_presets);
}

/* The administrator, who runs the program, and who runs it through sudo. */
static void
list_trusted_users(struct command *command)
{
	struct engine_settings *settings = &command->settings;
	const char *word = secure_getenv("SUDO_UID");
	uint32_t *users = command->trusted_users, count = 0;
	unsigned long user;
	char *end;

	users[count++] = 0;
	/* With the rights of a group alone that is who started the program. */
	if (!settings->is_privileged || geteuid() != getuid())
		users[count++] = geteuid();
	/* The variable is trusted only with the rights of the administrator, as under sudo. */
	if (geteuid() == 0 && word && word[0] >= '0' && word[0] <= '9') {
		errno = 0;
		user = strtoul(word, &end, 10);
		if (*end == '\0' && errno == 0 && user < UINT32_MAX)
			users[count++] = (uint32_t)user;
	}
	settings->trusted_users = users;
	settings->trusted_user_count = count;
}

/*
 * What a user names is his word, for his rights; plugins and settings would use those of the
 * program's owner.  Returns the option that does so, or NULL.
 */
static const char *
refused_option(const struct command *command)
{
	const struct engine_settings *settings = &command->settings;

	if (!settings->is_privileged)
		return NULL;
	if (command->action == COMMAND_CHECK_PLUGINS)
		return "--check-plugin";
	if (command->dumped_plugin && strchr(command->dumped_plugin, '/'))
		return "--dump-plugin";
	return settings->plugin_count > 0          ? "--plugin"
	       : settings->plugin_folder_count > 0 ? "--plugin-path"
	       : command->named_configs > 0        ? "--config"
	       : command->set_count > 0            ? "--set"
	                                           : NULL;
}

static int
finish(struct command *command, const struct args *args)
{
	const char *refused = refused_option(command);
	struct engine_settings *settings = &command->settings;
	char **operands = args_operands(args);
	uint32_t asked;

	if (refused) {
		const struct gprofx_diagnostic diagnostic = {
			.id = "usage.privileged",
			.hint = "use a copy of the program without the set-user-ID and "
				"set-group-ID bits",
			.text = {refused},
		};

		console_fail(command->console, &diagnostic,
		             "the program has rights that the user does not have, so it refuses "
		             "the user's own plugins and settings: %s",
		             refused);
		return command_usage_status(command);
	}
	if (command->orders_functions && command->orders_files) {
		const struct gprofx_diagnostic diagnostic = {
			.id = "usage.conflicting-orderings",
			.hint = "run the program once for each",
		};

		console_fail(command->console, &diagnostic,
		             "--function-ordering and --file-ordering cannot be used together");
		return command_usage_status(command);
	}
	if (command->format && command->action != COMMAND_LIST_PLUGINS &&
	    command->action != COMMAND_DUMP_PLUGIN) {
		const struct gprofx_diagnostic diagnostic = {
			.id = "usage.unused-format",
			.hint = "use --output to choose the format of a report, as in "
				"--output=json",
		};

		console_fail(command->console, &diagnostic,
		             "--format needs --list-plugins or --dump-plugin");
		return command_usage_status(command);
	}
	if (settings->only_installed &&
	    settings->plugin_count + settings->plugin_folder_count > 0) {
		const struct gprofx_diagnostic diagnostic = {
			.id = "usage.conflicting-plugins",
			.hint = "leave out --no-plugins, or name no plugins and folders",
		};

		console_fail(command->console, &diagnostic,
		             "--no-plugins cannot be used with --plugin or --plugin-path");
		return command_usage_status(command);
	}
	if (command->action == COMMAND_OPEN && !open_check(command))
		return command_usage_status(command);
	terminal_prepare(command);
	if (!compat_finish(command))
		return 1;
	if (settings->sum_file && settings->object_count > 0) {
		const struct gprofx_diagnostic diagnostic = {
			.id = "usage.sum-of-objects",
			.hint = "write the sum in a run of its own, without --object",
		};

		console_fail(command->console, &diagnostic,
		             "a sum cannot include the profiles of --object");
		return command_usage_status(command);
	}
	for (uint32_t i = 0; i < command->output_option_count; i++)
		command->emitter_options[settings->emitter_option_count++] =
			command->output_options[i];
	settings->color = own_wants_color(command);
	asked = settings->plugin_folder_count;
	if (!settings->only_installed &&
	    !add_listed_folders(command, secure_getenv(folders_variable)))
		return 1;
	settings->environment_folder_count = settings->plugin_folder_count - asked;
	if (!add_user_folder(command) || !add_default_folder(command) || !list_configs(command) ||
	    !list_preset_folders(command))
		return 1;
	list_trusted_users(command);
	settings->image = "a.out";
	settings->profiles = default_profiles;
	settings->profile_count = 1;
	settings->recording = command->gnu_mode ? NULL : RECORDING_FOLDER;
	settings->own_plugins = own_plugins;
	if (operands[0])
		settings->image = operands[0];
	command->names_program = operands[0] != NULL;
	if (!command->gnu_mode) {
		settings->page_command = cli_subcommands[SUBCOMMAND_OPEN].name;
		settings->page_format = viewer_browser->format;
	}
	if (command->action == COMMAND_DIFF)
		return diff_finish(command, operands) ? -1 : command_usage_status(command);
	operands_advise(command, operands);
	settings->program_is_optional = !command->gnu_mode;
	settings->profiles_are_named = operands[0] && operands[1];
	settings->profiles_are_found = !settings->profiles_are_named;
	if (settings->profiles_are_named) {
		settings->profiles = (const char *const *)operands + 1;
		settings->profile_count = (uint32_t)(args->argc - (int)(operands + 1 - args->argv));
	}
	return -1;
}

int
command_parse(struct command *command, struct console *console, bool gnu_mode, int argc,
              char **argv)
{
	struct args args;

	memset(command, 0, sizeof *command);
	command->console = console;
	command->gnu_mode = gnu_mode;
	engine_set_defaults(&command->settings);
	command->settings.findings = !gnu_mode;
	command->settings.is_privileged = getauxval(AT_SECURE) != 0;
	command->demangle = true;
	command->settings.slide = gnu_mode ? ENGINE_SLIDE_NONE : ENGINE_SLIDE_AUTO;
	command->style = ENGINE_DEMANGLE_AUTO;
	if (!make_room(command, (size_t)argc))
		return 1;
	command->settings.symspecs = command->symspecs;
	command->settings.outputs = command->outputs;
	command->settings.objects = command->objects;
	command->settings.plugins = command->plugins;
	command->settings.plugin_folders = command->plugin_folders;
	command->settings.emitter_options = command->emitter_options;
	command->settings.repeated = command->repeated;
	if (!subcommand_begin(command, &argc, &argv))
		return command->is_out_of_memory ? 1 : command_usage_status(command);
	if (command->action == COMMAND_HELP)
		return -1;
	args_begin(&args, argc, argv, gnu_mode);
	for (;;) {
		switch (args_next(&args)) {
		case ARGS_END:
			return finish(command, &args);
		case ARGS_FAULT:
			fault_report(command, &args);
			return command_usage_status(command);
		case ARGS_OPTION:
			break;
		}
		operands_note(command, &args);
		if (!subcommand_check_option(command, args.option))
			return command_usage_status(command);
		if (!(args.option->own ? own_apply : compat_apply)(command, args.option,
		                                                   args.value) ||
		    !repeat_note(command, args.option, args.value))
			return command->is_out_of_memory ? 1 : command_usage_status(command);
		/* These act at once, whatever follows. */
		if (command->action == COMMAND_HELP && command->subcommand && !command->topic)
			command->topic = command->subcommand->name;
		if (command->action == COMMAND_HELP || command->action == COMMAND_VERSION)
			return -1;
	}
}

void
command_free(struct command *command)
{
	for (uint32_t i = 0; i < command->own_string_count; i++)
		free((char *)command->own_strings[i]);
	free(command->symspecs);
}
