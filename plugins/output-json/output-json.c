/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The whole report as one JSON document, in the form that gprofx-report.schema.json describes.  Its
 * long lists are written row by row; nothing of them is kept.
 */
#include "row.h"

#include "../shared/figures.h"

/* Raised when a reader of the form before would go wrong; new members do not raise it. */
enum { FORMAT_VERSION = 1 };

enum { IDS_IN_A_LINE = 32 };

/* One document under way. */
struct document {
	const struct gprofx_report *report;
	struct gprofx_writer *writer;
	struct row row;
	bool has_members; /* of the document */
	bool has_rows;    /* of the list that was begun */
};

static void
begin_member(struct document *d, const char *key)
{
	gprofx_puts(d->writer, d->has_members ? ",\n\"" : "\n\"");
	gprofx_puts(d->writer, key);
	gprofx_puts(d->writer, "\":");
	d->has_members = true;
}

static void
end_object(struct document *d)
{
	gprofx_putc(d->writer, '{');
	row_write(&d->row, d->writer);
	gprofx_putc(d->writer, '}');
}

static void
begin_object(struct document *d, const char *key)
{
	begin_member(d, key);
	row_begin(&d->row);
}

static void
begin_list(struct document *d, const char *key)
{
	begin_member(d, key);
	gprofx_putc(d->writer, '[');
	d->has_rows = false;
}

static void
next_line(struct document *d)
{
	gprofx_puts(d->writer, d->has_rows ? ",\n" : "\n");
	d->has_rows = true;
}

static void
end_list(struct document *d)
{
	gprofx_puts(d->writer, d->has_rows ? "\n]" : "]");
}

/* A list of ids.  It can be as long as the report, so it is never a value of a row. */
static void
put_ids(struct document *d, const uint32_t *ids, uint32_t count)
{
	gprofx_putc(d->writer, '[');
	for (uint32_t i = 0; i < count; i++) {
		if (i > 0)
			gprofx_puts(d->writer, i % IDS_IN_A_LINE == 0 ? ",\n" : ",");
		d->writer->services->number(d->writer, ids[i], 0);
	}
	gprofx_putc(d->writer, ']');
}

/* The ids of one list of several, under a key. */
static void
put_list(struct document *d, const char *key, const struct gprofx_lists *lists, uint32_t list)
{
	uint32_t first = lists->first[list];

	gprofx_puts(d->writer, ",\"");
	gprofx_puts(d->writer, key);
	gprofx_puts(d->writer, "\":");
	put_ids(d, lists->item + first, lists->first[list + 1] - first);
}

/* A time in both units: members ticks_key and seconds_key. */
static void
add_time(struct document *d, const char *ticks_key, const char *seconds_key, double ticks)
{
	row_real(&d->row, ticks_key, ticks);
	row_real(&d->row, seconds_key, figure_seconds(d->report, ticks));
}

/* What only the analysis of arcs tells is not known without any. */
static double
if_known(const struct gprofx_report *report, double value)
{
	return report->has_arcs ? value : (double)NAN;
}

/* What a file is, and what it holds as a whole. */
static void
add_file(struct document *d, const struct gprofx_profile_file *file)
{
	static const char *const orders[] = {NULL, "little", "big"};
	char moment[FIGURE_MOMENT_BYTES];
	struct row *row = &d->row;
	const char *unit;
	double time = figure_file_time(file, &unit);
	bool is_known = file->byte_order < sizeof orders / sizeof orders[0];

	row_string(row, "file", file->name);
	row_string(row, "format", file->format);
	row_string(row, "variant", file->variant);
	row_string(row, "reader", file->reader);
	if (file->has_version)
		row_count(row, "version", file->version);
	else
		row_null(row, "version");
	row_string(row, "byte_order", is_known ? orders[file->byte_order] : NULL);
	row_number_or_null(row, "pointer_bytes", file->pointer_bytes);
	row_count(row, "bytes", file->bytes);
	row_string(row, "modified", figure_moment(file->modified, moment) ? moment : NULL);
	row_address(row, "slide", file->slide);
	row_count(row, "histogram_records", file->histogram_records);
	row_count(row, "samples", file->samples);
	row_real(row, "seconds", unit && strcmp(unit, "seconds") == 0 ? time : (double)NAN);
	row_count(row, "known_samples", file->known_samples);
	row_count(row, "full_bins", file->full_bins);
	row_count(row, "nearly_full_bins", file->near_bins);
	row_count(row, "arc_records", file->arc_records);
	row_count(row, "arcs", file->arc_count);
	row_count(row, "known_arcs", file->known_arc_count);
	row_count(row, "calls", file->calls);
	row_count(row, "known_calls", file->known_calls);
	row_count(row, "calls_without_caller", file->calls_without_caller);
	row_count(row, "known_calls_without_caller", file->known_calls_without_caller);
	row_count(row, "block_records", file->block_records);
	row_count(row, "blocks", file->block_count);
	row_count(row, "source_files", file->source_files);
	row_count(row, "source_lines", file->source_lines);
	row_count(row, "source_lines_run", file->source_lines_run);
	row_count(row, "source_functions", file->source_functions);
}

static void
put_range(struct document *d, const struct gprofx_file_range *range)
{
	struct row *row = &d->row;

	row_begin(row);
	row_address(row, "low", range->low);
	row_address(row, "high", range->high);
	row_count(row, "records", range->records);
	row_count(row, "bins", range->bin_count);
	row_count(row, "counter_bytes", range->bin_bytes);
	row_number_or_null(row, "rate", range->rate);
	row_bool(row, "assumes_rate", range->assumes_rate);
	row_string(row, "dimension", range->dimension);
	row_text(row, "abbreviation", &range->abbreviation, range->abbreviation != '\0');
	row_count(row, "samples", range->samples);
	row_count(row, "largest", range->largest);
	end_object(d);
}

static void
put_profile_file(struct document *d, uint32_t i)
{
	const struct gprofx_profile_file *file = gprofx_file_at(d->report, i);

	row_begin(&d->row);
	add_file(d, file);
	next_line(d);
	gprofx_putc(d->writer, '{');
	row_write(&d->row, d->writer);
	gprofx_puts(d->writer, ",\"ranges\":[");
	for (uint32_t k = 0; k < file->range_count && !d->row.failed; k++) {
		if (k > 0)
			gprofx_puts(d->writer, ",\n");
		put_range(d, gprofx_range_at(file, k));
	}
	gprofx_puts(d->writer, "]}");
}

static void
put_origin(struct document *d)
{
	const struct gprofx_report *r = d->report;
	struct row *row = &d->row;

	begin_object(d, "format");
	row_string(row, "name", "gprofx-report");
	row_count(row, "version", FORMAT_VERSION);
	end_object(d);
	begin_object(d, "producer");
	row_string(row, "name", "gprofx");
	row_string(row, "version", r->version);
	end_object(d);
	begin_object(d, "image");
	row_string(row, "file", r->image);
	end_object(d);
}

static void
put_profile(struct document *d)
{
	const struct gprofx_report *r = d->report;
	struct row *row = &d->row;

	begin_object(d, "profile");
	row_bool(row, "has_histogram", r->has_histogram);
	row_bool(row, "has_arcs", r->has_arcs);
	if (r->has_histogram) {
		row_number_or_null(row, "rate", r->rate);
		row_string(row, "dimension", r->dimension);
		row_text(row, "abbreviation", &r->abbreviation, r->abbreviation != '\0');
		row_real(row, "bin_bytes", 2 * r->bin_width);
	} else {
		row_null(row, "rate");
		row_null(row, "dimension");
		row_null(row, "abbreviation");
		row_null(row, "bin_bytes");
	}
	end_object(d);
	begin_object(d, "totals");
	row_count(row, "functions", r->function_count);
	row_count(row, "cycles", r->node_count - r->function_count);
	row_count(row, "arcs", r->arc_count);
	add_time(d, "flat_ticks", "flat_seconds", r->flat_total);
	add_time(d, "graph_ticks", "graph_seconds", if_known(r, r->graph_total));
	end_object(d);
}

/* What the spread of times and that of calls have in common; zeros have no imbalance. */
static void
add_spread_files(struct document *d, const struct gprofx_spread *spread)
{
	struct row *row = &d->row;

	row_real(row, "imbalance", spread->mean > 0 ? spread->most / spread->mean : (double)NAN);
	row_count(row, "files", spread->files);
	row_count(row, "min_file", spread->least_file);
	row_count(row, "max_file", spread->most_file);
}

static void
put_spread(struct document *d, uint32_t i)
{
	const struct gprofx_function_spread *spread = gprofx_spread_at(d->report, i);
	const struct gprofx_spread *self = &spread->self, *calls = &spread->calls;
	struct row *row = &d->row;

	next_line(d);
	gprofx_puts(d->writer, "{\"function\":");
	d->writer->services->number(d->writer, spread->function, 0);
	gprofx_puts(d->writer, ",\"self\":");
	row_begin(row);
	add_time(d, "total_ticks", "total_seconds", self->total);
	add_time(d, "mean_ticks", "mean_seconds", self->mean);
	add_time(d, "min_ticks", "min_seconds", self->least);
	add_time(d, "max_ticks", "max_seconds", self->most);
	add_time(d, "sd_ticks", "sd_seconds", self->deviation);
	add_spread_files(d, self);
	end_object(d);
	gprofx_puts(d->writer, ",\"calls\":");
	row_begin(row);
	row_real(row, "total", calls->total);
	row_real(row, "mean", calls->mean);
	row_real(row, "min", calls->least);
	row_real(row, "max", calls->most);
	row_real(row, "sd", calls->deviation);
	add_spread_files(d, calls);
	end_object(d);
	gprofx_putc(d->writer, '}');
}

static void
put_label(struct document *d, uint32_t i)
{
	const struct gprofx_labelled_file *file = gprofx_labelled_at(d->report, i);

	row_begin(&d->row);
	row_count(&d->row, "id", i);
	row_string(&d->row, "file", file->name);
	row_string(&d->row, "label", file->label);
	row_count(&d->row, "samples", file->samples);
	add_time(d, "ticks", "seconds", file->ticks);
	next_line(d);
	end_object(d);
}

/* Names of corrections are words of letters and hyphens. */
static void
put_correction(struct document *d, uint32_t i)
{
	next_line(d);
	gprofx_putc(d->writer, '"');
	gprofx_puts(d->writer, d->report->correction_names[i]);
	gprofx_putc(d->writer, '"');
}

static void
put_finding(struct document *d, uint32_t i)
{
	const struct gprofx_report *r = d->report;
	/* They are as far apart as the host says, which can know of more members. */
	const char *place = (const char *)r->findings + (size_t)i * r->findings->size;
	const struct gprofx_finding *finding = (const struct gprofx_finding *)(const void *)place;

	row_begin(&d->row);
	row_string(&d->row, "id", finding->id);
	row_string(&d->row, "file", finding->file);
	row_string(&d->row, "summary", finding->summary);
	row_string(&d->row, "evidence", finding->evidence);
	row_string(&d->row, "advice", finding->advice);
	next_line(d);
	end_object(d);
}

/* What functions and cycles have in common. */
static void
add_node_figures(struct document *d, uint32_t node)
{
	const struct gprofx_report *r = d->report;
	struct row *row = &d->row;
	double self = r->self[node], below = if_known(r, r->below[node]);

	row_bool(row, "shown", (r->flags[node] & GPROFX_NODE_SHOWN) != 0);
	add_time(d, "self_ticks", "self_seconds", self);
	if (r->whole_self)
		add_time(d, "whole_self_ticks", "whole_self_seconds", gprofx_whole_self(r, node));
	add_time(d, "below_ticks", "below_seconds", below);
	add_time(d, "total_ticks", "total_seconds", gprofx_whole_self(r, node) + below);
	row_real(row, "selected_self_ticks", if_known(r, r->visible_self[node]));
	row_real(row, "selected_below_ticks", if_known(r, r->visible_below[node]));
	row_count(row, "calls", r->calls[node]);
	row_count(row, "recursive_calls", r->recursive[node]);
	row_number_or_null(row, "index", r->index[node]);
}

/* What the source tells of a function of the report, if it is the only one it tells that of. */
static void
add_executions(struct document *d, uint32_t node)
{
	const struct gprofx_report *r = d->report;
	uint32_t counted = r->counted_as ? r->counted_as[node] : 0;

	if (counted != 0 && r->executed_function[counted - 1].function == node)
		row_count(&d->row, "executions", r->executed_function[counted - 1].count);
	else
		row_null(&d->row, "executions");
}

static void
put_source_file(struct document *d, uint32_t i)
{
	row_begin(&d->row);
	row_count(&d->row, "id", i);
	row_string(&d->row, "file", d->report->executed_file[i]);
	next_line(d);
	end_object(d);
}

static void
put_source_function(struct document *d, uint32_t i)
{
	const struct gprofx_executed_function *function = &d->report->executed_function[i];
	struct row *row = &d->row;

	row_begin(row);
	row_string(row, "raw_name", function->name);
	row_count(row, "file", function->file);
	row_count(row, "first_line", function->first_line);
	row_count(row, "last_line", function->last_line);
	if (function->function == UINT32_MAX)
		row_null(row, "function");
	else
		row_count(row, "function", function->function);
	row_count(row, "executions", function->count);
	next_line(d);
	end_object(d);
}

static void
put_source_line(struct document *d, uint32_t i)
{
	const struct gprofx_executed_line *line = &d->report->executed_line[i];

	row_begin(&d->row);
	row_count(&d->row, "file", line->file);
	row_count(&d->row, "line", line->line);
	row_count(&d->row, "executions", line->count);
	next_line(d);
	end_object(d);
}

static void
put_function(struct document *d, uint32_t node)
{
	const struct gprofx_report *r = d->report;
	struct row *row = &d->row;
	struct gprofx_text name = r->services->name(r, node);
	uint32_t line;
	const char *file = r->services->source(r, node, &line);
	bool outside = (r->flags[node] & (GPROFX_NODE_OUTSIDE | GPROFX_NODE_INDIRECT)) != 0;

	row_begin(row);
	row_count(row, "id", node);
	row_text(row, "name", name.bytes, name.length);
	row_string(row, "raw_name", r->raw_name[node]);
	row_string(row, "object", r->object_name ? r->object_name[node] : NULL);
	row_bool(row, "outside", outside);
	if (outside) {
		row_null(row, "address");
		row_null(row, "end");
	} else {
		row_address(row, "address", r->address[node]);
		row_address(row, "end", r->end[node]);
	}
	row_string(row, "source_file", file);
	row_number_or_null(row, "source_line", line);
	row_bool(row, "static", (r->flags[node] & GPROFX_NODE_STATIC) != 0);
	row_bool(row, "function", (r->flags[node] & GPROFX_NODE_FUNCTION) != 0);
	row_number_or_null(row, "cycle", r->cycle[node]);
	add_node_figures(d, node);
	add_executions(d, node);
	next_line(d);
	end_object(d);
}

/* Calls of a cycle by functions outside of it, one row for each of these. */
static void
put_cycle_callers(struct document *d, uint32_t cycle)
{
	const struct gprofx_report *r = d->report;
	const uint32_t *first = r->cycle_callers.first;

	gprofx_puts(d->writer, ",\"callers\":[");
	for (uint32_t i = first ? first[cycle] : 0; first && i < first[cycle + 1]; i++) {
		const struct gprofx_arc *arc = &r->cycle_arc[r->cycle_callers.item[i]];

		if (i > first[cycle])
			gprofx_puts(d->writer, ",\n");
		row_begin(&d->row);
		row_count(&d->row, "caller", arc->caller);
		row_count(&d->row, "calls", arc->calls);
		add_time(d, "self_ticks", "self_seconds", arc->self);
		add_time(d, "below_ticks", "below_seconds", arc->below);
		end_object(d);
	}
	gprofx_putc(d->writer, ']');
}

static void
put_cycle(struct document *d, uint32_t node)
{
	const struct gprofx_report *r = d->report;
	struct gprofx_text name = r->services->name(r, node);

	row_begin(&d->row);
	row_count(&d->row, "id", node);
	row_count(&d->row, "number", r->cycle[node]);
	row_text(&d->row, "name", name.bytes, name.length);
	add_node_figures(d, node);
	next_line(d);
	gprofx_putc(d->writer, '{');
	row_write(&d->row, d->writer);
	put_list(d, "members", &r->members, node - r->function_count);
	put_cycle_callers(d, node - r->function_count);
	gprofx_putc(d->writer, '}');
}

/* The end of an arc, with the lines of source that make its calls. */
static void
put_sites(struct document *d, uint32_t arc)
{
	const struct gprofx_report *r = d->report;
	struct gprofx_writer *w = d->writer;

	gprofx_putc(w, '{');
	row_write(&d->row, w);
	gprofx_puts(w, ",\"sites\":[");
	for (uint32_t i = r->site_first[arc]; i < r->site_first[arc + 1]; i++) {
		gprofx_puts(w, i > r->site_first[arc] ? ",{\"function\":" : "{\"function\":");
		w->services->number(w, r->site[i].node, 0);
		gprofx_puts(w, ",\"calls\":");
		w->services->number(w, r->site[i].calls, 0);
		gprofx_putc(w, '}');
	}
	gprofx_puts(w, "]}");
}

static void
put_arc(struct document *d, uint32_t id)
{
	const struct gprofx_arc *arc = &d->report->arc[id];

	row_begin(&d->row);
	row_count(&d->row, "id", id);
	row_count(&d->row, "caller", arc->caller);
	row_count(&d->row, "callee", arc->callee);
	row_count(&d->row, "calls", arc->calls);
	if (d->report->arc_static)
		row_string(&d->row, "static", figure_static_kind(d->report, id));
	if (d->report->arc_divided)
		row_bool(&d->row, "divided", d->report->arc_divided[id]);
	add_time(d, "self_ticks", "self_seconds", arc->self);
	add_time(d, "below_ticks", "below_seconds", arc->below);
	next_line(d);
	if (d->report->site_first)
		put_sites(d, id);
	else
		end_object(d);
}

/* The arcs of a node's entry; those of a cycle are its members', which have entries of their own,
 * and what calls it is told with the cycle.
 */
static void
put_entry(struct document *d, uint32_t entry)
{
	const struct gprofx_report *r = d->report;
	uint32_t node = r->entry[entry];

	next_line(d);
	gprofx_puts(d->writer, "{\"node\":");
	d->writer->services->number(d->writer, node, 0);
	if (node < r->function_count) {
		put_list(d, "callers", &r->callers, node);
		put_list(d, "callees", &r->callees, node);
	} else {
		gprofx_puts(d->writer, ",\"callers\":[],\"callees\":[]");
	}
	gprofx_putc(d->writer, '}');
}

/* What became of calls whose callers are not quite known. */
static void
put_rounding(struct document *d)
{
	const struct gprofx_rounding *rounding = d->report->rounding;

	row_begin(&d->row);
	row_count(&d->row, "quantum", rounding->quantum);
	row_bool(&d->row, "scanned", rounding->was_scanned);
	row_count(&d->row, "doubtful_arcs", rounding->doubtful_arcs);
	row_count(&d->row, "doubtful_calls", rounding->doubtful_calls);
	row_count(&d->row, "moved_arcs", rounding->moved_arcs);
	row_count(&d->row, "moved_calls", rounding->moved_calls);
	row_count(&d->row, "split_arcs", rounding->split_arcs);
	row_count(&d->row, "split_calls", rounding->split_calls);
	begin_member(d, "call_sites");
	end_object(d);
}

/* A list with a row for each number from begin up to end, as long as there is memory for them. */
static void
put_rows(struct document *d, const char *key, uint32_t begin, uint32_t end,
         void (*put)(struct document *d, uint32_t number))
{
	begin_list(d, key);
	for (uint32_t i = begin; i < end && !d->row.failed; i++)
		put(d, i);
	end_list(d);
}

static void
put_document(struct document *d)
{
	const struct gprofx_report *r = d->report;

	gprofx_putc(d->writer, '{');
	put_origin(d);
	put_rows(d, "profile_files", 0, r->file_count, put_profile_file);
	put_profile(d);
	if (r->rounding)
		put_rounding(d);
	put_rows(d, "corrections", 0, r->correction_count, put_correction);
	put_rows(d, "findings", 0, r->finding_count, put_finding);
	put_rows(d, "functions", 0, r->function_count, put_function);
	put_rows(d, "cycles", r->function_count, r->node_count, put_cycle);
	put_rows(d, "arcs", 0, r->arc_count, put_arc);
	begin_member(d, "flat_order");
	put_ids(d, r->flat, r->flat_count);
	put_rows(d, "call_graph", 0, r->entry_count, put_entry);
	begin_member(d, "index_order");
	put_ids(d, r->index_node, r->index_count);
	if (r->spread) {
		put_rows(d, "files", 0, r->labelled_count, put_label);
		put_rows(d, "per_file", 0, r->spread_count, put_spread);
	}
	if (r->executed_file) {
		put_rows(d, "source_files", 0, r->executed_file_count, put_source_file);
		put_rows(d, "source_functions", 0, r->executed_function_count, put_source_function);
		put_rows(d, "source_lines", 0, r->executed_line_count, put_source_line);
	}
	gprofx_puts(d->writer, "\n}\n");
}

static enum gprofx_result
emit(struct gprofx *gx, const struct gprofx_report *report, struct gprofx_writer *writer,
     const void *options)
{
	static const struct gprofx_diagnostic no_memory = {
		.id = "memory.exhausted",
		.hint = "give the process more memory",
	};
	struct document document = {.report = report, .writer = writer};
	bool failed;

	(void)options;
	row_init(&document.row);
	if (!document.row.failed)
		put_document(&document);
	failed = document.row.failed;
	row_free(&document.row);
	return failed ? gprofx_fail(gx, &no_memory, "expected memory for a row of JSON, found none")
	              : GPROFX_OK;
}

static const struct gprofx_emitter emitter = {
	.size = sizeof emitter,
	.format = "json",
	.extension = "json",
	.parts = GPROFX_PART_FLAT | GPROFX_PART_GRAPH | GPROFX_PART_INDEX | GPROFX_PART_SOURCES |
                 GPROFX_PART_NAMES | GPROFX_PART_FILES | GPROFX_PART_PER_FILE,
	.emit = emit,
};

GPROFX_PLUGIN = {
	GPROFX_ABI,          .name = "output-json",
	.version = "1.0",    .summary = "The whole report as JSON, for programs",
	.emitter = &emitter,
};
