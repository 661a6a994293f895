/* SPDX-License-Identifier: Apache-2.0 */
#include "emit/emit.h"

#include <string.h>

#include "base/memory.h"
#include "schema/schema.h"
#include "emit/standard.h"
#include "emit/targets.h"
#include "emit/writer.h"
#include "plugin/emitters.h"
#include "plugin/plugins.h"
#include "report/printable.h"
#include "report/view.h"
#include "statistics/statistics.h"
#include "symbols/symbols.h"

enum {
	MOST_OUTPUTS = 256 /* each costs a whole report; people ask for a handful */
};

/* What a profile must have for a listing. */
enum need { NEEDS_NOTHING, NEEDS_SAMPLES, NEEDS_ARCS };

#define NOTHING .need = NEEDS_NOTHING
#define SAMPLES(subject, advice) .need = NEEDS_SAMPLES, .what = (subject), .hint = (advice)
#define ARCS(subject, advice) .need = NEEDS_ARCS, .what = (subject), .hint = (advice)
#define ENGINE_LISTING(NAME, word, ...) \
	{.listing = ENGINE_LIST_##NAME, .format = (word), __VA_ARGS__},

static const struct {
	uint32_t listing;
	const char *format;
	enum need need;
	const char *what, *hint; /* of the message when it is not there */
} own_formats[] = {
#include "listings.def"
};

const char *
emit_own_format(uint32_t i, uint32_t listings)
{
	for (uint32_t k = 0; k < ENGINE_LISTING_COUNT; k++)
		if ((listings & own_formats[k].listing) && i-- == 0)
			return own_formats[k].format;
	return NULL;
}

/* The listing that an output stands for when it goes to standard output, or 0. */
static uint32_t
listing_of(const struct engine_output *output)
{
	for (uint32_t i = 0; i < ENGINE_LISTING_COUNT; i++)
		if (strcmp(output->format, own_formats[i].format) == 0)
			return own_formats[i].listing;
	return 0;
}

/*
 * The listings on standard output.  When none was asked for they follow from the data, less those
 * that were switched off by name.
 */
static uint32_t
choose_listings(const struct engine_settings *settings, const struct profile *profile)
{
	uint32_t listings = settings->listings;

	if (listings == 0 && settings->output_count == 0 && !settings->sum_file &&
	    !statistics_is_aim(settings)) {
		listings = (profile->has_histogram ? (uint32_t)ENGINE_LIST_FLAT : 0) |
		           (profile->has_graph ? (uint32_t)ENGINE_LIST_GRAPH : 0);
		if (listings == 0)
			listings = ENGINE_LIST_COUNTS;
		listings &= ~settings->listings_named;
	}
	for (uint32_t i = 0; i < settings->output_count; i++)
		if (!settings->outputs[i].file)
			listings |= listing_of(&settings->outputs[i]);
	return listings;
}

/* Tells of the first of these listings that needs what the profile does not have. */
static enum gprofx_result
check_need(struct run *run, uint32_t listings, enum need need)
{
	struct gprofx_diagnostic diagnostic = {.id = "report.no-arcs"};
	const char *expected = "arcs";

	if (need == NEEDS_SAMPLES) {
		diagnostic.id = "report.no-histogram";
		expected = "a histogram";
	}
	for (uint32_t i = 0; i < ENGINE_LISTING_COUNT; i++) {
		diagnostic.hint = own_formats[i].hint;
		if (own_formats[i].need == need && (listings & own_formats[i].listing))
			return run_fail(run, &diagnostic, "expected %s for %s, found none",
			                expected, own_formats[i].what);
	}
	return GPROFX_OK;
}

static enum gprofx_result
check_data(struct run *run, const struct profile *profile, uint32_t listings)
{
	enum gprofx_result result = GPROFX_OK;

	if (!profile->has_histogram)
		result = check_need(run, listings, NEEDS_SAMPLES);
	if (result == GPROFX_OK && !profile->has_graph)
		result = check_need(run, listings, NEEDS_ARCS);
	return result;
}

/* The same for files that an emitter writes beside its report. */
static enum gprofx_result
check_beside(struct run *run, const void *plan, const char *file)
{
	return emit_check_file(run, plan, file);
}

static enum gprofx_result
fail_not_installed(struct run *run, const struct engine_output *output)
{
	const char *where = text_format(run,
	                                "--list-plugins shows the formats that are there; the "
	                                "package gprofx-%s may add this one",
	                                plugin_of_format(run, PLUGIN_EMITTER, output->format));
	const char *meant = plugin_nearest_format(run, PLUGIN_EMITTER, output->format);
	struct gprofx_diagnostic diagnostic = {
		.id = "emitter.not-installed",
		.hint = schema_meant(run, meant, where),
		.text = {output->format, meant},
	};

	run_set_place(&diagnostic, &output->origin);
	return run_fail(run, &diagnostic,
	                "expected an emitter for the format \"%s\", but none is installed",
	                output->format);
}

/* parts: what the emitter is to write of its listing, or NULL: what its options say. */
static enum gprofx_result
add_job(struct run *run, struct emit_plan *plan, const struct engine_output *output,
        const char *parts)
{
	bool broken;
	struct plugin *emitter = plugin_by_format(run, PLUGIN_EMITTER, output->format, &broken);
	struct emit_job *job = &plan->jobs[plan->count];
	const struct engine_option parts_option = {.key = "parts", .value = parts};
	const char *file = output->file;

	if (!emitter)
		return broken ? GPROFX_FAILED : fail_not_installed(run, output);
	*job = (struct emit_job){.emitter = emitter, .options = emitter->options, .file = file};
	if ((parts || output->option_count > 0) &&
	    plugin_make_options(run, emitter, output, &job->options) != GPROFX_OK)
		return GPROFX_FAILED;
	if (parts && plugin_set_option(run, emitter, job->options, &parts_option) == GPROFX_FAILED)
		return GPROFX_FAILED;
	if (file && emit_check_file(run, plan, file) != GPROFX_OK)
		return GPROFX_FAILED;
	if (plugin_needs(run, emitter, job->options, &job->needs) != GPROFX_OK)
		return GPROFX_FAILED;
	plan->count++;
	plan->parts |= job->needs.parts;
	plan->shown_parts |= job->needs.parts | job->needs.also;
	return GPROFX_OK;
}

/* The output of the settings that stands for a listing on standard output, or NULL. */
static const struct engine_output *
output_of_listing(const struct engine_settings *settings, uint32_t listing)
{
	for (uint32_t i = 0; i < settings->output_count; i++)
		if (!settings->outputs[i].file && listing_of(&settings->outputs[i]) == listing)
			return &settings->outputs[i];
	return NULL;
}

static enum gprofx_result
add_listing(struct run *run, struct emit_plan *plan, enum engine_listing_number number,
            const char *parts)
{
	const struct engine_output own = {.format = own_formats[number].format};
	const struct engine_output *output = output_of_listing(run->settings,
	                                                       own_formats[number].listing);

	return add_job(run, plan, output ? output : &own, parts);
}

/* The listings in the order of the table; the list of files is there already. */
static enum gprofx_result
add_listings(struct run *run, struct emit_plan *plan, uint32_t listings)
{
	bool graph_first = (listings & ENGINE_LIST_GRAPH) && run->settings->traditional;
	enum gprofx_result result = GPROFX_OK;

	if (graph_first)
		result = add_listing(run, plan, ENGINE_LISTING_GRAPH, "graph");
	for (uint32_t i = 0; result == GPROFX_OK && i < ENGINE_LISTING_COUNT; i++) {
		uint32_t listing = own_formats[i].listing & listings;

		if (listing && listing != ENGINE_LIST_FILES)
			result = add_listing(run, plan, i,
			                     listing == ENGINE_LIST_GRAPH && graph_first ? "index"
			                                                                 : NULL);
	}
	return result;
}

/*
 * Whether an output is more than one of gprof's listings, once each, on standard output: one that
 * stands there again is the same, unless it has options of its own.
 */
static bool
is_separate(const struct engine_settings *settings, const struct engine_output *output)
{
	uint32_t listing = listing_of(output);

	return output->file || listing == 0 ||
	       (output->option_count > 0 && output_of_listing(settings, listing) != output);
}

/* The emitters of the plan, each once. */
static const struct plugin **
list_emitters(struct run *run, const struct emit_plan *plan, uint32_t *count)
{
	const struct plugin **emitters;

	*count = 0;
	emitters = memory_alloc_array(run, sizeof(const struct plugin *), plan->count);
	for (uint32_t i = 0; i < plan->count; i++) {
		uint32_t k = 0;

		while (k < *count && emitters[k] != plan->jobs[i].emitter)
			k++;
		if (k == *count)
			emitters[(*count)++] = plan->jobs[i].emitter;
	}
	return emitters;
}

/* Options that somebody asked for must not go by unheard. */
static enum gprofx_result
check_options(struct run *run, const struct emit_plan *plan)
{
	const struct engine_settings *settings = run->settings;
	const struct plugin **emitters = NULL;
	enum gprofx_result result = GPROFX_OK;
	uint32_t count = 0;

	for (uint32_t i = 0; i < settings->emitter_option_count; i++) {
		const struct engine_option *option = &settings->emitter_options[i];
		struct gprofx_diagnostic diagnostic = {
			.id = "option.unused",
			.hint = "ask for an output of that format, or leave the option out",
			.text = {option->key, option->format},
		};
		bool is_taken = !option->is_asked_for;

		if (!emitters)
			emitters = list_emitters(run, plan, &count);
		for (uint32_t k = 0; k < count && !is_taken; k++)
			is_taken = plugin_takes_option(emitters[k], option);
		if (is_taken)
			continue;
		if (option->format)
			run_warn(
				run, &diagnostic,
				"expected an output of the format %s for the option %s, found none",
				option->format, option->key);
		else
			result = plugin_unknown_option(run, emitters, count, option);
	}
	return result;
}

enum gprofx_result
emit_choose(struct run *run, const struct profile *profile, struct emit_plan *plan)
{
	const struct engine_settings *settings = run->settings;
	uint32_t listings = choose_listings(settings, profile), wanted = listings;
	enum gprofx_result result;

	plan->profile = profile;
	for (uint32_t i = 0; i < settings->output_count; i++)
		wanted |= listing_of(&settings->outputs[i]);
	result = check_data(run, profile, wanted);
	if (result == GPROFX_OK)
		result = add_listings(run, plan, listings);
	for (uint32_t i = 0; result == GPROFX_OK && i < settings->output_count; i++) {
		const struct engine_output *output = &settings->outputs[i];

		if (is_separate(settings, output))
			result = add_job(run, plan, output, NULL);
	}
	/* What was asked for has to stand somewhere. */
	if (result == GPROFX_OK && settings->per_file &&
	    !(plan->shown_parts & GPROFX_PART_PER_FILE)) {
		result = check_data(run, profile, ENGINE_LIST_PER_FILE);
		if (result == GPROFX_OK)
			result = add_listing(run, plan, ENGINE_LISTING_PER_FILE, NULL);
	}
	if (result == GPROFX_OK)
		result = emit_check_standard(run, plan);
	return result == GPROFX_OK ? check_options(run, plan) : result;
}

/* Whether the list of files is to stand on standard output. */
static bool
lists_files(const struct engine_settings *settings)
{
	return (settings->listings & ENGINE_LIST_FILES) != 0 ||
	       output_of_listing(settings, ENGINE_LIST_FILES);
}

static enum gprofx_result
check_count(struct run *run)
{
	const struct engine_settings *settings = run->settings;
	const struct gprofx_diagnostic diagnostic = {
		.id = "output.too-many",
		.hint = "ask for fewer at a time",
	};

	if (settings->output_count <= MOST_OUTPUTS)
		return GPROFX_OK;
	return run_fail(run, &diagnostic, "expected at most %d outputs, found %lu", MOST_OUTPUTS,
	                (unsigned long)settings->output_count);
}

/* What an emitter needs for an output; false: it is there, and cannot be used. */
static bool
note_parts(struct run *run, struct emit_plan *plan, const struct engine_output *output,
           struct emit_job *job)
{
	bool broken;

	/* One that is not installed is reported when it is needed. */
	job->emitter = plugin_by_format(run, PLUGIN_EMITTER, output->format, &broken);
	if (!job->emitter)
		return !broken;
	job->options = job->emitter->options;
	job->file = output->file;
	if (output->option_count > 0 &&
	    plugin_make_options(run, job->emitter, output, &job->options) != GPROFX_OK)
		return false;
	if (plugin_needs(run, job->emitter, job->options, &job->needs) != GPROFX_OK)
		return false;
	plan->possible_parts |= job->needs.parts;
	return true;
}

enum gprofx_result
emit_open(struct run *run, struct emit_plan *plan)
{
	const struct engine_settings *settings = run->settings;
	uint32_t listings = settings->listings & ~(uint32_t)ENGINE_LIST_FILES;
	const char *format;
	struct emit_plan early;

	*plan = (struct emit_plan){
		.parts = settings->report_parts,
		.shown_parts = settings->report_parts,
		.possible_parts = settings->report_parts |
	                          (settings->per_file ? (uint32_t)GPROFX_PART_PER_FILE : 0),
	};
	if (check_count(run) != GPROFX_OK || emit_check_sum(run) != GPROFX_OK)
		return GPROFX_FAILED;
	memory_array(run, plan->jobs, (size_t)settings->output_count + EMIT_MOST_OWN_JOBS);
	if (lists_files(settings)) {
		if (add_listing(run, plan, ENGINE_LISTING_FILES, NULL) != GPROFX_OK)
			return GPROFX_FAILED;
		plan->possible_parts |= plan->parts;
	}
	for (uint32_t i = 0; (format = emit_own_format(i, listings)) != NULL; i++) {
		const struct engine_output own = {.format = format};
		struct emit_job job = {NULL};

		if (!note_parts(run, plan, &own, &job))
			return GPROFX_FAILED;
	}
	early = *plan;
	memory_array(run, early.jobs, (size_t)settings->output_count + 1);
	early.jobs[0] = plan->jobs[0];
	for (uint32_t i = 0; i < settings->output_count; i++) {
		const struct engine_output *output = &settings->outputs[i];
		struct emit_job job = {NULL};

		if (!note_parts(run, plan, output, &job))
			return GPROFX_FAILED;
		if (job.emitter && is_separate(settings, output))
			early.jobs[early.count++] = job;
	}
	/* The list of files is written before the rest is known. */
	return early.count > 0 ? emit_check_standard(run, &early) : GPROFX_OK;
}

/* A report, and what most emitters see of it, once one asks. */
struct source {
	const struct report_model *model;
	struct report_model *printable;
};

/* What texts an emitter gets to see: most write names as they are. */
static const struct report_model *
model_for(struct run *run, const struct emit_job *job, const struct writer *writer,
          struct source *source)
{
	if (writer->is_raw || (job->needs.traits & GPROFX_EMITTER_BYTES))
		return source->model;
	if (!source->printable)
		source->printable = report_printable(run, source->model);
	return source->printable;
}

static enum gprofx_result
run_job(struct run *run, const struct emit_plan *plan, const struct emit_job *job,
        struct source *source, struct writer *writer)
{
	struct report_view view;
	const struct gprofx_emission emission = {
		.size = sizeof emission,
		.report = &view.public,
		.writer = &writer->public,
	};
	enum gprofx_result result;

	writer->check = check_beside;
	writer->context = plan;
	report_show(&view, model_for(run, job, writer, source), job->needs.parts | job->needs.also);
	run_doing(run, "writing %s with %s", job->file ? job->file : "standard output",
	          job->emitter->descriptor.name);
	result = job->emitter->emitter.emit(&run->gx, &emission, job->options);
	run_doing_nothing(run);
	return result == GPROFX_OK ? GPROFX_OK : GPROFX_FAILED;
}

static struct writer *
standard_of(struct run *run, struct emit_plan *plan)
{
	if (!plan->standard)
		plan->standard = writer_to_standard_output(run);
	return plan->standard;
}

enum gprofx_result
emit_files(struct run *run, struct emit_plan *plan, const struct symbols *symbols,
           const struct profile *profile)
{
	struct emit_job *job = &plan->jobs[0];
	struct source source = {0};
	enum gprofx_result result;

	/* One that looks at more has to wait for it. */
	if (plan->count == 0 || job->needs.parts != GPROFX_PART_FILES || job->needs.also != 0)
		return GPROFX_OK;
	job->is_done = true;
	source.model = report_build_files(run, symbols, profile);
	result = run_job(run, plan, job, &source, standard_of(run, plan));
	writer_flush(plan->standard);
	return result;
}

enum gprofx_result
emit_all(struct run *run, struct emit_plan *plan, const struct report_model *model)
{
	struct writer *standard = standard_of(run, plan);
	struct source source = {.model = model};
	enum gprofx_result result = GPROFX_OK;

	for (uint32_t i = 0; i < plan->count; i++) {
		const struct emit_job *job = &plan->jobs[i];
		struct writer *file;
		enum gprofx_result own;

		if (job->is_done)
			continue;
		if (!job->file) {
			if (run_job(run, plan, job, &source, standard) != GPROFX_OK)
				result = GPROFX_FAILED;
			continue;
		}
		if (model->symbols)
			symbols_note_source(run, model->symbols, job->file);
		file = writer_to_file(run, job->file, "output.write-failed");
		if (!file) {
			result = GPROFX_FAILED;
			continue;
		}
		own = run_job(run, plan, job, &source, file);
		if (writer_close(run, file, own == GPROFX_OK) != GPROFX_OK || own != GPROFX_OK)
			result = GPROFX_FAILED;
	}
	return writer_close(run, standard, true) == GPROFX_OK ? result : GPROFX_FAILED;
}
