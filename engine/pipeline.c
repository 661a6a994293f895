/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The stages of a run in their order; read this first, from the end.  Each stage reads what the
 * stages before it have finished and changes none of it.
 */
#include "pipeline.h"

#include <string.h>

#include "attribution/attribution.h"
#include "base/inputs.h"
#include "base/memory.h"
#include "config/config.h"
#include "contexts/contexts.h"
#include "corrections/corrections.h"
#include "emit/emit.h"
#include "emit/writer.h"
#include "findings/findings.h"
#include "fit/fit.h"
#include "graph/graph.h"
#include "input/input.h"
#include "input/parts.h"
#include "input/recording.h"
#include "plugin/plugins.h"
#include "profile-writer/profile-writer.h"
#include "profile/executions.h"
#include "profile/facts.h"
#include "profile/metrics.h"
#include "profile/stack-places.h"
#include "profile/profile.h"
#include "refusals.h"
#include "report/model.h"
#include "scan/scan.h"
#include "select/filters.h"
#include "source/source.h"
#include "static/static.h"
#include "statistics/slice-tables.h"
#include "statistics/slices.h"
#include "statistics/statistics.h"
#include "symbols/inlined.h"
#include "symbols/late.h"
#include "symbols/needed.h"
#include "symbols/symbols.h"

/* What was read. */
struct input {
	struct symbols *symbols;
	struct scan *scan; /* the code of the symbols' image */
	struct filters *filters;
	struct profile *profile;       /* of the first run, which leads to those of others */
	struct statistics *statistics; /* NULL: not wanted */
	bool needs_no_statistics;      /* they are left out where they cannot be made */
	/* Per run.  NULL: its call sites are right as they are. */
	struct attribution *attribution[ENGINE_RUNS_AT_MOST];
	struct fit fit[ENGINE_RUNS_AT_MOST];
	struct findings *findings[ENGINE_RUNS_AT_MOST]; /* per run; NULL: not wanted */
	struct scanner *scanner; /* for calls that stand in the code; NULL: not wanted, or none */
};

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
	if (recording_take(run) != GPROFX_OK)
		return GPROFX_FAILED;
	parts_take(run);
	return config_open_plugins(run);
}

/*
 * The program: its symbols, and which of them are selected.  If the first file that the user names
 * is a profile that needs no program, there is none, and its functions are known when it was read.
 */
static enum gprofx_result
load_program(struct run *run, struct input *input)
{
	input->symbols = symbols_load(run, input_needs_no_program, recording_is_all);
	if (!input->symbols)
		return GPROFX_FAILED;
	/* The symbol table is final: one symbol per address, ascending. */
	input->scan = scan_new(run, input->symbols);
	if (input->symbols->is_stripped)
		return input_take_recording_alone(run);
	if (!symbols_have_image(input->symbols))
		return input_take_program_for_profile(run);
	input->filters = filters_resolve(run, input->symbols);
	/* Symspecs are sets of symbols. */
	return input->filters ? GPROFX_OK : GPROFX_FAILED;
}

static bool
is_any_hit(void *opaque, uint64_t low, uint64_t past)
{
	(void)opaque;
	(void)low;
	(void)past;
	return true;
}

/* Has per-file statistics taken if an emitter needs them, or shows those of several files. */
static enum gprofx_result
prepare_statistics(struct run *run, const struct emit_plan *plan, struct input *input)
{
	enum { PER_FILE = GPROFX_PART_PER_FILE | GPROFX_PART_FILE_VALUES };
	const struct stub_needs needs = {.is_hit = is_any_hit};
	uint32_t parts = plan->possible_parts & PER_FILE;

	input->needs_no_statistics = parts == 0;
	/* That looks at files, so only who needs it asks. */
	if (plan->parts_if_several != 0 && run->settings->further_run_count == 0 &&
	    input_can_have_several(run))
		parts |= plan->parts_if_several;
	if (parts == 0)
		return GPROFX_OK;
	/* Symbols keep their numbers from now on: which stubs have samples turns out too late. */
	if (symbols_name_stubs(run, input->symbols, &needs))
		input->filters = filters_resolve(run, input->symbols);
	if (!input->filters)
		return GPROFX_FAILED;
	input->statistics = statistics_new(run, input->symbols, input->filters, input->scan,
	                                   input->profile, (parts & GPROFX_PART_FILE_VALUES) != 0);
	if (!input->needs_no_statistics)
		slices_want_files(input->profile);
	return input->statistics ? GPROFX_OK : GPROFX_FAILED;
}

/* The profile that files are read into, and who watches. */
static enum gprofx_result
prepare_profile(struct run *run, const struct emit_plan *plan, struct input *input)
{
	uint32_t parts = plan->possible_parts;
	struct profile **next = &input->profile;

	for (uint32_t i = 0; i <= run->settings->further_run_count; i++) {
		*next = profile_new(run);
		(*next)->image_symbols = input->symbols;
		(*next)->first_run = input->profile;
		if (parts & GPROFX_PART_FILES)
			facts_want(run, *next, input->symbols);
		next = &(*next)->next_run;
	}
	slices_want(input->profile, plan->slice_kinds, run->settings->report_slices != 0);
	if (profile_writes_sum_only(run->settings) || !symbols_have_image(input->symbols))
		return GPROFX_OK;
	return prepare_statistics(run, plan, input);
}

/* So many histograms are looked at for samples of stubs; then any stub may have some. */
enum { LOOKS_AT_MOST = 1 << 26 };

struct stub_search {
	const struct profile *profile;
	struct stack_frames frames;
	uint64_t looks;
};

static bool
is_hit(void *opaque, uint64_t low, uint64_t past)
{
	struct stub_search *search = opaque;

	if (stacks_have_frame(&search->frames, low, past))
		return true;
	for (const struct profile *profile = search->profile; profile;
	     profile = profile->next_run) {
		search->looks += profile->histogram_count;
		if (search->looks > LOOKS_AT_MOST || profile_has_samples(profile, low, past))
			return true;
	}
	return false;
}

/*
 * Names the PLT stubs that samples and frames are in.  Nothing but what the front end excludes
 * refers to symbols yet.
 */
static enum gprofx_result
name_stubs(struct run *run, struct input *input)
{
	struct stub_search search = {.profile = input->profile};
	struct stub_needs needs = {.is_hit = is_hit, .hits = &search};

	if (!symbols_have_image(input->symbols) || input->statistics)
		return GPROFX_OK;
	search.frames = stacks_frames(run, input->profile, input->symbols);
	needs.named = search.frames.stub;
	needs.named_count = search.frames.stub_count;
	if (symbols_name_stubs(run, input->symbols, &needs))
		input->filters = filters_resolve(run, input->symbols);
	stacks_forget_frames(run, &search.frames);
	return input->filters ? GPROFX_OK : GPROFX_FAILED;
}

/* What only the code of the program can show about the profile. */
static enum gprofx_result
ask_code(struct run *run, struct input *input)
{
	uint32_t number = 0;

	if (!symbols_have_image(input->symbols))
		return GPROFX_OK;
	for (struct profile *profile = input->profile; profile; profile = profile->next_run) {
		input->attribution[number] = attribution_find(run, input->symbols, input->scan,
		                                              profile);
		input->fit[number++] = fit_check(run, input->symbols, input->scan, profile);
	}
	return GPROFX_OK;
}

/* Finds the functions of stacks, which are all that there are if there is no program. */
static enum gprofx_result
place_stacks(struct run *run, struct input *input)
{
	if (stacks_find_functions(run, input->profile, input->symbols) != GPROFX_OK)
		return GPROFX_FAILED;
	if (!symbols_have_image(input->symbols)) {
		late_add_symbols(run, input->symbols);
		input->filters = filters_resolve(run, input->symbols);
	}
	return input->filters ? GPROFX_OK : GPROFX_FAILED;
}

/* Per-file statistics are not made. */
static void
forget_statistics(struct input *input)
{
	if (input->statistics)
		statistics_forget(input->statistics);
	input->statistics = NULL;
}

/*
 * Symbols of images that profiles brought stand behind all others; so do names of frames that are
 * no functions of the program.
 */
static enum gprofx_result
add_images(struct run *run, struct input *input)
{
	stacks_place_objects(run, input->profile, input->symbols);
	/* A sum is refused for its stacks. */
	if (symbols_have_image(input->symbols) && !run->settings->sum_file &&
	    stacks_find_names(run, input->profile, input->symbols) != GPROFX_OK)
		return GPROFX_FAILED;
	if (!input->symbols->late)
		return GPROFX_OK;
	if (refuse_images(run, input->symbols, input->profile,
	                  input->statistics && !input->needs_no_statistics) != GPROFX_OK)
		return GPROFX_FAILED;
	if (!slices_are_by_file(input->profile))
		forget_statistics(input);
	/* Without a program names of functions come first. */
	if (symbols_have_image(input->symbols) && late_add_symbols(run, input->symbols))
		input->filters = filters_resolve(run, input->symbols);
	return input->filters || !symbols_have_image(input->symbols) ? GPROFX_OK : GPROFX_FAILED;
}

static enum gprofx_result
read_profiles(struct run *run, struct plugin *reader, struct emit_plan *plan, struct input *input)
{
	enum gprofx_result result = input_read_profiles(run, reader, input->scan, input->profile);
	enum gprofx_result listed;

	if (input_makes_partial(run))
		return result;
	for (struct profile *i = input->profile; i && result == GPROFX_OK; i = i->next_run) {
		result = metrics_expect_chosen(run, i);
		if (result == GPROFX_OK)
			result = phases_expect_chosen(run, i);
	}
	if (result == GPROFX_OK)
		result = metrics_compare_runs(run, input->profile);
	if (result == GPROFX_OK && !profile_writes_sum_only(run->settings))
		result = name_stubs(run, input);
	if (result == GPROFX_OK)
		result = add_images(run, input);
	if (result == GPROFX_OK && !profile_writes_sum_only(run->settings))
		result = ask_code(run, input);
	/* Symbols do not get other numbers any more. */
	if (result == GPROFX_OK)
		result = place_stacks(run, input);
	if (result == GPROFX_OK)
		result = filters_tell(run, input->symbols, input->filters,
		                      (plan->possible_parts & GPROFX_PART_INLINED) != 0 &&
		                              run_corrects(run, GPROFX_CORRECT_INLINED));
	/* What was read is listed even if the rest could not be. */
	listed = emit_files(run, plan, input->symbols, input->profile);
	return result == GPROFX_OK ? listed : result;
}

/* Calls in the code that never happened are arcs, too, of all runs. */
static void
add_static_calls(struct run *run, const struct input *input, struct graph *first)
{
	struct static_calls calls;

	if (!input->scanner)
		return;
	calls = static_find_calls(run, input->scanner, first->filters, input->profile);
	for (struct graph *graph = first->next_run; graph; graph = graph->next_run) {
		struct static_calls copy = {.count = calls.count};

		memory_array(run, copy.items, calls.count);
		if (calls.count > 0)
			memcpy(copy.items, calls.items, calls.count * sizeof *calls.items);
		graph_add_static_calls(run, graph, &copy);
	}
	graph_add_static_calls(run, first, &calls);
}

/* What a run spent in which function, and the calls that it has. */
static struct graph *
begin_graph(struct run *run, const struct input *input, struct profile *profile,
            const struct attribution *attribution)
{
	const struct engine_settings *settings = run->settings;
	struct graph *graph = graph_new(run, input->symbols, input->filters);

	graph->scan = input->scan;
	if (profile->stacks.is_there)
		graph_credit_stacks(run, graph, &profile->stacks);
	else if (!profile_writes_sum_only(settings))
		graph_credit_samples(run, graph, profile);
	/* A sum has the arcs as they were recorded. */
	if (settings->sum_file && !settings->sum_as_gprof)
		profile_keep_arcs(run, profile);
	/* Call sites are those of their true callers before they become arcs. */
	attribution_apply(run, attribution, profile);
	graph->lacks_calls = profile->stacks.is_there && !profile->has_arcs &&
	                     profile->call_count == 0 && profile->stacks.calls.count == 0;
	profile->lacks_counts = graph->lacks_calls && !profile->has_blocks && !profile->has_source;
	graph->pairs = graph_take_calls(run, input->symbols, profile);
	return graph;
}

/* Times of functions and calls between them, from what was read: of the first run, and so on. */
static struct graph *
make_graph(struct run *run, const struct input *input, uint32_t possible_parts)
{
	const struct engine_settings *settings = run->settings;
	struct profile *profile = input->profile;
	struct graph *first = begin_graph(run, input, profile, input->attribution[0]);
	struct graph *last = first;

	for (uint32_t i = 1; profile->next_run; i++) {
		profile = profile->next_run;
		last->next_run = begin_graph(run, input, profile, input->attribution[i]);
		last = last->next_run;
	}
	first->wants_order = settings->static_calls || (possible_parts & GPROFX_PART_ORDER) != 0;
	graph_join_runs(run, first, input->profile);
	profile = input->profile;
	last = first;
	do {
		graph_add_arcs(run, last, profile);
		profile = profile->next_run;
		last = last->next_run;
	} while (last);
	if (settings->by_line) {
		if (profile_has_block_calls(input->profile))
			scan_find_blocks(run, input->scan, input->symbols);
		graph_add_blocks(run, first, input->profile);
	}
	return first;
}

/* Makes the graph complete: calls in the code, cycles, and times that callers are charged with. */
static void
finish_graph(struct run *run, const struct input *input, struct graph *first)
{
	struct graph *graph = first;
	bool has_graph = false;
	uint32_t number = 0;

	add_static_calls(run, input, first);
	has_graph = input->scanner && first->arc_count > 0;
	has_graph = has_graph || input->profile->has_arcs || input->profile->stacks.is_there;
	for (struct profile *i = input->profile; i; i = i->next_run)
		i->has_graph = has_graph;
	do {
		attribution_mark(run, input->attribution[number++], graph);
		if (has_graph)
			graph_analyse(run, graph);
		graph_forget_way(run, graph);
		graph = graph->next_run;
	} while (graph);
}

/*
 * Whether threads may have lost calls.  Where there is no account, nothing is said about them, nor
 * in tables that are gprof's to the byte.
 */
static bool
can_start_threads(const struct run *run, const struct input *input,
                  const struct gprofx_account *account)
{
	if (run->settings->bytes_as_gprof)
		return false;
	if (input->findings[0])
		return findings_starter(input->findings[0]) != NULL;
	return account && input->profile->has_arcs &&
	       findings_find_starter(input->symbols, input->profile);
}

/* The report, of which nothing changes afterwards; NULL: a part of it could not be made. */
static struct report_model *
make_report(struct run *run, const struct input *input, struct graph *graph,
            const struct emit_plan *plan, const struct sliced *sliced,
            const struct gprofx_account *account)
{
	uint32_t parts = plan->parts;
	struct report_model *model = report_build(run, input->symbols, input->profile, graph,
	                                          parts);
	struct gprofx_report_findings *found = &model->parts.findings;

	for (uint32_t kinds = 1; sliced && kinds < SLICE_COMBINATIONS; kinds++)
		if (plan->slices[kinds]) {
			model->parts.slices[kinds] = report_slices(run, sliced, kinds);
			if (parts & GPROFX_PART_SLICE_TABLES)
				slice_tables_make(run, &model->parts.slices[kinds],
				                  input->profile->slices.found, &model->parts,
				                  input->filters);
		}
	found->account = account;
	found->finding = findings_list_runs(run, input->findings,
	                                    run->settings->further_run_count + 1, &found->count);
	found->can_start_threads = can_start_threads(run, input, account);
	symbols_keep_inlined(run, input->symbols,
	                     input->filters ? input->filters->inlined_code : NULL);
	if (input->filters)
		input->filters->inlined_code = NULL;
	if (parts & GPROFX_PART_SOURCE)
		source_report(run, input->symbols, input->filters, input->scan, input->profile,
		              (parts & GPROFX_PART_SOURCE_TIMES) != 0, model);
	if (parts & GPROFX_PART_STATED)
		model->stated = report_stated(run, model, input->profile);
	contexts_report(run, input->profile, plan->context_forms, model);
	contexts_report_inlined(run, input->profile, input->filters, parts, model);
	symbols_drop_inlined(run, input->symbols);
	if (input->statistics &&
	    statistics_report(input->statistics, input->profile, input->attribution[0],
	                      input->needs_no_statistics, &model->parts) != GPROFX_OK)
		return NULL;
	return model;
}

/* The graph becomes a report, which is written. */
static enum gprofx_result
write_report(struct run *run, struct input *input, struct emit_plan *plan, struct graph *graph,
             struct gprofx_report **made)
{
	const struct gprofx_account *account;
	const struct profile *profile = input->profile;
	struct report_model *model;
	const struct sliced *sliced = NULL;
	enum gprofx_result chosen;
	uint32_t number = 1;

	if (input->needs_no_statistics && input->profile->stacks.is_there)
		forget_statistics(input);
	if (input->statistics)
		statistics_divide(input->statistics, input->profile);
	if (run->settings->report_slices != 0 || input->profile->slices.found != 0 ||
	    slices_are_by_file(profile))
		sliced = slices_credit(run, input->symbols, input->filters, input->scan,
		                       input->profile, input->attribution[0]);
	if (input->statistics && slices_are_by_file(profile))
		statistics_take_slices(input->statistics, input->profile, sliced);
	if (!(plan->possible_parts & (GPROFX_PART_SOURCE_TIMES | GPROFX_PART_HEAVY_INLINED)) &&
	    !(plan->possible_contexts & GPROFX_CONTEXTS_INLINED) &&
	    (!input->filters || input->filters->inlined_count == 0))
		for (struct profile *i = input->profile; i; i = i->next_run)
			profile_release_bins(run, i);
	finish_graph(run, input, graph);
	/* Times and calls are final. */
	chosen = emit_choose(run, input->profile, plan);
	if (run_corrects(run, GPROFX_CORRECT_EXACT_BINS))
		symbols_find_needed(run, input->symbols);
	account = report_account(run, input->symbols, input->profile, graph);
	findings_inspect_account(input->findings[0], graph, account);
	for (const struct graph *i = graph->next_run; i && profile; i = i->next_run) {
		profile = profile->next_run;
		findings_inspect_account(input->findings[number++], i,
		                         report_account(run, input->symbols, profile, i));
	}
	findings_tell(input->findings[0], graph,
	              chosen == GPROFX_OK ? emit_listings(run, plan) : 0);
	if (chosen != GPROFX_OK)
		return chosen;
	model = make_report(run, input, graph, plan, sliced, account);
	if (!model)
		return GPROFX_FAILED;
	*made = &model->public;
	return emit_all(run, plan, model);
}

/* The settings are final, and everything is read: what follows is to be written. */
static enum gprofx_result
write_all(struct run *run, struct input *input, struct emit_plan *plan, struct gprofx_report **made)
{
	const struct engine_settings *settings = run->settings;
	bool has_report = !profile_writes_sum_only(settings);
	enum gprofx_result result = GPROFX_OK;
	const struct profile *profile = input->profile;
	struct graph *graph = NULL;
	uint32_t number = 0;

	/* All input is still by address. */
	if (has_report) {
		if (symbols_have_image(input->symbols))
			executions_match(run, input->symbols, input->profile);
		do {
			scan_find_counting_call(input->scan, profile);
			if (findings_need_imports(run, profile))
				scan_find_imports(run, input->scan, input->symbols);
			input->findings[number] = findings_inspect(run, input->scan, profile,
			                                           &input->fit[number]);
			profile = profile->next_run;
			number++;
		} while (profile);
	}
	if (!input->findings[0])
		recording_warn_of_losses(run, input->profile);
	if (has_report || settings->sum_as_gprof)
		graph = make_graph(run, input, plan->possible_parts);
	if (settings->sum_file)
		result = refuse_sum(run, input->symbols, input->profile);
	if (settings->sum_file && result == GPROFX_OK)
		result = profile_write_sum(run, input->symbols, input->profile, graph);
	/* Even if a sum is all: GNU gprof reports that it does not know the machine. */
	if (result == GPROFX_OK && graph && symbols_have_image(input->symbols))
		input->scanner = scan_open(run, input->symbols, input->profile);
	if (result == GPROFX_OK && has_report && graph)
		result = write_report(run, input, plan, graph, made);
	return result;
}

/* Gives what was read to who wants it. */
static enum gprofx_result
give_partial(struct run *run, const struct profile *profile)
{
	static const char failure[] = "partial.write-failed";
	const char *name = run->settings->partial_file;
	struct gprofx_diagnostic diagnostic = {
		.id = failure,
		.hint = "check whether the other process is still there",
	};
	struct writer *writer;

	if (run->frontend->take_partial) {
		int error = run->frontend->take_partial(run->frontend->opaque, profile->partial,
		                                        profile->partial_bytes);

		diagnostic.system_error = error;
		return error == 0 ? GPROFX_OK
		                  : run_fail(run, &diagnostic,
		                             "cannot pass on the partial profile: %s",
		                             strerror(error));
	}
	run_doing(run, "writing %s", name);
	writer = writer_to_file(run, name, failure);
	if (!writer)
		return GPROFX_FAILED;
	gprofx_put(&writer->public, (const char *)profile->partial, profile->partial_bytes);
	run_doing_nothing(run);
	return writer_close(run, writer, true);
}

enum gprofx_result
pipeline_run(struct run *run, void *report_made)
{
	struct gprofx_report **made = report_made;
	struct input input = {0};
	struct emit_plan plan = {0};
	struct plugin *reader = NULL;
	enum gprofx_result result = settle(run);

	*made = NULL;
	if (result == GPROFX_OK)
		result = load_program(run, &input);
	if (result == GPROFX_OK)
		result = input_choose_reader(run, &reader);
	if (result == GPROFX_OK)
		result = emit_open(run, &plan);
	if (result == GPROFX_OK)
		result = prepare_profile(run, &plan, &input);
	if (result == GPROFX_OK)
		result = read_profiles(run, reader, &plan, &input);
	if (result != GPROFX_OK || input_makes_partial(run))
		forget_statistics(&input);
	if (result == GPROFX_OK && input_makes_partial(run))
		return give_partial(run, input.profile);
	return result == GPROFX_OK ? write_all(run, &input, &plan, made) : result;
}

bool
engine_run(const struct engine_settings *settings, const struct engine_frontend *frontend)
{
	struct gprofx_report *made;

	return run_whole(settings, frontend, pipeline_run, &made);
}
