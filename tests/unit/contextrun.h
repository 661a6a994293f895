/* SPDX-License-Identifier: Apache-2.0 */
/* Contexts of small programs as text.  Include it first. */
#ifndef TESTS_UNIT_CONTEXTRUN_H
#define TESTS_UNIT_CONTEXTRUN_H

#include "smallrun.h"

#include "contexts/contexts.h"
#include "report/model.h"

/* The contexts of a graph and its profile, of so many metrics; most: estimated ones. */
static inline const struct gprofx_report_contexts *
contextrun_make_with(struct testrun *test, struct graph *graph, const struct profile *profile,
                     uint32_t metrics, uint32_t needs, uint32_t most)
{
	struct report_model *model = memory_alloc(&test->run, sizeof *model);
	uint32_t form = report_context_form(needs);

	test->settings.contexts = most;
	model->run = &test->run;
	model->graph = graph;
	model->symbols = (struct symbols *)graph->symbols;
	model->parts.origin.has_histogram = true;
	model->parts.origin.metric_count = metrics;
	contexts_report(&test->run, profile, UINT32_C(1) << form, model);
	assert_non_null(model->contexts[form]);
	return model->contexts[form];
}

/* The same for those that do not look into functions. */
static inline const struct gprofx_report_contexts *
contextrun_make(struct testrun *test, struct graph *graph, uint32_t metrics, uint32_t needs,
                uint32_t most)
{
	return contextrun_make_with(test, graph, NULL, metrics, needs, most);
}

/* "m 1+9; 0>b 3+4.5" in the order of contexts: parent, name, values of a metric. */
static inline void
contextrun_list(const struct graph *graph, const struct gprofx_report_contexts *contexts,
                uint32_t metric, struct small_text *text)
{
	const struct gprofx_column *column = gprofx_column_at(contexts->columns, metric);

	for (uint32_t i = 0; i < contexts->count; i++) {
		uint32_t node = contexts->node[i];

		small_add(text, "%s", i > 0 ? "; " : "");
		if (contexts->parent[i] != GPROFX_NO_CONTEXT) {
			assert_true(contexts->parent[i] < i);
			small_add(text, "%u>", contexts->parent[i]);
		}
		if (node < graph->function_count)
			small_add(text, "%s", graph->symbols->name[node]);
		else
			small_add(text, "%u", graph->cycle[node]);
		if (contexts->flags[i] & GPROFX_CONTEXT_INLINED)
			small_add(text, " inlined");
		small_add(text, " %g+%g", gprofx_real(&column->self, i),
		          gprofx_real(&column->below, i));
	}
}

static inline void
contextrun_expect(const struct graph *graph, const struct gprofx_report_contexts *contexts,
                  uint32_t metric, const char *expected)
{
	struct small_text text = {.length = 0};

	contextrun_list(graph, contexts, metric, &text);
	small_expect("contexts", expected, &text);
}

/* The inclusive time of a context in the first metric. */
static inline double
contextrun_total(const struct gprofx_report_contexts *contexts, uint32_t i)
{
	return gprofx_real(&contexts->columns->self, i) + gprofx_real(&contexts->columns->below, i);
}

#endif
