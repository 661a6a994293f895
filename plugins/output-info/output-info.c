/* SPDX-License-Identifier: Apache-2.0 */
/* The list of profile files: what form each has and what it holds, for people or as gprof does. */
#include <string.h>

#include <gprofx/emitter.h>

#include "../shared/figures.h"
#include "../shared/lines.h"

enum layout { LAYOUT_FULL, LAYOUT_GPROF };

static const char *const layouts[] = {"full", "gprof", NULL};

struct options {
	int64_t row_width;
	uint32_t layout; /* enum layout */
};

enum { KEY_COLUMNS = 12, TEXT_COLUMN = KEY_COLUMNS + 2 };

static const struct gprofx_option table[] = {
	{.key = "layout",
         .type = GPROFX_CHOICE,
         .offset = offsetof(struct options, layout),
         .initial = "full",
         .choices = layouts,
         .help = "what to list of each profile: everything, or the numbers of records that GNU "
                 "gprof prints"},
	LINES_ROW_WIDTH,
};

static void
put_number(struct gprofx_writer *w, uint64_t value)
{
	w->services->number(w, value, 0);
}

/* A number and what it counts. */
static void
put_count(struct gprofx_writer *w, uint64_t count, const char *one, const char *many)
{
	put_number(w, count);
	gprofx_putc(w, ' ');
	gprofx_puts(w, count == 1 ? one : many);
}

static void
put_gprof_line(struct gprofx_writer *w, uint64_t count, const char *what)
{
	gprofx_putc(w, '\t');
	put_number(w, count);
	gprofx_putc(w, ' ');
	gprofx_puts(w, what);
	gprofx_puts(w, count == 1 ? " record\n" : " records\n");
}

/* Text of unknown origin. */
static void
put_text(struct gprofx_writer *w, const char *text)
{
	w->services->text(w, text, strlen(text));
}

/* The version is that of the last tagged file: to gprof, other files have none that would count. */
static void
put_as_gprof(struct gprofx_writer *w, const struct gprofx_report *report)
{
	uint32_t version = 0;

	for (uint32_t i = 0; i < report->files->count; i++) {
		const struct gprofx_profile_file *file = gprofx_file_at(report, i);

		if (file->has_version && strcmp(file->format, "magic") == 0)
			version = file->version;
		gprofx_puts(w, "File `");
		put_text(w, file->name);
		gprofx_puts(w, "' (version ");
		put_number(w, version);
		gprofx_puts(w, ") contains:\n");
		put_gprof_line(w, file->histogram_records, "histogram");
		put_gprof_line(w, file->arc_records, "call-graph");
		put_gprof_line(w, file->block_records, "basic-block count");
	}
}

static void
begin_line(struct gprofx_writer *w, const char *key)
{
	gprofx_out(w, "  %-*s", KEY_COLUMNS, key);
}

/* "5 of them (50.00%)": a part of a whole that is not 0. */
static void
put_part(struct gprofx_writer *w, uint64_t part, uint64_t whole)
{
	if (part == whole) {
		gprofx_puts(w, "all of them");
		return;
	}
	put_number(w, part);
	gprofx_puts(w, " of them (");
	w->services->fixed(w, 100.0 * (double)part / (double)whole, 0, 2);
	gprofx_puts(w, "%)");
}

/* The shortest samples there are decide how exact a time is. */
static void
put_time(struct gprofx_writer *w, double time, uint32_t rate, const char *unit)
{
	w->services->fixed(w, time, 0, rate <= 100 ? 2 : 3);
	gprofx_putc(w, ' ');
	put_text(w, unit);
}

static uint32_t
highest_rate(const struct gprofx_profile_file *file)
{
	uint32_t highest = 0;

	for (uint32_t i = 0; i < file->range_count; i++)
		if (gprofx_range_at(file, i)->rate > highest)
			highest = gprofx_range_at(file, i)->rate;
	return highest;
}

static void
put_form(struct gprofx_writer *w, const struct gprofx_profile_file *file)
{
	static const char *const orders[] = {NULL, "little-endian", "big-endian"};

	begin_line(w, "format");
	gprofx_puts(w, file->format);
	if (file->variant) {
		gprofx_puts(w, ", ");
		gprofx_puts(w, file->variant);
	}
	if (file->has_version)
		gprofx_out(w, file->version < 1000 ? ", version %u" : ", version 0x%x",
		           file->version);
	if (file->byte_order > 0 && file->byte_order < sizeof orders / sizeof orders[0]) {
		gprofx_puts(w, ", ");
		gprofx_puts(w, orders[file->byte_order]);
	}
	if (file->pointer_bytes > 0)
		gprofx_out(w, ", %u-bit addresses", 8 * file->pointer_bytes);
	gprofx_putc(w, '\n');
	begin_line(w, "reader");
	gprofx_puts(w, file->reader);
	gprofx_putc(w, '\n');
}

static void
put_origin(struct gprofx_writer *w, const struct gprofx_profile_file *file)
{
	char moment[FIGURE_MOMENT_BYTES];
	uint64_t most = file->pointer_bytes == 4 ? UINT32_MAX : UINT64_MAX;
	bool is_negative = file->slide > most / 2;

	begin_line(w, "file");
	put_count(w, file->bytes, "byte", "bytes");
	if (figure_moment(file->modified, moment))
		gprofx_out(w, ", written at %s", moment);
	gprofx_putc(w, '\n');
	if (file->slide == 0)
		return;
	begin_line(w, "addresses");
	gprofx_out(w, "%s0x%llx was subtracted from them\n", is_negative ? "-" : "",
	           (unsigned long long)(is_negative ? -file->slide & most : file->slide));
}

static void
put_rate(struct gprofx_writer *w, const struct gprofx_file_range *range)
{
	if (range->rate == 0)
		gprofx_puts(w, "the rate is not known");
	else if (strcmp(range->dimension, "seconds") == 0)
		gprofx_out(w, "%u samples a second", range->rate);
	else
		gprofx_out(w, "%u samples a unit", range->rate);
	if (range->assumes_rate)
		gprofx_puts(w, " (as usual, not stated)");
	if (strcmp(range->dimension, "seconds") != 0) {
		gprofx_puts(w, ", the unit is \"");
		put_text(w, range->dimension);
		gprofx_putc(w, '"');
	}
	if (range->metric) {
		gprofx_puts(w, ", the metric \"");
		put_text(w, range->metric);
		gprofx_putc(w, '"');
	}
	gprofx_putc(w, '\n');
}

/* Samples at single addresses. */
static void
put_addresses(struct gprofx_writer *w, const struct gprofx_file_range *range)
{
	begin_line(w, "addresses");
	gprofx_out(w, "0x%llx-0x%llx: ", (unsigned long long)range->low,
	           (unsigned long long)range->high);
	put_count(w, range->records, "row", "rows");
	gprofx_puts(w, " with ");
	put_count(w, range->samples, "sample", "samples");
	gprofx_puts(w, ", at most ");
	put_number(w, range->largest);
	gprofx_puts(w, " in a row; ");
	put_rate(w, range);
}

static void
put_range(struct gprofx_writer *w, const struct gprofx_file_range *range)
{
	if (range->bin_bytes == 0) {
		put_addresses(w, range);
		return;
	}
	begin_line(w, "histogram");
	gprofx_out(w, "0x%llx-0x%llx: ", (unsigned long long)range->low,
	           (unsigned long long)range->high);
	put_count(w, range->bin_count, "bin", "bins");
	if (range->bin_count > 0 && range->high >= range->low)
		gprofx_out(w, " of %g bytes",
		           (double)(range->high - range->low) / range->bin_count);
	gprofx_out(w, ", %u-bit counters\n", 8u * range->bin_bytes);
	begin_line(w, "");
	put_count(w, range->samples, "sample", "samples");
	if (range->samples > 0) {
		gprofx_puts(w, ", at most ");
		put_number(w, range->largest);
		gprofx_puts(w, " in a bin");
	}
	if (range->records > 1)
		gprofx_out(w, ", in %u records", range->records);
	gprofx_puts(w, "; ");
	put_rate(w, range);
}

static void
put_full(struct gprofx_writer *w, const struct gprofx_profile_file *file)
{
	begin_line(w, "full bins");
	if (file->full_bins == 0 && file->near_bins == 0) {
		gprofx_puts(w, "none\n");
		return;
	}
	put_number(w, file->full_bins);
	if (file->near_bins > 0) {
		gprofx_puts(w, ", and ");
		put_number(w, file->near_bins);
		gprofx_puts(w, " nearly so");
	}
	gprofx_puts(w, ": further samples there are lost\n");
}

static void
put_stacks(struct gprofx_writer *w, const struct gprofx_profile_file *file)
{
	gprofx_out(w, "%.15g %s in ", (double)file->stack_ticks / file->stack_rate,
	           file->stack_dimension);
	put_count(w, file->stack_count, "stack", "stacks");
	gprofx_puts(w, ", the longest of ");
	put_count(w, file->deepest_stack, "frame", "frames");
	gprofx_putc(w, '\n');
}

static void
put_ranges(struct gprofx_writer *w, const struct gprofx_profile_file *file)
{
	const char *unit;
	double time = figure_file_time(file, &unit);

	put_number(w, file->samples);
	if (unit) {
		gprofx_puts(w, ", ");
		put_time(w, time, highest_rate(file), unit);
	}
	if (file->samples > 0) {
		gprofx_puts(w, "; ");
		put_part(w, file->known_samples, file->samples);
		gprofx_puts(w, " in known functions");
	}
	gprofx_putc(w, '\n');
	/* The account of a report names stubs, which have no symbols. */
	if (file->known_samples < file->samples) {
		begin_line(w, "");
		gprofx_puts(w, "the others are in PLT stubs, or in no function\n");
	}
	for (uint32_t i = 0; i < file->range_count; i++)
		put_range(w, gprofx_range_at(file, i));
	if (file->histogram_records > 0)
		put_full(w, file);
}

static void
put_samples(struct gprofx_writer *w, const struct gprofx_profile_file *file)
{
	begin_line(w, "samples");
	if (file->range_count == 0 && file->stack_count == 0)
		gprofx_puts(w, "no histogram\n");
	if (file->range_count > 0)
		put_ranges(w, file);
	if (file->range_count > 0 && file->stack_count > 0)
		begin_line(w, "stacks");
	if (file->stack_count > 0)
		put_stacks(w, file);
}

static void
put_calls_without_caller(struct gprofx_writer *w, uint64_t calls, uint64_t known)
{
	put_number(w, calls);
	gprofx_puts(w, " of unknown callers; ");
	put_part(w, known, calls);
	gprofx_puts(w, " of known functions\n");
}

static void
put_arcs(struct gprofx_writer *w, const struct gprofx_profile_file *file)
{
	put_number(w, file->calls);
	gprofx_puts(w, " by ");
	put_count(w, file->arc_count, "arc", "arcs");
	if (file->arc_records != file->arc_count) {
		gprofx_puts(w, " in ");
		put_number(w, file->arc_records);
		gprofx_puts(w, " records");
	}
	gprofx_puts(w, "; ");
	if (file->calls > 0) {
		put_part(w, file->known_calls, file->calls);
		gprofx_puts(w, " by ");
	}
	put_count(w, file->known_arc_count, "arc", "arcs");
	gprofx_puts(w, " between known functions\n");
}

static void
put_calls(struct gprofx_writer *w, const struct gprofx_profile_file *file)
{
	begin_line(w, "calls");
	if (file->arc_records > 0)
		put_arcs(w, file);
	else if (file->calls_without_caller == 0)
		gprofx_puts(w, "no arcs\n");
	if (file->calls_without_caller == 0)
		return;
	if (file->arc_records > 0)
		begin_line(w, "");
	put_calls_without_caller(w, file->calls_without_caller, file->known_calls_without_caller);
}

/* What is left out of the report: the file of the parent has it. */
static void
put_copied(struct gprofx_writer *w, const struct gprofx_profile_file *file)
{
	if (!file->copied_from)
		return;
	begin_line(w, "left out");
	put_count(w, file->copied_samples, "sample and ", "samples and ");
	put_count(w, file->copied_calls, "call, copied from ", "calls, copied from ");
	put_text(w, file->copied_from);
	gprofx_puts(w, " by a fork\n");
}

/* Time that is in no sample, since threads waited for a processor. */
static void
put_delays(struct gprofx_writer *w, const struct gprofx_profile_file *file)
{
	if (file->delayed_ns == 0)
		return;
	begin_line(w, "delays");
	gprofx_out(w, "%.2f s in which threads were ready to run, but none was free\n",
	           (double)file->delayed_ns / 1e9);
}

/* What was counted in the source. */
static void
put_sources(struct gprofx_writer *w, const struct gprofx_profile_file *file)
{
	begin_line(w, "source");
	put_count(w, file->source_lines, "line", "lines");
	gprofx_puts(w, " in ");
	put_count(w, file->source_files, "file", "files");
	if (file->source_lines > 0) {
		gprofx_puts(w, "; ");
		put_part(w, file->source_lines_run, file->source_lines);
		gprofx_puts(w, " ran");
	}
	gprofx_puts(w, "; ");
	put_count(w, file->source_functions, "function\n", "functions\n");
}

/* Whether a file has counts of source alone, and so lacks no samples or calls. */
static bool
is_source_only(const struct gprofx_profile_file *file)
{
	return file->source_files > 0 && file->range_count == 0 && file->arc_records == 0 &&
	       file->calls_without_caller == 0;
}

static void
put_file(struct gprofx_writer *w, const struct gprofx_profile_file *file)
{
	if (strcmp(file->name, "-") == 0)
		gprofx_puts(w, "standard input");
	else
		put_text(w, file->name);
	gprofx_putc(w, '\n');
	put_form(w, file);
	put_origin(w, file);
	if (!is_source_only(file)) {
		put_samples(w, file);
		put_calls(w, file);
		put_copied(w, file);
		put_delays(w, file);
	}
	if (file->block_records > 0) {
		begin_line(w, "blocks");
		put_count(w, file->block_count, "basic block", "basic blocks");
		gprofx_puts(w, " in ");
		put_count(w, file->block_records, "list\n", "lists\n");
	}
	if (file->source_files > 0)
		put_sources(w, file);
}

/* The least and the most of a figure that every file has. */
struct extent {
	uint64_t least, most;
};

static void
add_to_extent(struct extent *extent, uint64_t value, bool is_first)
{
	if (is_first || value < extent->least)
		extent->least = value;
	if (is_first || value > extent->most)
		extent->most = value;
}

static void
put_extent(struct gprofx_writer *w, const struct extent *extent)
{
	put_number(w, extent->least);
	if (extent->most != extent->least) {
		gprofx_puts(w, " to ");
		put_number(w, extent->most);
	}
	gprofx_puts(w, " in each file\n");
}

/* What all files come to. */
struct sums {
	uint64_t samples, known_samples, calls, known_calls;
	uint64_t calls_without_caller, known_calls_without_caller;
	struct extent samples_extent, calls_extent;
	double time;
	const char *unit; /* NULL: none, or not the same everywhere */
	uint32_t rate;    /* the highest */
	bool has_no_time; /* some file that has samples does not state how long they are */
	uint32_t without_samples, without_calls, with_full_bins, with_copies;
	uint32_t runs;       /* files that are more than counts of source */
	int64_t first, last; /* moments of writing */
	/* Stacks, and what they weigh; the unit is NULL where there are several. */
	uint64_t stacks;
	double stack_weight;
	const char *stack_unit;
	uint32_t stack_runs; /* files that have some */
};

static void
add_stacks(struct sums *sums, const struct gprofx_profile_file *file)
{
	bool is_other = sums->stack_runs > 0 &&
	                (!sums->stack_unit || strcmp(sums->stack_unit, file->stack_dimension) != 0);

	if (file->stack_count == 0)
		return;
	sums->stacks += file->stack_count;
	sums->stack_weight += (double)file->stack_ticks / file->stack_rate;
	sums->stack_unit = is_other ? NULL : file->stack_dimension;
	sums->stack_runs++;
}

static struct sums
sums_of(const struct gprofx_report *report)
{
	struct sums sums = {0};

	for (uint32_t i = 0; i < report->files->count; i++) {
		const struct gprofx_profile_file *file = gprofx_file_at(report, i);
		uint64_t calls = file->calls + file->calls_without_caller;
		uint32_t rate = highest_rate(file);
		const char *unit;
		double time = figure_file_time(file, &unit);

		if (file->modified != 0 && (sums.first == 0 || file->modified < sums.first))
			sums.first = file->modified;
		if (file->modified > sums.last)
			sums.last = file->modified;
		if (is_source_only(file))
			continue;
		add_stacks(&sums, file);
		sums.samples += file->samples;
		sums.known_samples += file->known_samples;
		sums.calls += file->calls;
		sums.known_calls += file->known_calls;
		add_to_extent(&sums.samples_extent, file->samples, sums.runs == 0);
		sums.calls_without_caller += file->calls_without_caller;
		sums.known_calls_without_caller += file->known_calls_without_caller;
		add_to_extent(&sums.calls_extent, calls, sums.runs == 0);
		sums.without_samples += file->samples == 0;
		sums.without_calls += calls == 0;
		sums.runs++;
		sums.with_full_bins += file->full_bins > 0;
		sums.with_copies += file->copied_from != NULL;
		sums.rate = rate > sums.rate ? rate : sums.rate;
		if (file->range_count == 0)
			continue;
		if (!unit || (sums.unit && strcmp(unit, sums.unit) != 0))
			sums.has_no_time = true;
		sums.unit = unit ? unit : sums.unit;
		sums.time += time;
	}
	return sums;
}

/* "3 files have none", if there are any. */
static void
put_exceptions(struct gprofx_writer *w, const char *key, uint32_t count, const char *what)
{
	if (count == 0)
		return;
	begin_line(w, key);
	put_count(w, count, "file has ", "files have ");
	gprofx_puts(w, what);
	gprofx_putc(w, '\n');
}

static void
put_calls_together(struct gprofx_writer *w, const struct sums *sums)
{
	begin_line(w, "calls");
	if (sums->calls_without_caller > 0) {
		put_calls_without_caller(w, sums->calls_without_caller,
		                         sums->known_calls_without_caller);
		begin_line(w, "");
	}
	if (sums->calls > 0 || sums->calls_without_caller == 0) {
		put_number(w, sums->calls);
		if (sums->calls > 0) {
			gprofx_puts(w, "; ");
			put_part(w, sums->known_calls, sums->calls);
			gprofx_puts(w, " between known functions");
		}
		gprofx_puts(w, "; ");
	}
	put_extent(w, &sums->calls_extent);
	put_exceptions(w, "", sums->without_calls, "none");
}

static void
put_summary(struct gprofx_writer *w, const struct gprofx_report *report)
{
	struct sums sums = sums_of(report);
	char first[FIGURE_MOMENT_BYTES], last[FIGURE_MOMENT_BYTES];

	gprofx_putc(w, '\n');
	put_number(w, report->files->count);
	gprofx_puts(w, " files together\n");
	if (figure_moment(sums.first, first) && figure_moment(sums.last, last)) {
		begin_line(w, "written");
		gprofx_out(w, "from %s to %s\n", first, last);
	}
	if (sums.runs == 0)
		return;
	if (sums.stacks > 0) {
		begin_line(w, "stacks");
		put_count(w, sums.stacks, "stack", "stacks");
		if (sums.stack_unit)
			gprofx_out(w, " of %.15g %s", sums.stack_weight, sums.stack_unit);
		gprofx_putc(w, '\n');
	}
	/* Files of stacks have neither samples by address nor calls. */
	if (sums.stack_runs == sums.runs)
		return;
	begin_line(w, "samples");
	put_number(w, sums.samples);
	if (sums.unit && !sums.has_no_time) {
		gprofx_puts(w, ", ");
		put_time(w, sums.time, sums.rate, sums.unit);
	}
	if (sums.samples > 0) {
		gprofx_puts(w, "; ");
		put_part(w, sums.known_samples, sums.samples);
		gprofx_puts(w, " in known functions");
	}
	gprofx_puts(w, "; ");
	put_extent(w, &sums.samples_extent);
	put_exceptions(w, "", sums.without_samples, "none");
	put_exceptions(w, "full bins", sums.with_full_bins, "some");
	put_calls_together(w, &sums);
	put_exceptions(w, "left out", sums.with_copies, "a copy of another one's counters");
}

static void
put_arcs_and_calls(struct gprofx_writer *w, uint32_t arcs, uint64_t calls)
{
	put_count(w, arcs, "arc", "arcs");
	gprofx_puts(w, " (");
	put_count(w, calls, "call)", "calls)");
}

/* What became of calls whose call sites were rounded. */
static void
put_rounding(struct gprofx_writer *w, const struct gprofx_rounding *rounding)
{
	gprofx_puts(w, "\ncallers near function entries\n");
	begin_line(w, "call sites");
	gprofx_out(w, "%s by up to %u bytes; ",
	           rounding->is_supposed ? "maybe rounded down" : "rounded down",
	           rounding->quantum - 1);
	put_arcs_and_calls(w, rounding->doubtful_arcs, rounding->doubtful_calls);
	gprofx_puts(w, " can be of several functions\n");
	begin_line(w, "corrected");
	if (!rounding->was_scanned) {
		gprofx_puts(w, "none: there is no scanner for the program's code");
		if (rounding->advice) {
			gprofx_puts(w, "; ");
			gprofx_puts(w, rounding->advice);
		}
		gprofx_putc(w, '\n');
		return;
	}
	put_arcs_and_calls(w, rounding->moved_arcs, rounding->moved_calls);
	gprofx_puts(w, " moved, ");
	put_arcs_and_calls(w, rounding->split_arcs, rounding->split_calls);
	gprofx_puts(w, " split\n");
}

/*
 * The symbols that are left out for a reason, of which the first one is at "first": as many as a
 * line or two can hold.
 */
static void
put_left_out_for(struct gprofx_writer *w, const struct gprofx_report *report, uint32_t first)
{
	enum { SHOWN_AT_MOST = 8, LONGEST_SHOWN = 200 };
	const char *reason = gprofx_left_out_at(report, first)->reason;
	uint32_t count = 0;

	gprofx_out(w, "  %s: ", reason);
	for (uint32_t i = first; i < report->functions->left_out_count; i++) {
		const struct gprofx_left_out *symbol = gprofx_left_out_at(report, i);

		if (symbol->reason != reason || count++ >= SHOWN_AT_MOST)
			continue;
		if (count > 1)
			gprofx_puts(w, ", ");
		if (strlen(symbol->name) > LONGEST_SHOWN)
			gprofx_out(w, "0x%llx", (unsigned long long)symbol->address);
		else
			put_text(w, symbol->name);
	}
	if (count > SHOWN_AT_MOST) {
		gprofx_puts(w, " and ");
		put_number(w, count - SHOWN_AT_MOST);
		gprofx_puts(w, " more");
	}
	gprofx_putc(w, '\n');
}

/* Symbols that are no functions of the report, by reason, in the order of its first symbol. */
static void
put_left_out(struct gprofx_writer *w, const struct gprofx_report *report)
{
	enum { REASONS_AT_MOST = 16 };
	const char *seen[REASONS_AT_MOST];
	uint32_t count = 0;

	gprofx_puts(w, "\n"
	               "symbols left out, which are charged to the function before them\n");
	for (uint32_t i = 0; i < report->functions->left_out_count; i++) {
		const char *reason = gprofx_left_out_at(report, i)->reason;
		uint32_t k = 0;

		/* Reasons are static: those of the same words are the same. */
		while (k < count && seen[k] != reason)
			k++;
		if (k < count || count == REASONS_AT_MOST)
			continue;
		seen[count++] = reason;
		put_left_out_for(w, report, i);
	}
}

static enum gprofx_result
emit(struct gprofx *gx, const struct gprofx_emission *emission, const void *opaque)
{
	const struct options *options = opaque;
	const struct gprofx_report *report = emission->report;
	struct gprofx_writer *w = emission->writer;

	struct lines lines;

	if (report->files->count == 0)
		return GPROFX_OK;
	w->services->separator(w);
	if (options->layout == LAYOUT_GPROF) {
		put_as_gprof(w, report);
		return GPROFX_OK;
	}
	for (uint32_t i = 0; i < report->files->count; i++) {
		struct gprofx_writer *to = lines_begin(&lines, gx, w, (size_t)options->row_width,
		                                       TEXT_COLUMN);

		if (i > 0)
			gprofx_putc(to, '\n');
		put_file(to, gprofx_file_at(report, i));
		lines_end(&lines);
	}
	w = lines_begin(&lines, gx, w, (size_t)options->row_width, TEXT_COLUMN);
	if (report->files->count > 1)
		put_summary(w, report);
	if (report->files->rounding)
		put_rounding(w, report->files->rounding);
	if (report->functions->left_out_count > 0)
		put_left_out(w, report);
	lines_end(&lines);
	return GPROFX_OK;
}

/* Nothing but the files, so that it is written even if the run fails. */
static const struct gprofx_needs needs = {
	.size = sizeof needs,
	.parts = GPROFX_PART_FILES,
	.traits = GPROFX_EMITTER_BYTES,
};

static const struct gprofx_listing listings[] = {
	{.size = sizeof listings[0], .name = "profile-files", .place = 100},
};

static const struct gprofx_emitter emitter = {
	.size = sizeof emitter,
	.format = "info",
	.extension = "txt",
	.emit = emit,
	.needs = &needs,
	.listings = listings,
	.listing_count = 1,
};

GPROFX_PLUGIN = {
	GPROFX_ABI,
	.name = "output-info",
	.version = "1.0",
	.summary = "The profile files, and what each of them contains",
	GPROFX_OPTIONS(struct options, table),
	.emitter = &emitter,
};
