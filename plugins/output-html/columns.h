/* SPDX-License-Identifier: Apache-2.0 */
/* What the data of both kinds of page have: functions with their places, the metric, arcs. */
#ifndef OUTPUT_HTML_COLUMNS_H
#define OUTPUT_HTML_COLUMNS_H

#include <gprofx/emitter.h>

#include "nodes.h"
#include "values.h"

/* The first members of the data: its form, and what wrote it. */
void columns_put_origin(struct values *c, const struct gprofx_report *report, uint64_t format);

/* Where functions are. */
struct places {
	uint32_t *file, *object; /* per function of the page: rows of its texts */
	uint32_t *line;
};

/* Adds the texts of the places; before strings_finish(). */
void places_find(struct places *places, const struct nodes *nodes, struct strings *texts);

/* Members file, object and line of the functions. */
void places_put(const struct places *places, struct values *c, const struct nodes *nodes,
                const struct strings *texts);

/* The member "strings". */
void columns_put_texts(struct values *c, const struct nodes *nodes, const struct strings *texts);

/* Members count, nodes and name of the functions. */
void columns_put_names(struct values *c, const struct nodes *nodes);

/* An object about a metric; its key was written. */
void columns_put_metric(struct values *c, const struct gprofx_metric *metric);

/* Nodes of the report, by their numbers in the page. */
void columns_put_nodes(struct values *c, const char *key, const struct nodes *nodes,
                       const uint32_t *list, uint32_t count);

/* Arcs are sorted by caller: per function its first one, and at last their number. */
void columns_put_first_arcs(struct values *c, const struct nodes *nodes);

/* The parents of contexts. */
void columns_put_parents(struct values *c, const struct gprofx_report_contexts *contexts);

/* A column with a value of each context. */
void columns_put_context_reals(struct values *c, const char *key,
                               const struct gprofx_report_contexts *contexts,
                               const struct gprofx_reals *values);

#endif
