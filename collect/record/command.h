/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Commands that go on with a recording, as a shell reads them. */
#ifndef RECORD_COMMAND_H
#define RECORD_COMMAND_H

#include <stdio.h>

#include "data.h"

/* Writes a space and a word. */
void command_put_word(FILE *out, const char *word);

/* What that command calls the program that was started by this word; NULL: it was a script, or
 * there are several programs, and gprofx lists them. */
const char *command_program(const char *folder, const char *word, const struct summary *summary);

/* The command that shows the report, on a line of its own, to be copied.  Without a program, it
 * shows the only one.  folder: of the recording; NULL: the usual one. */
void command_print(const char *folder, const char *program, const struct summary *summary);

#endif
