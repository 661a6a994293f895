/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The stages of a run in their order; read this first.  Each stage reads what the stages before it
 * have finished and changes none of it.
 */
#include "pipeline.h"

#include "base/inputs.h"
#include "attribution/attribution.h"
#include "config/config.h"
#include "corrections/corrections.h"
#include "emit/emit.h"
#include "findings/findings.h"
#include "fit/fit.h"
#include "graph/graph.h"
#include "input/input.h"
#include "plugin/plugins.h"
#include "profile/executions.h"
#include "profile/facts.h"
#include "profile/profile.h"
#include "report/model.h"
#include "scan/scan.h"
#include "static/static.h"
#include "select/filters.h"
#include "source/source.h"
#include "statistics/statistics.h"
#include "profile-writer/profile-writer.h"
#include "symbols/symbols.h"

/* Whether nothing was asked for besides a sum. */
static bool
writes_sum_only(const struct engine_settings *settings)
{
	return settings->sum_file && settings->listings == 0 && settings->output_count == 0 &&
	       settings->report_parts == 0 && !statistics_is_aim(settings);
}

/* Calls in the code that never happened are arcs, too. */
static void
add_static_calls(struct run *run, struct scanner *scanner, struct graph *graph,
                 const struct profile *profile)
{
	struct static_calls calls = static_find_calls(run, scanner, graph->filters, profile);

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
	for (uint32_t i = 0; i < run->settings->word_file_count; i++)
		inputs_note_name(run, run->settings->word_files[i],
		                 "a file of words of the command line");
	return config_open_plugins(run);
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

/* What was read, and what is to be written. */
struct input {
	struct symbols *symbols;
	struct filters *filters;
	struct profile *profile;
	struct attribution *callers;
	struct fit fit;
	struct statistics *statistics; /* NULL: not wanted */
	struct emit_plan plan;
	uint32_t early_parts;
};

/* So many histograms are looked at for samples of stubs; then any stub may have some. */
enum { LOOKS_AT_MOST = 1 << 26 };

struct sample_search {
	const struct profile *profile;
	uint64_t looks;
};

static bool
has_samples(void *opaque, uint64_t low, uint64_t past)
{
	struct sample_search *search = opaque;

	search->looks += search->profile->histogram_count;
	return search->looks > LOOKS_AT_MOST || profile_has_samples(search->profile, low, past);
}

static enum gprofx_result
read_profiles(struct run *run, struct plugin *reader, struct input *input)
{
	bool is_reported = !writes_sum_only(run->settings);
	struct sample_search search = {0};
	enum gprofx_result result, listed;

	search.profile = input->profile = profile_new(run);
	if (input->early_parts & GPROFX_PART_FILES)
		facts_want(run, input->profile, input->symbols);
	if (statistics_is_wanted(run->settings) && is_reported) {
		input->statistics = statistics_new(run, input->symbols, input->filters,
		                                   input->profile);
		if (!input->statistics)
			return GPROFX_FAILED;
	}
	result = input_read_profiles(run, reader, input->symbols, input->profile);
	/* Nothing but what the front end excludes refers to symbols yet. */
	if (result == GPROFX_OK && is_reported && !input->statistics &&
	    symbols_name_stubs(run, input->symbols, has_samples, &search))
		input->filters = filters_resolve(run, input->symbols);
	if (result == GPROFX_OK && !input->filters)
		result = GPROFX_FAILED;
	if (result == GPROFX_OK && is_reported) {
		input->callers = attribution_find(run, input->symbols, input->profile);
		input->fit = fit_check(run, input->symbols, input->profile);
	}
	/* What was read is told even if the rest could not be. */
	listed = emit_files(run, &input->plan, input->symbols, input->profile);
	return result == GPROFX_OK && listed == GPROFX_OK ? GPROFX_OK : GPROFX_FAILED;
}

static enum gprofx_result
read_input(struct run *run, struct input *input)
{
	enum gprofx_result result;
	struct plugin *reader;

	input->symbols = symbols_load(run);
	if (!input->symbols)
		return GPROFX_FAILED;
	/* The symbol table is final: one symbol per address, ascending. */
	input->filters = filters_resolve(run, input->symbols);
	/* Symspecs are sets of symbols. */
	result = input->filters ? input_choose_reader(run, &reader) : GPROFX_FAILED;
	if (result != GPROFX_OK)
		return result;
	result = emit_begin(run, &input->plan, &input->early_parts);
	return result == GPROFX_OK ? read_profiles(run, reader, input) : result;
}

static enum gprofx_result
write_report(struct run *run, struct input *input, struct graph *graph,
             const struct gprofx_account *account, struct findings *findings)
{
	struct profile *profile = input->profile;
	uint32_t parts = input->plan.parts;
	struct report_model *model = report_build(run, input->symbols, profile, graph, parts);
	struct gprofx_report *report = &model->public;

	report->account = account;
	report->findings = findings_list(findings, &report->finding_count);
	if (parts & GPROFX_PART_SOURCE)
		source_report(run, input->symbols, input->filters, profile,
		              (parts & GPROFX_PART_SOURCE_TIMES) != 0, report);
	if (input->statistics &&
	    statistics_report(input->statistics, profile, input->callers, report) != GPROFX_OK)
		return GPROFX_FAILED;
	/* The report is frozen. */
	run->report = report;
	return emit_all(run, &input->plan, model);
}

enum gprofx_result
pipeline_run(struct run *run, void *nothing)
{
	struct input input = {0};
	const struct engine_settings *settings;
	struct profile *profile;
	struct graph *graph;
	const struct gprofx_account *account;
	struct findings *findings;
	struct scanner *scanner;
	enum gprofx_result result;

	(void)nothing;
	result = settle(run);
	if (result == GPROFX_OK)
		result = read_input(run, &input);
	if (result != GPROFX_OK)
		return result;
	settings = run->settings;
	profile = input.profile;
	/* All input is read; it is still by address. */
	if (settings->sum_file && !settings->sum_as_gprof) {
		result = profile_write_sum(run, input.symbols, profile, NULL);
		if (result != GPROFX_OK || writes_sum_only(settings))
			return result;
	}
	executions_match(run, input.symbols, profile);
	/* Functions that were counted in the source are known by their symbols. */
	findings = findings_inspect(run, input.symbols, profile, &input.fit);
	attribution_apply(run, input.callers, profile);
	graph = make_graph(run, input.symbols, input.filters, profile, input.early_parts);
	if (input.statistics)
		statistics_divide(input.statistics, profile);
	if (settings->sum_file && settings->sum_as_gprof) {
		result = profile_write_sum(run, input.symbols, profile, graph);
		if (result != GPROFX_OK)
			return result;
	}
	scanner = scan_open(run, input.symbols, profile);
	if (writes_sum_only(settings))
		return GPROFX_OK;
	result = finish_arcs(run, scanner, graph, profile, &input.plan);
	attribution_mark(run, input.callers, graph);
	if (profile->has_graph)
		graph_analyse(run, graph);
	graph_forget_way(run, graph);
	/* Times and calls are final. */
	account = report_account(run, input.symbols, profile, graph);
	findings_inspect_account(findings, account);
	findings_tell(findings, graph);
	return result == GPROFX_OK ? write_report(run, &input, graph, account, findings) : result;
}

bool
engine_run(const struct engine_settings *settings, const struct engine_frontend *frontend)
{
	return run_whole(settings, frontend, pipeline_run, NULL);
}
