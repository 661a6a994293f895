/* SPDX-License-Identifier: Apache-2.0 */
/* What the command line asks for. */
#ifndef CLI_COMMAND_H
#define CLI_COMMAND_H

#include "console.h"
#include "engine.h"
#include "options.h"

struct cli_subcommand;
struct viewer;

enum command_action {
	COMMAND_RUN,
	COMMAND_OPEN, /* a run, too */
	COMMAND_DIFF,
	COMMAND_LIST_PLUGINS,
	COMMAND_DUMP_PLUGIN,
	COMMAND_LIST_CORRECTIONS,
	COMMAND_LIST_SETTINGS,
	COMMAND_COMPLETION,
	COMMAND_PRINT_CONFIG,
	COMMAND_PRINT_CONFIG_SCHEMA,
	COMMAND_CHECK_PLUGINS,
	COMMAND_HELP,
	COMMAND_VERSION
};

/* What is read although the command line does not name it: two files, and what the environment
 * says. */
enum { COMMAND_DEFAULT_CONFIGS = 4 };

/* Folders of presets: of the user and of the system. */
enum { COMMAND_PRESET_FOLDERS = 2 };

/* The administrator, who runs the program, and who runs it through sudo. */
enum { COMMAND_TRUSTED_USERS = 3 };

enum command_color { COLOR_NOT_GIVEN, COLOR_AUTO, COLOR_ALWAYS, COLOR_NEVER };

/* A word of the command line and the option before it. */
struct command_word {
	const struct cli_option *option;
	const char *text;
};

/* The settings and the room for what they point to. */
struct command {
	struct console *console;
	bool gnu_mode;
	enum command_action action;
	const char *shell; /* with COMMAND_COMPLETION */
	const char *topic; /* with COMMAND_HELP, or NULL: what is used most */
	/* What the first word is: NULL: no command. */
	const struct cli_subcommand *subcommand;
	const char *first_word;
	const struct viewer *viewer;         /* of COMMAND_OPEN, or NULL */
	struct engine_comparison comparison; /* of COMMAND_DIFF */
	struct engine_settings settings;
	/* Listings: those switched on at the end of the command line, and those named at all. */
	uint32_t listings, listings_named; /* bits of enum cli_listing */
	struct engine_listing listing_rows[CLI_LISTING_COUNT];
	/* Arrays of the settings, in one block of memory that begins with the first. */
	struct engine_symspec *symspecs;
	struct engine_output *outputs;
	struct engine_option *emitter_options, *output_options;
	uint32_t output_option_count;  /* from --output-option, which go behind all others */
	struct engine_config *configs; /* those that are found, then those that were named */
	uint32_t named_configs;
	const char **set_values; /* arguments of --set */
	uint32_t set_count;
	const char *dumped_plugin; /* argument of --dump-plugin, or NULL */
	const char *format;        /* argument of --format, or NULL */
	bool wants_json;
	bool skips_configs; /* the defaults */
	bool names_program;
	const char *only_profile[1]; /* a recording that stands where a program does */
	struct engine_object *objects;
	const char **plugins, **plugin_folders;
	const char **checked; /* files of modules, with COMMAND_CHECK_PLUGINS */
	uint32_t checked_count;
	const char *program_folder; /* NULL: not asked for yet */
	const char *preset_folders[COMMAND_PRESET_FOLDERS];
	uint32_t trusted_users[COMMAND_TRUSTED_USERS];
	const char **own_strings; /* to be freed with the command */
	uint32_t own_string_count;
	enum command_color color;
	bool brief;
	int width; /* 0: not given */
	char width_text[12];
	/* Of the terminal that the report goes to. */
	bool shows_summary;   /* where nothing else was asked for, too */
	bool selects_entries; /* of the call graph, which the summary is not */
	bool refuses_pager;
	char screen_width[12];
	/* Of annotated source. */
	bool annotates_all, separates_files;
	const char **source_folders, **source_maps; /* arguments of -I and --source-map */
	uint32_t source_folder_count, source_map_count;
	bool has_table_length, has_min_count;
	char table_length[24], min_count[24];
	/* Demangling: the style is remembered while it is switched off. */
	enum engine_demangling style;
	bool demangle;
	bool sets_slide;
	bool orders_functions, orders_files;
	/* Options that commands about the same data need, too; which of the table they are. */
	const char **repeated;
	bool is_repeated[CLI_OPTIONS_AT_MOST];
	/* What follows an option whose argument must be joined to it. */
	struct command_word detached;
	struct command_word taken; /* the last argument that was a word of its own */
	char operand_hint[512];    /* if an operand is not there */
	char symspec_hint[80];     /* if a symspec matches nothing */
	bool is_out_of_memory;
};

/*
 * Reads the command line.  Returns -1 if there is something to do, else the exit status; then the
 * console has reported why.  argv ends with NULL, has at least one word and lives as long as the
 * command.
 */
int command_parse(struct command *command, struct console *console, bool gnu_mode, int argc,
                  char **argv);

/* The status of a run that was called wrongly. */
int command_usage_status(const struct command *command);

/* Adds an option for the outputs of a format, or of all if that is NULL. */
void command_add_output_option(struct command *command, const char *format, const char *key,
                               const char *value);

/*
 * Takes over a string from malloc; NULL is an allocation that failed, which is reported to the
 * user.
 */
char *command_keep(struct command *command, char *text);

/*
 * A copy of the path that starts at the root: later changes of the working directory do not matter
 * to it.  NULL: no memory.
 */
const char *command_absolute(struct command *command, const char *path, size_t length);

void command_free(struct command *command);

#endif
