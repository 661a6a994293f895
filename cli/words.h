/* SPDX-License-Identifier: Apache-2.0 */
/* The words of the command line, with those in files put in the place of @FILE. */
#ifndef CLI_WORDS_H
#define CLI_WORDS_H

struct words {
	char **list; /* ends with NULL */
	int count;
	char ***files; /* the words of each file that was read */
	int file_count;
	const char **names; /* of the files, and of those without words */
	int name_count;
	const char *too_large; /* the file that was too much; else NULL */
};

/*
 * Takes the words of a command line, which must live longer.  A file that is too large ends it.
 * Without memory the process aborts; other mistakes end it with the words of libiberty.
 */
void words_expand(struct words *words, int argc, char **argv);
void words_free(struct words *words);

#endif
