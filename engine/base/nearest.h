/* SPDX-License-Identifier: Apache-2.0 */
/* The search for the word that the user may have meant. */
#ifndef ENGINE_BASE_NEAREST_H
#define ENGINE_BASE_NEAREST_H

#include <stdbool.h>
#include <stddef.h>

/* What a changed letter costs; one of the other case costs 1. */
enum { NEAREST_LETTER = 4 };

struct nearest {
	const char *word; /* need not end with NUL */
	size_t length;
	const char *found; /* the best word offered so far, or NULL: none is much like it */
	size_t cost;       /* of turning one into the other, or how much that may be */
};

/* Begins the search for a word like the first length bytes of "word". */
void nearest_begin(struct nearest *nearest, const char *word, size_t length);

/*
 * Offers a candidate, which must outlive the search.  Returns whether it is now the one found; the
 * first of those that are equally near is.
 */
bool nearest_offer(struct nearest *nearest, const char *candidate);

/*
 * The cost of turning a word into a candidate; SIZE_MAX: it is another word.  Neither needs to end
 * with NUL.
 */
size_t nearest_cost(const char *word, size_t length, const char *candidate, size_t its_length);

#endif
