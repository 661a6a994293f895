/* SPDX-License-Identifier: Apache-2.0 */
#include "emit/emit.h"

#include "emit/targets.h"
#include "emit/writer.h"
#include "plugin/plugins.h"
#include "report/printable.h"
#include "report/view.h"
#include "symbols/symbols.h"

/* The same for files that an emitter writes beside its report. */
static enum gprofx_result
check_beside(struct run *run, const void *plan, const char *file)
{
	return emit_check_file(run, plan, file);
}

/* A report, and what most emitters see of it, once one asks. */
struct source {
	const struct report_model *model;
	struct report_model *printable;
};

/* What texts an emitter gets to see: most write names as they are. */
static const struct report_model *
model_for(struct run *run, const struct emit_use *use, const struct writer *writer,
          struct source *source)
{
	if (writer->is_raw || (use->needs.traits & GPROFX_EMITTER_BYTES))
		return source->model;
	if (!source->printable)
		source->printable = report_printable(run, source->model);
	return source->printable;
}

/*
 * Whether per-file statistics were made only because other emitters show them if there are several
 * files: what this one shows does not depend on what else is requested.
 */
static bool
are_of_others(const struct emit_plan *plan, const struct gprofx_needs *needs)
{
	enum { PER_FILE = GPROFX_PART_PER_FILE | GPROFX_PART_FILE_VALUES };

	return ((plan->possible_parts | needs->parts_if_several) & PER_FILE) == 0;
}

static enum gprofx_result
run_job(struct run *run, const struct emit_plan *plan, const struct emit_job *job,
        struct source *source, struct writer *writer)
{
	const struct emit_use *use = job->use;
	struct report_view view;
	uint32_t slices = emit_slices(&use->needs);
	const struct gprofx_emission emission = {
		.size = sizeof emission,
		.listings = job->listings,
		.report = &view.public,
		.writer = &writer->public,
	};
	enum gprofx_result result;

	writer->check = check_beside;
	writer->context = plan;
	if (plan->profile && !(slices & plan->profile->slices.found))
		slices = 0;
	report_show(&view, model_for(run, use, writer, source),
	            use->needs.parts | use->needs.also | use->needs.parts_if_several,
	            use->needs.contexts, slices);
	if (are_of_others(plan, &use->needs))
		report_hide_statistics(&view);
	run_doing(run, "writing %s with %s",
	          use->output->file ? use->output->file : "standard output",
	          use->emitter->descriptor.name);
	result = use->emitter->emitter.emit(&run->gx, &emission, use->options);
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
	enum gprofx_result result = GPROFX_OK;

	for (uint32_t i = 0; i < plan->count; i++) {
		struct source source = {.model = report_build_files(run, symbols, profile)};

		plan->jobs[i].is_done = true;
		if (run_job(run, plan, &plan->jobs[i], &source, standard_of(run, plan)) !=
		    GPROFX_OK)
			result = GPROFX_FAILED;
		writer_flush(plan->standard);
	}
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
		const char *name = job->use->output->file;
		struct writer *file;
		enum gprofx_result own;

		if (job->is_done)
			continue;
		if (!name) {
			if (run_job(run, plan, job, &source, standard) != GPROFX_OK)
				result = GPROFX_FAILED;
			continue;
		}
		if (model->symbols)
			symbols_note_source(run, model->symbols, name);
		file = writer_to_file(run, name, "output.write-failed");
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
