/* SPDX-License-Identifier: Apache-2.0 */
/* Folders for files that other programs read, also after this one has ended. */
#ifndef CLI_FOLDER_H
#define CLI_FOLDER_H

#include <stdbool.h>

/* Whether another user could put something else in the place of what this one makes in "base". */
bool folder_is_open_to_all(const char *base);

/*
 * Makes a folder in "base" that only its user can look into.  Returns its path, from malloc, or
 * NULL: errno says why there is none.
 */
char *folder_make(const char *base);

/*
 * Removes the user's folders in "base" that were made a day or longer ago, with those of their
 * files that "is_ours" says could be from this program.  What else is in them stays.
 */
void folder_clean(const char *base, bool (*is_ours)(const char *name));

#endif
