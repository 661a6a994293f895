/* SPDX-License-Identifier: Apache-2.0 */
/* What was asked for, before anything is read: which emitters, and what they need. */
#include <string.h>

#include "base/memory.h"
#include "base/run.h"
#include "emit/emit.h"
#include "emit/plan.h"
#include "emit/standard.h"
#include "emit/targets.h"
#include "plugin/emitters.h"
#include "plugin/plugins.h"
#include "statistics/statistics.h"

enum {
	MOST_OUTPUTS = 256 /* each costs a whole report; people ask for a handful */
};

bool
emit_is_default(const struct engine_settings *settings)
{
	return !engine_has_outputs(settings) && !settings->sum_file &&
	       !statistics_is_aim(settings) && !slices_are_aim(settings);
}

struct emit_use *
emit_add_use(struct emit_plan *plan, enum emit_way way, const char *format,
             const struct engine_output *output)
{
	struct emit_use *use = &plan->uses[plan->use_count++];

	*use = (struct emit_use){.way = way, .own.format = format};
	use->output = output ? output : &use->own;
	return use;
}

/* An output that knows one run alone would show that of the first and hide the others. */
static enum gprofx_result
check_runs(struct run *run, const struct emit_use *use)
{
	const struct gprofx_diagnostic diagnostic = {
		.id = "report.too-many-runs",
		.hint = "request another output, or report the runs one by one",
	};

	if (run->settings->further_run_count == 0 || (use->needs.traits & GPROFX_EMITTER_RUNS))
		return GPROFX_OK;
	return run_fail(run, &diagnostic,
	                "%u runs are reported, but the format \"%s\" can show only one",
	                run->settings->further_run_count + 1, use->output->format);
}

enum gprofx_result
emit_open_use(struct run *run, struct emit_use *use)
{
	bool broken;

	use->emitter = plugin_by_format(run, PLUGIN_EMITTER, use->output->format, &broken);
	if (!use->emitter)
		return broken ? GPROFX_FAILED : GPROFX_OK;
	use->options = use->emitter->options;
	use->listings = plugin_all_listings(use->emitter);
	/* Those for a screen are not for files. */
	if ((use->output->option_count > 0 || use->output->file) &&
	    plugin_make_options(run, use->emitter, use->output, &use->options) != GPROFX_OK)
		return GPROFX_FAILED;
	if (plugin_needs(run, use->emitter, use->options, &use->needs) != GPROFX_OK)
		return GPROFX_FAILED;
	/* What is asked for is shown by all that can show it. */
	if ((use->needs.parts | use->needs.also) & GPROFX_PART_SLICE_TABLES)
		use->needs.slices_if_any |= emit_asked_slices(run->settings);
	return check_runs(run, use);
}

static enum gprofx_result
check_count(struct run *run)
{
	const struct engine_settings *settings = run->settings;
	const struct gprofx_diagnostic diagnostic = {
		.id = "output.too-many",
		.hint = "request fewer at a time",
	};

	if (settings->output_count <= MOST_OUTPUTS)
		return GPROFX_OK;
	return run_fail(run, &diagnostic,
	                "at most %d outputs are possible, but %lu are "
	                "requested",
	                MOST_OUTPUTS, (unsigned long)settings->output_count);
}

/* Whether its listings need nothing but the files. */
static bool
is_of_files(const struct emit_use *use)
{
	if (!use->emitter || use->listings == 0 || use->needs.parts != GPROFX_PART_FILES ||
	    use->needs.also != 0 || use->needs.parts_if_several != 0 || use->needs.contexts != 0 ||
	    emit_slices(&use->needs) != 0)
		return false;
	for (uint32_t i = 0; i < use->emitter->emitter.listing_count; i++)
		if (use->emitter->listings[i].data != 0)
			return false;
	return true;
}

/* The output of this format that stands on standard output first, or NULL. */
static const struct engine_output *
output_of(const struct engine_settings *settings, const char *format)
{
	for (uint32_t i = 0; i < settings->output_count; i++)
		if (!settings->outputs[i].file && strcmp(settings->outputs[i].format, format) == 0)
			return &settings->outputs[i];
	return NULL;
}

/* The listings of the front end. */
static enum gprofx_result
open_listings(struct run *run, struct emit_plan *plan)
{
	const struct engine_settings *settings = run->settings;
	bool is_default = emit_is_default(settings);

	for (uint32_t i = 0; i < settings->listing_count; i++) {
		const struct engine_listing *row = &settings->listings[i];
		struct emit_use *use;

		if (row->is_on)
			use = emit_add_use(plan, EMIT_IN_PLACE, row->format,
			                   output_of(settings, row->format));
		else if (is_default && !row->is_named &&
		         (row->by_default == ENGINE_WITH_DATA ||
		          row->by_default == ENGINE_WITH_OTHERS))
			use = emit_add_use(plan, EMIT_WITH_DATA, row->format, NULL);
		else
			continue;
		use->goes_along = !row->is_on && row->by_default == ENGINE_WITH_OTHERS;
		if (emit_open_use(run, use) != GPROFX_OK)
			return GPROFX_FAILED;
	}
	return GPROFX_OK;
}

/* Whether an output on standard output has a place there, and stands there once. */
static bool
has_place(const struct engine_settings *settings, const struct emit_use *use)
{
	if (use->output->file)
		return false;
	for (uint32_t i = 0; i < settings->listing_count; i++)
		if (strcmp(settings->listings[i].format, use->output->format) == 0)
			return true;
	return use->listings != 0;
}

/* The use at whose place an output stands, or NULL. */
static const struct emit_use *
use_in_place(const struct emit_plan *plan, const struct engine_output *output)
{
	for (uint32_t i = 0; !output->file && i < plan->use_count; i++)
		if (plan->uses[i].way == EMIT_IN_PLACE &&
		    strcmp(plan->uses[i].output->format, output->format) == 0)
			return &plan->uses[i];
	return NULL;
}

static enum gprofx_result
open_outputs(struct run *run, struct emit_plan *plan)
{
	const struct engine_settings *settings = run->settings;

	for (uint32_t i = 0; i < settings->output_count; i++) {
		const struct engine_output *output = &settings->outputs[i];
		const struct emit_use *listed = use_in_place(plan, output);
		struct emit_use *use;

		/* One that stands there again is the same, unless it has options of its own. */
		if (listed && (listed->output == output || output->option_count == 0))
			continue;
		use = emit_add_use(plan, EMIT_BEHIND, NULL, output);
		if (emit_open_use(run, use) != GPROFX_OK)
			return GPROFX_FAILED;
		if (!listed && has_place(settings, use))
			use->way = EMIT_IN_PLACE;
	}
	return GPROFX_OK;
}

/*
 * What is written before the rest is known: it must not be written if what is asked for beside it
 * cannot stand on the same standard output.
 */
static enum gprofx_result
begin_early(struct run *run, struct emit_plan *plan)
{
	const struct emit_use **beside;
	uint32_t count = 0;

	beside = memory_alloc_array(run, sizeof(const struct emit_use *), plan->use_count);
	for (uint32_t i = 0; i < plan->use_count; i++) {
		struct emit_use *use = &plan->uses[i];

		if (use->way == EMIT_IN_PLACE && is_of_files(use)) {
			use->way = EMIT_EARLY;
			if (emit_add_job(run, plan, use, use->listings) != GPROFX_OK)
				return GPROFX_FAILED;
		}
		if (use->emitter && (use->way == EMIT_EARLY || use->way == EMIT_BEHIND))
			beside[count++] = use;
	}
	return emit_check_standard(run, beside, count);
}

static void
want_slices(struct emit_plan *plan, uint32_t kinds)
{
	plan->slice_kinds |= kinds;
	plan->slices[kinds] = true;
}

enum gprofx_result
emit_open(struct run *run, struct emit_plan *plan)
{
	const struct engine_settings *settings = run->settings;

	*plan = (struct emit_plan){
		.parts = settings->report_parts,
		.shown_parts = settings->report_parts,
		.possible_contexts = settings->report_contexts,
		.possible_parts = settings->report_parts |
	                          (settings->per_file ? (uint32_t)GPROFX_PART_PER_FILE : 0),
	};
	if (check_count(run) != GPROFX_OK || emit_check_sum(run) != GPROFX_OK)
		return GPROFX_FAILED;
	/* A listing that stands there by default comes later. */
	memory_array(run, plan->uses, 2 * (size_t)settings->listing_count + settings->output_count);
	if (open_listings(run, plan) != GPROFX_OK || open_outputs(run, plan) != GPROFX_OK)
		return GPROFX_FAILED;
	want_slices(plan, settings->report_slices);
	want_slices(plan, emit_asked_slices(settings));
	if (emit_asked_slices(settings) != 0)
		plan->parts |= GPROFX_PART_SLICE_TABLES;
	for (uint32_t i = 0; i < plan->use_count; i++) {
		plan->possible_parts |= plan->uses[i].needs.parts;
		plan->parts_if_several |= plan->uses[i].needs.parts_if_several;
		want_slices(plan, emit_slices(&plan->uses[i].needs));
		plan->possible_contexts |= plan->uses[i].needs.contexts;
	}
	return begin_early(run, plan);
}
