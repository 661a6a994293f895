/* SPDX-License-Identifier: Apache-2.0 */
/* The columns of the call graph between the number of the entry and the name. */
#ifndef OUTPUT_CALLGRAPH_COLUMNS_H
#define OUTPUT_CALLGRAPH_COLUMNS_H

#include <string.h>

#include <gprofx/emitter.h>

#include "../shared/options.h"

enum column {
	COLUMN_SHARE,
	COLUMN_LOW,
	COLUMN_HIGH,
	COLUMN_SELF,
	COLUMN_CHILDREN,
	COLUMN_ERROR,
	COLUMN_CALLED,
	COLUMN_KINDS
};

/* The words that choose them. */
extern const char *const graph_column_words[];
#define COLUMNS_DEFAULT "share,self,children,called"

enum { INDEX_WIDTH = 6, NAME_INDENT = 5 };

/* Lines of an entry differ in which columns they fill. */
enum line_kind {
	LINE_PRIMARY, /* all; the number of the entry stands before them */
	LINE_TIMES,   /* all but shares */
	LINE_CALLS,   /* only that of calls */
	LINE_KINDS
};

/* Where the values of further metrics are. */
struct metric_row {
	const struct gprofx_column *columns; /* of nodes or arcs */
	uint32_t number;                     /* of the row in them */
	double part;                         /* of its values */
};

/* Which numbers of calls stand in a line. */
enum calls_kind { CALLS_NONE, CALLS_PLAIN, CALLS_OF, CALLS_AND_RECURSIVE };

/* What a line of an entry says, but for its number and its name. */
struct cells {
	double self, below;               /* ticks */
	const struct gprofx_doubt *doubt; /* about both together; or NULL */
	enum calls_kind kind;
	uint64_t calls;
	uint64_t other; /* CALLS_OF: all calls; CALLS_AND_RECURSIVE: recursive ones */
	int taken;      /* LINE_PRIMARY: characters of the first column that the number takes */
	char mark;      /* CALLS_OF, CALLS_PLAIN: before the name; NUL: none */
	const struct metric_row *row; /* of further metrics */
};

/* The columns that one kind of lines fills, and how many blanks go before each. */
struct line_plan {
	uint32_t count;
	struct {
		uint32_t blanks;
		enum column column;
	} steps[TABLE_MOST_COLUMNS];
	uint32_t trailing; /* blanks before the name */
};

struct columns {
	const struct gprofx_report *r;
	struct gprofx_writer *w;
	struct table_columns chosen;
	bool are_usual; /* those of the default, in its order, and of one metric */
	struct line_plan plans[LINE_KINDS];
	double total;    /* ticks that shares refer to; positive */
	double rate;     /* ticks per unit of the first metric */
	int below_width; /* of the times of children */
	size_t width;    /* of all columns, with the number of the entry */
	/*
	 * The usual columns of a line with calls alone, fewer than 10: blanks, where the number
	 * stands, and how many of them there are.
	 */
	char few_calls[64];
	uint32_t few_calls_at, few_calls_width;
};

void columns_begin(struct columns *columns, const struct gprofx_report *report,
                   struct gprofx_writer *writer, const struct table_options *options);
/* A line up to its name; of a primary line what follows the number of its entry. */
void columns_put(const struct columns *columns, enum line_kind kind, const struct cells *cells);
/*
 * Nearly all lines for calls in code that never happened, up to the name, without a detour by the
 * plan; false: it is none of these.
 */
static inline bool
columns_put_few_calls(const struct columns *columns, uint64_t calls)
{
	struct gprofx_writer *w = columns->w;

	if (calls >= 10 || !columns->are_usual ||
	    w->end - w->at < (ptrdiff_t)sizeof columns->few_calls)
		return false;
	memcpy(w->at, columns->few_calls, sizeof columns->few_calls);
	w->at[columns->few_calls_at] = (char)('0' + calls);
	w->at += columns->few_calls_width;
	return true;
}
/* A line with the names of further metrics above their columns; nothing where there are none. */
void columns_put_metric_names(const struct columns *columns);
/* Their headings, with that of the names; the line is not ended. */
void columns_put_heading(const struct columns *columns);

#endif
