/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A JSON document under way, member by member.  Members of the document and rows of its lists are
 * begun and ended here; what is in them is filled into the row.
 */
#ifndef OUTPUT_JSON_DOCUMENT_H
#define OUTPUT_JSON_DOCUMENT_H

#include <gprofx/emitter.h>

#include "row.h"

struct document {
	const struct gprofx_report *report;
	struct gprofx_writer *writer;
	struct row row;
	bool has_members; /* of the document */
	bool has_rows;    /* of the list that was begun */
	bool has_others;  /* metrics besides the first, of the row that was written */
};

void document_begin_member(struct document *d, const char *key);
/* A member whose value is the row, which is empty now; document_end_object() writes it. */
void document_begin_object(struct document *d, const char *key);
/* Writes the row as an object. */
void document_end_object(struct document *d);

void document_begin_list(struct document *d, const char *key);
/* Goes to the place of the next row. */
void document_next_row(struct document *d);
void document_end_list(struct document *d);

/* A list of ids.  It can be as long as the report, so it is never a value of a row. */
void document_put_ids(struct document *d, const uint32_t *ids, uint32_t count);
/* The ids of one list of several, under a key. */
void document_put_list(struct document *d, const char *key, const struct gprofx_lists *lists,
                       uint32_t list);

/* Adds a time in both units to the row: members ticks_key and seconds_key. */
void
document_add_time(struct document *d, const char *ticks_key, const char *seconds_key, double ticks);
/*
 * A member of the object under way, whose row was written: values of the metrics besides the first,
 * each with its number; false: there are none, and nothing is written.
 */
bool document_begin_others(struct document *d);
void document_begin_other(struct document *d, uint32_t metric);
void document_end_others(struct document *d);
/* Adds a value to the row: in ticks, and in the unit of its metric. */
void document_add_value(struct document *d, uint32_t metric, const char *ticks_key, const char *key,
                        double ticks);
/* A value that only the analysis of arcs tells; without any it is not known. */
double document_if_known(const struct gprofx_report *report, double value);

#endif
