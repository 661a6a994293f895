/* SPDX-License-Identifier: Apache-2.0 */
/* What is different on a terminal, outside of GNU mode. */
#ifndef CLI_TERMINAL_H
#define CLI_TERMINAL_H

#include <stddef.h>

#include "command.h"

enum { TERMINAL_USUAL_WIDTH = 80, TERMINAL_EMITTER_OPTIONS = 10 };

/* The columns of a terminal: what COLUMNS says, or the terminal itself, or what is usual. */
int terminal_width(int channel);

/* The columns that messages have on a terminal; 0: standard error is none. */
size_t terminal_message_width(void);

/* Has a terminal get what is printed through the pager. */
void terminal_page(struct command *command);

/* Adds the summary, its width and the pager, if the run writes to a terminal. */
void terminal_prepare(struct command *command);

#endif
