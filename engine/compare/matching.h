/* SPDX-License-Identifier: Apache-2.0 */
/* The work on the matches of two reports, which the steps of compare_match() share. */
#ifndef ENGINE_COMPARE_MATCHING_H
#define ENGINE_COMPARE_MATCHING_H

#include "base/run.h"

/* No partner, no name, no file. */
#define MATCHING_NONE UINT32_MAX

enum matching_kind {
	MATCHING_FUNCTION,
	MATCHING_LINE, /* of source: only an address says which one it is */
	MATCHING_FILE, /* stands for an object file */
	MATCHING_OTHER /* a placeholder */
};

/*
 * Rows are the functions of the base, then those of "new", each in the order of their addresses.
 * Equal numbers are equal texts, on whichever side.
 */
struct matching {
	struct run *run;
	const struct gprofx_report *reports[2]; /* base, new */
	uint32_t base_count, row_count;
	uint32_t *partner; /* per row: function of the other side, or MATCHING_NONE */
	uint8_t *how;      /* per function of "new": enum gprofx_match */

	uint8_t *kind;    /* enum matching_kind */
	uint32_t *name;   /* in the symbol table; MATCHING_NONE: too long */
	uint32_t *object; /* without its version */
	uint32_t *place;  /* object and source file; MATCHING_NONE: the file is not known */
	bool is_cut;      /* some names were too long */

	/* What matching_add() noted. */
	uint64_t *keys;
	uint32_t *rows, count;
};

/* Rows of one key: of the base, and of "new". */
struct matching_group {
	const uint32_t *rows[2];
	uint32_t counts[2];
};

/*
 * Whether a group can be matched, which has as many rows of both sides; context: as it was given to
 * matching_pair().
 */
typedef bool matching_rule(const struct matching *matching, const struct matching_group *group,
                           const void *context);

static inline bool
matching_is_new(const struct matching *matching, uint32_t row)
{
	return row >= matching->base_count;
}

/* The number of the function in its own report. */
static inline uint32_t
matching_function(const struct matching *matching, uint32_t row)
{
	return matching_is_new(matching, row) ? row - matching->base_count : row;
}

static inline const struct gprofx_report *
matching_report(const struct matching *matching, uint32_t row)
{
	return matching->reports[matching_is_new(matching, row)];
}

/* The row of a function, of "new" or of the base. */
static inline uint32_t
matching_row(const struct matching *matching, bool is_new, uint32_t function)
{
	return is_new ? matching->base_count + function : function;
}

/* Whether a row still has to be matched, and is of this kind. */
static inline bool
matching_is_left(const struct matching *matching, uint32_t row, enum matching_kind kind)
{
	return matching->partner[row] == MATCHING_NONE && matching->kind[row] == kind;
}

/* Whether both sides have functions that still have to be matched. */
bool matching_has_left(const struct matching *matching);

/* One key from two numbers. */
static inline uint64_t
matching_key(uint32_t upper, uint32_t lower)
{
	return (uint64_t)upper << 32 | lower;
}

/* Reads what is known of each function. */
void matching_read(struct matching *matching);
/* Gives that back. */
void matching_release(struct matching *matching);

/* Notes a row for the next call of one of the functions below; rows ascend. */
void matching_add(struct matching *matching, uint32_t row, uint64_t key);
/* Numbers the keys in ascending order, equal ones alike: number[row] of each row that was noted. */
void matching_number(struct matching *matching, uint32_t *number);
/* Takes the next group off; *at is 0 first.  False: that was all, and nothing is noted any more. */
bool matching_next(struct matching *matching, uint32_t *at, struct matching_group *group);
/*
 * Matches rows of equal keys in their order, where both sides have as many and the rule allows it.
 * NULL: all groups.  Returns how many pairs there are.
 */
uint32_t matching_pair(struct matching *matching, enum gprofx_match how, matching_rule *rule,
                       const void *context);
/* Matches a row of the base with one of "new". */
void matching_set(struct matching *matching, uint32_t base, uint32_t new, enum gprofx_match how);

/* Rules: one row on each side; a side on which no row of the group has a known file. */
matching_rule matching_is_unique, matching_lacks_files;

/* The steps for names that differ, and for functions that were renamed. */
void matching_plain_names(struct matching *matching);
void matching_renamed(struct matching *matching);

#endif
