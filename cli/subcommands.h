/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Commands: what the very first word can be instead of a program, outside of GNU mode.  Help and
 * completion are made from their table.
 */
#ifndef CLI_SUBCOMMANDS_H
#define CLI_SUBCOMMANDS_H

#include <stdbool.h>
#include <stddef.h>

#include "command.h"
#include "options.h"

enum cli_subcommand_id { SUBCOMMAND_RECORD, SUBCOMMAND_OPEN, SUBCOMMAND_DIFF, SUBCOMMAND_HELP };

struct cli_subcommand {
	enum cli_subcommand_id id;
	const char *name;
	const char *operands; /* what follows it, in words */
	bool takes_topic;     /* of help, one at most; else it takes what a report takes */
	/* Of a command that is another program: its options, with a blank between two; else NULL.
	 */
	const char *foreign_options;
	enum option_group group; /* of options that it alone has; GROUP_COUNT: none */
	const char *summary;     /* for lists: a few words */
	const char *text;        /* some sentences */
	const char *example;     /* of --help, which the summary explains; NULL: none */
};

extern const struct cli_subcommand cli_subcommands[];
extern const size_t cli_subcommand_count;

/* The command of that name; NULL: there is none. */
const struct cli_subcommand *subcommand_named(const char *word);

/* The command that a word seems to be misspelled for; NULL: none. */
const struct cli_subcommand *subcommand_nearest(const char *word);

/* The only command that has an option; NULL: reports without a command have it, too. */
const struct cli_subcommand *subcommand_of(const struct cli_option *option);

/*
 * Looks for a command in the first word, and does what it says before options are read: *argc and
 * *argv are then those of the command.  False: the console has reported what is wrong.
 */
bool subcommand_begin(struct command *command, int *argc, char ***argv);

/* Whether an option goes with the command, or with none; false: reported. */
bool subcommand_check_option(const struct command *command, const struct cli_option *option);

#endif
