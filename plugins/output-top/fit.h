/* SPDX-License-Identifier: Apache-2.0 */
/* Names, places and figures in the room that a column has. */
#ifndef OUTPUT_TOP_FIT_H
#define OUTPUT_TOP_FIT_H

#include <gprofx/emitter.h>

#include "../shared/names.h"

enum { FIT_COUNT_BYTES = 24 };

/*
 * A name that takes at most so many columns: it loses parameters, template arguments and outer
 * scopes, as far as needed, with dots in the place of scopes, and what is too long even so is cut.
 * Run lifetime.
 */
struct gprofx_text fit_name(struct names *names, struct gprofx_text name, size_t width);
/* The same, but false in the place of a cut. */
bool fit_whole_name(struct names *names, struct gprofx_text *name, size_t width);

/* The beginning of a text and "...", at the end of a word of it if there is one. Run lifetime. */
struct gprofx_text fit_cut(struct gprofx *gx, struct gprofx_text text, size_t width);

/* The name of a file without its folders. */
const char *fit_base_name(const char *path);

/* A path without as many folders as may be, so that no other one ends like it; others can be NULL.
 */
const char *fit_path(const char *path, const char *const *others, uint32_t count);

/* A number in three digits with its unit: "999", "1.00 k", "114 M".  Returns the text. */
const char *fit_count(char text[FIT_COUNT_BYTES], double value);

#endif
