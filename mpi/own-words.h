/* SPDX-License-Identifier: Apache-2.0 */
/* The options that gprofx does not have, taken out of the words of the command line. */
#ifndef MPI_OWN_WORDS_H
#define MPI_OWN_WORDS_H

#include <stdbool.h>
#include <stdint.h>

#include "console.h"

struct own_words {
	bool node_local, has_no_program, shows_progress, wants_help, wants_version;
	int64_t timeout; /* in milliseconds; 0: none */
	char **rest;     /* the other words; ends with NULL; to be freed */
	int rest_count;
};

/* Reads the words.  False: one is wrong, which was reported. */
bool own_words_take(struct own_words *own, struct console *console, int argc, char **argv);

void own_words_print_help(struct console *console);

#endif
