/* SPDX-License-Identifier: Apache-2.0 */
#include "body.h"

#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "../shared/export-names.h"
#include "../shared/export-rows.h"
#include "../shared/export-values.h"
#include "../shared/fetch.h"

/* What is written by number after the first time: a kind of name. */
struct terms {
	const struct gprofx_text *text;
	bool *is_written;
};

/* A function as one that is called, in one piece: arcs lead to functions in no order. */
struct callee {
	uint32_t owner;                           /* as costs have it */
	uint32_t object, file, line;              /* as below */
	struct export_sum sums[BODY_MOST_EVENTS]; /* of the arcs into it */
};

struct work {
	struct body *body;
	const struct gprofx_report *report;
	struct gprofx_writer *writer;
	struct terms functions, files, objects;
	uint32_t *file, *object; /* per function, with lines: numbers of terms */
	uint32_t *line;          /* per function */
	uint32_t executed_files; /* the number in "file" of the first file of executed lines */
	uint64_t *self[BODY_MOST_EVENTS]; /* per function: integers */
	struct callee *callees;           /* per function */
	/* Of the block under way. */
	uint32_t own_function, own_object, own_file, current_file;
	uint32_t next_arc;
};

/*
 * "fn=(3) name", and "fn=(3)" from the second time on.  With room for a line of numbers at "at",
 * and behind the result.
 */
static char *
add_term(const struct work *w, char *at, const char key[4], struct terms *terms, uint32_t term)
{
	bool is_new = !terms->is_written[term];

	/* All keys but two have four characters. */
	memcpy(at, key, 4);
	at += 3 + (key[3] != '\0');
	if (w->body->has_calls) {
		*at++ = '(';
		at = export_number(at, (uint64_t)term + 1);
		*at++ = ')';
		if (is_new)
			*at++ = ' ';
	}
	if (is_new || !w->body->has_calls) {
		export_end(w->writer, at);
		gprofx_put(w->writer, terms->text[term].bytes, terms->text[term].length);
		at = export_room(w->writer);
		terms->is_written[term] = true;
	}
	*at++ = '\n';
	return at;
}

static void
put_term(const struct work *w, const char key[4], struct terms *terms, uint32_t term)
{
	export_end(w->writer, add_term(w, export_room(w->writer), key, terms, term));
}

/* Costs that follow are of lines of this file.  cachegrind's form names the function again. */
static void
put_file(struct work *w, uint32_t file)
{
	if (file == w->current_file)
		return;
	w->current_file = file;
	if (!w->body->has_calls) {
		put_term(w, "fl=", &w->files, file);
		put_term(w, "fn=", &w->functions, w->own_function);
		return;
	}
	put_term(w, file == w->own_file ? "fe=" : "fi=", &w->files, file);
}

/* A line of costs: all events, as readers do not agree on what a missing one means. */
static char *
add_costs(const struct work *w, char *at, uint32_t line, const uint64_t values[BODY_MOST_EVENTS],
          uint64_t executions)
{
	at = export_number(at, line);
	for (uint32_t i = 0; i < w->body->event_count; i++) {
		*at++ = ' ';
		at = export_number(at, values[i]);
	}
	if (w->body->executions.are_known) {
		*at++ = ' ';
		at = export_number(at, executions);
	}
	*at++ = '\n';
	return at;
}

static void
put_costs(const struct work *w, uint32_t line, const uint64_t values[BODY_MOST_EVENTS],
          uint64_t executions)
{
	export_end(w->writer, add_costs(w, export_room(w->writer), line, values, executions));
}

static void
put_self(struct work *w, uint32_t function, bool is_owner)
{
	uint64_t values[BODY_MOST_EVENTS] = {0};
	bool is_zero = true;

	for (uint32_t i = 0; i < w->body->event_count; i++) {
		values[i] = w->self[i] ? w->self[i][function] : 0;
		is_zero = is_zero && values[i] == 0;
	}
	if (is_zero && !is_owner)
		return;
	put_file(w, w->file[function]);
	put_costs(w, w->line[function], values, 0);
}

static void
put_executions(struct work *w, uint32_t function)
{
	static const uint64_t none[BODY_MOST_EVENTS];
	const struct executions *executions = &w->body->executions;

	if (!executions->are_known)
		return;
	for (uint32_t i = executions->first[function]; i < executions->first[function + 1]; i++) {
		const struct gprofx_executed_line
			*line = &w->report->source->executed_line[executions->line[i]];

		put_file(w, w->file[w->executed_files + line->file]);
		put_costs(w, line->line, none, line->count);
	}
}

/* Calls of a function from the line of a node.  name: of the function, or of what it is nested. */
static void
put_call_of(struct work *w, uint32_t site, uint32_t callee, uint32_t name, uint64_t calls,
            const uint64_t values[BODY_MOST_EVENTS])
{
	struct callee *to = &w->callees[callee];
	char *at;

	put_file(w, w->file[site]);
	at = export_room(w->writer);
	if (to->object != w->own_object)
		at = add_term(w, at, "cob=", &w->objects, to->object);
	at = add_term(w, at, "cfi=", &w->files, to->file);
	at = add_term(w, at, "cfn=", &w->functions, name);
	at = EXPORT_WORDS(at, "calls=");
	at = export_number(at, calls);
	*at++ = ' ';
	at = export_number(at, to->line);
	*at++ = '\n';
	export_end(w->writer, add_costs(w, at, w->line[site], values, 0));
}

static void
put_call(struct work *w, uint32_t site, uint32_t callee, uint64_t calls, double ticks)
{
	struct callee *to = &w->callees[callee];
	uint64_t values[BODY_MOST_EVENTS] = {0};

	for (uint32_t i = 0; i < w->body->event_count; i++)
		values[i] = export_round(&to->sums[i], export_scaled(&w->body->events[i], ticks));
	put_call_of(w, site, callee, callee, calls, values);
}

/*
 * An arc whose calls are part of others, or some of them: how many is not known, so that all count
 * where the arc has costs of its own.
 */
static void
put_nested(struct work *w, uint32_t arc, uint32_t caller, uint32_t callee, uint64_t calls)
{
	const struct costs *costs = &w->body->costs;
	struct export_sum sums[BODY_MOST_EVENTS] = {0};
	uint64_t values[BODY_MOST_EVENTS] = {0};

	if (costs->arc[arc] > 0)
		put_call(w, caller, callee, calls, costs->arc[arc]);
	for (uint32_t i = 0; i < w->body->event_count; i++)
		values[i] = export_round(&sums[i],
		                         export_scaled(&w->body->events[i], costs->nested[arc]));
	put_call_of(w, caller, callee, costs->count + 1 + callee, costs->arc[arc] > 0 ? 0 : calls,
	            values);
}

/* The parts of an arc that lines of the caller have, of so many calls. */
static void
put_sites(struct work *w, uint32_t arc, uint32_t callee, double all)
{
	const struct gprofx_report_graph *graph = w->report->graph;

	for (uint32_t i = graph->site_first[arc]; i < graph->site_first[arc + 1]; i++) {
		const struct gprofx_site *site = &graph->site[i];

		if (site->calls > 0)
			put_call(w, site->node, callee, site->calls,
			         w->body->costs.arc[arc] * ((double)site->calls / all));
	}
}

/* An arc, or the part of it that each line of the caller has. */
static void
put_arc(struct work *w, uint32_t arc)
{
	const struct gprofx_report_graph *graph = w->report->graph;
	const struct gprofx_call_column *column = graph->arcs.calls;
	uint64_t calls = gprofx_count(&column->calls, arc);
	uint32_t callee = w->callees[gprofx_id(&graph->arcs.callee, arc)].owner;
	uint32_t caller = gprofx_id(&graph->arcs.caller, arc);
	double all = 0;

	if (!w->body->costs.has_arc[arc])
		return;
	if (graph->site && graph->site_first)
		for (uint32_t i = graph->site_first[arc]; i < graph->site_first[arc + 1]; i++)
			all += (double)graph->site[i].calls;
	if (w->body->costs.nested && w->body->costs.nested[arc] > 0)
		put_nested(w, arc, caller, callee, calls);
	else if (graph->site && graph->site_first && all > 0)
		put_sites(w, arc, callee, all);
	else
		put_call(w, caller, callee, gprofx_is_counted(column, calls) ? calls : 1,
		         w->body->costs.arc[arc]);
}

/* What unknown callers are charged with. */
static void
put_extra(struct work *w, uint32_t caller)
{
	const struct costs *costs = &w->body->costs;

	for (uint32_t i = 0; i < costs->count; i++)
		if (costs->extra[i] > 0)
			put_call(w, caller, i, 1, costs->extra[i]);
}

/* Begins the block of a function. */
static void
begin_block(struct work *w, uint32_t function)
{
	if (w->body->has_calls) {
		gprofx_putc(w->writer, '\n');
		if (w->object[function] != w->own_object)
			put_term(w, "ob=", &w->objects, w->object[function]);
	}
	w->own_function = function;
	w->own_object = w->object[function];
	w->own_file = w->current_file = w->file[function];
	put_term(w, "fl=", &w->files, w->own_file);
	put_term(w, "fn=", &w->functions, function);
}

static void
put_block(struct work *w, uint32_t function)
{
	const struct costs *costs = &w->body->costs;
	const struct gprofx_arcs *arcs = &w->report->graph->arcs;
	enum { NEAR = 6, FAR = 12 };

	begin_block(w, function);
	for (uint32_t i = function; i < costs->count && costs->owner[i] == function; i++)
		put_self(w, i, i == function);
	put_executions(w, function);
	if (!w->body->has_calls)
		return;
	for (; w->next_arc < arcs->count; w->next_arc++) {
		uint32_t caller = costs->owner[gprofx_id(&arcs->caller, w->next_arc)];

		if (caller > function)
			break;
		/* Arcs lead to functions in no order: most of the time was waiting for memory. */
		if (arcs->count - w->next_arc > FAR) {
			uint32_t near = gprofx_id(&arcs->callee, w->next_arc + NEAR);
			uint32_t far = gprofx_id(&arcs->callee, w->next_arc + FAR);

			FETCH(&w->callees[far]);
			FETCH(&w->functions.text[far]);
			FETCH(w->functions.text[near].bytes);
		}
		put_arc(w, w->next_arc);
	}
	if (function == costs->outside)
		put_extra(w, function);
}

/* Integers for all self costs, which add up to the totals. */
static void
round_self(struct work *w)
{
	struct body *body = w->body;

	for (uint32_t event = 0; event < body->event_count; event++) {
		struct export_sum sum = {0};

		w->self[event] = gprofx_alloc(body->gx, ((size_t)body->costs.count + 1) *
		                                                sizeof *w->self[event]);
		for (uint32_t i = 0; i < body->costs.count; i++) {
			double ticks = gprofx_real(&w->report->graph->columns->self, i);

			w->self[event][i] = export_round(
				&sum, export_scaled(&body->events[event], ticks));
			body->totals[event] += w->self[event][i];
		}
	}
}

/* Readers skip blanks around a name, and a name of nothing else damages what they read. */
static bool
is_fit(const char *bytes, size_t length)
{
	return bytes[0] != ' ' && bytes[length - 1] != ' ';
}

static void
fit(char *bytes, size_t length)
{
	for (size_t i = 0; i < length && bytes[i] == ' '; i++)
		bytes[i] = '_';
	for (size_t i = length; i > 0 && bytes[i - 1] == ' '; i--)
		bytes[i - 1] = '_';
}

static const struct export_form form = {.is_fit = is_fit, .fit = fit, .has_lines = true};

static const struct gprofx_text unknown_file = {"???", 3};

/*
 * Paths below the working directory are written relative to it: callgrind_annotate shortens those
 * of functions itself, but not those of callees, and takes both for different files.
 */
static const char *
shorten(const char *path, const char *folder, size_t length)
{
	bool is_below = length > 1 && strncmp(path, folder, length) == 0 && path[length] == '/' &&
	                path[length + 1] != '\0' && path[length + 1] != '/';

	return is_below ? path + length + 1 : path;
}

static void
find_places(struct work *w, struct gprofx_text *files, struct gprofx_text *objects)
{
	const struct gprofx_report *report = w->report;
	const struct costs *costs = &w->body->costs;
	const char *program = export_program(report);
	char room[PATH_MAX];
	const char *folder = getcwd(room, sizeof room) ? room : "";
	size_t length = strlen(folder);

	for (uint32_t i = 0; i <= costs->count; i++) {
		bool is_there = i < costs->count && costs->is_shown[costs->owner[i]];
		const char *object = i < costs->count && report->functions->object_name
		                             ? report->functions->object_name[i]
		                             : NULL;
		const char *file = is_there ? report->services->source(report, i, &w->line[i])
		                            : NULL;

		file = file ? shorten(file, folder, length) : NULL;
		object = object ? object : program;
		objects[i] = (struct gprofx_text){object, strlen(object)};
		files[i] = file ? (struct gprofx_text){file, strlen(file)} : unknown_file;
		if (!file)
			w->line[i] = 0;
	}
	w->executed_files = costs->count + 1;
	if (!w->body->executions.are_known)
		return;
	for (uint32_t i = 0; i < report->source->executed_file_count; i++) {
		const char *file = shorten(report->source->executed_file[i], folder, length);

		files[w->executed_files + i] = (struct gprofx_text){file, strlen(file)};
	}
}

/* Numbers for equal texts, and the texts as they are written. */
static struct terms
make_terms(struct gprofx *gx, const struct gprofx_text *texts, uint32_t count, uint32_t **numbers)
{
	uint32_t distinct;
	struct gprofx_text *escaped;

	*numbers = export_distinct(gx, texts, count, &distinct);
	escaped = gprofx_alloc(gx, ((size_t)distinct + 1) * sizeof *escaped);
	for (uint32_t i = 0; i < count; i++)
		if (!escaped[(*numbers)[i]].bytes)
			escaped[(*numbers)[i]] = export_text(gx, texts[i], &form);
	return (struct terms){escaped, gprofx_alloc(gx, (size_t)distinct + 1)};
}

/* Names of functions that are called while they are active, behind those of all. */
static void
name_nested(const struct work *w, struct gprofx_text *names, uint32_t rows)
{
	const struct costs *costs = &w->body->costs;

	for (uint32_t i = 0; costs->nested && i < w->report->graph->arcs.count; i++) {
		uint32_t callee = costs->owner[gprofx_id(&w->report->graph->arcs.callee, i)];
		size_t length = names[callee].length;
		char *name;

		if (!(costs->nested[i] > 0) || names[rows + callee].bytes)
			continue;
		name = gprofx_alloc(w->body->gx, length + 3);
		snprintf(name, length + 3, "%.*s'2", (int)length, names[callee].bytes);
		names[rows + callee] = (struct gprofx_text){name, length + 2};
	}
}

static void
name_all(struct work *w)
{
	struct gprofx *gx = w->body->gx;
	const struct costs *costs = &w->body->costs;
	uint32_t rows = costs->count + 1, files = rows;
	struct gprofx_text *texts, *objects = gprofx_alloc(gx, (size_t)rows * sizeof *objects);
	/* Those of functions, and then those of functions that are active already. */
	struct gprofx_text *names = gprofx_alloc(gx, (size_t)2 * rows * sizeof *names);

	if (w->body->executions.are_known)
		files += w->report->source->executed_file_count;
	texts = gprofx_alloc(gx, (size_t)files * sizeof *texts);
	w->line = gprofx_alloc(gx, (size_t)rows * sizeof *w->line);
	find_places(w, texts, objects);
	w->files = make_terms(gx, texts, files, &w->file);
	w->objects = make_terms(gx, objects, rows, &w->object);
	memcpy(names, export_names(gx, w->report, costs->count, costs->is_shown, &form),
	       costs->count * sizeof *names);
	/* Who calls what has unknown callers, where the report has no row for it. */
	names[costs->count] = (struct gprofx_text){"<spontaneous>", strlen("<spontaneous>")};
	name_nested(w, names, rows);
	w->functions = (struct terms){names, gprofx_alloc(gx, (size_t)2 * rows)};
	w->callees = gprofx_alloc(gx, (size_t)rows * sizeof *w->callees);
	for (uint32_t i = 0; i < rows; i++)
		w->callees[i] = (struct callee){i < costs->count ? costs->owner[i] : i,
		                                w->object[i],
		                                w->file[i],
		                                w->line[i],
		                                {{0}}};
}

void
body_measure(struct body *body)
{
	struct work *w = gprofx_alloc(body->gx, sizeof *w);

	*w = (struct work){.body = body,
	                   .report = body->report,
	                   .writer = body->writer,
	                   .own_object = UINT32_MAX};
	body->work = w;
	costs_make(body->gx, body->report, &body->costs);
	executions_make(body->gx, body->report, &body->executions);
	if (body->executions.are_known)
		for (uint32_t i = 0; i < body->costs.count; i++)
			if (body->executions.first[i] < body->executions.first[i + 1])
				body->costs.is_shown[body->costs.owner[i]] = true;
	round_self(w);
	name_all(w);
}

void
body_put(struct body *body)
{
	struct work *w = body->work;
	const struct costs *costs = &body->costs;
	static const uint64_t none[BODY_MOST_EVENTS];

	for (uint32_t i = 0; i < costs->count; i++)
		if (costs->owner[i] == i && costs->is_shown[i])
			put_block(w, i);
	if (!body->has_calls || !costs->has_extra || costs->outside < costs->count)
		return;
	begin_block(w, costs->count);
	put_costs(w, 0, none, 0);
	put_extra(w, costs->count);
}
