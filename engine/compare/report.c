/* SPDX-License-Identifier: Apache-2.0 */
/* The report of a comparison: functions of both sides, and its rows. */
#include <string.h>

#include "base/memory.h"
#include "base/run.h"
#include "compare/compare.h"
#include "compare/joined.h"
#include "compare/match.h"
#include "compare/rows.h"
#include "compare/values.h"
#include "compare/words.h"
#include "report/model.h"

/* Where the values of a function are: of the new side, or of the base, if that alone has it. */
struct place {
	const struct gprofx_report *report;
	uint32_t node;
};

static struct place *
place_nodes(struct run *run, const struct compare_request *request,
            const struct compare_rows_input *input)
{
	struct place *places;

	memory_array(run, places, (size_t)input->node_count + 1);
	for (uint32_t i = 0; i < input->matches.new_count; i++)
		places[i] = (struct place){request->new_side.report, i};
	for (uint32_t i = 0; i < input->matches.base_count; i++)
		if (input->node_of_base[i] != UINT32_MAX)
			places[input->node_of_base[i]] = (struct place){request->base.report, i};
	return places;
}

/* Addresses, names and places in the source, of functions of both sides. */
static void
set_functions(struct run *run, struct report_model *model, const struct place *places,
              uint32_t count)
{
	struct gprofx_report_functions *functions = &model->parts.functions;
	uint64_t *address, *end;
	const char **raw, **object, **files;
	uint32_t *lines;

	memory_array(run, address, (size_t)count + 1);
	memory_array(run, end, (size_t)count + 1);
	memory_array(run, raw, (size_t)count + 1);
	memory_array(run, object, (size_t)count + 1);
	memory_array(run, files, (size_t)count + 1);
	memory_array(run, lines, (size_t)count + 1);
	for (uint32_t i = 0; i < count; i++) {
		const struct gprofx_report *report = places[i].report;
		const struct gprofx_report_functions *of = report->functions;
		uint32_t node = places[i].node;

		address[i] = of->address[node];
		end[i] = of->end[node];
		raw[i] = of->raw_name[node];
		object[i] = of->object_name ? of->object_name[node] : NULL;
		files[i] = report->services->source(report, node, &lines[i]);
	}
	functions->count = count;
	functions->address = address;
	functions->end = end;
	functions->raw_name = raw;
	functions->object_name = object;
	model->source_files = files;
	model->source_lines = lines;
}

/* Names of what has rows; all others are shown as in the symbol table. */
static void
set_names(struct run *run, struct report_model *model, const struct place *places,
          const struct gprofx_report_comparison *comparison)
{
	uint32_t count = model->parts.functions.count;

	model->name_count = count;
	memory_array(run, model->names, (size_t)count + 1);
	for (uint32_t i = 0; i < comparison->row_count; i++) {
		uint32_t node = comparison->row[i].node;
		const struct gprofx_report *report = places[node].report;

		model->names[node] = report->services->name(report, places[node].node);
	}
	for (uint32_t i = 0; i < count; i++)
		if (!model->names[i].bytes) {
			const char *raw = model->parts.functions.raw_name[i];

			model->names[i] = (struct gprofx_text){raw, raw ? strlen(raw) : 0};
		}
}

/* The names that functions have in the base, where they are others. */
static void
set_base_names(struct run *run, const struct report_model *model,
               const struct compare_request *request, const struct compare_rows_input *input,
               struct gprofx_compared *rows, uint32_t count)
{
	const struct gprofx_report *base = request->base.report;

	for (uint32_t i = 0; i < count; i++) {
		struct gprofx_text name, own = model->names[rows[i].node];
		uint32_t partner = rows[i].node < input->matches.new_count
		                           ? input->matches.of_new[rows[i].node]
		                           : UINT32_MAX;

		if (partner == UINT32_MAX || rows[i].match == GPROFX_MATCH_BUILD)
			continue;
		name = base->services->name(base, partner);
		if (name.length != own.length || memcmp(name.bytes, own.bytes, own.length) != 0)
			rows[i].base_name = text_keep(run, name.bytes, name.length);
	}
}

static struct gprofx_compared_side
side_of(const struct compare_side *side, const struct compare_values *values)
{
	const struct gprofx_report_origin *origin = side->report->origin;
	struct gprofx_compared_side row = {
		.size = sizeof row,
		.name = side->name,
		.image = origin->image,
		.run_count = origin->run_count,
		.ticks = values->mean,
	};

	for (uint32_t i = 0; i < origin->run_count; i++)
		row.file_count += gprofx_run_at(side->report, i)->file_count;
	return row;
}

/* What was measured: the metric that was compared, in runs that are the sides. */
static void
set_origin(struct run *run, struct report_model *model, const struct compare_request *request,
           const struct compare_rows_input *input, const struct gprofx_metric *metric)
{
	struct gprofx_report_origin *origin = &model->parts.origin;
	struct gprofx_run *runs;
	const char **names;
	double *totals;

	report_set_origin(run, model);
	origin->image = request->new_side.report->origin->image;
	model->metric = *metric;
	model->metric.id = 0;
	origin->metrics = &model->metric;
	origin->metric_count = 1;
	memory_array(run, runs, 2);
	memory_array(run, totals, 2);
	totals[0] = input->base.mean;
	totals[1] = input->new_side.mean;
	runs[0] = (struct gprofx_run){.size = sizeof *runs,
	                              .label = request->base.name,
	                              .totals = &totals[0]};
	runs[1] = (struct gprofx_run){.size = sizeof *runs,
	                              .label = request->new_side.name,
	                              .totals = &totals[1]};
	origin->runs = runs;
	origin->run_count = 2;
	names = memory_alloc_array(run, sizeof *names, 2);
	/* The new side gives the report its name, if there is no program. */
	names[0] = request->new_side.name;
	names[1] = request->base.name;
	origin->profiles = names;
	origin->profile_count = 2;
	origin->has_histogram = request->new_side.report->origin->has_histogram ||
	                        request->base.report->origin->has_histogram;
	origin->positioned = request->new_side.report->origin->positioned;
	origin->shows_unused = run->settings->show_unused;
	origin->full_paths = request->new_side.report->origin->full_paths;
}

/* The node of each function of a side. */
static uint32_t *
nodes_of(struct run *run, const struct compare_rows_input *input, bool is_new)
{
	const struct compare_matches *matches = &input->matches;
	uint32_t count = is_new ? matches->new_count : matches->base_count, *nodes;

	memory_array(run, nodes, (size_t)count + 1);
	for (uint32_t i = 0; i < count; i++)
		nodes[i] = is_new                              ? i
		           : matches->of_base[i] != UINT32_MAX ? matches->of_base[i]
		                                               : input->node_of_base[i];
	return nodes;
}

/* The call graph, the contexts and the lines of both sides, as far as they are wanted. */
static void
join(struct run *run, struct report_model *model, const struct compare_request *request,
     const struct compare_rows_input *input, struct joined_side sides[JOINED_SIDES],
     struct gprofx_report_comparison *comparison)
{
	if (!input->is_needed)
		return;
	for (uint32_t s = 0; s < JOINED_SIDES; s++)
		sides[s].node = nodes_of(run, input, s == 1);
	if (request->wants_graph)
		joined_graph(run, model, sides, model->comparison);
	if (request->wants_lines)
		joined_lines(run, sides, &input->matches, comparison);
	if (request->context_forms != 0)
		joined_contexts(run, model, sides, request->context_forms);
}

static bool
has_calls(const struct compare_values *values)
{
	return values->report->origin->has_arcs && values->report->graph->arcs.count > 0;
}

/*
 * Without calls, inclusive values are those of functions themselves, which is no difference to the
 * inclusive values of a side that has calls.  True: one side lacks them.
 */
static bool
check_calls(struct compare_values *base, struct compare_values *new_side)
{
	if (!has_calls(base) || !has_calls(new_side))
		base->has_total = new_side->has_total = false;
	return has_calls(base) != has_calls(new_side);
}

struct report_model *
compare_reports(struct run *run, const struct compare_request *request)
{
	const struct gprofx_metric *metric = request->new_side.metric;
	struct gprofx_report_comparison *comparison;
	struct compare_rows_input input = {.normalization = request->normalization};
	struct joined_side sides[JOINED_SIDES] = {
		{.values = &input.base, .summed = request->base.summed},
		{.values = &input.new_side, .summed = request->new_side.summed},
	};
	struct report_model *model;
	struct gprofx_compared *rows;
	const struct place *places;
	bool lacks_calls;

	compare_values_begin(run, &input.base, request->base.report, request->base.metric->id,
	                     metric->ticks_per_unit);
	compare_values_begin(run, &input.new_side, request->new_side.report, metric->id,
	                     metric->ticks_per_unit);
	compare_values_weigh(&input.base, &input.new_side);
	lacks_calls = check_calls(&input.base, &input.new_side);
	if (request->normalization == GPROFX_NORMALIZED_BY_TOTAL) {
		/* A side without samples is compared with the other one as it is. */
		double total = input.new_side.mean > 0 ? input.new_side.mean : input.base.mean;

		compare_values_to_total(&input.base, total);
		compare_values_to_total(&input.new_side, total);
	}
	compare_match(run, request->base.report, request->new_side.report, &input.matches);
	if (request->wants_graph || request->wants_lines || request->context_forms != 0) {
		joined_find_summed(run, &sides[0]);
		joined_find_summed(run, &sides[1]);
		input.is_needed = joined_mark(run, &sides[0]);
	}
	compare_number_nodes(run, &input);
	comparison = memory_alloc(run, sizeof *comparison);
	comparison->size = sizeof *comparison;
	comparison->normalization = request->normalization;
	comparison->base = side_of(&request->base, &input.base);
	comparison->new_side = side_of(&request->new_side, &input.new_side);
	rows = compare_make_rows(run, &input, comparison);
	comparison->base_lacks_calls = lacks_calls && !has_calls(&input.base);
	comparison->new_lacks_calls = lacks_calls && !has_calls(&input.new_side);
	compare_set_words(run, metric, comparison);
	compare_say_metrics(run, request, comparison);
	model = memory_alloc(run, sizeof *model);
	model->run = run;
	model->comparison = comparison;
	set_origin(run, model, request, &input, metric);
	places = place_nodes(run, request, &input);
	set_functions(run, model, places, input.node_count);
	set_names(run, model, places, comparison);
	set_base_names(run, model, request, &input, rows, comparison->row_count);
	join(run, model, request, &input, sides, comparison);
	return model;
}
