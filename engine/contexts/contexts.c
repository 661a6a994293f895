/* SPDX-License-Identifier: Apache-2.0 */
/* Contexts become part of the report. */
#include "contexts/contexts.h"

#include "base/memory.h"
#include "base/name-table.h"
#include "contexts/parts.h"
#include "graph/graph.h"
#include "symbols/inlined.h"
#include "symbols/line-rows.h"
#include "symbols/symbols.h"

/* What no context has as its own time. */
static double
cut_of(const struct context_tree *tree, uint32_t metric)
{
	/* Less than that is but rounding. */
	const double least = tree->whole[metric] * 1e-9;
	double cut = tree->whole[metric];

	for (uint32_t i = 0; i < tree->count; i++)
		cut -= tree->self[metric][i];
	return cut > least ? cut : 0;
}

/* Of so many metrics in all; nothing is known of those that the tree has not. */
static const struct gprofx_column *
columns_of(struct run *run, const struct context_tree *tree, uint32_t origin, uint32_t count)
{
	struct gprofx_column *columns;
	static const double none;

	memory_array(run, columns, count);
	for (uint32_t i = tree->metric_count; i < count; i++)
		columns[i] = report_no_column(0, i);
	for (uint32_t i = 0; i < tree->metric_count; i++) {
		columns[i] = (struct gprofx_column){
			.size = sizeof *columns,
			.metric = i,
			.self_origin = origin,
			.total_origin = origin,
			.self = {&none, 0},
			.below = {&none, 0},
			.graph_total = tree->whole[i],
		};
		if (tree->count == 0)
			continue;
		columns[i].self = (struct gprofx_reals){tree->self[i], sizeof(double)};
		columns[i].below = (struct gprofx_reals){tree->below[i], sizeof(double)};
	}
	if (tree->self_squares && tree->count > 0) {
		columns->self_squares = (struct gprofx_reals){tree->self_squares, sizeof(double)};
		columns->total_squares = (struct gprofx_reals){tree->total_squares, sizeof(double)};
	}
	return columns;
}

void
contexts_read_code(struct run *run, struct context_source *source)
{
	struct symbols *symbols = source->model->symbols;
	/* Of places only stacks know more than their function. */
	bool is_wanted = source->form & REPORT_CONTEXTS_INLINED ||
	                 (source->graph->stacks && source->form & REPORT_CONTEXTS_BY_PLACE);

	if (!is_wanted || !symbols || !symbols_have_image(symbols))
		return;
	source->code = symbols_read_inlined(run, symbols);
	if (!source->code)
		return;
	source->shown_name = memory_alloc_array(run, sizeof *source->shown_name,
	                                        (size_t)source->code->rows.names.count + 1);
	memory_array(run, source->place_of_name, (size_t)source->code->rows.names.count + 1);
}

void
contexts_release_code(struct run *run, struct context_source *source)
{
	if (!source->code)
		return;
	symbols_release_inlined(run, source->code);
	memory_release(run, (void *)source->shown_name);
	memory_release(run, source->place_of_name);
}

static const struct gprofx_report_contexts *
make(struct run *run, const struct profile *profile, struct report_model *model, uint32_t form)
{
	struct gprofx_report_contexts *contexts = memory_alloc(run, sizeof *contexts);
	const struct graph *graph = model->graph;
	uint32_t origin = model->parts.origin.has_histogram ? GPROFX_ESTIMATED : GPROFX_UNKNOWN;
	struct context_source source = {.model = model,
	                                .graph = graph,
	                                .profile = profile,
	                                .form = form};
	struct context_tree tree = {.count = 0};
	/* What calls cost as a whole leaves open what called their callers. */
	bool is_measured = graph->stacks && !graph->has_costed_calls;
	uint32_t metric_count = model->parts.origin.metric_count;
	double *cut;

	contexts_read_code(run, &source);
	if (is_measured) {
		contexts_measure(run, &source, &tree);
		origin = GPROFX_MEASURED;
	} else {
		contexts_estimate(run, &source, &tree);
	}
	contexts_release_code(run, &source);
	memory_array(run, cut, metric_count);
	for (uint32_t i = 0; i < tree.metric_count; i++)
		cut[i] = cut_of(&tree, i);
	*contexts = (struct gprofx_report_contexts){
		.size = sizeof *contexts,
		.count = tree.count,
		.parent = tree.parent,
		.node = tree.node,
		.flags = tree.flags,
		.columns = columns_of(run, &tree, origin, metric_count),
		.is_estimated = !is_measured,
		.bounds = tree.bounds,
		.cut = cut,
		.place = form != 0 ? tree.place : NULL,
		.place_count = source.place_count,
		.place_name = source.place_name,
		.place_file = source.place_file,
		.place_line = source.place_line,
		.place_address = source.place_address,
		.self_ticks = tree.self_ticks,
		.hottest = tree.hottest,
	};
	return contexts;
}

void
contexts_report(struct run *run, const struct profile *profile, uint32_t forms,
                struct report_model *model)
{
	for (uint32_t form = 0; form < REPORT_CONTEXT_FORMS; form++)
		if (forms >> form & 1)
			model->contexts[form] = make(run, profile, model, form);
}
