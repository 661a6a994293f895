/* SPDX-License-Identifier: Apache-2.0 */
/* Paths of files as users would type them. */
#ifndef ENGINE_BASE_SHORT_PATH_H
#define ENGINE_BASE_SHORT_PATH_H

#include <stdbool.h>
#include <stddef.h>

/*
 * Writes the path of a file relative to the working folder; false: it is not absolute, it is not
 * longer than that, there is no such file, or there is no room.
 */
bool short_path(const char *path, char *to, size_t room);

#endif
