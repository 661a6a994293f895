/* SPDX-License-Identifier: Apache-2.0 */
/* Functions that may be meant by a name that none has. */
#ifndef ENGINE_SELECT_SUGGEST_H
#define ENGINE_SELECT_SUGGEST_H

#include "base/run.h"
#include "select/match.h"

struct inlined_code;
struct symbols;

/* What is known for all names of a run.  Set the first three members. */
struct suggesting {
	struct run *run;
	const struct symbols *symbols;
	uint64_t left; /* pairs of letters that may still be compared */

	bool annotates; /* the name selects annotated source, which -l has no rows of */

	const char **names; /* of symbols, in their shortest form, once they were asked for */
	bool has_inlined;   /* whether these were asked for */
	struct inlined_code *inlined; /* what debug information says, or NULL */
	const char **inlined_names;   /* in their shortest form, once all were asked for */
	bool *has_copies;             /* by the number of a name, from 1; NULL: not asked for yet */
};

/*
 * A hint: why no function has the name, or which one may be meant; NULL: none is like it.
 */
const char *suggest_function(struct suggesting *suggesting, const struct match_half *half);

/* The names of all inlined subroutines, in their shortest form; a name can be there repeatedly. */
const char *const *suggest_inlined_names(struct suggesting *suggesting, uint32_t *count);

/*
 * The same for those with this name in its shortest form; NULL for others.  Most names are not even
 * shortened: symbol tables have the last part of the name as it is, but for some languages.
 * also_ends: names that end with this one behind a scope, too.
 */
const char *const *suggest_inlined_called(struct suggesting *suggesting, const char *name,
                                          bool also_ends, uint32_t *count);

/*
 * Whether some code is of a copy of the subroutine with such a name, by its place among these.
 * Debug information also names functions that have a symbol of another name.
 */
bool suggest_has_copies(struct suggesting *suggesting, uint32_t number);

#endif
