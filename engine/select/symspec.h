/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Grammar of symspecs: [file:]name, [file:]line, file.c, and pairs of those with a slash between.
 */
#ifndef ENGINE_SELECT_SYMSPEC_H
#define ENGINE_SELECT_SYMSPEC_H

#include "base/run.h"

/* One half of a symspec.  What is NULL or 0 does not constrain. */
struct symspec {
	const char *file, *name;
	uint32_t line;
	const char *text; /* all of it */
};

/*
 * Splits a text at its first slash and parses both halves.  Returns whether there is a slash; the
 * right half is meaningful only then.
 */
bool symspec_parse(struct run *run, const char *text, struct symspec *left, struct symspec *right);

/* Past the dots that the summary has in the place of outer scopes, or 0. */
size_t symspec_past_cut(const char *name);

/* Parses a text that is no pair: slashes are those of a file's name. */
struct symspec symspec_parse_one(struct run *run, const char *text);

#endif
