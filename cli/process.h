/* SPDX-License-Identifier: Apache-2.0 */
/* What belongs to a process as a whole: its signals, its channels, its memory, words in files. */
#ifndef CLI_PROCESS_H
#define CLI_PROCESS_H

#include "console.h"
#include "words.h"

/* How messages of signal handlers call the program; the text has to last. */
void process_set_name(const char *name);
/* Has an input file that is cut reported, and writes beyond the limit for files fail. */
void process_set_signals(void);
/* Keeps standard channels that the caller closed from being the first files that are opened. */
void process_occupy_standard_channels(void);
/* Gives memory of large arrays back to the system once they are freed. */
void process_keep_no_large_arrays(void);

/* Puts the words of files in the place of @FILE. */
void process_expand_files(struct words *words, int argc, char **argv);
/* Reports a file of words that was not read to its end: no reason to go on without it. */
void process_report_large_file(struct console *console, const struct words *words);

#endif
