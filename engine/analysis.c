/* SPDX-License-Identifier: Apache-2.0 */
/* Runs whose report outlives the call that made it. */
#include <setjmp.h>

#include "base/memory.h"
#include "base/run.h"
#include "pipeline.h"
#include "report/model.h"
#include "report/view.h"

static struct run *
run_of(const struct gprofx_report *report)
{
	return report_model_of(report)->run;
}

/* When memory is short, there are no stages to leave any more: then nothing is known. */
static struct gprofx_text
guarded_name(const struct gprofx_report *report, uint32_t node)
{
	if (setjmp(run_of(report)->give_up) != 0)
		return (struct gprofx_text){"", 0};
	return report_name(report, node);
}

static struct gprofx_text
guarded_function_name(const struct gprofx_report *report, uint32_t node)
{
	if (setjmp(run_of(report)->give_up) != 0)
		return (struct gprofx_text){"", 0};
	return report_function_name(report, node);
}

static const struct gprofx_report_services services = {
	.size = sizeof services,
	.name = guarded_name,
	.source = report_source,
	.function_name = guarded_function_name,
};

/* In the run's memory, as the report is. */
struct engine_analysis {
	struct run *run;
	struct gprofx_report *report; /* as it was made; NULL: only a sum was asked for */
	struct report_view view;      /* with the parts that were asked for */
	bool is_complete;             /* every stage went well, whatever profiles were left out */
};

static enum gprofx_result
analyse(struct run *run, void *argument)
{
	struct engine_analysis **analysis = argument;
	enum gprofx_result result;

	*analysis = memory_alloc(run, sizeof **analysis);
	(*analysis)->run = run;
	result = pipeline_run(run, &(*analysis)->report);
	(*analysis)->is_complete = result == GPROFX_OK;
	return result;
}

struct engine_analysis *
engine_analyse(const struct engine_settings *settings, const struct engine_frontend *frontend)
{
	struct run *run = run_new(settings, frontend);
	struct engine_analysis *analysis = NULL;

	/* Profiles that cannot be read are errors, too. */
	if (!run || (!run_through(run, analyse, &analysis) &&
	             !(analysis && analysis->is_complete && run->settings->keep_going))) {
		run_end(run);
		return NULL;
	}
	if (analysis->report) {
		report_show(&analysis->view, report_model_of(analysis->report),
		            settings->report_parts, settings->report_contexts,
		            settings->report_slices);
		analysis->view.public.services = &services;
	}
	return analysis;
}

const struct gprofx_report *
engine_analysis_report(const struct engine_analysis *analysis)
{
	return analysis->report ? &analysis->view.public : NULL;
}

void
engine_analysis_end(struct engine_analysis *analysis)
{
	if (analysis)
		run_end(analysis->run);
}
