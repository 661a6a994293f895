/* SPDX-License-Identifier: Apache-2.0 */
/* Runs whose report outlives the call that made it. */
#include <setjmp.h>

#include "base/run.h"
#include "pipeline.h"
#include "report/model.h"

/* A report is the first member of its model, and the model knows its run. */
static struct run *
run_of(const struct gprofx_report *report)
{
	return ((const struct report_model *)report)->run;
}

/* When memory is short, there are no stages to leave any more: then nothing is known. */
static struct gprofx_text
guarded_name(const struct gprofx_report *report, uint32_t node)
{
	if (setjmp(run_of(report)->give_up) != 0)
		return (struct gprofx_text){"", 0};
	return report_name(report, node);
}

static const struct gprofx_report_services services = {
	.size = sizeof services,
	.name = guarded_name,
	.source = report_source,
};

struct engine_analysis *
engine_analyse(const struct engine_settings *settings, const struct engine_frontend *frontend)
{
	struct run *run = run_new(settings, frontend);

	if (!run || !run_through(run, pipeline_run, NULL)) {
		run_end(run);
		return NULL;
	}
	if (run->report)
		run->report->services = &services;
	return (struct engine_analysis *)run;
}

const struct gprofx_report *
engine_analysis_report(const struct engine_analysis *analysis)
{
	return ((const struct run *)analysis)->report;
}

void
engine_analysis_end(struct engine_analysis *analysis)
{
	run_end((struct run *)analysis);
}
