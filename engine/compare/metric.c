/* SPDX-License-Identifier: Apache-2.0 */
/* What is compared: the metric that both sides have. */
#include <string.h>

#include "base/memory.h"
#include "base/run.h"
#include "compare/compare.h"

static const struct gprofx_metric *
metric_named(const struct gprofx_report *report, const struct gprofx_metric *wanted)
{
	for (uint32_t i = 0; i < report->origin->metric_count; i++) {
		const struct gprofx_metric *metric = gprofx_metric_at(report, i);

		if (strcmp(metric->name, wanted->name) == 0 &&
		    strcmp(metric->unit, wanted->unit) == 0)
			return metric;
	}
	return NULL;
}

/* What a report measures, in words. */
static const char *
metrics_of(struct run *run, const struct gprofx_report *report)
{
	const char *words = "";

	for (uint32_t i = 0; i < report->origin->metric_count; i++) {
		const struct gprofx_metric *metric = gprofx_metric_at(report, i);

		words = text_format(run, "%s%s%s in %s", words, i > 0 ? ", " : "", metric->name,
		                    metric->unit);
	}
	return words;
}

static void
fail_metric(struct run *run, const struct compare_request *request)
{
	const struct gprofx_diagnostic diagnostic = {
		.id = "diff.no-common-metric",
		.hint = "measure both sides in the same way",
	};

	run_fail(run, &diagnostic, "the base measures %s, but the new side measures %s",
	         metrics_of(run, request->base.report), metrics_of(run, request->new_side.report));
}

/* The first run that has not measured what others of its side have. */
struct lacking {
	const struct gprofx_run *run; /* NULL: there is none */
	const struct gprofx_metric *metric;
};

/* The run of a side that has not measured a metric; NULL: all have. */
static const struct gprofx_run *
run_without(const struct gprofx_report *report, const struct gprofx_metric *metric)
{
	/* A single run has what its report has; without samples, it has zeros. */
	for (uint32_t i = 0; report->origin->run_count > 1 && i < report->origin->run_count; i++)
		if (gprofx_column_of(report, report->graph->columns, i, metric->id)->self_origin ==
		    GPROFX_UNKNOWN)
			return gprofx_run_at(report, i);
	return NULL;
}

/* Zeros of a run that has measured something else would be compared. */
static void
fail_run(struct run *run, const struct lacking *lacking)
{
	const char *metric = lacking->metric->name;
	const struct gprofx_diagnostic diagnostic = {
		.id = "diff.runs-differ",
		.file = lacking->run->label,
		.hint = "measure all runs in the same way, or leave this one out",
		.text = {metric},
	};

	run_fail(run, &diagnostic, "expected a run that measures %s, as others of its folder do",
	         metric);
}

/*
 * Whether a metric is the time that a processor took, whatever the format calls it; *limits: what
 * follows the name, such as ":u", of which modes it is.
 */
static bool
is_processor_time(const struct gprofx_metric *metric, const char **limits)
{
	static const char *const names[] = {"time", "cpu", "cpu-clock", "task-clock"};
	size_t length = strcspn(metric->name, ":/");

	*limits = metric->name + length;
	if (strcmp(metric->unit, "seconds") != 0 || metric->ticks_per_unit == 0 ||
	    metric->kind != GPROFX_SAMPLED)
		return false;
	for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
		if (strlen(names[i]) == length && memcmp(names[i], metric->name, length) == 0)
			return true;
	return false;
}

/* The same metric of a report, or one with another name that measures the same; NULL: none. */
static const struct gprofx_metric *
metric_like(const struct gprofx_report *report, const struct gprofx_metric *wanted)
{
	const char *limits, *own;

	if (!is_processor_time(wanted, &limits))
		return NULL;
	for (uint32_t i = 0; i < report->origin->metric_count; i++) {
		const struct gprofx_metric *metric = gprofx_metric_at(report, i);

		if (is_processor_time(metric, &own) && strcmp(limits, own) == 0)
			return metric;
	}
	return NULL;
}

/* Finds a metric of both sides that all of their runs have. */
static bool
find_pair(struct compare_request *request, struct lacking *lacks,
          const struct gprofx_metric *(*find)(const struct gprofx_report *report,
                                              const struct gprofx_metric *wanted))
{
	struct compare_side *now = &request->new_side, *base = &request->base;

	for (uint32_t i = 0; i < now->report->origin->metric_count; i++) {
		struct lacking own;

		now->metric = gprofx_metric_at(now->report, i);
		base->metric = find(base->report, now->metric);
		if (!base->metric)
			continue;
		own = (struct lacking){run_without(base->report, base->metric), base->metric};
		if (!own.run)
			own = (struct lacking){run_without(now->report, now->metric), now->metric};
		if (!own.run)
			return true;
		if (!lacks->run)
			*lacks = own;
	}
	return false;
}

bool
compare_find_metric(struct run *run, struct compare_request *request)
{
	const char *named = run->settings->metric;
	struct lacking lacks = {NULL, NULL};

	if (find_pair(request, &lacks, metric_named) ||
	    ((!named || named[0] == '\0') && find_pair(request, &lacks, metric_like)))
		return true;
	if (lacks.run)
		fail_run(run, &lacks);
	else
		fail_metric(run, request);
	return false;
}

void
compare_say_metrics(struct run *run, const struct compare_request *request,
                    struct gprofx_report_comparison *comparison)
{
	const char *base = request->base.metric->name, *now = request->new_side.metric->name;
	const char *others = comparison->caution;

	if (strcmp(base, now) != 0)
		comparison->caution = text_format(
			run, "The base measures %s, the new side %s: both are processor time%s%s",
			base, now, others ? ". " : "", others ? others : "");
}
