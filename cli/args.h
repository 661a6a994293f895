/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Command-line words to options, by the rules of GNU getopt_long: gprof's options with all their
 * abbreviations, then gprofx's own long options, in full spelling only, so that they never make an
 * abbreviation ambiguous.
 */
#ifndef CLI_ARGS_H
#define CLI_ARGS_H

#include <getopt.h>
#include <stdbool.h>
#include <stddef.h>

#include "options.h"

enum args_event { ARGS_END, ARGS_OPTION, ARGS_FAULT };

enum args_fault {
	FAULT_UNKNOWN_NAME = 1,
	FAULT_UNKNOWN_LETTER,
	FAULT_AMBIGUOUS,
	FAULT_MISSING_ARGUMENT,
	FAULT_UNEXPECTED_ARGUMENT
};

struct args {
	int argc;
	bool gnu_mode;
	char **argv; /* reordered as options are met: operands move to the end */
	/* After ARGS_OPTION; "option" also after a fault of a known option. */
	const struct cli_option *option;
	const char *value; /* argument, or NULL */
	/* After ARGS_FAULT. */
	enum args_fault fault;
	const char *word; /* the offending word; "-x" for a letter in a cluster */
	char letter[3];   /* room for it */
	/* What getopt_long wants. */
	char letters[3 * CLI_OPTIONS_AT_MOST + 1];
	struct option names[CLI_OPTIONS_AT_MOST + 1], own_names[CLI_OPTIONS_AT_MOST + 1];
};

/* argv ends with NULL and has at least one word. */
/* gnu_mode: an option that gprof has without an argument takes none. */
void args_begin(struct args *args, int argc, char **argv, bool gnu_mode);

/* Goes to the next option. */
enum args_event args_next(struct args *args);

/* The operands, after ARGS_END; ends with NULL. */
char **args_operands(const struct args *args);

/* The word after the last option and its argument, and the one before; NULL: there is none. */
const char *args_next_word(const struct args *args);
const char *args_last_word(const struct args *args);

/* Prints the words of the C library about the last fault to standard error. */
void args_print_fault(struct args *args);

/* Number of bytes of the name in a word such as "--name=value". */
size_t args_name_length(const char *word);

/* Whether the option is a candidate for the abbreviation in a word such as "--na=value". */
bool args_is_candidate(const struct cli_option *option, const char *word);

/* The long option whose name is most like the one in the word, or NULL if none is much like it. */
const struct cli_option *args_nearest(const char *word);

#endif
