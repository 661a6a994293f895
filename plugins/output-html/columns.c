/* SPDX-License-Identifier: Apache-2.0 */
#include "columns.h"

#include "words.h"

void
columns_put_origin(struct values *c, const struct gprofx_report *report, uint64_t format)
{
	values_key(c, "format");
	values_count(c, format);
	values_key(c, "generator");
	values_text(c, "gprofx");
	values_key(c, "version");
	values_text(c, report->origin->version);
}

void
places_find(struct places *places, const struct nodes *nodes, struct strings *texts)
{
	const struct gprofx_report *report = nodes->report;
	size_t bytes = ((size_t)nodes->functions + 1) * sizeof(uint32_t);

	places->file = gprofx_alloc(nodes->gx, bytes);
	places->object = gprofx_alloc(nodes->gx, bytes);
	places->line = gprofx_alloc(nodes->gx, bytes);
	for (uint32_t i = 0; i < nodes->functions; i++)
		places->file[i] = strings_add(
			texts, report->services->source(report, nodes->node[i], &places->line[i]));
	for (uint32_t i = 0; i < nodes->functions; i++)
		places->object[i] =
			report->functions->object_name
				? strings_add(texts, report->functions->object_name[nodes->node[i]])
				: NODES_NONE;
}

/* A column with a number for each function, of rows of texts. */
static void
put_rows(struct values *c, const char *key, const struct nodes *nodes, const struct strings *texts,
         const uint32_t *rows)
{
	values_open_column(c, key, VALUES_INTEGERS);
	for (uint32_t i = 0; i < nodes->functions; i++)
		values_index(c, strings_number(texts, rows[i]), NODES_NONE);
	values_close_column(c);
}

void
places_put(const struct places *places, struct values *c, const struct nodes *nodes,
           const struct strings *texts)
{
	put_rows(c, "file", nodes, texts, places->file);
	put_rows(c, "object", nodes, texts, places->object);
	values_open_column(c, "line", VALUES_INTEGERS);
	for (uint32_t i = 0; i < nodes->functions; i++)
		values_count(c, places->line[i]);
	values_close_column(c);
}

void
columns_put_texts(struct values *c, const struct nodes *nodes, const struct strings *texts)
{
	struct gprofx_text *list = gprofx_alloc(nodes->gx,
	                                        ((size_t)texts->count + 1) * sizeof *list);

	for (uint32_t i = 0; i < texts->count; i++)
		list[i] = texts->added[texts->first[i]];
	words_put(c, nodes->gx, "strings", list, texts->count, false);
	nodes->gx->host->release(nodes->gx, list);
}

void
columns_put_names(struct values *c, const struct nodes *nodes)
{
	struct gprofx_text *names = gprofx_alloc(nodes->gx,
	                                         ((size_t)nodes->count + 1) * sizeof *names);

	values_key(c, "count");
	values_count(c, nodes->functions);
	values_key(c, "nodes");
	values_count(c, nodes->count);
	for (uint32_t i = 0; i < nodes->count; i++)
		names[i] = nodes->names[nodes->node[i]];
	words_put(c, nodes->gx, "name", names, nodes->count, true);
	nodes->gx->host->release(nodes->gx, names);
}

void
columns_put_metric(struct values *c, const struct gprofx_metric *metric)
{
	values_open(c, '{');
	values_key(c, "name");
	values_text(c, metric->name);
	values_key(c, "unit");
	values_text(c, metric->unit);
	values_key(c, "abbreviation");
	values_texts(c, &metric->abbreviation, metric->abbreviation != '\0');
	values_key(c, "ticks");
	values_count(c, metric->ticks_per_unit);
	values_close(c, '}');
}

void
columns_put_nodes(struct values *c, const char *key, const struct nodes *nodes,
                  const uint32_t *list, uint32_t count)
{
	values_open_column(c, key, VALUES_INTEGERS);
	for (uint32_t i = 0; i < count; i++)
		values_count(c, nodes->number[list[i]]);
	values_close_column(c);
}

void
columns_put_first_arcs(struct values *c, const struct nodes *nodes)
{
	const struct gprofx_arcs *arcs = &nodes->report->graph->arcs;
	uint32_t a = 0;

	values_open_column(c, "first", VALUES_STEPS);
	for (uint32_t i = 0; i < nodes->functions; i++) {
		while (a < arcs->count && gprofx_id(&arcs->caller, a) < nodes->node[i])
			a++;
		values_count(c, a);
	}
	values_count(c, arcs->count);
	values_close_column(c);
}

void
columns_put_parents(struct values *c, const struct gprofx_report_contexts *contexts)
{
	values_open_column(c, "parent", VALUES_INTEGERS);
	for (uint32_t i = 0; i < contexts->count; i++)
		values_index(c, contexts->parent[i], GPROFX_NO_CONTEXT);
	values_close_column(c);
}

void
columns_put_context_reals(struct values *c, const char *key,
                          const struct gprofx_report_contexts *contexts,
                          const struct gprofx_reals *values)
{
	values_open_column(c, key, VALUES_REALS);
	for (uint32_t i = 0; i < contexts->count; i++)
		values_real(c, gprofx_real(values, i));
	values_close_column(c);
}
