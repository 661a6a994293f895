/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Two sides are compared: each is a run of the engine with a report of its own, and a third run
 * makes one report of both and writes it.
 */
#include "base/hash.h"
#include "base/inputs.h"
#include "base/memory.h"
#include "base/run.h"
#include "compare/compare.h"
#include "config/config.h"
#include "corrections/corrections.h"
#include "emit/emit.h"
#include "input/input.h"
#include "input/parts.h"
#include "input/recording.h"
#include "report/model.h"

enum { SAID_AT_MOST = 256 };

/* What was said already, so that the runs of both sides do not repeat it. */
struct comparing {
	struct engine_comparison *comparison;
	const struct engine_frontend *frontend; /* of the whole */
	struct run *run;
	const char *side;            /* the name of that which is analysed */
	struct engine_frontend once; /* of the sides */
	uint64_t said[SAID_AT_MOST]; /* hashes */
	uint32_t said_count;
};

/* What a diagnostic says, and about what: others can say the same about another file. */
static uint64_t
hash_of(const struct gprofx_diagnostic *diagnostic, const char *message)
{
	uint64_t factor = hash_factor(), hash = hash_text(message, factor);
	const uint64_t place[] = {
		hash_text(diagnostic->id, factor),
		diagnostic->file ? hash_text(diagnostic->file, factor) : 0,
		diagnostic->place,
		diagnostic->place == GPROFX_AT_OFFSET ? diagnostic->offset : 0,
		diagnostic->place == GPROFX_AT_LINE ? diagnostic->line : 0,
	};

	for (size_t i = 0; i < sizeof place / sizeof place[0]; i++)
		hash = hash_word(hash ^ place[i], factor);
	return hash;
}

static void
diagnose_once(void *opaque, enum engine_severity severity,
              const struct gprofx_diagnostic *diagnostic, const char *message, const char *doing)
{
	struct comparing *comparing = opaque;
	uint64_t words = hash_of(diagnostic, message);

	for (uint32_t i = 0; severity == ENGINE_WARNING && i < comparing->said_count; i++)
		if (comparing->said[i] == words)
			return;
	if (comparing->said_count < SAID_AT_MOST)
		comparing->said[comparing->said_count++] = words;
	comparing->frontend->diagnose(comparing->frontend->opaque, severity, diagnostic, message,
	                              doing);
}

static void
trace(void *opaque, const char *line)
{
	const struct comparing *comparing = opaque;

	comparing->frontend->trace(comparing->frontend->opaque, line);
}

/* Sides write nothing. */
static int
write_nothing(void *opaque, const void *bytes, size_t count)
{
	(void)opaque;
	(void)bytes;
	(void)count;
	return 0;
}

/* What is found about a side as a whole is said with its name. */
static void
find(void *opaque, const struct engine_findings *findings)
{
	const struct comparing *comparing = opaque;
	struct engine_findings of_side = *findings;
	struct gprofx_finding *named;

	memory_array(comparing->run, named, (size_t)findings->finding_count + 1);
	for (uint32_t i = 0; i < findings->finding_count; i++) {
		named[i] = findings->findings[i];
		if (!named[i].file)
			named[i].file = comparing->side;
	}
	of_side.findings = named;
	comparing->frontend->find(comparing->frontend->opaque, &of_side);
	memory_release(comparing->run, named);
}

static void
end_analysis(struct run *run, void *analysis)
{
	(void)run;
	engine_analysis_end(analysis);
}

/* The settings of a side. */
static void
set_side(struct engine_settings *settings, const struct engine_side *side, const char *const *names,
         uint32_t count)
{
	settings->image = side->image;
	settings->program_is_optional = !side->image;
	settings->profiles = names;
	settings->profile_count = count;
	settings->profiles_are_named = true;
	settings->profiles_are_found = false;
	settings->recording = NULL;
	settings->run_label = names[0];
	settings->further_runs = NULL;
	settings->further_run_count = 0;
	/* Functions that did not run are on one side, too. */
	settings->show_unused = true;
	settings->report_parts = COMPARE_PARTS;
	settings->report_is_unordered = true;
	settings->report_contexts = settings->report_slices = 0;
	settings->listings = NULL;
	settings->outputs = NULL;
	settings->listing_count = settings->output_count = 0;
	settings->options = settings->emitter_options = NULL;
	settings->option_count = settings->emitter_option_count = 0;
	engine_give(settings, ENGINE_SET_OUTPUTS);
}

/* Profiles are repetitions: each is a run of its own. */
static void
set_runs(struct run *run, struct engine_settings *settings, const char *const *names,
         uint32_t count)
{
	struct engine_run *further;

	memory_array(run, further, count);
	settings->profile_count = 1;
	for (uint32_t i = 1; i < count; i++)
		further[i - 1] = (struct engine_run){names[i], &names[i], 1};
	settings->further_runs = further;
	settings->further_run_count = count - 1;
}

/* No output may replace what is compared. */
static void
note_inputs(struct run *run, const struct engine_side *side, const char *const *names,
            uint32_t count)
{
	if (side->image)
		inputs_note_name(run, side->image, "the program");
	for (uint32_t i = 0; i < count; i++) {
		const struct recording recording = recording_read(run, names[i], false);

		inputs_note_name(run, names[i], "a profile");
		parts_note(run, names[i]);
		for (uint32_t k = 0; k < recording.count; k++)
			inputs_note_name(run, recording.rows[k].file, "a profile");
	}
}

/* Files of images are of the runs of the sides. */
static void
note_images(struct run *run, const struct gprofx_report *report)
{
	for (uint32_t i = 0; i < report->origin->image_count; i++) {
		const struct gprofx_code_image *image = gprofx_image_at(report, i);

		if (image->names_from == GPROFX_NAMES_OF_FILE && image->path)
			inputs_note_name(run, image->path, "a file that the profiles name");
		if (image->symbols_file)
			inputs_note_name(run, image->symbols_file, "a file of symbols");
	}
}

static const struct gprofx_report *
analyse(struct comparing *comparing, const struct engine_settings *settings, const char *side)
{
	struct run *run = comparing->run;
	const struct gprofx_report *report;
	struct engine_analysis *analysis;

	comparing->side = side;
	analysis = engine_analyse(settings, &comparing->once);
	if (!analysis) {
		/* It was reported, but not in this run. */
		run->error_count++;
		return NULL;
	}
	run_close_later(run, end_analysis, analysis);
	report = engine_analysis_report(analysis);
	note_images(run, report);
	return report;
}

static bool
wants_lines(const struct emit_plan *plan)
{
	return (plan->shown_parts & GPROFX_PART_COMPARED_LINES) != 0;
}

/* What reports have of all their runs as one only. */
static void
set_whole(struct engine_settings *settings, const struct emit_plan *plan)
{
	if (plan->context_forms != 0)
		settings->report_contexts = GPROFX_CONTEXTS;
	if (wants_lines(plan))
		settings->report_parts |= COMPARE_LINE_PARTS;
}

/* A side that was analysed. */
struct analysed {
	const struct engine_side *side;
	struct engine_settings *settings; /* of all its runs as one */
	const char *const *names;
	uint32_t count;
};

/* The report of a side, by run; NULL: it cannot be made. */
static const struct gprofx_report *
analyse_runs(struct comparing *comparing, const struct engine_side *side,
             const struct emit_plan *plan, struct analysed *analysed)
{
	struct run *run = comparing->run;
	struct engine_settings *settings = memory_alloc(run, sizeof *settings);

	analysed->side = side;
	analysed->names = input_list_runs(run, side->name, &analysed->count);
	if (!analysed->names)
		return NULL;
	note_inputs(run, side, analysed->names, analysed->count);
	analysed->settings = memory_alloc(run, sizeof *analysed->settings);
	*analysed->settings = *run->settings;
	set_side(analysed->settings, side, analysed->names, analysed->count);
	*settings = *analysed->settings;
	set_runs(run, settings, analysed->names, analysed->count);
	/* Contexts and lines are those of the first run. */
	if (analysed->count == 1)
		set_whole(settings, plan);
	return analyse(comparing, settings, side->name);
}

/*
 * The report that has the contexts and lines of all runs together, and of the metric that is
 * compared.  Such a one is made where the first report is of several runs, or of another metric
 * first.
 */
static const struct gprofx_report *
analyse_sum(struct comparing *comparing, const struct emit_plan *plan,
            const struct analysed *analysed, const struct compare_side *side)
{
	if (analysed->count == 1 && side->metric->id == 0)
		return side->report;
	analysed->settings->metric = side->metric->name;
	set_whole(analysed->settings, plan);
	return analyse(comparing, analysed->settings, side->name);
}

/* Some outputs show contexts only where they were measured. */
static enum gprofx_result
check_measured(struct run *run, const struct emit_plan *plan, const struct compare_side *side)
{
	struct gprofx_diagnostic diagnostic = {
		.id = "report.lacks-contexts",
		.hint = "name profiles with call stacks on both sides, or request an output that "
			"shows estimates",
		.file = side->name,
	};

	if (!side->summed->contexts || !side->summed->contexts->is_estimated)
		return GPROFX_OK;
	for (uint32_t i = 0; i < plan->count; i++) {
		const struct emit_use *use = plan->jobs[i].use;

		if (!(use->needs.contexts & GPROFX_CONTEXTS_MEASURED))
			continue;
		diagnostic.text[0] = use->output->format;
		return run_fail(run, &diagnostic,
		                "the format \"%s\" shows measured contexts, but the profiles have "
		                "no call stacks",
		                use->output->format);
	}
	return GPROFX_OK;
}

static enum gprofx_result
sum_runs(struct comparing *comparing, const struct emit_plan *plan, const struct analysed *analysed,
         struct compare_side *side)
{
	if (plan->context_forms == 0 && !wants_lines(plan))
		return GPROFX_OK;
	side->summed = analyse_sum(comparing, plan, analysed, side);
	return side->summed ? check_measured(comparing->run, plan, side) : GPROFX_FAILED;
}

/* A limit that nothing can exceed would let everything pass. */
static void
warn_untested(struct run *run)
{
	const struct gprofx_diagnostic diagnostic = {
		.id = "diff.not-tested",
		.hint = "compare folders of repeated runs, or profiles of a format that says what a "
			"sample weighs",
	};

	run_warn(run, &diagnostic,
	         "no difference could be tested, so that none can be too large: the errors of the "
	         "values are not known");
}

static enum gprofx_result
compare(struct run *run, void *argument)
{
	struct comparing *comparing = argument;
	struct engine_comparison *comparison = comparing->comparison;
	struct compare_request request = {.normalization = comparison->normalization};
	struct emit_plan plan = {0};
	struct analysed base, now;
	const struct report_model *model;

	comparing->run = run;
	if (config_apply(run) != GPROFX_OK)
		return GPROFX_FAILED;
	corrections_choose(run);
	if (config_open_plugins(run) != GPROFX_OK || emit_open(run, &plan) != GPROFX_OK ||
	    emit_choose_comparison(run, &plan) != GPROFX_OK)
		return GPROFX_FAILED;
	request.wants_graph = compare_wants_graph(plan.parts);
	request.context_forms = plan.context_forms;
	request.wants_lines = wants_lines(&plan);
	request.base.name = comparison->base.name;
	request.base.report = analyse_runs(comparing, &comparison->base, &plan, &base);
	if (!request.base.report)
		return GPROFX_FAILED;
	request.new_side.name = comparison->new_side.name;
	request.new_side.report = analyse_runs(comparing, &comparison->new_side, &plan, &now);
	if (!request.new_side.report || !compare_find_metric(run, &request) ||
	    sum_runs(comparing, &plan, &base, &request.base) != GPROFX_OK ||
	    sum_runs(comparing, &plan, &now, &request.new_side) != GPROFX_OK)
		return GPROFX_FAILED;
	model = compare_reports(run, &request);
	if (comparison->has_limit && !compare_has_tests(model->comparison))
		warn_untested(run);
	comparison->is_slower = comparison->has_limit &&
	                        compare_is_slower(model->comparison, comparison->limit,
	                                          comparison->min_share);
	return emit_all(run, &plan, model);
}

bool
engine_compare(const struct engine_settings *settings, const struct engine_frontend *frontend,
               struct engine_comparison *comparison)
{
	struct comparing comparing = {
		.comparison = comparison,
		.frontend = frontend,
		.once = {.diagnose = diagnose_once,
	                 .trace = trace,
	                 .write = write_nothing,
	                 .find = frontend->find ? find : NULL},
	};

	comparing.once.opaque = &comparing;
	comparison->is_slower = false;
	return run_whole(settings, frontend, compare, &comparing);
}
