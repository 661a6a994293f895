/* SPDX-License-Identifier: Apache-2.0 */
/* The call graph in the format of callgrind, and the self times in that of cachegrind. */
#include <stdio.h>
#include <string.h>

#include <gprofx/emitter.h>

#include "../shared/compared.h"
#include "../shared/export-names.h"
#include "../shared/export-values.h"
#include "body.h"
#include "costs.h"
#include "executions.h"

enum style { STYLE_CALLGRIND, STYLE_CACHEGRIND };

static const char *const style_words[] = {"callgrind", "cachegrind", NULL};

struct options {
	uint32_t style; /* enum style */
};

static const struct gprofx_option table[] = {
	{.key = "style",
         .type = GPROFX_CHOICE,
         .offset = offsetof(struct options, style),
         .initial = "callgrind",
         .choices = style_words,
         .help = "the format: that of callgrind, or that of cachegrind, which has no calls"},
};

enum { EVENT_ROOM = 64 };

static const char samples[] = "Samples";
static const double per_second = 1e8, thousandths = 1000;

/* The names of the events. */
struct event_names {
	char text[BODY_MOST_EVENTS][EVENT_ROOM];
};

/* A unit as a word without blanks that begins with a capital. */
static void
put_word(char to[EVENT_ROOM], const char *before, const char *unit, const char *behind)
{
	int length = snprintf(to, EVENT_ROOM, "%s%.40s%s", before, unit, behind);

	for (int i = 0; i < length; i++)
		if (!((to[i] >= '0' && to[i] <= '9') || (to[i] >= 'A' && to[i] <= 'Z') ||
		      (to[i] >= 'a' && to[i] <= 'z') || strchr("()/", to[i])))
			to[i] = '_';
	if (to[0] >= 'a' && to[0] <= 'z')
		to[0] = (char)(to[0] - 'a' + 'A');
}

/* Whether an event before it has the name, too. */
static bool
is_taken(const struct event_names *names, uint32_t event)
{
	for (uint32_t i = 0; i < event; i++)
		if (strcmp(names->text[i], names->text[event]) == 0)
			return true;
	return false;
}

/* Readers distinguish events by their names. */
static void
make_distinct(struct event_names *names, uint32_t event)
{
	char *end = names->text[event] + strlen(names->text[event]);
	size_t room = (size_t)(names->text[event] + EVENT_ROOM - end);

	for (uint32_t i = 2; is_taken(names, event); i++)
		snprintf(end, room, "_%u", i);
}

/*
 * What is counted: of the first metric, its unit; further ones have names.  Times are in units of
 * 10 ns, whose name speedscope knows, and whatever else a tick is, if a unit has several, in
 * thousandths of it.
 */
static void
add_event(struct body *body, uint32_t number, struct event_names *names)
{
	const struct gprofx_metric *metric = gprofx_metric_at(body->report,
	                                                      body->costs.metrics[number].metric);
	bool is_named = number > 0 || body->report->comparison;
	const char *word = is_named ? metric->name : metric->unit;
	char *name = names->text[body->event_count];
	struct event *event = &body->events[body->event_count];
	bool has_unit = is_named || (metric->ticks_per_unit == 1 && metric->unit[0]);

	*event = (struct event){export_time_scale(metric, per_second), number};
	if (export_is_time(metric)) {
		bool is_plain = !is_named || strcmp(word, "time") == 0;

		put_word(name, is_plain ? "Time" : "", is_plain ? "" : word, "_(10ns)");
	} else if (metric->ticks_per_unit > 1) {
		put_word(name, "1/1000_", word, "");
		event->scale = (struct export_scale){thousandths, metric->ticks_per_unit};
	} else {
		put_word(name, "", has_unit ? word : "ticks", "");
	}
	make_distinct(names, body->event_count++);
}

/* Whether a further metric has the samples, as in a file that was written by this plugin. */
static bool
has_samples(const struct body *body)
{
	char name[EVENT_ROOM];
	bool has = false;

	for (uint32_t i = 1; i < body->costs.metric_count && !has; i++) {
		uint32_t metric = body->costs.metrics[i].metric;

		put_word(name, "", gprofx_metric_at(body->report, metric)->name, "");
		has = strcmp(name, samples) == 0;
	}
	return has;
}

/* Samples are written beside the times that were made of them, where no metric has them. */
static void
choose_events(struct body *body, struct event_names *names)
{
	const struct gprofx_metric *metric = body->report->origin->metrics;
	bool is_sampled = export_is_time(metric) && metric->kind == GPROFX_SAMPLED;
	bool are_known = is_sampled && has_samples(body);

	/* Nobody samples that often: such ticks are what a clock shows, or a file has times in. */
	body->has_samples = !body->report->comparison &&
	                    (are_known || (is_sampled && metric->ticks_per_unit < per_second));
	for (uint32_t i = 0; i < body->costs.metric_count; i++) {
		add_event(body, i, names);
		if (i > 0 || !body->has_samples || are_known)
			continue;
		put_word(names->text[body->event_count], "", samples, "");
		body->events[body->event_count++] = (struct event){{1, 1}, 0};
	}
}

static void
put_text(struct body *body, const char *key, const char *text)
{
	struct gprofx_text escaped = export_word(body->gx, text);

	gprofx_puts(body->writer, key);
	gprofx_put(body->writer, escaped.bytes, escaped.length);
	gprofx_putc(body->writer, '\n');
}

/* Of a comparison: whether some arc has a number of calls that is known, or is not. */
static bool
has_calls(const struct body *body, bool are_known)
{
	const struct gprofx_arcs *arcs = &body->report->graph->arcs;

	for (uint32_t i = 0; i < arcs->count; i++)
		if (body->costs.has_arc[i] &&
		    gprofx_is_counted(arcs->calls, costs_calls(body->report, i)) == are_known)
			return true;
	return false;
}

static void
put_comparison(struct body *body)
{
	const struct gprofx_report_comparison *comparison = body->report->comparison;

	put_text(body, "desc: Comparison: ", comparison->sentence);
	gprofx_puts(body->writer,
	            "desc: Note: differences of the two events are not tested; chance "
	            "explains some\n");
	if (comparison->base_lacks_calls || comparison->new_lacks_calls)
		gprofx_out(body->writer,
		           "desc: Note: the %s has no calls: only its self costs are known\n",
		           comparison->base_lacks_calls ? "base" : "new side");
	if (body->has_calls && has_calls(body, true))
		gprofx_puts(body->writer,
		            "desc: Note: numbers of calls are those of a run of the new side, or "
		            "of the base where it has none\n");
}

/* What the figures are: of which files, and whether they are measured. */
static void
put_descriptions(struct body *body)
{
	const struct gprofx_report_origin *origin = body->report->origin;
	bool is_measured = !body->report->contexts->is_estimated;
	bool has_arcs = body->report->graph->arcs.count > 0;

	if (body->report->comparison)
		put_comparison(body);
	for (uint32_t i = 0; i < origin->profile_count; i++)
		put_text(body, "desc: Profile: ", origin->profiles[i]);
	if (!body->has_calls || !has_arcs)
		return;
	if (costs_are_of_calls(body->costs.metrics))
		gprofx_puts(body->writer, "desc: Note: costs of calls are those of the profile\n");
	else if (is_measured)
		gprofx_puts(body->writer,
		            gprofx_is_clocked(body->report)
		                    ? "desc: Note: costs of calls are measured by a clock\n"
		                    : "desc: Note: costs of calls are measured from call stacks\n");
	else
		gprofx_puts(body->writer, "desc: Note: costs of calls are estimates (gprof "
		                          "propagation), not measured\n");
	if (!body->costs.are_stated &&
	    (body->report->comparison ? has_calls(body, false)
	                              : body->report->graph->arcs.calls->some_unknown))
		gprofx_puts(body->writer,
		            "desc: Note: calls=1 stands for unknown numbers of calls\n");
	if (body->costs.has_extra)
		gprofx_puts(body->writer, "desc: Note: calls by unknown callers are written as one "
		                          "call\n");
	if (body->costs.has_shares)
		gprofx_puts(body->writer, "desc: Note: costs of calls in recursions are estimates "
		                          "for all events but the first\n");
	if (body->costs.is_divided)
		gprofx_puts(body->writer,
		            "desc: Note: within cycles, costs are those of the callee "
		            "and what it calls outside of the cycle\n");
}

static void
put_events(struct body *body, const struct event_names *names)
{
	gprofx_puts(body->writer, "events:");
	for (uint32_t i = 0; i < body->event_count; i++)
		gprofx_out(body->writer, " %s", names->text[i]);
	if (body->executions.are_known)
		gprofx_puts(body->writer, " Executions");
	gprofx_putc(body->writer, '\n');
}

static void
put_summary(struct body *body)
{
	gprofx_puts(body->writer, "summary:");
	for (uint32_t i = 0; i < body->event_count; i++) {
		gprofx_putc(body->writer, ' ');
		body->writer->services->number(body->writer, body->totals[i], 0);
	}
	if (body->executions.are_known) {
		gprofx_putc(body->writer, ' ');
		body->writer->services->number(body->writer, body->executions.total, 0);
	}
	gprofx_putc(body->writer, '\n');
}

/* Readers want this order. */
static void
put_callgrind(struct body *body, const struct event_names *names)
{
	gprofx_puts(body->writer, "# callgrind format\nversion: 1\n");
	put_text(body, "creator: gprofx ", body->report->origin->version);
	put_text(body, "cmd: ", export_program(body->report));
	put_descriptions(body);
	gprofx_puts(body->writer, "positions: line\n");
	if (body->has_samples)
		gprofx_puts(body->writer, "event: Samples : Samples of the profile\n");
	if (body->executions.are_known)
		gprofx_puts(body->writer,
		            "event: Executions : Executions of lines, without what they call\n");
	put_events(body, names);
	put_summary(body);
	body_put(body);
}

static void
put_cachegrind(struct body *body, const struct event_names *names)
{
	put_descriptions(body);
	put_text(body, "cmd: ", export_program(body->report));
	put_events(body, names);
	body_put(body);
	put_summary(body);
}

/* Whether readers have room for the sum of each event. */
static enum gprofx_result
check_values(const struct body *body)
{
	for (uint32_t i = 0; i < body->event_count; i++) {
		const struct event *event = &body->events[i];
		double whole = body->costs.metrics[event->metric].whole;

		if (export_check_whole(body->gx, export_scaled(&event->scale, whole),
		                       "callgrind") != GPROFX_OK)
			return GPROFX_FAILED;
	}
	return export_check_whole(body->gx, body->executions.whole, "callgrind");
}

/* A comparison as a report of one run, in which each side is a metric; it keeps calls by side. */
struct two_metrics {
	struct gprofx_report report;
	struct gprofx_report_origin origin;
	struct gprofx_metric metrics[COMPARED_SIDES];
};

static const struct gprofx_report *
make_two_metrics(struct gprofx *gx, const struct gprofx_report *report)
{
	static const char *const sides[COMPARED_SIDES] = {"base ", "new "};
	struct two_metrics *two = gprofx_alloc(gx, sizeof *two);

	two->report = *report;
	two->origin = *report->origin;
	two->report.origin = &two->origin;
	/* Columns follow each other by run, then by metric: two runs are as two metrics. */
	for (uint32_t i = 0; i < COMPARED_SIDES; i++) {
		const struct gprofx_metric *metric = report->origin->metrics;
		size_t room = strlen(sides[i]) + strlen(metric->name) + 1;
		char *name = gprofx_alloc(gx, room);

		snprintf(name, room, "%s%s", sides[i], metric->name);
		two->metrics[i] = *metric;
		two->metrics[i].size = sizeof two->metrics[i];
		two->metrics[i].id = i;
		two->metrics[i].name = name;
	}
	two->origin.metrics = two->metrics;
	two->origin.metric_count = COMPARED_SIDES;
	two->origin.run_count = 1;
	return &two->report;
}

static enum gprofx_result
emit(struct gprofx *gx, const struct gprofx_emission *emission, const void *opaque)
{
	const struct options *options = opaque;
	/* Too large for a stack. */
	struct event_names *names = gprofx_alloc(gx, sizeof *names);
	struct body *body = gprofx_alloc(gx, sizeof *body);

	*body = (struct body){
		.gx = gx,
		.report = emission->report->comparison ? make_two_metrics(gx, emission->report)
	                                               : emission->report,
		.writer = emission->writer,
		.has_calls = options->style == STYLE_CALLGRIND,
	};
	body_find_costs(body);
	choose_events(body, names);
	body_measure(body);
	if (check_values(body) != GPROFX_OK)
		return GPROFX_FAILED;
	if (options->style == STYLE_CALLGRIND)
		put_callgrind(body, names);
	else
		put_cachegrind(body, names);
	return GPROFX_OK;
}

static const struct gprofx_needs needs = {
	.size = sizeof needs,
	.parts = GPROFX_PART_NODES | GPROFX_PART_SOURCES | GPROFX_PART_NAMES |
                 GPROFX_PART_EXECUTED | GPROFX_PART_STATED,
	.also = GPROFX_PART_COMPARISON,
	.traits = GPROFX_EMITTER_ALONE | GPROFX_EMITTER_BYTES | GPROFX_EMITTER_COMPARES,
	.contexts = GPROFX_CONTEXTS,
};

static const struct gprofx_emitter emitter = {
	.size = sizeof emitter,
	.format = "callgrind",
	.extension = "callgrind",
	.emit = emit,
	.needs = &needs,
};

GPROFX_PLUGIN = {
	GPROFX_ABI,
	.name = "output-callgrind",
	.version = "1.0",
	.summary = "The call graph in the format of callgrind, for KCachegrind",
	GPROFX_OPTIONS(struct options, table),
	.emitter = &emitter,
};
