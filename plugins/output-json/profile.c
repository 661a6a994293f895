/* SPDX-License-Identifier: Apache-2.0 */
/* What goes into a report: files and their sums, and what was found and done about them. */
#include "profile.h"

#include <math.h>
#include <string.h>

#include <gprofx/emitter.h>

#include "../shared/compared.h"
#include "../shared/figures.h"
#include "row.h"

/* Raised when a reader of the form before would go wrong; new members do not raise it. */
enum { FORMAT_VERSION = 2 };

/* What a file is, and what it holds as a whole. */
static void
add_file(struct document *d, const struct gprofx_profile_file *file, const char *moment)
{
	static const char *const orders[] = {NULL, "little", "big"};
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
	row_string(row, "modified", moment);
	row_address(row, "slide", file->slide);
	row_count(row, "histogram_records", file->histogram_records);
	row_count(row, "samples", file->samples);
	row_real(row, "seconds", unit && strcmp(unit, "seconds") == 0 ? time : (double)NAN);
	row_count(row, "known_samples", file->known_samples);
	row_count(row, "full_bins", file->full_bins);
	row_count(row, "nearly_full_bins", file->near_bins);
	row_count(row, "stacks", file->stack_count);
	row_count(row, "longest_stack", file->deepest_stack);
	row_real(row, "stack_weight",
	         file->stack_count > 0 ? (double)file->stack_ticks / file->stack_rate
	                               : (double)NAN);
	row_string(row, "stack_unit", file->stack_count > 0 ? file->stack_dimension : NULL);
	row_count(row, "arc_records", file->arc_records);
	row_count(row, "arcs", file->arc_count);
	row_count(row, "known_arcs", file->known_arc_count);
	row_count(row, "calls", file->calls);
	row_count(row, "known_calls", file->known_calls);
	row_count(row, "calls_without_caller", file->calls_without_caller);
	row_count(row, "known_calls_without_caller", file->known_calls_without_caller);
	row_string(row, "copied_from", file->copied_from);
	row_count(row, "copied_samples", file->copied_samples);
	row_count(row, "copied_calls", file->copied_calls);
	if (file->delayed_ns > 0)
		row_real(row, "delayed_seconds", (double)file->delayed_ns / 1e9);
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
	if (range->metric)
		row_string(row, "metric", range->metric);
	document_end_object(d);
}

void
profile_put_file(struct document *d, uint32_t i)
{
	const struct gprofx_profile_file *file = gprofx_file_at(d->report, i);
	char moment[FIGURE_MOMENT_BYTES];

	row_begin(&d->row);
	add_file(d, file, figure_moment(file->modified, moment) ? moment : NULL);
	document_next_row(d);
	gprofx_putc(d->writer, '{');
	row_write(&d->row);
	gprofx_puts(d->writer, ",\"ranges\":[");
	for (uint32_t k = 0; k < file->range_count; k++) {
		if (k > 0)
			gprofx_puts(d->writer, ",\n");
		put_range(d, gprofx_range_at(file, k));
	}
	gprofx_puts(d->writer, "]}");
}

void
profile_put_origin(struct document *d)
{
	const struct gprofx_report *r = d->report;
	struct row *row = &d->row;

	document_begin_object(d, "format");
	row_string(row, "name", "gprofx-report");
	row_count(row, "version", FORMAT_VERSION);
	document_end_object(d);
	document_begin_object(d, "producer");
	row_string(row, "name", "gprofx");
	row_string(row, "version", r->origin->version);
	document_end_object(d);
	document_begin_object(d, "image");
	row_string(row, "file", r->origin->image);
	row_string(row, "symbols_file", r->origin->symbols_file);
	document_end_object(d);
}

static void
put_other_totals(struct document *d)
{
	const struct gprofx_report *r = d->report;

	if (!document_begin_others(d))
		return;
	for (uint32_t m = 1; m < r->origin->metric_count; m++) {
		const struct gprofx_column *column = gprofx_column_at(r->graph->columns, m);

		document_begin_other(d, m);
		document_add_value(d, m, "flat_ticks", "flat", column->flat_total);
		document_add_value(d, m, "graph_ticks", "graph",
		                   document_if_known(r, column->graph_total));
		document_end_object(d);
	}
	document_end_others(d);
}

void
profile_put_whole(struct document *d)
{
	const struct gprofx_report *r = d->report;
	struct row *row = &d->row;

	document_begin_object(d, "profile");
	row_bool(row, "has_histogram", r->origin->has_histogram);
	row_bool(row, "has_arcs", r->origin->has_arcs);
	if (r->origin->phase)
		row_string(row, "phase", r->origin->phase);
	if (r->origin->has_histogram) {
		row_number_or_null(row, "rate", r->origin->metrics->ticks_per_unit);
		row_string(row, "dimension", r->origin->metrics->unit);
		row_text(row, "abbreviation", &r->origin->metrics->abbreviation,
		         r->origin->metrics->abbreviation != '\0');
		row_real(row, "bin_bytes", 2 * r->compatibility->bin_width);
	} else {
		row_null(row, "rate");
		row_null(row, "dimension");
		row_null(row, "abbreviation");
		row_null(row, "bin_bytes");
	}
	document_end_object(d);
	document_begin_object(d, "totals");
	row_count(row, "functions", r->functions->count);
	row_count(row, "cycles", r->graph->node_count - r->functions->count);
	row_count(row, "arcs", r->graph->arcs.count);
	document_add_time(d, "flat_ticks", "flat_seconds", r->graph->columns->flat_total);
	document_add_time(d, "graph_ticks", "graph_seconds",
	                  document_if_known(r, r->graph->columns->graph_total));
	gprofx_putc(d->writer, '{');
	row_write(row);
	put_other_totals(d);
	gprofx_putc(d->writer, '}');
}

/* How values came about. */
static void
add_origin(struct row *row, const char *key, uint32_t origin)
{
	static const char *const words[] = {
		[GPROFX_UNKNOWN] = "unknown",
		[GPROFX_MEASURED] = "measured",
		[GPROFX_ESTIMATED] = "estimated",
	};

	row_string(row, key, origin < sizeof words / sizeof words[0] ? words[origin] : words[0]);
}

void
profile_put_metric(struct document *d, uint32_t i)
{
	const struct gprofx_report *r = d->report;
	const struct gprofx_metric *metric = gprofx_metric_at(r, i);
	const struct gprofx_column *nodes = gprofx_column_at(r->graph->columns, i),
				   *arcs = gprofx_column_at(r->graph->arcs.columns, i);
	bool is_there = r->origin->has_histogram;
	struct row *row = &d->row;

	row_begin(row);
	row_count(row, "id", i);
	row_string(row, "name", is_there ? metric->name : NULL);
	row_string(row, "unit", is_there ? metric->unit : NULL);
	row_text(row, "abbreviation", &metric->abbreviation, metric->abbreviation != '\0');
	row_number_or_null(row, "ticks_per_unit", is_there ? metric->ticks_per_unit : 0);
	row_string(row, "kind",
	           metric->kind == GPROFX_CLOCKED   ? "clocked"
	           : metric->kind == GPROFX_COUNTED ? "counted"
	                                            : "sampled");
	add_origin(row, "self_origin", nodes->self_origin);
	add_origin(row, "total_origin", nodes->total_origin);
	add_origin(row, "arc_self_origin", arcs->self_origin);
	add_origin(row, "arc_total_origin", arcs->total_origin);
	document_next_row(d);
	document_end_object(d);
}

/* Metrics that were measured: without any there is one that has no values. */
static uint32_t
measured_count(const struct gprofx_report_origin *origin)
{
	return origin->has_histogram ? origin->metric_count : 0;
}

uint32_t
profile_source_count(const struct document *d)
{
	const struct gprofx_report_origin *origin = d->report->origin;
	uint32_t count = origin->call_file_count;

	for (uint32_t i = 0; i < measured_count(origin); i++)
		count += gprofx_metric_at(d->report, i)->file_count;
	return count;
}

void
profile_put_source(struct document *d, uint32_t i)
{
	const struct gprofx_report_origin *origin = d->report->origin;
	const struct gprofx_metric *metric = NULL;
	uint32_t id = 0;
	struct row *row = &d->row;

	for (; id < measured_count(origin); id++) {
		metric = gprofx_metric_at(d->report, id);
		if (i < metric->file_count)
			break;
		i -= metric->file_count;
	}
	row_begin(row);
	if (id < measured_count(origin)) {
		row_string(row, "file", metric->files[i]);
		row_count(row, "metric", id);
	} else {
		row_string(row, "file", origin->call_files[i]);
		row_null(row, "metric");
	}
	document_next_row(d);
	document_end_object(d);
}

/* What the spread of times and that of calls have in common; zeros have no imbalance. */
static void
add_spread_members(struct document *d, const struct gprofx_spread *spread,
                   const struct profile_spread_keys *keys)
{
	struct row *row = &d->row;

	row_real(row, "imbalance", spread->mean > 0 ? spread->most / spread->mean : (double)NAN);
	row_count(row, keys->count, spread->files);
	row_count(row, keys->least, spread->least_file);
	row_count(row, keys->most, spread->most_file);
}

void
profile_put_spread(struct document *d, uint32_t i)
{
	static const struct profile_spread_keys keys = {"files", "min_file", "max_file"};

	document_next_row(d);
	profile_begin_spread(d, gprofx_spread_at(d->report, i), &keys);
	gprofx_putc(d->writer, '}');
}

void
profile_begin_spread(struct document *d, const struct gprofx_function_spread *spread,
                     const struct profile_spread_keys *keys)
{
	const struct gprofx_spread *self = &spread->self, *calls = &spread->calls;
	struct row *row = &d->row;

	gprofx_puts(d->writer, "{\"function\":");
	d->writer->services->number(d->writer, spread->function, 0);
	gprofx_puts(d->writer, ",\"self\":");
	row_begin(row);
	document_add_time(d, "total_ticks", "total_seconds", self->total);
	document_add_time(d, "mean_ticks", "mean_seconds", self->mean);
	document_add_time(d, "min_ticks", "min_seconds", self->least);
	document_add_time(d, "max_ticks", "max_seconds", self->most);
	document_add_time(d, "sd_ticks", "sd_seconds", self->deviation);
	add_spread_members(d, self, keys);
	row_string(row, "min_verdict", compared_verdict_word(spread->least_verdict));
	row_string(row, "max_verdict", compared_verdict_word(spread->most_verdict));
	row_real(row, "p", spread->p);
	document_end_object(d);
	gprofx_puts(d->writer, ",\"calls\":");
	row_begin(row);
	row_real(row, "total", calls->total);
	row_real(row, "mean", calls->mean);
	row_real(row, "min", calls->least);
	row_real(row, "max", calls->most);
	row_real(row, "sd", calls->deviation);
	add_spread_members(d, calls, keys);
	document_end_object(d);
}

void
profile_put_label(struct document *d, uint32_t i)
{
	const struct gprofx_labelled_file *file = gprofx_labelled_at(d->report, i);

	row_begin(&d->row);
	row_count(&d->row, "id", i);
	row_string(&d->row, "file", file->name);
	row_string(&d->row, "label", file->label);
	row_count(&d->row, "samples", file->samples);
	document_add_time(d, "ticks", "seconds", file->ticks);
	document_next_row(d);
	document_end_object(d);
}

/* Names of corrections are words of letters and hyphens. */
void
profile_put_correction(struct document *d, uint32_t i)
{
	document_next_row(d);
	gprofx_putc(d->writer, '"');
	gprofx_puts(d->writer, d->report->findings->correction_names[i]);
	gprofx_putc(d->writer, '"');
}

void
profile_put_finding(struct document *d, uint32_t i)
{
	const struct gprofx_finding *finding = gprofx_finding_at(d->report, i);

	row_begin(&d->row);
	row_string(&d->row, "id", finding->id);
	row_string(&d->row, "file", finding->file);
	row_string(&d->row, "summary", finding->summary);
	row_string(&d->row, "evidence", finding->evidence);
	row_string(&d->row, "advice", finding->advice);
	document_next_row(d);
	document_end_object(d);
}

static void
put_account_part(struct document *d, const char *key, const struct gprofx_account_part *part)
{
	gprofx_puts(d->writer, ",\"");
	gprofx_puts(d->writer, key);
	gprofx_puts(d->writer, "\":");
	row_begin(&d->row);
	row_real(&d->row, "samples", part->samples);
	document_add_time(d, "ticks", "seconds", part->ticks);
	document_end_object(d);
}

static void
put_absent_library(struct document *d, const char *name)
{
	row_begin(&d->row);
	row_string(&d->row, "name", name);
	document_end_object(d);
}

void
profile_put_account(struct document *d)
{
	const struct gprofx_account *account = d->report->findings->account;
	struct row *row = &d->row;

	document_begin_member(d, "account");
	row_begin(row);
	row_count(row, "samples", account->samples);
	if (account->is_of_stacks)
		row_bool(row, "of_stacks", true);
	row_count(row, "copied_samples", account->copied_samples);
	document_add_time(d, "ticks", "seconds", account->ticks);
	row_real(row, "cpu_seconds", account->cpu_time > 0 ? account->cpu_time : (double)NAN);
	row_real(row, "unsampled_seconds",
	         account->unsampled != 0 ? account->unsampled : (double)NAN);
	if (account->counted_calls > 0)
		row_count(row, "calls_counted_by_libraries", account->counted_calls);
	if (account->loads_libraries)
		row_bool(row, "loads_libraries", true);
	gprofx_putc(d->writer, '{');
	row_write(row);
	put_account_part(d, "shown", &account->shown);
	put_account_part(d, "profiling", &account->profiling);
	put_account_part(d, "outside", &account->outside);
	put_account_part(d, "excluded", &account->excluded);
	put_account_part(d, "beyond", &account->beyond);
	gprofx_puts(d->writer, ",\"libraries\":[");
	for (uint32_t i = 0; i < account->library_count; i++) {
		if (i > 0)
			gprofx_puts(d->writer, ",\n");
		put_absent_library(d, account->libraries[i]);
	}
	gprofx_puts(d->writer, "]}");
}

void
profile_put_rounding(struct document *d)
{
	const struct gprofx_rounding *rounding = d->report->files->rounding;

	row_begin(&d->row);
	row_count(&d->row, "quantum", rounding->quantum);
	row_bool(&d->row, "scanned", rounding->was_scanned);
	row_count(&d->row, "doubtful_arcs", rounding->doubtful_arcs);
	row_count(&d->row, "doubtful_calls", rounding->doubtful_calls);
	row_count(&d->row, "moved_arcs", rounding->moved_arcs);
	row_count(&d->row, "moved_calls", rounding->moved_calls);
	row_count(&d->row, "split_arcs", rounding->split_arcs);
	row_count(&d->row, "split_calls", rounding->split_calls);
	if (rounding->is_supposed)
		row_bool(&d->row, "supposed", true);
	if (rounding->advice)
		row_string(&d->row, "advice", rounding->advice);
	document_begin_member(d, "call_sites");
	document_end_object(d);
}

void
profile_put_left_out(struct document *d, uint32_t number)
{
	const struct gprofx_left_out *symbol = gprofx_left_out_at(d->report, number);

	row_begin(&d->row);
	row_string(&d->row, "name", symbol->name);
	row_address(&d->row, "address", symbol->address);
	row_count(&d->row, "bytes", symbol->bytes);
	row_string(&d->row, "reason", symbol->reason);
	document_next_row(d);
	document_end_object(d);
}

enum { BUILD_ID_BYTES = 64 }; /* no host has longer ones */

/* Bytes as hexadecimal digits, as many as there is room for. */
static const char *
put_digits(char text[2 * BUILD_ID_BYTES + 1], const uint8_t *bytes, uint32_t count)
{
	static const char digits[] = "0123456789abcdef";

	count = count < BUILD_ID_BYTES ? count : BUILD_ID_BYTES;
	for (uint32_t i = 0; i < count; i++) {
		text[2 * i] = digits[bytes[i] >> 4];
		text[2 * i + 1] = digits[bytes[i] & 15];
	}
	text[2 * (size_t)count] = '\0';
	return text;
}

void
profile_put_image(struct document *d, uint32_t i)
{
	static const char *const kinds[] = {
		[GPROFX_IMAGE_PROGRAM] = "program",     [GPROFX_IMAGE_LIBRARY] = "library",
		[GPROFX_IMAGE_VDSO] = "vdso",           [GPROFX_IMAGE_KERNEL] = "kernel",
		[GPROFX_IMAGE_GENERATED] = "generated", [GPROFX_IMAGE_NAMES] = "names",
	};
	static const char *const names_from[] = {
		[GPROFX_NAMES_OF_NOTHING] = "nothing",
		[GPROFX_NAMES_OF_FILE] = "file",
		[GPROFX_NAMES_OF_PROFILE] = "profile",
	};
	const struct gprofx_code_image *image = gprofx_image_at(d->report, i);
	char digits[2 * BUILD_ID_BYTES + 1];
	struct row *row = &d->row;

	row_begin(row);
	row_string(row, "name", image->name);
	row_string(row, "path", image->path);
	row_string(row, "kind", image->kind <= GPROFX_IMAGE_NAMES ? kinds[image->kind] : NULL);
	row_string(row, "build_id",
	           image->build_id ? put_digits(digits, image->build_id, image->build_id_bytes)
	                           : NULL);
	row_string(row, "names_from",
	           image->names_from <= GPROFX_NAMES_OF_PROFILE ? names_from[image->names_from]
	                                                        : NULL);
	row_string(row, "symbols_file", image->symbols_file);
	document_next_row(d);
	document_end_object(d);
}

void
profile_put_inlined(struct document *d, uint32_t i)
{
	const struct gprofx_inlined *inlined = gprofx_inlined_at(d->report, i);

	row_begin(&d->row);
	row_string(&d->row, "name", inlined->name);
	row_count(&d->row, "variants", inlined->variant_count);
	document_add_time(d, "self_ticks", "self_seconds", inlined->self);
	document_add_time(d, "total_ticks", "total_seconds", inlined->total);
	row_bool(&d->row, "with_callees", d->report->inlined->has_callees);
	document_next_row(d);
	gprofx_putc(d->writer, '{');
	row_write(&d->row);
	gprofx_puts(d->writer, ",\"inlined_into\":[");
	for (uint32_t k = 0; k < inlined->owner_count; k++) {
		if (k > 0)
			gprofx_puts(d->writer, ",\n");
		row_begin(&d->row);
		row_count(&d->row, "function", inlined->owner[k].function);
		document_add_time(d, "total_ticks", "total_seconds", inlined->owner[k].total);
		document_end_object(d);
	}
	gprofx_puts(d->writer, "]}");
}
