/* SPDX-License-Identifier: Apache-2.0 */
/* Names of functions that differ little from a word. */
#ifndef ENGINE_SELECT_ALIKE_H
#define ENGINE_SELECT_ALIKE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { ALIKE_MOST = 3 };

/* What is looked for, and the best names so far. */
struct alike {
	const char *word;             /* without parameters and arguments of templates */
	bool is_last_only;            /* scopes do not count */
	uint64_t *left;               /* pairs of letters that may still be compared */
	const char *name[ALIKE_MOST]; /* the best one first */
	size_t cost[ALIKE_MOST];
	uint32_t count;
};

/*
 * Offers a name, "shown" is what to write for it; both must outlive the search.  As many components
 * are compared as the word has, from the last one on, without nameless scopes and "@plt".
 */
void alike_offer(struct alike *alike, const char *name, const char *shown);

/* Whether two names are the same, or the longer one ends with the other, behind a scope. */
bool alike_is_end(const char *name, const char *word);

/* The length of a name without "@plt". */
size_t alike_without_stub(const char *name);

#endif
