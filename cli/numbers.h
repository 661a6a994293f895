/* SPDX-License-Identifier: Apache-2.0 */
/* Numbers behind options: as gprof takes them in GNU mode, checked otherwise. */
#ifndef CLI_NUMBERS_H
#define CLI_NUMBERS_H

#include "command.h"
#include "engine.h"
#include "options.h"

/* The widest line that -w can ask for, in columns. */
enum { NUMBERS_WIDEST_LINE = 32767 };

/* As atoi, whose result for numbers beyond an int is what a conversion makes of them. */
int number_as_gprof(const char *text);

/*
 * A whole number from "least" to "most".  False after an error, with the hint, what one may not
 * know about the number.
 */
bool number_take(struct command *command, const struct cli_option *option, const char *value,
                 uint64_t least, uint64_t most, const char *hint, uint64_t *number);

/* The number behind -m, -t and -w.  False: it is none of these, or after an error. */
bool number_apply(struct command *command, const struct cli_option *option, const char *value);

#endif
