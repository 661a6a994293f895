/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The stages of a run in their order; read this first.  Each stage reads what the stages before it
 * have finished and changes none of it.
 */
#include "pipeline.h"

#include "callers/callers.h"
#include "config/config.h"
#include "corrections/corrections.h"
#include "emit/emit.h"
#include "findings/findings.h"
#include "graph/graph.h"
#include "input/input.h"
#include "plugin/plugins.h"
#include "profile/executions.h"
#include "profile/facts.h"
#include "profile/profile.h"
#include "report/model.h"
#include "scan/scan.h"
#include "select/filters.h"
#include "source/source.h"
#include "spread/spread.h"
#include "sum/sum.h"
#include "symbols/symbols.h"

/* Whether nothing was asked for besides a sum. */
static bool
writes_sum_only(const struct engine_settings *settings)
{
	return settings->sum_file && settings->listings == 0 && settings->output_count == 0 &&
	       settings->report_parts == 0 && !spread_is_aim(settings);
}

/* Calls in the code that never happened are arcs, too. */
static void
add_static_calls(struct run *run, struct scanner *scanner, struct graph *graph,
                 const struct profile *profile)
{
	struct static_calls calls = scan_calls(run, scanner, graph->filters, profile);

	graph_add_static_calls(run, graph, &calls);
}

/* Times of functions and calls between them, from what was read. */
static struct graph *
make_graph(struct run *run, struct symbols *symbols, struct filters *filters,
           struct profile *profile, uint32_t early_parts)
{
	const struct engine_settings *settings = run->settings;
	struct graph *graph = graph_new(run, symbols, filters);

	graph->wants_order = settings->static_calls || (early_parts & GPROFX_PART_ORDER) != 0;
	if (!writes_sum_only(settings))
		graph_credit_samples(run, graph, profile);
	graph_add_arcs(run, graph, profile);
	if (settings->by_line)
		graph_add_blocks(run, graph, profile);
	return graph;
}

/* Makes settings final. */
static enum gprofx_result
settle(struct run *run)
{
	enum gprofx_result result = config_apply(run);

	if (result != GPROFX_OK)
		return result;
	corrections_choose(run);
	return plugins_open_named(run);
}

/*
 * Adds calls that stand in the code to the graph, and plans the output: before, where it is known
 * whether there is a graph, since bins that no output needs are best let go of first.
 */
static enum gprofx_result
finish_arcs(struct run *run, struct scanner *scanner, struct graph *graph, struct profile *profile,
            struct emit_plan *plan)
{
	enum gprofx_result planned = GPROFX_OK;
	bool is_known = profile->has_arcs || !scanner;

	profile->has_graph = profile->has_arcs;
	if (is_known) {
		planned = emit_plan(run, profile, plan);
		if (!(plan->parts & GPROFX_PART_SOURCE_TIMES))
			profile_release_bins(run, profile);
	}
	if (scanner)
		add_static_calls(run, scanner, graph, profile);
	if (!is_known) {
		profile->has_graph = graph->arc_count > 0;
		planned = emit_plan(run, profile, plan);
	}
	return planned;
}

enum gprofx_result
pipeline_run(struct run *run, void *nothing)
{
	const struct engine_settings *settings;
	struct symbols *symbols;
	struct filters *filters;
	struct profile *profile;
	struct graph *graph;
	struct findings *findings;
	struct callers *callers = NULL;
	struct scanner *scanner;
	struct spread *spread = NULL;
	struct report_model *model;
	struct emit_plan plan;
	struct plugin *reader;
	enum gprofx_result result, listed, planned;
	uint32_t early_parts;

	(void)nothing;
	result = settle(run);
	if (result != GPROFX_OK)
		return result;
	settings = run->settings;
	symbols = symbols_load(run);
	if (!symbols)
		return GPROFX_FAILED;
	/* The symbol table is final: one symbol per address, ascending. */
	filters = filters_resolve(run, symbols);
	/* Symspecs are sets of symbols. */
	result = input_choose_reader(run, &reader);
	if (result != GPROFX_OK)
		return result;
	result = emit_begin(run, &plan, &early_parts);
	if (result != GPROFX_OK)
		return result;
	profile = profile_new(run);
	if (early_parts & GPROFX_PART_FILES)
		facts_want(run, profile, symbols);
	if (spread_is_wanted(run->settings) && !writes_sum_only(settings)) {
		spread = spread_new(run, symbols, filters, profile);
		if (!spread)
			return GPROFX_FAILED;
	}
	result = input_read_profiles(run, reader, symbols, profile);
	if (result == GPROFX_OK && !writes_sum_only(settings))
		callers = callers_find(run, symbols, profile);
	/* What was read is told even if the rest could not be. */
	listed = emit_files(run, &plan, profile);
	if (result != GPROFX_OK || listed != GPROFX_OK)
		return GPROFX_FAILED;
	/* All input is read; it is still by address. */
	if (settings->sum_file && !settings->sum_as_gprof) {
		result = sum_write(run, symbols, profile, NULL);
		if (result != GPROFX_OK || writes_sum_only(settings))
			return result;
	}
	executions_match(run, symbols, profile);
	/* Functions that were counted in the source are known by their symbols. */
	findings = findings_inspect(run, symbols, profile);
	callers_apply(run, callers, profile);
	graph = make_graph(run, symbols, filters, profile, early_parts);
	if (settings->sum_file && settings->sum_as_gprof) {
		result = sum_write(run, symbols, profile, graph);
		if (result != GPROFX_OK)
			return result;
	}
	scanner = scan_open(run, symbols, profile);
	if (writes_sum_only(settings))
		return GPROFX_OK;
	planned = finish_arcs(run, scanner, graph, profile, &plan);
	callers_mark(run, callers, graph);
	if (profile->has_graph)
		graph_analyse(run, graph);
	graph_forget_way(run, graph);
	/* Times and calls are final. */
	findings_tell(findings, graph);
	if (planned != GPROFX_OK)
		return planned;
	model = report_build(run, symbols, profile, graph, plan.parts);
	model->public.findings = findings_list(findings, &model->public.finding_count);
	if (plan.parts & GPROFX_PART_SOURCE)
		source_report(run, symbols, filters, profile,
		              (plan.parts & GPROFX_PART_SOURCE_TIMES) != 0, &model->public);
	if (spread && spread_report(spread, profile, callers, &model->public) != GPROFX_OK)
		return GPROFX_FAILED;
	/* The report is frozen. */
	run->report = &model->public;
	return emit_all(run, &plan, model);
}

bool
engine_run(const struct engine_settings *settings, const struct engine_frontend *frontend)
{
	return run_whole(settings, frontend, pipeline_run, NULL);
}
