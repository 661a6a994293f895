/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A table of how the time of each function differs between members of one kind: files, threads,
 * processes or phases.  Where one waits for another comes first.
 */
#ifndef PLUGINS_SHARED_DIFFERENCES_H
#define PLUGINS_SHARED_DIFFERENCES_H

#include <gprofx/emitter.h>

#include "options.h"

enum differences_column {
	COLUMN_EXCESS,
	COLUMN_MEAN,
	COLUMN_MIN,
	COLUMN_MAX,
	COLUMN_SD,
	COLUMN_IMBALANCE,
	COLUMN_TOTAL,
	COLUMN_FILES,
	COLUMN_FIRST,
	COLUMN_SECOND,
	COLUMN_DIFFERENCE,
	COLUMN_WORST,
	COLUMN_BEST,
	COLUMN_VERDICT,
	COLUMN_NAME,
	COLUMN_AUTO,  /* no column: the usual ones */
	COLUMN_MEMBER /* the column of the first member, and so on */
};

/* Words for these columns, of files and of other members, and for those to sort by. */
extern const char *const differences_columns[];
extern const char *const differences_member_columns[];
extern const char *const differences_sorts[];

struct differences_options {
	struct table_options table;
	uint32_t sort; /* enum differences_column */
	bool explain;
};

/* Rows of the table of options behind those of TABLE_ROW_OPTIONS. */
#define DIFFERENCES_OPTIONS                                                                 \
	TABLE_ROW_WIDTH,                                                                    \
		{.key = "sort",                                                             \
	         .type = GPROFX_CHOICE,                                                     \
	         .offset = offsetof(struct differences_options, sort),                      \
	         .initial = "excess",                                                       \
	         .choices = differences_sorts,                                              \
	         .help = "the column that rows are sorted by, in descending order"},        \
	{                                                                                   \
		.key = "explain", .type = GPROFX_BOOL,                                      \
		.offset = offsetof(struct differences_options, explain), .initial = "true", \
		.help = "explain the columns below the listing"                             \
	}

/* What is compared. */
struct differences_members {
	const char *one, *many; /* "file", "files" */
	uint32_t count;
	/* The label of a member, as it can be printed. */
	struct gprofx_text (*label)(struct gprofx *gx, const void *source, uint32_t member);
	const void *source;
	/* Functions with their statistics; rows are as far apart as their size says. */
	uint32_t spread_count;
	const struct gprofx_function_spread *spread;
	/* What members have of the function of each row; NULL: not known. */
	const uint32_t *value_first;
	const struct gprofx_file_value *value;
};

/* Writes the table, with its heading and its explanation. */
void differences_put(struct gprofx *gx, const struct gprofx_report *report,
                     struct gprofx_writer *writer, const struct differences_options *options,
                     const struct differences_members *members);

#endif
