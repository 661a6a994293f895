/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Annotated source: each line of the program's source files with how often it ran and, in our own
 * layout, how much time it took.
 */
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <gprofx/emitter.h>

#include "../shared/find-source.h"
#include "../shared/line-calls.h"
#include "../shared/lines.h"
#include "counts.h"
#include "listing.h"
#include "missing.h"
#include "names.h"
#include "newer.h"

enum layout { LAYOUT_FULL, LAYOUT_GPROF };

static const char *const layouts[] = {"full", "gprof", NULL};

struct options {
	bool all_lines, separate_files, system_files;
	int64_t min_count, table_length, context, row_width;
	const char *source_folders, *source_map;
	uint32_t layout; /* enum layout */
	double hot;
};

static const struct gprofx_option table[] = {
	{.key = "all-lines",
         .type = GPROFX_BOOL,
         .offset = offsetof(struct options, all_lines),
         .initial = "false",
         .help = "show the count of a basic block on all of its lines"},
	{.key = "min-count",
         .type = GPROFX_INT,
         .offset = offsetof(struct options, min_count),
         .initial = "1",
         .minimum = 0,
         .maximum = INT64_MAX,
         .help = "mark lines that ran fewer times than this with #####"},
	{.key = "table-length",
         .type = GPROFX_INT,
         .offset = offsetof(struct options, table_length),
         .initial = "10",
         .minimum = 0,
         .maximum = INT32_MAX,
         .help = "length of the table of busiest lines; 0: no table"},
	{.key = "separate-files",
         .type = GPROFX_BOOL,
         .offset = offsetof(struct options, separate_files),
         .initial = "false",
         .help = "write each source to a file of its own, NAME-ann"},
	{.key = "system-files",
         .type = GPROFX_BOOL,
         .offset = offsetof(struct options, system_files),
         .initial = "false",
         .help = "list all files of the system, too, not only those that -A names"},
	FIND_SOURCE_OPTIONS(struct options),
	{.key = "layout",
         .type = GPROFX_CHOICE,
         .offset = offsetof(struct options, layout),
         .initial = "full",
         .choices = layouts,
         .help = "show counts and times, or only counts, as GNU gprof does"},
	{.key = "context",
         .type = GPROFX_INT,
         .offset = offsetof(struct options, context),
         .initial = "10",
         .minimum = 0,
         .maximum = INT32_MAX,
         .help = "lines to show around those of the functions that -A names; 0: whole files"},
	LINES_ROW_WIDTH,
	{.key = "hot",
         .type = GPROFX_REAL,
         .offset = offsetof(struct options, hot),
         .initial = "10",
         .minimum = 0,
         .maximum = 100,
         .help = "mark lines with at least this share of the time as hot, in percent"},
};

/* The work on one file after the other. */
struct work {
	struct gprofx *gx;
	const struct gprofx_report *report;
	const struct options *options;
	struct gprofx_writer *w;
	struct listing listing;
	struct finder finder;
	struct missing missing;
	struct newer newer; /* not for GNU gprof, which says nothing */
	struct file_names names;
	uint32_t wanted, shown; /* files */
	bool has_failed;
};

/* Whether a function calls others, and so ran, whatever called it. */
static bool
calls_others(const struct gprofx_report *report, uint32_t function)
{
	const struct gprofx_lists *callees = &report->graph->callees;

	for (uint32_t i = callees->first[function]; i < callees->first[function + 1]; i++)
		if (gprofx_count(&report->graph->arcs.calls->calls, callees->item[i]) > 0)
			return true;
	return false;
}

/* Whether there is something to say about a file. */
static bool
is_wanted(const struct gprofx_report *report, struct listed_rows rows)
{
	const struct gprofx_lists *functions = &report->source->functions;
	bool is_corrected = corrects(report, GPROFX_CORRECT_UNCALLED_FILES);
	bool has_functions = functions->first[rows.first] != functions->first[rows.end];

	if (report->origin->shows_unused && (has_functions || is_corrected))
		return true;
	for (uint32_t row = rows.first; row < rows.end; row++) {
		const struct gprofx_source_line *line = gprofx_source_line_at(report, row);

		/* Who counts with a compiler wants to see what did not run, too. */
		if (line_calls(report, row) > 0 || (line->is_exact && line->is_counted))
			return true;
		if (is_corrected && (line->count > 0 || line->ticks != 0 || line->total != 0))
			return true;
	}
	for (uint32_t i = functions->first[rows.first];
	     is_corrected && i < functions->first[rows.end]; i++)
		if (calls_others(report, functions->item[i]))
			return true;
	return false;
}

static void
put_heading(struct work *work, const char *name)
{
	struct gprofx_writer *w = work->w;

	if (work->shown > 0)
		gprofx_putc(w, '\n');
	w->services->separator(w);
	gprofx_puts(w, "*** File ");
	w->services->text(w, name, strlen(name));
	gprofx_puts(w, ":\n");
	listing_put_heading(&work->listing, w);
}

/* What the lines of the source show about it, where GNU gprof says nothing. */
static void
check_source(struct work *work, const char *name, struct listed_rows rows, uint64_t lines,
             int error)
{
	uint32_t last = gprofx_source_line_at(work->report, rows.end - 1)->line;
	struct gprofx_diagnostic diagnostic = {
		.id = "source.changed",
		.file = name,
		.hint = "find the source that the program was built from, with -I or --source-map",
		.number = {last, lines},
	};

	if (work->options->layout == LAYOUT_GPROF)
		return;
	if (error != 0) {
		diagnostic.id = "source.cannot-read";
		diagnostic.system_error = error;
		diagnostic.hint = "copy the file again";
		gprofx_warn(work->gx, &diagnostic, "cannot read the source after %llu lines: %s",
		            (unsigned long long)lines, strerror(error));
	} else if (lines < last) {
		gprofx_warn(work->gx, &diagnostic,
		            "expected at least %u lines, as when the program was built, found %llu",
		            last, (unsigned long long)lines);
	}
}

static void
annotate(struct work *work, uint32_t file, struct listed_rows rows)
{
	const char *name = work->report->source->file[file];
	struct gprofx_writer *w = work->w;
	int source, error;
	uint64_t lines;

	source = missing_open(&work->missing, name, rows);
	if (source < 0)
		return;
	if (work->options->layout == LAYOUT_FULL)
		newer_check(&work->newer, name, rows, work->finder.modified);
	if (work->options->separate_files)
		w = w->services->open(w, file_name_for(&work->names, file));
	else
		put_heading(work, name);
	if (!w) {
		work->has_failed = true;
		close(source);
		return;
	}
	lines = listing_put(&work->listing, w, source, rows, &error);
	close(source);
	if (work->options->separate_files && w->services->close(w, true) != GPROFX_OK)
		work->has_failed = true;
	check_source(work, name, rows, lines, error);
	work->shown++;
}

static enum gprofx_result
fail_lost(struct work *work)
{
	const struct gprofx_diagnostic diagnostic = {
		.id = "source.none",
		.hint = "name the folders of the sources with -I, or map old to new folders with "
			"--source-map=FROM=TO",
		.number = {work->wanted},
	};

	return gprofx_fail(work->gx, &diagnostic, "none of %u source files was found",
	                   work->wanted);
}

/* Such as with -l, where lines of inlined subroutines have names but are in another function. */
static void
warn_nothing(struct work *work)
{
	const struct gprofx_diagnostic diagnostic = {
		.id = "source.nothing",
		.hint = "name the function that an inlined subroutine is in, or leave out -l; -z lists "
			"what has neither calls nor time, too",
	};

	gprofx_warn(work->gx, &diagnostic,
	            "no source line that is selected has calls or time: nothing is listed");
}

static enum gprofx_result
fail_lineless(struct work *work)
{
	const struct gprofx_diagnostic diagnostic = {
		.id = "source.no-lines",
		.hint = "compile every source file with -g, and do not strip the program; line "
			"counts of gcov also work",
	};
	const struct gprofx_diagnostic without = {
		.id = "source.no-program",
		.hint = "name the program first, then its profiles",
	};

	if (!work->report->origin->image)
		return gprofx_fail(work->gx, &without,
		                   "source lines need a program, but none was named");
	return gprofx_fail(work->gx, &diagnostic,
	                   "the program's debug information has no source lines");
}

/*
 * How many lines around those with data to show.  A file of its own is a copy of the source, whose
 * lines keep their numbers.
 */
static uint64_t
context_of(const struct work *work)
{
	const struct options *options = work->options;

	if (options->layout == LAYOUT_GPROF || options->separate_files || options->context == 0 ||
	    !work->report->source->is_of_functions)
		return UINT64_MAX;
	return (uint64_t)options->context;
}

static void
begin(struct work *work, struct counter *counter)
{
	const struct options *options = work->options;

	counter_begin(counter, work->gx, work->report, options->all_lines);
	work->listing = (struct listing){
		.gx = work->gx,
		.report = work->report,
		.counter = counter,
		.least = (uint64_t)options->min_count,
		.table_length = (uint64_t)options->table_length,
		.context = context_of(work),
		/* Files of their own are not for a screen. */
		.row_width = options->separate_files ? 0 : (size_t)options->row_width,
		.hot = options->hot,
		.by_function = options->layout == LAYOUT_FULL && !options->all_lines &&
	                       !work->report->origin->by_line,
		.has_times = options->layout == LAYOUT_FULL && work->report->source->total > 0,
		.buffer = gprofx_alloc(work->gx, LISTING_BUFFER),
	};
	if (options->separate_files)
		file_names_begin(&work->names, work->gx, work->report);
}

/* Whether a file came with a compiler or a library: those of the program are what one looks for. */
static bool
is_of_system(const char *file)
{
	static const char *const folders[] = {"/usr/include/", "/usr/lib/", "/usr/local/include/",
	                                      "/opt/"};

	for (size_t i = 0; i < sizeof folders / sizeof folders[0]; i++)
		if (strncmp(file, folders[i], strlen(folders[i])) == 0)
			return true;
	return false;
}

/* A source file, and what decides about its place. */
struct listed_file {
	struct listed_rows rows;
	bool is_of_system;
	double ticks;
};

/* Those of the system last, then by time; the rest stays in its order. */
static int
compare_files(const void *left, const void *right)
{
	const struct listed_file *a = left, *b = right;

	if (a->is_of_system != b->is_of_system)
		return a->is_of_system ? 1 : -1;
	if (a->ticks != b->ticks)
		return a->ticks > b->ticks ? -1 : 1;
	return a->rows.first < b->rows.first ? -1 : a->rows.first > b->rows.first;
}

static uint32_t
file_of(const struct gprofx_report *report, uint32_t row)
{
	return gprofx_source_line_at(report, row)->file;
}

/*
 * The files that are to be listed, in our own layout in the order of their importance.  Names of
 * files of their own, of which some can get a number, must not depend on times.
 */
static struct listed_file *
find_files(struct work *work, uint32_t *count)
{
	const struct gprofx_report *report = work->report;
	struct listed_file *files = gprofx_alloc(
		work->gx, ((size_t)report->source->file_count + 1) * sizeof *files);

	*count = 0;
	for (uint32_t row = 0, end; row < report->source->line_count; row = end) {
		struct listed_rows rows = {row, row + 1};
		const char *name = report->source->file[file_of(report, row)];

		while (rows.end < report->source->line_count &&
		       file_of(report, rows.end) == file_of(report, row))
			rows.end++;
		end = rows.end;
		if (is_wanted(report, rows))
			files[(*count)++] = (struct listed_file){
				rows, is_of_system(name),
				work->options->separate_files ? 0 : listing_ticks(report, rows)};
	}
	if (work->options->layout == LAYOUT_FULL && *count > 1)
		qsort(files, *count, sizeof *files, compare_files);
	return files;
}

/* Files of the program, which come first. */
static uint32_t
count_own(const struct listed_file *files, uint32_t count)
{
	uint32_t own = 0;

	while (own < count && !files[own].is_of_system)
		own++;
	return own;
}

/*
 * Whether files of the system are left out: those of a library of C++ have many more lines than the
 * program.  What -A names is listed, and so is what there is if nothing is the program's own.
 */
static bool
hides_system(const struct work *work, const struct listed_file *files, uint32_t count)
{
	const struct options *options = work->options;

	return options->layout == LAYOUT_FULL && !options->separate_files &&
	       !options->system_files && !work->report->source->is_of_functions &&
	       count_own(files, count) > 0;
}

static void
put_left_out(const struct work *work, const struct listed_file *files, uint32_t count)
{
	double ticks = 0, total = work->report->source->total;
	struct lines lines;
	struct gprofx_writer *w;

	for (uint32_t i = 0; i < count; i++)
		ticks += files[i].ticks;
	gprofx_putc(work->w, '\n');
	w = lines_begin(&lines, work->gx, work->w, (size_t)work->options->row_width, 0);
	gprofx_out(w, "%u %s of the system left out", count, count == 1 ? "file" : "files");
	if (total > 0)
		gprofx_out(w, ", with %.1f %% of the time", 100.0 * ticks / total);
	gprofx_puts(w, "; --set=annotate.system-files=true lists them\n");
	lines_end(&lines);
}

static void
list_files(struct work *work)
{
	uint32_t count;
	struct listed_file *files = find_files(work, &count);

	work->wanted = hides_system(work, files, count) ? count_own(files, count) : count;
	for (uint32_t i = 0; i < work->wanted; i++)
		annotate(work, file_of(work->report, files[i].rows.first), files[i].rows);
	if (work->wanted < count && work->shown > 0)
		put_left_out(work, files + work->wanted, count - work->wanted);
	work->gx->host->release(work->gx, files);
}

static enum gprofx_result
emit(struct gprofx *gx, const struct gprofx_emission *emission, const void *opaque)
{
	const struct options *options = opaque;
	const struct gprofx_report *report = emission->report;
	struct work work = {.gx = gx, .report = report, .options = options, .w = emission->writer};
	struct counter counter;
	enum gprofx_result result;

	result = finder_begin(&work.finder, gx, report, options->layout == LAYOUT_GPROF,
	                      options->source_folders, options->source_map);
	if (result != GPROFX_OK)
		return result;
	begin(&work, &counter);
	if (options->layout == LAYOUT_FULL)
		newer_begin(&work.newer, gx, report);
	missing_begin(&work.missing, &work.finder);
	list_files(&work);
	missing_end(&work.missing);
	if (options->layout == LAYOUT_FULL)
		newer_end(&work.newer);
	if (!corrects(report, GPROFX_CORRECT_LOST_SOURCES))
		return GPROFX_OK;
	if (report->source->file_count == 0)
		return fail_lineless(&work);
	if (work.wanted == 0 && options->layout == LAYOUT_FULL)
		warn_nothing(&work);
	if (work.wanted > 0 && work.shown == 0 && !work.has_failed)
		return fail_lost(&work);
	return work.has_failed ? GPROFX_FAILED : GPROFX_OK;
}

static void
needs_with(const void *opaque, struct gprofx_needs *needs)
{
	const struct options *options = opaque;

	needs->parts = GPROFX_PART_SOURCE | GPROFX_PART_NODES;
	if (options->layout == LAYOUT_FULL)
		needs->parts |= GPROFX_PART_SOURCE_TIMES;
	/* Names of source files are opened. */
	needs->traits = GPROFX_EMITTER_BYTES;
	if (options->separate_files)
		needs->traits |= GPROFX_EMITTER_BESIDE;
}

static const struct gprofx_listing listings[] = {
	{.size = sizeof listings[0], .name = "annotated-source", .place = 700},
};

static const struct gprofx_emitter emitter = {
	.size = sizeof emitter,
	.format = "annotate",
	.extension = "txt",
	.emit = emit,
	.needs_with = needs_with,
	.listings = listings,
	.listing_count = 1,
};

GPROFX_PLUGIN = {
	GPROFX_ABI,
	.name = "output-annotate",
	.version = "1.0",
	.summary = "Source files annotated with execution counts and times",
	GPROFX_OPTIONS(struct options, table),
	.emitter = &emitter,
};
