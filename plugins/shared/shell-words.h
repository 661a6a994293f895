/* SPDX-License-Identifier: Apache-2.0 */
/* Words of commands that users are to type. */
#ifndef SHARED_SHELL_WORDS_H
#define SHARED_SHELL_WORDS_H

#include <stdbool.h>
#include <string.h>

/* Whether a shell takes a word as it is, without quotes. */
static inline bool
shell_takes(const char *word)
{
	static const char plain[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"
				    "_./+,%@=:-";

	return word[0] != '\0' && word[strspn(word, plain)] == '\0';
}

#endif
