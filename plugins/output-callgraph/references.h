/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What the lines of entries say about a function, made once for each: the same function stands in
 * many entries, and what is known of it lies in many arrays.
 */
#ifndef OUTPUT_CALLGRAPH_REFERENCES_H
#define OUTPUT_CALLGRAPH_REFERENCES_H

#include <gprofx/emitter.h>

#include "../shared/line-names.h"
#include "../shared/names.h"

struct reference {
	const char *text; /* "name <cycle N> [N]" and a newline; NULL: not made yet */
	uint32_t length;
	uint32_t cycle;  /* number of its cycle, 0: none */
	uint64_t called; /* calls of the function, or of its cycle */
	char own[40];    /* the text, if there is room: so all is in one line of the cache */
};

struct references {
	struct gprofx *gx;
	const struct gprofx_report *report;
	struct names *names;
	struct line_names *line_names;
	struct reference *rows; /* per node */
	char *room;             /* where the next text goes */
	size_t left, chunk;     /* bytes left there, and in the next chunk */
};

/*
 * Makes the rows of the nodes that have an entry; most lines are about these.  line_names: what
 * leaves inlined calls out of names; NULL: none are left out.
 */
void references_begin(struct references *references, struct gprofx *gx,
                      const struct gprofx_report *report, struct names *names,
                      struct line_names *line_names);
/*
 * Makes the row of a node.  whole: the node itself, or the function that it is a line of, which has
 * the number and the cycle.
 */
void references_make(struct references *references, uint32_t node, uint32_t whole);

static inline const struct reference *
reference_to(struct references *references, uint32_t node)
{
	if (!references->rows[node].text)
		references_make(references, node, node);
	return &references->rows[node];
}

static inline const struct reference *
reference_to_line(struct references *references, uint32_t line, uint32_t whole)
{
	if (!references->rows[line].text)
		references_make(references, line, whole);
	return &references->rows[line];
}

/*
 * Fetches what an entry's lines will need.  Entries stand in the order of their times, so
 * everything about them lies scattered in memory, and each step needs what the one behind it has
 * fetched.
 */
enum fetch_step { FETCH_TEXTS, FETCH_ROWS, FETCH_ARCS, FETCH_ITEMS, FETCH_LISTS, FETCH_STEPS };

void references_fetch(const struct references *references, uint32_t place, enum fetch_step step);

/*
 * The same within a list that is longer than what was fetched for the entry: item i is shown next.
 * callers: it is a list of callers.
 */
void references_fetch_ahead(const struct references *references, const struct gprofx_lists *list,
                            uint32_t i, uint32_t end, bool callers);

#endif
