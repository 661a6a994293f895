/* SPDX-License-Identifier: Apache-2.0 */
/* Names, places and figures in the room that a column has. */
#ifndef OUTPUT_TOP_FIT_H
#define OUTPUT_TOP_FIT_H

#include <string.h>

#include <gprofx/emitter.h>

#include "../shared/names.h"

/*
 * A name that takes at most so many columns: it loses parameters, template arguments and outer
 * scopes, as far as needed, with dots in the place of scopes, and what is too long even so is cut.
 * Run lifetime.
 */
struct gprofx_text fit_name(struct names *names, struct gprofx_text name, size_t width);
/* The same, but false in the place of a cut. */
bool fit_whole_name(struct names *names, struct gprofx_text *name, size_t width);

/* Whether it would keep all its scopes. */
bool fit_with_scopes(struct names *names, struct gprofx_text name, size_t width);

/* The same of a name that others differ from only by " [clone .isra.0]", which stays if it can. */
struct gprofx_text fit_clone(struct names *names, struct gprofx_text name, size_t width);

/* The beginning of a text and "...", at the end of a word of it if there is one. Run lifetime. */
struct gprofx_text fit_cut(struct gprofx *gx, struct gprofx_text text, size_t width);

/* Whether a byte belongs to a word, which dots, brackets and blanks do not; each byte of a
 * character does that has several. */
bool fit_is_in_word(struct gprofx_text text, size_t at);

/*
 * Whether each word of what is shown of some names, where dots stand for what is left out, is one
 * of these names; or, unless they have to be whole, a part of one that ends where a word within it
 * does
 * ("read_" of "read_all").
 */
bool fit_keeps_words(const struct gprofx_text *names, size_t count, struct gprofx_text shown,
                     bool have_to_be_whole);

static inline struct gprofx_text
fit_text(const char *text)
{
	return (struct gprofx_text){text, strlen(text)};
}

#endif
