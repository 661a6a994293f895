/* SPDX-License-Identifier: Apache-2.0 */
/* Paths and numbers in few characters. */
#ifndef PLUGINS_SHARED_FIT_TEXTS_H
#define PLUGINS_SHARED_FIT_TEXTS_H

#include <stdint.h>

enum { FIT_COUNT_BYTES = 24 };

/* The name of a file without its folders. */
const char *fit_base_name(const char *path);

/* A path without as many folders as may be, so that no other one ends like it; others can be NULL.
 */
const char *fit_path(const char *path, const char *const *others, uint32_t count);

/* A number in three digits with its unit: "999", "1.00 k", "114 M".  Returns the text. */
const char *fit_count(char text[FIT_COUNT_BYTES], double value);

#endif
