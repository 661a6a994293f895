/* SPDX-License-Identifier: Apache-2.0 */
/* The flat profile, or the arcs of the call graph, as comma-separated values (RFC 4180). */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include <gprofx/emitter.h>

#include "../shared/export-rows.h"
#include "../shared/fetch.h"
#include "../shared/figures.h"
#include "../shared/kept.h"
#include "compared.h"
#include "members.h"
#include "sheet.h"

enum table {
	TABLE_FLAT,
	TABLE_ARCS,
	TABLE_PER_FILE,
	TABLE_LINES,
	TABLE_THREADS,
	TABLE_PROCESSES,
	TABLE_PHASES,
	TABLE_PER_THREAD,
	TABLE_PER_PROCESS,
	TABLE_PER_PHASE,
	TABLES
};
enum formulas { FORMULAS_DEFUSE, FORMULAS_KEEP };

static const char *const table_words[] = {"flat",        "arcs",      "per-file", "lines",
                                          "threads",     "processes", "phases",   "per-thread",
                                          "per-process", "per-phase", NULL};

/* What values are split by, of the tables that need it: enum gprofx_slice_kind. */
static const uint32_t table_kinds[TABLES] = {
	[TABLE_THREADS] = GPROFX_SLICE_THREAD,    [TABLE_PER_THREAD] = GPROFX_SLICE_THREAD,
	[TABLE_PROCESSES] = GPROFX_SLICE_PROCESS, [TABLE_PER_PROCESS] = GPROFX_SLICE_PROCESS,
	[TABLE_PHASES] = GPROFX_SLICE_PHASE,      [TABLE_PER_PHASE] = GPROFX_SLICE_PHASE,
};
static const char *const formulas_words[] = {"defuse", "keep", NULL};

struct options {
	uint32_t table;    /* enum table */
	uint32_t formulas; /* enum formulas */
};

static const struct gprofx_option table[] = {
	{.key = "table",
         .type = GPROFX_CHOICE,
         .offset = offsetof(struct options, table),
         .initial = "flat",
         .choices = table_words,
         .help = "what to write: a row for each function of the flat profile (flat), for each arc "
                 "(arcs), for each function that differs between files, with --per-file "
                 "(per-file), or for each counted source line (lines); for each thread, process "
                 "or phase (threads, processes, phases), or for each function that differs between "
                 "them (per-thread, per-process, per-phase)"},
	{.key = "formulas",
         .type = GPROFX_CHOICE,
         .offset = offsetof(struct options, formulas),
         .initial = "defuse",
         .choices = formulas_words,
         .help = "what to do with names that a spreadsheet would read as formulas: put an "
                 "apostrophe before them (defuse), or write them unchanged (keep)"},
};

enum { METRIC_COLUMNS = 4 }; /* of each metric besides the first */
enum { NEAR = 6, FAR = 12 }; /* how many rows ahead memory is fetched */

/*
 * What stands for a function in all rows of its arcs: places in a text, of the name, which goes up
 * to the raw one, of that with a comma before it, and of what is behind it.
 */
struct names {
	size_t name, raw_name, end;
};

/* Ticks, or nothing where such values are not known. */
static char *
add_ticks(char *at, uint32_t origin, double ticks)
{
	return origin != GPROFX_UNKNOWN ? add_real(at, ticks) : add_nothing(at);
}

/* Columns of the metrics besides the first are called by them, whatever that is. */
static void
put_metric_columns(struct sheet *s, const char *const words[METRIC_COLUMNS])
{
	for (uint32_t m = 1; m < s->report->origin->metric_count; m++) {
		const char *metric = gprofx_metric_at(s->report, m)->name;

		for (int i = 0; i < METRIC_COLUMNS; i++) {
			char name[128];

			snprintf(name, sizeof name, "%.64s_%s", metric, words[i]);
			add_string(s, name);
		}
	}
}

/* Two values of a further metric, in its unit and in ticks. */
static void
put_metric(struct sheet *s, uint32_t metric, const struct gprofx_column *column, double self,
           double other)
{
	uint32_t unit = gprofx_metric_at(s->report, metric)->ticks_per_unit;
	double scale = unit != 0 ? unit : (double)NAN;
	char *at = export_room(s->writer);

	at = add_ticks(at, column->self_origin, self / scale);
	at = add_ticks(at, column->total_origin, other / scale);
	at = add_ticks(at, column->self_origin, self);
	export_end(s->writer, add_ticks(at, column->total_origin, other));
}

/* The figures between the two names of a function. */
static void
add_figures(struct sheet *s, uint32_t function, double sum)
{
	const struct gprofx_report *r = s->report;
	const struct gprofx_column *column = r->graph->columns;
	double self = gprofx_self_of(r, function),
	       calls = (double)gprofx_known_calls_of(r, function);
	double whole = gprofx_whole_self_of(r, function);
	double total = r->origin->has_arcs ? whole + gprofx_below_of(r, function) : (double)NAN;
	char *at = export_room(s->writer);

	_Static_assert(12 <= FIELDS_AT_ONCE, "there is room for all of them");
	at = add_real(at, column->flat_total > 0 ? 100.0 * self / column->flat_total : (double)NAN);
	at = add_seconds(s, at, sum);
	at = add_seconds(s, at, self);
	at = add_seconds(s, at, total);
	at = add_calls(at, r->graph->calls, gprofx_calls_of(r, function));
	at = add_calls(at, r->graph->calls, gprofx_recursive_of(r, function));
	/* Nothing where there are no calls: 0 / 0 is not a number, and neither is anything / 0. */
	at = add_seconds(s, at, whole / calls);
	at = add_seconds(s, at, total / calls);
	at = add_ticks(at, column->self_origin, self);
	at = add_ticks(at, column->total_origin, total);
	at = add_count_or_nothing(at, r->graph->cycle[function]);
	export_end(s->writer, add_count_or_nothing(at, r->graph->index[function]));
}

static void
add_address(struct sheet *s, uint32_t function)
{
	const struct gprofx_report *r = s->report;
	bool is_known = r->origin->image &&
	                !(r->graph->flags[function] & (GPROFX_NODE_OUTSIDE | GPROFX_NODE_INDIRECT));
	char *at = add_nothing(export_room(s->writer));

	export_end(s->writer, is_known ? export_address(at, r->functions->address[function]) : at);
}

static void
put_flat_row(struct sheet *s, uint32_t function, double sum)
{
	const struct gprofx_report *r = s->report;
	uint32_t line;
	const char *file = r->services->source(r, function, &line);
	char *at;

	put_name(s, function);
	add_figures(s, function, sum);
	add_string(s, r->functions->raw_name[function]);
	add_address(s, function);
	add_string(s, file);
	at = add_count_or_nothing(export_room(s->writer), line);
	at = (r->graph->flags[function] & GPROFX_NODE_STATIC) ? EXPORT_WORDS(at, ",true")
	                                                      : EXPORT_WORDS(at, ",false");
	export_end(s->writer, at);
	for (uint32_t m = 1; m < r->origin->metric_count; m++) {
		const struct gprofx_column *column = gprofx_column_at(r->graph->columns, m);
		double own = gprofx_whole_self_in(column, function);

		put_metric(s, m, column, gprofx_real(&column->self, function),
		           own + gprofx_real(&column->below, function));
	}
	end_row(s);
}

static void
put_flat(struct sheet *s)
{
	static const char *const columns[] = {
		"name",
		"percent",
		"cumulative_seconds",
		"self_seconds",
		"total_seconds",
		"calls",
		"recursive_calls",
		"self_seconds_per_call",
		"total_seconds_per_call",
		"self_ticks",
		"total_ticks",
		"cycle",
		"index",
		"raw_name",
		"address",
		"source_file",
		"source_line",
		"static",
		NULL,
	};
	static const char *const metric_columns[METRIC_COLUMNS] = {"self", "total", "self_ticks",
	                                                           "total_ticks"};
	const struct gprofx_report_graph *graph = s->report->graph;
	const struct gprofx_report_functions *functions = s->report->functions;
	double sum = 0;

	put_columns(s, columns);
	put_metric_columns(s, metric_columns);
	end_row(s);
	for (uint32_t i = 0; i < graph->flat_count; i++) {
		/* By time, functions are all over memory: half of the time was waiting for it. */
		if (graph->flat_count - i > FAR) {
			uint32_t far = graph->flat[i + FAR], near = graph->flat[i + NEAR];

			FETCH_ROW(&graph->columns->self, far);
			FETCH_ROW(&graph->columns->below, far);
			FETCH_ROW(&graph->calls->calls, far);
			FETCH_ROW(&graph->calls->recursive, far);
			FETCH(&graph->flags[far]);
			FETCH(&graph->cycle[far]);
			FETCH(&graph->index[far]);
			FETCH(&functions->raw_name[far]);
			FETCH(&functions->address[far]);
			FETCH(functions->raw_name[near]);
		}
		sum += gprofx_self_of(s->report, graph->flat[i]);
		put_flat_row(s, graph->flat[i], sum);
	}
}

/* The figures between the names of an arc's ends. */
static void
add_arc_figures(struct sheet *s, const struct gprofx_arc *arc)
{
	const struct gprofx_report *r = s->report;
	const struct gprofx_column *column = r->graph->arcs.columns;
	uint32_t cycle = r->graph->cycle[arc->callee];
	bool is_recursive = arc->caller == arc->callee;
	bool is_inside = !is_recursive && cycle != 0 && r->graph->cycle[arc->caller] == cycle;
	/* What comes from outside of a cycle is counted for the cycle as a whole. */
	uint32_t counted = gprofx_whole_of(r, arc->callee);
	bool has_count = !is_recursive && (!is_inside || counted == arc->callee);
	char *at = export_room(s->writer);

	_Static_assert(12 <= FIELDS_AT_ONCE, "there is room for all of them");
	at = is_recursive ? EXPORT_WORDS(at, ",recursive")
	     : is_inside  ? EXPORT_WORDS(at, ",cycle")
	                  : EXPORT_WORDS(at, ",call");
	at = add_calls(at, r->graph->arcs.calls, arc->calls);
	at = add_count_or_nothing(at, has_count ? gprofx_known_calls_of(r, counted) : 0);
	at = add_seconds(s, at, arc->self);
	at = add_seconds(s, at, arc->below);
	at = add_seconds(s, at, arc->self + arc->below);
	at = add_ticks(at, column->self_origin, arc->self);
	at = add_ticks(at, column->total_origin, arc->below);
	at = add_count_or_nothing(at, r->graph->cycle[arc->caller]);
	at = add_count_or_nothing(at, cycle);
	at = add_count_or_nothing(at, r->graph->index[arc->caller]);
	export_end(s->writer, add_count_or_nothing(at, r->graph->index[arc->callee]));
}

static void
put_arc_row(struct sheet *s, uint32_t id)
{
	const struct gprofx_report *r = s->report;
	const struct gprofx_arc arc = gprofx_arc_at(&r->graph->arcs, id);
	const struct names *caller = &s->names[arc.caller], *callee = &s->names[arc.callee];

	export_put_short(s->writer, s->text + caller->name, caller->raw_name - caller->name);
	put_comma(s);
	export_put_short(s->writer, s->text + callee->name, callee->raw_name - callee->name);
	add_arc_figures(s, &arc);
	export_put_short(s->writer, s->text + caller->raw_name, caller->end - caller->raw_name);
	export_put_short(s->writer, s->text + callee->raw_name, callee->end - callee->raw_name);
	add_string(s, figure_static_kind(r, id));
	for (uint32_t m = 1; m < r->origin->metric_count; m++) {
		const struct gprofx_column *column = gprofx_column_at(r->graph->arcs.columns, m);

		put_metric(s, m, column, gprofx_real(&column->self, id),
		           gprofx_real(&column->below, id));
	}
	end_row(s);
}

/* Names are escaped once, not for each arc. */
static void
make_names(struct gprofx *gx, struct sheet *s, struct kept *kept)
{
	const struct gprofx_report *r = s->report;
	struct gprofx_writer *to = kept_begin(kept, gx), *file = s->writer;
	size_t count = r->functions->count;
	struct names *names = gprofx_alloc(gx, (count + 1) * sizeof *names);
	bool *is_used = gprofx_alloc(gx, count + 1);

	for (uint32_t i = 0; i < r->graph->arcs.count; i++) {
		is_used[gprofx_id(&r->graph->arcs.caller, i)] = true;
		is_used[gprofx_id(&r->graph->arcs.callee, i)] = true;
	}
	s->writer = to;
	for (uint32_t i = 0; i < count; i++) {
		if (!is_used[i])
			continue;
		names[i].name = (size_t)(to->at - kept->text);
		put_name(s, i);
		names[i].raw_name = (size_t)(to->at - kept->text);
		add_string(s, r->functions->raw_name[i]);
		names[i].end = (size_t)(to->at - kept->text);
	}
	/* What may be read behind the last one. */
	memset(export_room(to), 0, EXPORT_SHORT);
	s->writer = file;
	s->names = names;
	s->text = kept->text;
	gx->host->release(gx, is_used);
}

static void
put_arcs(struct gprofx *gx, struct sheet *s)
{
	static const char *const columns[] = {
		"caller",          "callee",        "kind",
		"calls",           "callee_calls",  "self_seconds",
		"below_seconds",   "total_seconds", "self_ticks",
		"below_ticks",     "caller_cycle",  "callee_cycle",
		"caller_index",    "callee_index",  "caller_raw_name",
		"callee_raw_name", "static",        NULL,
	};
	static const char *const metric_columns[METRIC_COLUMNS] = {"self", "below", "self_ticks",
	                                                           "below_ticks"};
	const struct gprofx_report_graph *graph = s->report->graph;
	struct kept kept;

	make_names(gx, s, &kept);
	put_columns(s, columns);
	put_metric_columns(s, metric_columns);
	end_row(s);
	for (uint32_t i = 0; i < graph->arcs.count; i++) {
		if (graph->arcs.count - i > FAR) {
			uint32_t far = gprofx_id(&graph->arcs.callee, i + FAR);
			uint32_t near = gprofx_id(&graph->arcs.callee, i + NEAR);

			FETCH(&s->names[far]);
			FETCH(&graph->cycle[far]);
			FETCH(&graph->index[far]);
			FETCH_ROW(&graph->calls->calls, far);
			FETCH(s->text + s->names[near].name);
			FETCH(s->text + s->names[near].end);
		}
		put_arc_row(s, i);
	}
	kept_release(&kept);
}

static enum gprofx_result
put_lines(struct gprofx *gx, struct sheet *s)
{
	static const struct gprofx_diagnostic missing = {
		.id = "report.no-line-counts",
		.hint = "name the files of gcov --json-format in addition to the profile",
	};
	static const char *const columns[] = {"file", "line", "executions", NULL};

	if (!s->report->source->executed_file)
		return gprofx_fail(gx, &missing, "there are no counts of source lines");
	put_columns(s, columns);
	end_row(s);
	for (uint32_t i = 0; i < s->report->source->executed_line_count; i++) {
		const struct gprofx_executed_line *line = &s->report->source->executed_line[i];

		const char *file = s->report->source->executed_file[line->file];
		char *at;

		if (file)
			put_text(s, file, strlen(file));
		at = add_count(export_room(s->writer), line->line);
		export_end(s->writer, add_count(at, line->count));
		end_row(s);
	}
	return GPROFX_OK;
}

static enum gprofx_result
emit(struct gprofx *gx, const struct gprofx_emission *emission, const void *opaque)
{
	const struct options *options = opaque;
	struct sheet sheet = {
		.report = emission->report,
		.writer = emission->writer,
		.defuses = options->formulas == FORMULAS_DEFUSE,
	};

	sheet.has_seconds = isfinite(figure_seconds(sheet.report, 1));
	sheet.ticks_per_second = sheet.report->origin->metrics->ticks_per_unit;

	if (sheet.report->comparison) {
		if (options->table == TABLE_ARCS)
			compared_put_arcs(&sheet);
		else if (options->table == TABLE_LINES)
			compared_put_lines(&sheet);
		else
			compared_put(&sheet);
		return GPROFX_OK;
	}
	if (options->table == TABLE_PER_FILE)
		return members_put_files(gx, &sheet);
	if (options->table == TABLE_LINES)
		return put_lines(gx, &sheet);
	if (table_kinds[options->table] != 0) {
		members_put_slices(&sheet, table_kinds[options->table],
		                   options->table >= TABLE_PER_THREAD);
		return GPROFX_OK;
	}
	if (options->table == TABLE_FLAT)
		put_flat(&sheet);
	else
		put_arcs(gx, &sheet);
	return GPROFX_OK;
}

static void
needs_with(const void *opaque, struct gprofx_needs *needs)
{
	const struct options *options = opaque;

	needs->parts = GPROFX_PART_FLAT | GPROFX_PART_SOURCES;
	if (options->table == TABLE_PER_FILE)
		needs->also = GPROFX_PART_PER_FILE;
	if (options->table == TABLE_LINES)
		needs->parts |= GPROFX_PART_EXECUTED;
	if (table_kinds[options->table] != 0) {
		needs->parts |= GPROFX_PART_SLICE_TABLES;
		needs->slices = table_kinds[options->table];
	}
	needs->traits = GPROFX_EMITTER_ALONE | GPROFX_EMITTER_BYTES;
	if (options->table == TABLE_ARCS)
		needs->parts |= GPROFX_PART_GRAPH;
	if (options->table == TABLE_LINES)
		needs->also |= GPROFX_PART_COMPARED_LINES;
	if (options->table <= TABLE_ARCS || options->table == TABLE_LINES) {
		needs->also |= GPROFX_PART_COMPARISON;
		needs->traits |= GPROFX_EMITTER_COMPARES;
	}
}

static const struct gprofx_emitter emitter = {
	.size = sizeof emitter,
	.format = "csv",
	.extension = "csv",
	.emit = emit,
	.needs_with = needs_with,
};

GPROFX_PLUGIN = {
	GPROFX_ABI,
	.name = "output-csv",
	.version = "1.0",
	.summary = "The flat profile or the arcs as CSV, for spreadsheets",
	GPROFX_OPTIONS(struct options, table),
	.emitter = &emitter,
};
