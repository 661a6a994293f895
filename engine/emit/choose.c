/* SPDX-License-Identifier: Apache-2.0 */
/* What is written, once it is known what the profile has. */
#include <string.h>

#include "base/memory.h"
#include "base/run.h"
#include "emit/emit.h"
#include "emit/plan.h"
#include "emit/standard.h"
#include "emit/targets.h"
#include "plugin/plugins.h"
#include "profile/profile.h"
#include "report/model.h"
#include "schema/schema.h"
#include "statistics/statistics.h"

static enum gprofx_result
fail_not_installed(struct run *run, const struct engine_output *output)
{
	static const char list[] = "use --list-plugins to see the available formats";
	const char *meant = plugin_nearest_format(run, PLUGIN_EMITTER, output->format);
	const char *plugin = plugin_of_format(run, PLUGIN_EMITTER, output->format);
	/* Which formats there are is not known here; a misspelt one has no package. */
	const char *where = meant ? list
	                          : text_format(run,
	                                        "%s; if this is a format of gprofx, it is in the "
	                                        "package gprofx-%s",
	                                        list, plugin);
	struct gprofx_diagnostic diagnostic = {
		.id = "emitter.not-installed",
		.hint = schema_meant(run, meant, where),
		.text = {output->format, meant},
	};

	run_set_place(&diagnostic, &output->origin);
	return run_fail(run, &diagnostic, "no emitter for the format \"%s\" is installed",
	                output->format);
}

/*
 * An emitter that was opened when profiles had been read already: what is gathered on the way is
 * not there.
 */
static enum gprofx_result
check_gathered(struct run *run, const struct emit_plan *plan, const struct emit_use *use)
{
	enum {
		GATHERED = GPROFX_PART_FILES | GPROFX_PART_PER_FILE | GPROFX_PART_FILE_VALUES |
		           GPROFX_PART_ORDER | GPROFX_PART_SOURCE_TIMES
	};
	uint32_t lacking = use->needs.parts & GATHERED & ~plan->possible_parts;
	const char *format = use->output->format;
	const struct gprofx_diagnostic diagnostic = {
		.id = "report.lacks-parts",
		.hint = text_format(run, "request it: --output=%s", format),
		.text = {format, NULL},
		.number = {lacking},
	};

	/* Samples of inlined subroutines are looked for in histograms that are kept for that. */
	if (lacking == 0 && (use->needs.slices == 0 || plan->slices[emit_slices(&use->needs)]) &&
	    !(use->needs.contexts & GPROFX_CONTEXTS_INLINED & ~plan->possible_contexts))
		return GPROFX_OK;
	return run_fail(run, &diagnostic,
	                "the format \"%s\" needs data that must be requested before profiles are "
	                "read: parts 0x%lx of the report",
	                format, (unsigned long)lacking);
}

/* Notes contexts that are needed, measured ones if the profile has such. */
static enum gprofx_result
add_contexts(struct run *run, struct emit_plan *plan, uint32_t contexts, const char *format)
{
	const struct gprofx_diagnostic diagnostic = {
		.id = "report.lacks-contexts",
		.hint = "name a profile with call stacks, such as folded stacks, or request an "
			"output that shows estimates",
		.text = {format, NULL},
	};

	if (contexts == 0)
		return GPROFX_OK;
	plan->context_forms |= UINT32_C(1) << report_context_form(contexts);
	/* Calls that were measured as a whole leave open what called their callers. */
	if (!(contexts & GPROFX_CONTEXTS_MEASURED) || !plan->profile ||
	    (plan->profile->stacks.is_there && plan->profile->stacks.calls.count == 0))
		return GPROFX_OK;
	if (!format)
		return run_fail(run, &diagnostic,
		                "measured contexts need call stacks, but the profiles have none");
	return run_fail(run, &diagnostic,
	                "the format \"%s\" shows measured contexts, but the profiles have no call "
	                "stacks",
	                format);
}

/* Of one report there is nothing to compare. */
static enum gprofx_result
check_comparison(struct run *run, const struct emit_plan *plan, const struct emit_use *use)
{
	struct gprofx_diagnostic diagnostic = {
		.id = "report.no-comparison",
		.hint = "write gprofx diff PROGRAM BASE NEW",
		.text = {use->output->format},
	};

	if (!plan->profile || !(use->needs.parts & GPROFX_PART_COMPARISON))
		return GPROFX_OK;
	run_set_place(&diagnostic, &use->output->origin);
	return run_fail(run, &diagnostic, "the format \"%s\" needs two profiles that are compared",
	                use->output->format);
}

enum gprofx_result
emit_add_job(struct run *run, struct emit_plan *plan, const struct emit_use *use, uint32_t listings)
{
	const char *file = use->output->file;

	if (!use->emitter)
		return fail_not_installed(run, use->output);
	if ((file && emit_check_file(run, plan, file) != GPROFX_OK) ||
	    check_comparison(run, plan, use) != GPROFX_OK ||
	    check_gathered(run, plan, use) != GPROFX_OK ||
	    add_contexts(run, plan, use->needs.contexts, use->output->format) != GPROFX_OK)
		return GPROFX_FAILED;
	plan->jobs = memory_room(run, plan->jobs, sizeof *plan->jobs, plan->count, &plan->room, 1);
	plan->jobs[plan->count++] = (struct emit_job){.use = use, .listings = listings};
	plan->parts |= use->needs.parts;
	plan->shown_parts |= use->needs.parts | use->needs.also | use->needs.parts_if_several;
	return GPROFX_OK;
}

/* What the profile has: bits of enum gprofx_profile_data. */
static uint32_t
data_of(const struct run *run, const struct profile *profile)
{
	bool keeps_blocks = run->settings->by_line && profile->block_count > 0;

	return (profile_has_times(profile) ? (uint32_t)GPROFX_DATA_TIMES : 0) |
	       (profile->has_graph ? (uint32_t)GPROFX_DATA_CALLS : 0) |
	       (profile->lacks_counts ? 0 : (uint32_t)GPROFX_DATA_COUNTS) |
	       (profile->source_count_count > 0 || keeps_blocks ? (uint32_t)GPROFX_DATA_LINES : 0);
}

/* The listings of an emitter that a profile with this data can have. */
static uint32_t
listings_with(const struct emit_use *use, uint32_t data)
{
	uint32_t listings = 0;

	for (uint32_t i = 0; i < use->emitter->emitter.listing_count; i++)
		if ((use->emitter->listings[i].data & ~data) == 0)
			listings |= UINT32_C(1) << i;
	return listings;
}

/* Reports the first listing, in the order of places, that needs what the profile does not have. */
static enum gprofx_result
check_need(struct run *run, const struct emit_use *uses, uint32_t count, uint32_t data)
{
	const struct gprofx_listing *first = NULL;
	static const struct {
		uint32_t data;
		const char *id, *words;
	} kinds[] = {
		{GPROFX_DATA_TIMES, "report.no-histogram", "a histogram"},
		{GPROFX_DATA_CALLS, "report.no-arcs", "arcs"},
		{GPROFX_DATA_COUNTS, "report.no-counts", "call counts"},
		{GPROFX_DATA_LINES, "report.no-line-counts", "counts of source lines"},
	};
	struct gprofx_diagnostic diagnostic = {.hint = NULL};
	size_t kind = 0;

	while (kinds[kind].data != data)
		kind++;
	diagnostic.id = kinds[kind].id;

	for (uint32_t i = 0; i < count; i++)
		for (uint32_t k = 0; uses[i].way != EMIT_NOT && k < GPROFX_LISTINGS_AT_MOST; k++) {
			const struct gprofx_listing *listing;

			if ((uses[i].listings >> k & 1) == 0)
				continue;
			listing = &uses[i].emitter->listings[k];
			if ((listing->data & data) && (!first || listing->place < first->place))
				first = listing;
		}
	if (!first)
		return GPROFX_OK;
	diagnostic.hint = first->hint;
	return run_fail(run, &diagnostic, "expected %s for %s, found none", kinds[kind].words,
	                first->subject);
}

static enum gprofx_result
check_data(struct run *run, const struct profile *profile, const struct emit_use *uses,
           uint32_t count)
{
	uint32_t lacking = ~data_of(run, profile);
	enum gprofx_result result = GPROFX_OK;

	if (lacking & GPROFX_DATA_TIMES)
		result = check_need(run, uses, count, GPROFX_DATA_TIMES);
	if (result == GPROFX_OK && (lacking & GPROFX_DATA_CALLS))
		result = check_need(run, uses, count, GPROFX_DATA_CALLS);
	if (result == GPROFX_OK && (lacking & GPROFX_DATA_COUNTS))
		result = check_need(run, uses, count, GPROFX_DATA_COUNTS);
	if (result == GPROFX_OK && (lacking & GPROFX_DATA_LINES))
		result = check_need(run, uses, count, GPROFX_DATA_LINES);
	return result;
}

/* Whether a profile has a thread or whatever else values are to be split by. */
static enum gprofx_result
check_slices(struct run *run, const struct profile *profile, const struct emit_use *uses,
             uint32_t count)
{
	static const char *const words[SLICE_COMBINATIONS] = {
		[GPROFX_SLICE_PROCESS] = "processes",
		[GPROFX_SLICE_THREAD] = "threads",
		[GPROFX_SLICE_PROCESS | GPROFX_SLICE_THREAD] = "processes or threads",
		[GPROFX_SLICE_PHASE] = "phases",
		[GPROFX_SLICE_PROCESS | GPROFX_SLICE_PHASE] = "processes or phases",
		[GPROFX_SLICE_THREAD | GPROFX_SLICE_PHASE] = "threads or phases",
		[GPROFX_SLICE_PROCESS | GPROFX_SLICE_THREAD |
			GPROFX_SLICE_PHASE] = "processes, threads or phases",
	};
	struct gprofx_diagnostic diagnostic = {
		.id = "report.lacks-threads",
		.hint = "name profiles of a format that records which process, thread or phase "
			"each sample belongs to",
	};

	uint32_t asked = emit_asked_slices(run->settings) & ~profile->slices.found;

	/* What a settings file asks for is for the profiles that can have it. */
	if (asked != 0 && slices_are_aim(run->settings)) {
		diagnostic.number[0] = asked;
		return run_fail(run, &diagnostic,
		                "no profile distinguishes %s, whose statistics were requested",
		                words[asked]);
	}
	for (uint32_t i = 0; i < count; i++) {
		uint32_t kinds = uses[i].needs.slices;

		if (uses[i].way == EMIT_NOT || kinds == 0 || (kinds & profile->slices.found))
			continue;
		diagnostic.text[0] = uses[i].output->format;
		diagnostic.number[0] = kinds;
		return run_fail(run, &diagnostic,
		                "no profile distinguishes %s, as the format \"%s\" requires",
		                words[kinds], uses[i].output->format);
	}
	return GPROFX_OK;
}

/*
 * Whether what was opened for an emitter can be written: it keeps the listings that have their
 * data. One that is not installed, or has no listings, cannot be asked, and is taken to have its
 * data.
 */
static bool
keep_listings(struct emit_use *use, uint32_t data)
{
	if (!use->emitter || use->listings == 0)
		return true;
	use->listings = listings_with(use, data);
	return use->listings != 0;
}

/* Adds listings of the front end that are there by default, if they are switched off or not. */
static enum gprofx_result
open_default(struct run *run, struct emit_plan *plan, enum engine_default by_default, bool is_named,
             enum emit_way way)
{
	const struct engine_settings *settings = run->settings;

	for (uint32_t i = 0; i < settings->listing_count; i++) {
		const struct engine_listing *row = &settings->listings[i];

		if (row->by_default == by_default && row->is_named == is_named &&
		    emit_open_use(run, emit_add_use(plan, way, row->format, NULL)) != GPROFX_OK)
			return GPROFX_FAILED;
	}
	return GPROFX_OK;
}

/*
 * What stands there by default: what has its data; if nothing has, counted together with what is
 * switched off, what does without.
 */
static enum gprofx_result
choose_default(struct run *run, const struct profile *profile, struct emit_plan *plan)
{
	uint32_t data = data_of(run, profile), tried = plan->use_count;
	bool has_data = false;

	for (uint32_t i = 0; i < tried; i++) {
		struct emit_use *use = &plan->uses[i];
		bool stands = keep_listings(use, data) && (use->emitter || !use->goes_along);

		use->way = stands ? EMIT_IN_PLACE : EMIT_NOT;
		has_data |= stands && !use->goes_along;
	}
	if (!has_data && open_default(run, plan, ENGINE_WITH_DATA, true, EMIT_NOT) != GPROFX_OK)
		return GPROFX_FAILED;
	for (uint32_t i = tried; i < plan->use_count; i++)
		has_data |= keep_listings(&plan->uses[i], data);
	return has_data ? GPROFX_OK
	                : open_default(run, plan, ENGINE_WITHOUT_DATA, false, EMIT_IN_PLACE);
}

/* A listing at its place. */
struct placed {
	const struct emit_use *use;
	uint32_t listings; /* its bit; 0: its emitter has no listings */
	int32_t place;
};

static void
put_in_place(struct placed *rows, uint32_t *count, struct placed row)
{
	uint32_t at = (*count)++;

	for (; at > 0 && rows[at - 1].place > row.place; at--)
		rows[at] = rows[at - 1];
	rows[at] = row;
}

/* All listings on standard output in their order. */
static struct placed *
place_listings(struct run *run, const struct emit_plan *plan, uint32_t *count)
{
	bool is_traditional = run->settings->traditional;
	struct placed *rows;
	size_t most = 0;

	*count = 0;
	for (uint32_t i = 0; i < plan->use_count; i++)
		most += plan->uses[i].emitter ? plan->uses[i].emitter->emitter.listing_count : 0;
	memory_array(run, rows, most + plan->use_count);
	for (uint32_t i = 0; i < plan->use_count; i++) {
		const struct emit_use *use = &plan->uses[i];

		if (use->way != EMIT_IN_PLACE)
			continue;
		if (!use->emitter || use->listings == 0) {
			put_in_place(rows, count, (struct placed){use, 0, INT32_MAX});
			continue;
		}
		for (uint32_t k = 0; k < GPROFX_LISTINGS_AT_MOST; k++) {
			const struct gprofx_listing *listing;

			if ((use->listings >> k & 1) == 0)
				continue;
			listing = &use->emitter->listings[k];
			put_in_place(
				rows, count,
				(struct placed){use, UINT32_C(1) << k,
			                        is_traditional && listing->traditional_place != 0
			                                ? listing->traditional_place
			                                : listing->place});
		}
	}
	return rows;
}

/* An emitter is called once for listings that follow each other. */
static enum gprofx_result
add_listings(struct run *run, struct emit_plan *plan)
{
	uint32_t count;
	const struct placed *rows = place_listings(run, plan, &count);

	for (uint32_t i = 0, end; i < count; i = end) {
		uint32_t listings = rows[i].listings;

		for (end = i + 1; end < count && rows[end].use == rows[i].use; end++)
			listings |= rows[end].listings;
		if (emit_add_job(run, plan, rows[i].use, listings) != GPROFX_OK)
			return GPROFX_FAILED;
	}
	for (uint32_t i = 0; i < plan->use_count; i++)
		if (plan->uses[i].way == EMIT_BEHIND &&
		    emit_add_job(run, plan, &plan->uses[i], plan->uses[i].listings) != GPROFX_OK)
			return GPROFX_FAILED;
	return GPROFX_OK;
}

/* Statistics that were asked for have to appear somewhere. */
static enum gprofx_result
add_statistics(struct run *run, const struct profile *profile, struct emit_plan *plan,
               enum engine_default by_default)
{
	const struct engine_settings *settings = run->settings;

	for (uint32_t i = 0; i < settings->listing_count; i++) {
		const struct engine_listing *row = &settings->listings[i];
		struct emit_use *use;

		if (row->by_default != by_default)
			continue;
		use = emit_add_use(plan, EMIT_BEHIND, row->format, NULL);
		if (emit_open_use(run, use) != GPROFX_OK ||
		    check_data(run, profile, use, 1) != GPROFX_OK ||
		    emit_add_job(run, plan, use, use->listings) != GPROFX_OK)
			return GPROFX_FAILED;
	}
	return GPROFX_OK;
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

		while (k < *count && emitters[k] != plan->jobs[i].use->emitter)
			k++;
		if (k == *count)
			emitters[(*count)++] = plan->jobs[i].use->emitter;
	}
	return emitters;
}

/* Options that were asked for must not be ignored silently. */
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
			.hint = "request an output of that format, or leave the option out",
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
				"no output of the format %s is requested, but its option %s is set",
				option->format, option->key);
		else
			result = plugin_unknown_option(run, emitters, count, option);
	}
	return result;
}

/* Whether what stands on standard output can follow each other there. */
static enum gprofx_result
check_standard(struct run *run, const struct emit_plan *plan)
{
	const struct emit_use **uses;

	uses = memory_alloc_array(run, sizeof(const struct emit_use *), plan->count);
	for (uint32_t i = 0; i < plan->count; i++)
		uses[i] = plan->jobs[i].use;
	return emit_check_standard(run, uses, plan->count);
}

uint32_t
emit_listings(const struct run *run, const struct emit_plan *plan)
{
	const struct engine_settings *settings = run->settings;
	uint32_t listings = 0;

	for (uint32_t i = 0; i < settings->listing_count; i++)
		for (uint32_t k = 0; k < plan->count; k++) {
			const struct engine_output *output = plan->jobs[k].use->output;

			if (!output->file &&
			    strcmp(output->format, settings->listings[i].format) == 0)
				listings |= UINT32_C(1) << i;
		}
	return listings;
}

static enum gprofx_result
check_compares(struct run *run, const struct emit_use *use)
{
	struct gprofx_diagnostic diagnostic = {
		.id = "diff.no-comparison",
		.hint = "request another output: diff, html, markdown, json, dot, svg, callgrind, pprof, folded, or the tables flat, arcs "
			"and lines of csv",
		.text = {use->output->format},
	};

	if (!use->emitter || (use->needs.traits & GPROFX_EMITTER_COMPARES))
		return GPROFX_OK;
	run_set_place(&diagnostic, &use->output->origin);
	return run_fail(run, &diagnostic, "the format \"%s\" cannot show a comparison",
	                use->output->format);
}

enum gprofx_result
emit_choose_comparison(struct run *run, struct emit_plan *plan)
{
	for (uint32_t i = 0; i < plan->use_count; i++)
		if (check_compares(run, &plan->uses[i]) != GPROFX_OK)
			return GPROFX_FAILED;
	if (add_listings(run, plan) != GPROFX_OK || check_standard(run, plan) != GPROFX_OK)
		return GPROFX_FAILED;
	return check_options(run, plan);
}

enum gprofx_result
emit_choose(struct run *run, const struct profile *profile, struct emit_plan *plan)
{
	const struct engine_settings *settings = run->settings;
	enum gprofx_result result = GPROFX_OK;

	plan->profile = profile;
	if (emit_is_default(settings))
		result = choose_default(run, profile, plan);
	if (result == GPROFX_OK)
		result = add_contexts(run, plan, settings->report_contexts, NULL);
	if (result == GPROFX_OK)
		result = check_data(run, profile, plan->uses, plan->use_count);
	if (result == GPROFX_OK)
		result = check_slices(run, profile, plan->uses, plan->use_count);
	if (result == GPROFX_OK)
		result = add_listings(run, plan);
	if (result == GPROFX_OK && settings->per_file &&
	    !(plan->shown_parts & (GPROFX_PART_PER_FILE | GPROFX_PART_FILE_VALUES)))
		result = add_statistics(run, profile, plan, ENGINE_WITH_PER_FILE);
	if (result == GPROFX_OK && (emit_asked_slices(settings) & profile->slices.found) &&
	    !(plan->shown_parts & GPROFX_PART_SLICE_TABLES))
		result = add_statistics(run, profile, plan, ENGINE_WITH_SLICES);
	if (result == GPROFX_OK)
		result = check_standard(run, plan);
	return result == GPROFX_OK ? check_options(run, plan) : result;
}
