/* SPDX-License-Identifier: Apache-2.0 */
/* The flat profile, or the arcs of the call graph, as comma-separated values (RFC 4180). */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include <gprofx/emitter.h>
#include <gprofx/text.h>

#include "../shared/export-reals.h"
#include "../shared/figures.h"

enum table { TABLE_FLAT, TABLE_ARCS, TABLE_PER_FILE, TABLE_LINES };
enum formulas { FORMULAS_DEFUSE, FORMULAS_KEEP };

static const char *const table_words[] = {"flat", "arcs", "per-file", "lines", NULL};
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
                 "(per-file), or for each counted source line (lines)"},
	{.key = "formulas",
         .type = GPROFX_CHOICE,
         .offset = offsetof(struct options, formulas),
         .initial = "defuse",
         .choices = formulas_words,
         .help = "what to do with names that a spreadsheet would read as formulas: put an "
                 "apostrophe before them (defuse), or write them unchanged (keep)"},
};

enum { METRIC_COLUMNS = 4 }; /* of each metric besides the first */

/* One table under way. */
struct sheet {
	const struct gprofx_report *report;
	struct gprofx_writer *writer;
	bool defuses;
	bool in_row; /* a field of the row was written */
};

static void
begin_field(struct sheet *s)
{
	if (s->in_row)
		gprofx_putc(s->writer, ',');
	s->in_row = true;
}

static void
end_row(struct sheet *s)
{
	gprofx_puts(s->writer, "\r\n");
	s->in_row = false;
}

static void
put_columns(struct sheet *s, const char *const *names)
{
	for (; *names; names++) {
		begin_field(s);
		gprofx_puts(s->writer, *names);
	}
}

/*
 * What makes a spreadsheet take a text for a formula when it is the first character; the last four
 * are wide forms, which some take for the same.
 */
static bool
starts_formula(uint32_t code)
{
	static const uint32_t starts[] = {'=',  '+',    '-',    '@',    '\t',  '\r',
	                                  '\n', 0xff1d, 0xff0b, 0xff0d, 0xff20};

	for (size_t i = 0; i < sizeof starts / sizeof starts[0]; i++)
		if (code == starts[i])
			return true;
	return false;
}

/*
 * Whether the text begins with what would be taken for an escaped byte: its backslash is escaped,
 * so that every \xNN in the file is a byte.
 */
static bool
starts_escape(const char *bytes, size_t length)
{
	static const char digits[] = "0123456789abcdef";

	return length >= 4 && bytes[0] == '\\' && bytes[1] == 'x' && bytes[2] != '\0' &&
	       bytes[3] != '\0' && strchr(digits, bytes[2]) && strchr(digits, bytes[3]);
}

static void
put_escaped(struct gprofx_writer *w, char byte)
{
	char escaped[4];

	gprofx_escape(escaped, byte);
	gprofx_put(w, escaped, sizeof escaped);
}

/*
 * Text of unknown origin, always quoted.  What is not printable becomes \xNN for each byte, so that
 * the file is UTF-8; the ends of lines may stand between quotes as they are.
 */
static void
put_text(struct sheet *s, const char *bytes, size_t length)
{
	struct gprofx_writer *w = s->writer;
	uint32_t code;

	begin_field(s);
	gprofx_putc(w, '"');
	if (s->defuses && gprofx_utf8(bytes, length, &code) > 0 && starts_formula(code))
		gprofx_putc(w, '\'');
	for (size_t at = 0, end; at < length; at++) {
		size_t begin = at;

		end = at + gprofx_printable(bytes + at, length - at);
		while (at < end && bytes[at] != '"' &&
		       (bytes[at] != '\\' || !starts_escape(bytes + at, length - at)))
			at++;
		gprofx_put(w, bytes + begin, at - begin);
		if (at == length)
			break;
		if (bytes[at] == '"')
			gprofx_put(w, "\"\"", 2);
		else if (bytes[at] == '\n' || bytes[at] == '\r')
			gprofx_putc(w, bytes[at]);
		else
			put_escaped(w, bytes[at]);
	}
	gprofx_putc(w, '"');
}

static void
put_name(struct sheet *s, uint32_t node)
{
	struct gprofx_text name = s->report->services->name(s->report, node);

	put_text(s, name.bytes, name.length);
}

static void
put_string(struct sheet *s, const char *text)
{
	if (text)
		put_text(s, text, strlen(text));
	else
		begin_field(s);
}

static void
put_count(struct sheet *s, uint64_t value)
{
	begin_field(s);
	s->writer->services->number(s->writer, value, 0);
}

static void
put_count_or_nothing(struct sheet *s, uint64_t value)
{
	if (value != 0)
		put_count(s, value);
	else
		begin_field(s);
}

/* The shortest digits that stand for this value alone, with a point whatever the locale; or
 * nothing. */
static void
put_real(struct sheet *s, double value)
{
	char text[EXPORT_REAL_BYTES];

	begin_field(s);
	if (!isfinite(value))
		return;
	/* No minus before a zero. */
	gprofx_put(s->writer, text, export_shortest(text, value == 0 ? 0 : value));
}

/* A number of calls, or nothing where they were not counted. */
static void
put_calls(struct sheet *s, const struct gprofx_call_column *column, uint64_t calls)
{
	if (gprofx_is_counted(column, calls))
		put_count(s, calls);
	else
		begin_field(s);
}

static void
put_seconds(struct sheet *s, double ticks)
{
	put_real(s, figure_seconds(s->report, ticks));
}

/* Ticks, or nothing where such values are not known. */
static void
put_ticks(struct sheet *s, uint32_t origin, double ticks)
{
	put_real(s, origin != GPROFX_UNKNOWN ? ticks : (double)NAN);
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
			put_text(s, name, strlen(name));
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

	put_ticks(s, column->self_origin, self / scale);
	put_ticks(s, column->total_origin, other / scale);
	put_ticks(s, column->self_origin, self);
	put_ticks(s, column->total_origin, other);
}

static void
put_flat_row(struct sheet *s, uint32_t function, double sum)
{
	const struct gprofx_report *r = s->report;
	double self = gprofx_self_of(r, function),
	       calls = (double)gprofx_known_calls_of(r, function);
	double whole = gprofx_whole_self_of(r, function);
	double total = r->origin->has_arcs ? whole + gprofx_below_of(r, function) : (double)NAN;
	uint32_t line;
	const char *file = r->services->source(r, function, &line);

	put_name(s, function);
	put_real(s, r->graph->columns->flat_total > 0 ? 100.0 * self / r->graph->columns->flat_total
	                                              : (double)NAN);
	put_seconds(s, sum);
	put_seconds(s, self);
	put_seconds(s, total);
	put_calls(s, r->graph->calls, gprofx_calls_of(r, function));
	put_calls(s, r->graph->calls, gprofx_recursive_of(r, function));
	/* Nothing where there are no calls: 0 / 0 is not a number, and neither is anything / 0. */
	put_seconds(s, whole / calls);
	put_seconds(s, total / calls);
	put_ticks(s, r->graph->columns->self_origin, self);
	put_ticks(s, r->graph->columns->total_origin, total);
	put_count_or_nothing(s, r->graph->cycle[function]);
	put_count_or_nothing(s, r->graph->index[function]);
	put_string(s, r->functions->raw_name[function]);
	begin_field(s);
	if (r->origin->image &&
	    !(r->graph->flags[function] & (GPROFX_NODE_OUTSIDE | GPROFX_NODE_INDIRECT)))
		gprofx_out(s->writer, "0x%llx",
		           (unsigned long long)r->functions->address[function]);
	put_string(s, file);
	put_count_or_nothing(s, line);
	begin_field(s);
	gprofx_puts(s->writer, (r->graph->flags[function] & GPROFX_NODE_STATIC) ? "true" : "false");
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
	double sum = 0;

	put_columns(s, columns);
	put_metric_columns(s, metric_columns);
	end_row(s);
	for (uint32_t i = 0; i < s->report->graph->flat_count; i++) {
		sum += gprofx_self_of(s->report, s->report->graph->flat[i]);
		put_flat_row(s, s->report->graph->flat[i], sum);
	}
}

static void
put_arc_row(struct sheet *s, uint32_t id)
{
	const struct gprofx_report *r = s->report;
	const struct gprofx_arc arc = gprofx_arc_at(&r->graph->arcs, id);
	uint32_t cycle = r->graph->cycle[arc.callee];
	bool is_recursive = arc.caller == arc.callee;
	bool is_inside = !is_recursive && cycle != 0 && r->graph->cycle[arc.caller] == cycle;
	/* What comes from outside of a cycle is counted for the cycle as a whole. */
	uint32_t counted = gprofx_whole_of(r, arc.callee);
	put_name(s, arc.caller);
	put_name(s, arc.callee);
	begin_field(s);
	gprofx_puts(s->writer, is_recursive ? "recursive" : is_inside ? "cycle" : "call");
	put_calls(s, r->graph->arcs.calls, arc.calls);
	put_count_or_nothing(s, is_recursive || (is_inside && counted != arc.callee)
	                                ? 0
	                                : gprofx_known_calls_of(r, counted));
	put_seconds(s, arc.self);
	put_seconds(s, arc.below);
	put_seconds(s, arc.self + arc.below);
	put_ticks(s, r->graph->arcs.columns->self_origin, arc.self);
	put_ticks(s, r->graph->arcs.columns->total_origin, arc.below);
	put_count_or_nothing(s, r->graph->cycle[arc.caller]);
	put_count_or_nothing(s, cycle);
	put_count_or_nothing(s, r->graph->index[arc.caller]);
	put_count_or_nothing(s, r->graph->index[arc.callee]);
	put_string(s, r->functions->raw_name[arc.caller]);
	put_string(s, r->functions->raw_name[arc.callee]);
	put_string(s, figure_static_kind(r, id));
	for (uint32_t m = 1; m < r->origin->metric_count; m++) {
		const struct gprofx_column *column = gprofx_column_at(r->graph->arcs.columns, m);

		put_metric(s, m, column, gprofx_real(&column->self, id),
		           gprofx_real(&column->below, id));
	}
	end_row(s);
}

static void
put_arcs(struct sheet *s)
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

	put_columns(s, columns);
	put_metric_columns(s, metric_columns);
	end_row(s);
	for (uint32_t i = 0; i < s->report->graph->arcs.count; i++)
		put_arc_row(s, i);
}

static void
put_spread(struct sheet *s, const struct gprofx_spread *spread,
           void (*put)(struct sheet *s, double value))
{
	put(s, spread->total);
	put(s, spread->mean);
	put(s, spread->least);
	put(s, spread->most);
	put(s, spread->deviation);
	put_real(s, spread->mean > 0 ? spread->most / spread->mean : (double)NAN);
	put_count(s, spread->files);
	put_string(s, gprofx_labelled_at(s->report, spread->least_file)->label);
	put_string(s, gprofx_labelled_at(s->report, spread->most_file)->label);
}

static enum gprofx_result
put_per_file(struct gprofx *gx, struct sheet *s)
{
	static const struct gprofx_diagnostic missing = {
		.id = "report.no-statistics",
		.hint = "request them with --per-file",
	};
	static const char *const columns[] = {
		"name",           "total_seconds",
		"mean_seconds",   "min_seconds",
		"max_seconds",    "sd_seconds",
		"imbalance",      "files",
		"min_file",       "max_file",
		"total_calls",    "mean_calls",
		"min_calls",      "max_calls",
		"sd_calls",       "calls_imbalance",
		"calls_files",    "min_calls_file",
		"max_calls_file", "total_ticks",
		"raw_name",       NULL,
	};

	if (!s->report->files->spread)
		return gprofx_fail(gx, &missing, "no per-file statistics were collected");
	put_columns(s, columns);
	end_row(s);
	for (uint32_t i = 0; i < s->report->files->spread_count; i++) {
		const struct gprofx_function_spread *row = gprofx_spread_at(s->report, i);

		put_name(s, row->function);
		put_spread(s, &row->self, put_seconds);
		put_spread(s, &row->calls, put_real);
		put_real(s, row->self.total);
		put_string(s, s->report->functions->raw_name[row->function]);
		end_row(s);
	}
	return GPROFX_OK;
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

		put_string(s, s->report->source->executed_file[line->file]);
		put_count(s, line->line);
		put_count(s, line->count);
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

	if (options->table == TABLE_PER_FILE)
		return put_per_file(gx, &sheet);
	if (options->table == TABLE_LINES)
		return put_lines(gx, &sheet);
	if (options->table == TABLE_FLAT)
		put_flat(&sheet);
	else
		put_arcs(&sheet);
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
	needs->traits = GPROFX_EMITTER_ALONE | GPROFX_EMITTER_BYTES;
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
