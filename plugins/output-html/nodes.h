/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The functions and cycles of the page, and its table of texts.  Those without any data are left
 * out: programs have many of them.
 */
#ifndef OUTPUT_HTML_NODES_H
#define OUTPUT_HTML_NODES_H

#include <gprofx/emitter.h>

#define NODES_NONE UINT32_MAX

struct nodes {
	struct gprofx *gx;
	const struct gprofx_report *report;
	uint32_t functions, count;       /* functions, and with cycles */
	uint32_t *node;                  /* per node of the page its number in the report */
	uint32_t *number;                /* per node of the report: in the page, or NODES_NONE */
	const struct gprofx_text *names; /* per node of the report */
	/*
	 * Rows of the table of functions, by their numbers in the report: the heaviest first.  A
	 * comparison has rows of its own.
	 */
	uint32_t *row;
	uint32_t row_count;
};

void nodes_begin(struct nodes *nodes, struct gprofx *gx, const struct gprofx_report *report);

/* Whether any number of calls is known. */
bool nodes_have_counts(const struct gprofx_report *report);

/* Texts, each of them once. */
struct strings {
	struct gprofx *gx;
	struct gprofx_text *added;
	uint32_t added_count, room;
	const char *last; /* that was added */
	uint32_t *number; /* per row that was added its number in the table */
	uint32_t *first;  /* per number the row */
	uint32_t count;
};

/* Adds a text, or NULL, and returns its row; NODES_NONE for NULL. */
uint32_t strings_add(struct strings *texts, const char *text);

/* Once all are there. */
void strings_finish(struct strings *texts);

/* The number in the table; NODES_NONE for NODES_NONE. */
static inline uint32_t
strings_number(const struct strings *texts, uint32_t row)
{
	return row == NODES_NONE ? NODES_NONE : texts->number[row];
}

#endif
