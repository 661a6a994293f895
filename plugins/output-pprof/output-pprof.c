/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Stacks in the format of pprof: https://github.com/google/pprof/blob/main/proto/profile.proto,
 * compressed with gzip.
 */
#include <stdio.h>
#include <string.h>

#include <gprofx/emitter.h>

#include "../shared/compared-factors.h"
#include "../shared/export-bounds.h"
#include "../shared/export-names.h"
#include "../shared/export-values.h"
#include "comments.h"
#include "frames.h"
#include "message.h"

struct options {
	bool flat;
	bool inlined;
};

static const struct gprofx_option table[] = {
	{.key = "flat",
         .type = GPROFX_BOOL,
         .offset = offsetof(struct options, flat),
         .initial = "false",
         .help = "write functions without callers, with their numbers of calls"},
	{.key = "inlined",
         .type = GPROFX_BOOL,
         .offset = offsetof(struct options, inlined),
         .initial = "false",
         .help = "show inlined subroutines as functions"},
};

/* Fields of messages. */
enum {
	PROFILE_TYPE = 1,
	PROFILE_SAMPLE = 2,
	PROFILE_STRING = 6,
	PROFILE_PERIOD_TYPE = 11,
	PROFILE_PERIOD = 12,
	PROFILE_COMMENT = 13,
	PROFILE_DEFAULT_TYPE = 14,
	TYPE_NAME = 1,
	TYPE_UNIT = 2,
	SAMPLE_LOCATIONS = 1,
	SAMPLE_VALUES = 2,
	SAMPLE_LABEL = 3,
	LABEL_KEY = 1,
	LABEL_TEXT = 2
};

/* The base and the new side, as they are numbered among runs. */
enum { BASE = 0, SIDES = 2 };

enum { MOST_METRICS = 64, MOST_TYPES = 2 * MOST_METRICS + 1, UNIT_ROOM = 64 };

static const double per_second = 1e9, thousandths = 1000;

/* Values of one type: each sample has one of each. */
struct type {
	uint32_t name, unit; /* numbers of texts */
	uint32_t metric;     /* whose values, or CALLS */
	struct export_scale scale;
	struct export_sum sum;
};

#define CALLS UINT32_MAX

/* The file under way. */
struct pprof {
	struct gprofx *gx;
	const struct gprofx_report *report;
	const struct gprofx_report_contexts *contexts; /* NULL: functions without callers */
	struct type types[MOST_TYPES];
	uint32_t type_count, time_type; /* MOST_TYPES: no type is of sampled times */
	struct texts texts;
	struct frames frames;
	struct zip *zip;
	struct message locations, values, sample;
	uint32_t *by_node; /* contexts in the order of their nodes */
	/*
	 * The run that is written; of a comparison, the new side and then the base, whose values
	 * are below 0, and whose samples have a label.
	 */
	uint32_t run, run_count;
	double *missing[SIDES]; /* per run: per metric and node, self ticks that no context has */
	uint32_t label_key, label_text;
	const double *factors; /* as compared_factors() has them */
};

static void
add_type(struct pprof *p, const char *name, const char *unit, uint32_t metric,
         struct export_scale scale)
{
	p->types[p->type_count++] = (struct type){
		.name = texts_add(p->gx, &p->texts, export_word(p->gx, name)),
		.unit = texts_add(p->gx, &p->texts, export_word(p->gx, unit)),
		.metric = metric,
		.scale = scale};
}

/* A metric whose values are no times. */
static void
add_counted_type(struct pprof *p, const struct gprofx_metric *metric, uint32_t number)
{
	struct export_scale scale = {1, 1};
	const char *unit = metric->unit;
	char *part;

	if (metric->ticks_per_unit > 1) {
		scale = (struct export_scale){thousandths, metric->ticks_per_unit};
		part = gprofx_alloc(p->gx, UNIT_ROOM);
		snprintf(part, UNIT_ROOM, "1/1000 %.40s", metric->unit);
		unit = part;
	} else if (metric->ticks_per_unit == 0) {
		unit = "ticks";
	} else if (strcmp(unit, metric->name) == 0) {
		unit = "count";
	}
	add_type(p, metric->name, unit, number, scale);
}

/* Times of samples are there twice: as samples, and in nanoseconds, which readers show. */
static void
add_metric(struct pprof *p, uint32_t number)
{
	const struct gprofx_metric *metric = gprofx_metric_at(p->report, number);

	if (!export_is_time(metric)) {
		add_counted_type(p, metric, number);
		return;
	}
	if (metric->kind == GPROFX_SAMPLED && p->time_type == MOST_TYPES) {
		add_type(p, "samples", "count", number, (struct export_scale){1, 1});
		p->time_type = p->type_count;
	}
	add_type(p, p->time_type == p->type_count ? "cpu" : metric->name, "nanoseconds", number,
	         export_time_scale(metric, per_second));
}

/* The columns that the file is made from. */
static const struct gprofx_column *
column_of(const struct pprof *p, uint32_t metric)
{
	return gprofx_column_of(p->report,
	                        p->contexts ? p->contexts->columns : p->report->graph->columns,
	                        p->run, metric);
}

static bool
is_base(const struct pprof *p)
{
	return p->report->comparison && p->run == BASE;
}

/* The ticks of a context itself, as they are compared. */
static double
self_of_context(const struct pprof *p, uint32_t metric, uint32_t context)
{
	double ticks = gprofx_real(&column_of(p, metric)->self, context);

	return p->factors && is_base(p) ? ticks * p->factors[p->contexts->node[context]] : ticks;
}

/* Calls of a function, 0 where they were not counted; of a comparison, those of one run. */
static double
calls_of(const struct pprof *p, uint32_t node)
{
	const struct gprofx_report_comparison *comparison = p->report->comparison;
	const struct gprofx_call_column *column = gprofx_calls_in(p->report->graph->calls, p->run);
	uint64_t calls = gprofx_count(&column->calls, node);
	uint32_t runs = !comparison  ? 1
	                : is_base(p) ? comparison->base.run_count
	                             : comparison->new_side.run_count;

	return gprofx_is_counted(column, calls) ? (double)calls / runs : 0;
}

static void
choose_types(struct pprof *p)
{
	uint32_t count = p->report->origin->metric_count;
	const struct gprofx_call_column *calls = p->report->graph->calls;
	bool has_calls = false;

	for (uint32_t i = 0; !p->contexts && i < p->report->functions->count; i++)
		for (p->run = 0; p->run < p->run_count; p->run++)
			has_calls = has_calls || calls_of(p, i) > 0;
	p->run = p->run_count - 1;
	p->time_type = MOST_TYPES;
	if (has_calls && calls)
		add_type(p, "calls", "count", CALLS, (struct export_scale){1, 1});
	for (uint32_t i = 0; i < count && i < MOST_METRICS; i++)
		if (column_of(p, i)->self_origin != GPROFX_UNKNOWN)
			add_metric(p, i);
}

/* Of a report by line, that of functions with all their lines. */
static double
self_of_node(const struct pprof *p, uint32_t metric, uint32_t node)
{
	const struct gprofx_column *column = gprofx_column_of(p->report, p->report->graph->columns,
	                                                      p->run, metric);

	return p->contexts && p->report->graph->arcs.count > 0
	               ? gprofx_real(&column->selected_self, node)
	               : gprofx_whole_self_in(column, node);
}

static bool
is_function(const struct pprof *p, uint32_t node)
{
	uint32_t flags = p->report->graph->flags[node];

	return (flags & GPROFX_NODE_INDIRECT) == 0 && export_is_whole(p->report, node) &&
	       (node < p->report->functions->count || (flags & GPROFX_NODE_OUTSIDE) != 0);
}

/* What contexts that were left out have of each node.  Differences that rounding makes are none. */
static void
find_missing(struct pprof *p)
{
	const struct gprofx_report_contexts *contexts = p->contexts;
	uint32_t nodes = p->frames.node_count, metrics = p->report->origin->metric_count;

	/*
	 * Contexts have something of the first metric, which functions of others can lack; those of
	 * a comparison can lack time of cycles.
	 */
	if (!contexts || (contexts->bounds == 0 && metrics == 1 && !p->report->comparison))
		return;
	p->missing[p->run] = gprofx_alloc(p->gx, (size_t)nodes * metrics * sizeof(double));
	for (uint32_t m = 0; m < metrics && m < MOST_METRICS; m++) {
		const struct gprofx_column *column = column_of(p, m);
		double *missing = p->missing[p->run] + (size_t)m * nodes;

		if (column->self_origin == GPROFX_UNKNOWN)
			continue;
		for (uint32_t i = 0; i < nodes; i++)
			missing[i] = is_function(p, i) ? self_of_node(p, m, i) : 0;
		for (uint32_t i = 0; i < contexts->count; i++)
			missing[contexts->node[i]] -= self_of_context(p, m, i);
		for (uint32_t i = 0; i < nodes; i++) {
			double whole = is_function(p, i) ? self_of_node(p, m, i) : 0;

			if (missing[i] < whole * 1e-9)
				missing[i] = 0;
			p->frames.is_used[i] = p->frames.is_used[i] || missing[i] > 0;
		}
	}
}

/* Functions without callers that have something. */
static void
find_functions(struct pprof *p)
{
	for (uint32_t i = 0; i < p->frames.node_count; i++)
		for (uint32_t t = 0; is_function(p, i) && t < p->type_count; t++)
			if (p->types[t].metric == CALLS
			            ? calls_of(p, i) > 0
			            : self_of_node(p, p->types[t].metric, i) > 0)
				p->frames.is_used[i] = true;
}

static void
find_used(struct pprof *p)
{
	const struct gprofx_report_contexts *contexts = p->contexts;

	p->frames.is_used = gprofx_alloc(p->gx, (size_t)p->frames.node_count + 1);
	for (uint32_t i = 0; contexts && i < contexts->count; i++)
		p->frames.is_used[contexts->node[i]] = true;
	for (p->run = 0; p->run < p->run_count; p->run++) {
		if (!contexts)
			find_functions(p);
		find_missing(p);
	}
}

/* Contexts of one node stand side by side: then what rounding makes of a function is off by no more
 * than one. */
static void
sort_by_node(struct pprof *p)
{
	const struct gprofx_report_contexts *contexts = p->contexts;
	uint32_t *next = gprofx_alloc(p->gx, ((size_t)p->frames.node_count + 1) * sizeof *next);

	p->by_node = gprofx_alloc(p->gx, ((size_t)contexts->count + 1) * sizeof *p->by_node);
	for (uint32_t i = 0; i < contexts->count; i++)
		next[contexts->node[i] + 1]++;
	for (uint32_t i = 0; i < p->frames.node_count; i++)
		next[i + 1] += next[i];
	for (uint32_t i = 0; i < contexts->count; i++)
		p->by_node[next[contexts->node[i]]++] = i;
	p->gx->host->release(p->gx, next);
}

/* By this label pprof knows which samples are the base of a difference. */
static void
put_label(struct pprof *p)
{
	message_clear(&p->values);
	message_field(&p->values, LABEL_KEY, p->texts.number[p->label_key]);
	message_field(&p->values, LABEL_TEXT, p->texts.number[p->label_text]);
	message_bytes(&p->sample, SAMPLE_LABEL, p->values.bytes, p->values.length);
}

/* Writes the stack under way, if it has something; *ticks: of the first metric, NULL: as values
 * say. */
static void
put_sample(struct pprof *p, const double *values, const uint64_t *ticks)
{
	bool is_empty = true;

	message_clear(&p->values);
	for (uint32_t t = 0; t < p->type_count; t++) {
		struct type *type = &p->types[t];
		bool is_exact = ticks && type->metric == 0 &&
		                export_is_exact(&type->scale, p->contexts);
		uint64_t value = is_exact ? *ticks
		                          : export_round(&type->sum,
		                                         export_scaled(&type->scale, values[t]));

		message_number(&p->values, is_base(p) ? 0 - value : value);
		is_empty = is_empty && value == 0;
	}
	if (is_empty)
		return;
	message_clear(&p->sample);
	message_bytes(&p->sample, SAMPLE_LOCATIONS, p->locations.bytes, p->locations.length);
	message_bytes(&p->sample, SAMPLE_VALUES, p->values.bytes, p->values.length);
	if (is_base(p))
		put_label(p);
	zip_message(p->zip, PROFILE_SAMPLE, &p->sample);
}

static void
add_root(struct pprof *p)
{
	if (p->contexts->is_estimated)
		message_number(&p->locations, frames_made_up(&p->frames, FRAMES_ROOT));
}

static bool
has_value(const struct pprof *p, const double *values)
{
	for (uint32_t t = 0; t < p->type_count; t++)
		if (values[t] > 0)
			return true;
	return false;
}

static void
put_context(struct pprof *p, uint32_t context)
{
	const struct gprofx_report_contexts *contexts = p->contexts;
	double values[MOST_TYPES] = {0};

	for (uint32_t t = 0; t < p->type_count; t++)
		values[t] = self_of_context(p, p->types[t].metric, context);
	if (!has_value(p, values))
		return;
	message_clear(&p->locations);
	for (uint32_t i = context; i != GPROFX_NO_CONTEXT; i = contexts->parent[i])
		message_number(&p->locations, frames_of_context(&p->frames, i));
	add_root(p);
	put_sample(p, values, contexts->self_ticks ? &contexts->self_ticks[context] : NULL);
}

/* What was left out of a function stands below a frame that says so. */
static void
put_missing(struct pprof *p, uint32_t node)
{
	double values[MOST_TYPES] = {0};

	for (uint32_t t = 0; t < p->type_count; t++)
		values[t] = p->missing[p->run]
		                      [(size_t)p->types[t].metric * p->frames.node_count + node];
	if (!has_value(p, values))
		return;
	message_clear(&p->locations);
	message_number(&p->locations, frames_of_node(&p->frames, node));
	message_number(&p->locations, frames_made_up(&p->frames, FRAMES_CUT));
	add_root(p);
	put_sample(p, values, NULL);
}

static void
put_function(struct pprof *p, uint32_t node)
{
	double values[MOST_TYPES] = {0};

	for (uint32_t t = 0; t < p->type_count; t++)
		values[t] = p->types[t].metric == CALLS ? calls_of(p, node)
		                                        : self_of_node(p, p->types[t].metric, node);
	message_clear(&p->locations);
	message_number(&p->locations, frames_of_node(&p->frames, node));
	put_sample(p, values, NULL);
}

static void
put_run(struct pprof *p)
{
	uint32_t at = 0;

	for (uint32_t node = 0; node < p->frames.node_count; node++) {
		while (p->contexts && at < p->contexts->count &&
		       p->contexts->node[p->by_node[at]] == node)
			put_context(p, p->by_node[at++]);
		if (!p->frames.is_used[node])
			continue;
		if (p->missing[p->run])
			put_missing(p, node);
		if (!p->contexts)
			put_function(p, node);
	}
}

/* The new side first: readers take frames in the order in which they find them. */
static void
put_stacks(struct pprof *p)
{
	for (p->run = p->run_count; p->run-- > 0;) {
		for (uint32_t t = 0; t < p->type_count; t++)
			p->types[t].sum = (struct export_sum){0};
		put_run(p);
	}
}

static enum gprofx_result
check_values(const struct pprof *p)
{
	for (uint32_t t = 0; t < p->type_count; t++) {
		const struct type *type = &p->types[t];
		bool is_known = p->contexts && !p->factors;
		double whole = is_known ? column_of(p, type->metric)->graph_total : 0;

		for (uint32_t i = 0; !is_known && i < p->frames.node_count; i++)
			if (is_function(p, i))
				whole += type->metric == CALLS ? calls_of(p, i)
				                               : self_of_node(p, type->metric, i);
		if (export_check_whole(p->gx, export_scaled(&type->scale, whole), "pprof") !=
		    GPROFX_OK)
			return GPROFX_FAILED;
	}
	return GPROFX_OK;
}

static void
put_type(struct pprof *p, uint32_t field, const struct type *type)
{
	message_clear(&p->sample);
	message_field(&p->sample, TYPE_NAME, p->texts.number[type->name]);
	message_field(&p->sample, TYPE_UNIT, p->texts.number[type->unit]);
	zip_message(p->zip, field, &p->sample);
}

/* Equal texts are one string; the first one is empty. */
static void
put_strings(struct pprof *p)
{
	struct texts *texts = &p->texts;
	uint32_t next = 0;

	for (uint32_t i = 0; i < texts->count; i++)
		if (texts->number[i] == next) {
			zip_bytes(p->zip, PROFILE_STRING, texts->items[i].bytes,
			          texts->items[i].length);
			next++;
		}
}

/* That of the metric that is shown first; its times, if it has both. */
static const struct type *
shown_type(const struct pprof *p)
{
	uint32_t first = 0;

	if (p->time_type < MOST_TYPES && p->types[p->time_type].metric == 0)
		return &p->types[p->time_type];
	while (first + 1 < p->type_count && p->types[first].metric != 0)
		first++;
	return &p->types[first];
}

static void
put_profile(struct pprof *p)
{
	uint32_t count,
		*comments = pprof_comments(p->gx, p->report, p->contexts, &p->texts, &count),
		distinct;
	const struct type *shown = shown_type(p);

	p->texts.number = export_distinct(p->gx, p->texts.items, p->texts.count, &distinct);
	for (uint32_t t = 0; t < p->type_count; t++)
		put_type(p, PROFILE_TYPE, &p->types[t]);
	put_stacks(p);
	frames_put(&p->frames, p->zip);
	if (p->time_type < MOST_TYPES) {
		const struct type *time = &p->types[p->time_type];

		put_type(p, PROFILE_PERIOD_TYPE, time);
		zip_field(p->zip, PROFILE_PERIOD, (uint64_t)(export_scaled(&time->scale, 1) + 0.5));
	}
	for (uint32_t i = 0; i < count; i++)
		zip_field(p->zip, PROFILE_COMMENT, p->texts.number[comments[i]]);
	if (p->type_count > 0)
		zip_field(p->zip, PROFILE_DEFAULT_TYPE, p->texts.number[shown->name]);
	put_strings(p);
}

static enum gprofx_result
emit(struct gprofx *gx, const struct gprofx_emission *emission, const void *opaque)
{
	const struct options *options = opaque;
	struct zip *zip = gprofx_alloc(gx, sizeof *zip);
	struct pprof *p = gprofx_alloc(gx, sizeof *p);

	p->gx = zip->gx = p->locations.gx = p->values.gx = p->sample.gx = gx;
	p->zip = zip;
	zip->writer = emission->writer;
	p->report = emission->report;
	p->contexts = options->flat ? NULL : emission->report->contexts;
	p->factors = compared_factors(gx, p->report);
	p->frames = (struct frames){.gx = gx,
	                            .report = p->report,
	                            .contexts = p->contexts,
	                            .texts = &p->texts,
	                            .node_count = p->report->graph->node_count};
	texts_add_word(gx, &p->texts, "");
	p->run_count = p->report->comparison ? SIDES : 1;
	if (p->report->comparison) {
		p->label_key = texts_add_word(gx, &p->texts, "pprof::base");
		p->label_text = texts_add_word(gx, &p->texts, "true");
	}
	choose_types(p);
	for (p->run = 0; p->run < p->run_count; p->run++)
		if (check_values(p) != GPROFX_OK)
			return GPROFX_FAILED;
	if (p->contexts &&
	    export_check_frames(gx, p->contexts, "pprof.too-large", NULL) != GPROFX_OK)
		return GPROFX_FAILED;
	find_used(p);
	frames_make(&p->frames);
	frames_make_up(&p->frames, FRAMES_ROOT, export_estimate_frame(gx, p->report, NULL));
	frames_make_up(&p->frames, FRAMES_CUT, export_word(gx, EXPORT_CUT_FRAME));
	if (p->contexts)
		sort_by_node(p);
	if (zip_begin(zip) != GPROFX_OK)
		return GPROFX_FAILED;
	put_profile(p);
	zip_end(zip);
	return GPROFX_OK;
}

static void
needs_with(const void *opaque, struct gprofx_needs *needs)
{
	const struct options *options = opaque;

	needs->parts = GPROFX_PART_NODES | GPROFX_PART_SOURCES;
	needs->also = GPROFX_PART_COMPARISON;
	needs->traits = GPROFX_EMITTER_ALONE | GPROFX_EMITTER_BYTES | GPROFX_EMITTER_COMPARES;
	if (!options->flat)
		needs->contexts = GPROFX_CONTEXTS | GPROFX_CONTEXTS_BY_PLACE |
		                  (options->inlined ? GPROFX_CONTEXTS_INLINED : 0);
}

static const struct gprofx_emitter emitter = {
	.size = sizeof emitter,
	.format = "pprof",
	.extension = "pb.gz",
	.emit = emit,
	.needs_with = needs_with,
};

GPROFX_PLUGIN = {
	GPROFX_ABI,
	.name = "output-pprof",
	.version = "1.0",
	.summary = "Call stacks in the format of pprof",
	GPROFX_OPTIONS(struct options, table),
	.emitter = &emitter,
};
