/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Emitters, with reports that the engine makes as ever: of an image and profiles that come from
 * plugins of our own.
 */
#include "base/memory.h"
#include "base/run.h"
#include "compare/compare.h"
#include "emit/emit.h"
#include "emit/writer.h"
#include "pipeline.h"
#include "plugin/emitters.h"
#include "plugin/plugins.h"
#include "plugin-check/plugin-check.h"
#include "plugin-check/try.h"
#include "report/model.h"
#include "report/view.h"

enum { TEXT_START = 0x401000, TEXT_BYTES = 0x100, FUNCTIONS = 2, BINS = 16, RATE = 100 };

static int
know_image(const uint8_t *head, size_t bytes)
{
	(void)head;
	(void)bytes;
	return 100;
}

static enum gprofx_result
load_image(struct gprofx *gx, const struct gprofx_image *image, struct gprofx_symtab *table,
           const void *options)
{
	static const char *const names[FUNCTIONS] = {"main", "work"};

	(void)image;
	(void)options;
	table->target.pointer_bytes = 8;
	table->has_text = table->has_source = true;
	table->text_start = TEXT_START;
	table->text_end = TEXT_START + TEXT_BYTES;
	table->builder->reserve(gx, table, FUNCTIONS);
	for (uint32_t i = 0; i < FUNCTIONS; i++) {
		table->rows.name[i] = names[i];
		table->rows.address[i] = TEXT_START + i * (TEXT_BYTES / FUNCTIONS);
		table->rows.bytes[i] = TEXT_BYTES / FUNCTIONS;
		table->rows.flags[i] = GPROFX_SYMBOL_FUNCTION;
	}
	table->count = FUNCTIONS;
	return GPROFX_OK;
}

/* Function i begins on line 10 * i + 1 of its source, for which the file at hand has to do. */
static uint32_t
line_of(uint64_t address)
{
	return (uint32_t)((address - TEXT_START) / (TEXT_BYTES / FUNCTIONS)) * 10 + 1;
}

static enum gprofx_result
locate(struct gprofx *gx, const struct gprofx_image *image, struct gprofx_positions *positions,
       const void *options)
{
	(void)options;
	for (uint32_t i = 0; i < positions->count; i++) {
		positions->file[i] = positions->builder->file(gx, positions, image->name);
		positions->line[i] = line_of(positions->address[i]);
	}
	return GPROFX_OK;
}

static enum gprofx_result
list_lines(struct gprofx *gx, const struct gprofx_image *image, struct gprofx_lines *lines,
           const void *options)
{
	uint32_t file = lines->builder->file(gx, lines, image->name);

	(void)options;
	lines->builder->reserve(gx, lines, FUNCTIONS + 1);
	for (uint32_t i = 0; i < FUNCTIONS; i++) {
		uint64_t address = TEXT_START + i * (TEXT_BYTES / FUNCTIONS);

		lines->rows.address[i] = address;
		lines->rows.file[i] = file;
		lines->rows.line[i] = line_of(address);
	}
	lines->count = FUNCTIONS;
	if (!lines->wants_inlined)
		return GPROFX_OK;
	/* The rest of work is of a subroutine that was inlined into it. */
	lines->rows.address[FUNCTIONS] = TEXT_START + TEXT_BYTES / FUNCTIONS + 4;
	lines->rows.file[FUNCTIONS] = file;
	lines->rows.line[FUNCTIONS] = 1;
	lines->rows.name[FUNCTIONS] = lines->builder->name(gx, lines, "part");
	lines->rows.inlined[FUNCTIONS] = lines->builder->inlined(
		gx, lines, lines->builder->name(gx, lines, "work"), file, 12, 0);
	lines->count = FUNCTIONS + 1;
	return GPROFX_OK;
}

/* How often the lines of a source ran. */
static void
add_source(struct gprofx *gx, struct gprofx_profile *profile)
{
	static const struct gprofx_raw_line lines[] = {{1, 1}, {11, 3}, {12, 0}};
	static const struct gprofx_raw_function functions[] = {{"main", 1, 9, 1},
	                                                       {"work", 11, 12, 3}};
	const struct gprofx_raw_source source = {
		.size = sizeof source,
		.path = "checked.c",
		.lines = lines,
		.functions = functions,
		.line_count = sizeof lines / sizeof lines[0],
		.function_count = FUNCTIONS,
	};

	profile->builder->source(gx, profile, &source);
}

/* A histogram, and "arcs" calls of work by main. */
static enum gprofx_result
fill_profile(struct gprofx *gx, const struct gprofx_file *file, struct gprofx_profile *profile,
             const uint8_t *bins, uint32_t arcs)
{
	static const struct gprofx_raw_arc arc = {TEXT_START + 8,
	                                          TEXT_START + TEXT_BYTES / FUNCTIONS, 3};
	const struct gprofx_histogram histogram = {
		.size = sizeof histogram,
		.low = TEXT_START,
		.high = TEXT_START + TEXT_BYTES,
		.bin_count = BINS,
		.rate = RATE,
		.dimension = "seconds",
		.abbreviation = 's',
		.bins = bins,
		.bin_bytes = 1,
	};

	profile->builder->arcs(gx, profile, NULL, &arc, arcs);
	return profile->builder->histogram(gx, profile, file, &histogram);
}

static enum gprofx_result
read_empty(struct gprofx *gx, const struct gprofx_file *file, const struct gprofx_target *target,
           struct gprofx_profile *profile, const void *options)
{
	static const uint8_t bins[BINS];

	(void)target;
	(void)options;
	return fill_profile(gx, file, profile, bins, 0);
}

static enum gprofx_result
read_small(struct gprofx *gx, const struct gprofx_file *file, const struct gprofx_target *target,
           struct gprofx_profile *profile, const void *options)
{
	static const uint8_t bins[BINS] = {[0] = 5, [BINS / 2] = 20};

	(void)target;
	(void)options;
	add_source(gx, profile);
	return fill_profile(gx, file, profile, bins, 1);
}

/* Stacks of main and work, whose calls were not counted, and one without frames. */
static enum gprofx_result
read_stacks(struct gprofx *gx, const struct gprofx_file *file, const struct gprofx_target *target,
            struct gprofx_profile *profile, const void *options)
{
	enum { STACKS = 4, MAIN = TEXT_START + 8, WORK = TEXT_START + TEXT_BYTES / FUNCTIONS };
	static const uint32_t first[STACKS + 1] = {0, 1, 3, 6, 6};
	static const uint64_t address[] = {MAIN, WORK, MAIN, WORK, WORK + 4, MAIN};
	static const uint64_t weight[STACKS] = {1, 20, 4, 2};
	const struct gprofx_raw_stacks stacks = {
		.size = sizeof stacks,
		.count = STACKS,
		.first = first,
		.address = address,
		.weight = weight,
		.rate = RATE,
		.dimension = "seconds",
		.abbreviation = 's',
	};

	(void)target;
	(void)options;
	return profile->builder->stacks(gx, profile, file, NULL, &stacks);
}

/* The small profile, and cycles beside its seconds. */
static enum gprofx_result
read_metrics(struct gprofx *gx, const struct gprofx_file *file, const struct gprofx_target *target,
             struct gprofx_profile *profile, const void *options)
{
	static const uint8_t bins[BINS] = {[0] = 200, [BINS / 2] = 1};
	const struct gprofx_histogram cycles = {
		.size = sizeof cycles,
		.low = TEXT_START,
		.high = TEXT_START + TEXT_BYTES,
		.bin_count = BINS,
		.rate = 1,
		.dimension = "cycles",
		.bins = bins,
		.bin_bytes = 1,
	};
	enum gprofx_result result = read_small(gx, file, target, profile, options);

	return result == GPROFX_OK ? profile->builder->histogram(gx, profile, file, &cycles)
	                           : result;
}

/* Samples of two threads of a process, in a phase and in none, and of no thread. */
static enum gprofx_result
read_slices(struct gprofx *gx, const struct gprofx_file *file, const struct gprofx_target *target,
            struct gprofx_profile *profile, const void *options)
{
	const struct gprofx_profile_builder *builder = profile->builder;
	const struct gprofx_raw_process process = {.size = sizeof process, .number = 1};
	struct gprofx_raw_thread thread = {.size = sizeof thread, .number = 1, .name = "first"};
	const struct gprofx_raw_phase phase = {.size = sizeof phase, .name = "phase"};
	const struct gprofx_raw_sample rows[] = {{TEXT_START, 2},
	                                         {TEXT_START + TEXT_BYTES / FUNCTIONS, 3},
	                                         {TEXT_START + 3 * TEXT_BYTES, 1}};
	struct gprofx_from from = {.size = sizeof from};
	uint32_t first, second;

	(void)target;
	(void)options;
	thread.process = builder->process(gx, profile, file, &process);
	first = builder->thread(gx, profile, file, &thread);
	thread = (struct gprofx_raw_thread){.size = sizeof thread, .process = thread.process};
	second = builder->thread(gx, profile, file, &thread);
	builder->samples(gx, profile, file, NULL, rows, 1);
	from.slice = builder->slice(gx, profile, file, first, 0);
	builder->samples(gx, profile, file, &from, rows, 3);
	from.slice = builder->slice(gx, profile, file, second,
	                            builder->phase(gx, profile, file, &phase));
	builder->samples(gx, profile, file, &from, rows, 2);
	return GPROFX_OK;
}

static const struct gprofx_symbols image_provider = {.size = sizeof image_provider,
                                                     .probe = know_image,
                                                     .load = load_image,
                                                     .locate = locate,
                                                     .lines = list_lines};
static const struct gprofx_reader empty_reader = {.size = sizeof empty_reader,
                                                  .format = "checked-empty",
                                                  .read = read_empty};
static const struct gprofx_reader small_reader = {.size = sizeof small_reader,
                                                  .format = "checked-small",
                                                  .read = read_small};
static const struct gprofx_reader stacks_reader = {.size = sizeof stacks_reader,
                                                   .format = "checked-stacks",
                                                   .read = read_stacks};
static const struct gprofx_reader metrics_reader = {.size = sizeof metrics_reader,
                                                    .format = "checked-metrics",
                                                    .read = read_metrics};

static const struct gprofx_reader slices_reader = {.size = sizeof slices_reader,
                                                   .format = "checked-slices",
                                                   .read = read_slices};

static const struct gprofx_plugin image_plugin = {GPROFX_ABI, .name = "symbols-checked",
                                                  .symbols = &image_provider};
static const struct gprofx_plugin empty_plugin = {GPROFX_ABI, .name = "input-checked-empty",
                                                  .reader = &empty_reader};
static const struct gprofx_plugin small_plugin = {GPROFX_ABI, .name = "input-checked-small",
                                                  .reader = &small_reader};
static const struct gprofx_plugin stacks_plugin = {GPROFX_ABI, .name = "input-checked-stacks",
                                                   .reader = &stacks_reader};
static const struct gprofx_plugin metrics_plugin = {GPROFX_ABI, .name = "input-checked-metrics",
                                                    .reader = &metrics_reader};
static const struct gprofx_plugin slices_plugin = {GPROFX_ABI, .name = "input-checked-slices",
                                                   .reader = &slices_reader};

/* No file beside the report is written. */
static enum gprofx_result
refuse_file(struct run *run, const void *context, const char *name)
{
	const struct gprofx_diagnostic diagnostic = {
		.id = "output.beside-failed",
		.file = name,
		.hint = "run the program itself",
	};

	(void)context;
	return run_fail(run, &diagnostic, "expected a report, found a plugin check");
}

/* The report of such a profile; NULL after an error. */
static const struct gprofx_report *
make_report(struct plugin_check *check, const char *reader)
{
	static const struct gprofx_plugin *const made[] = {
		&image_plugin,   &empty_plugin,  &small_plugin, &stacks_plugin,
		&metrics_plugin, &slices_plugin, NULL};
	const struct gprofx_plugin *const *builtin = check->settings.builtin;
	struct engine_settings *settings = &check->settings;
	struct gprofx_report *report;
	bool broken;

	settings->per_file = (settings->report_parts &
	                      (GPROFX_PART_PER_FILE | GPROFX_PART_FILE_VALUES)) != 0;
	settings->reader = reader;
	settings->builtin = made;
	/* The one that is open is asked first. */
	plugin_by_name(check->run, image_plugin.name, &broken);
	check->keeps_diagnostics = true;
	if (pipeline_run(check->run, &report) != GPROFX_OK)
		report = NULL;
	settings->builtin = builtin;
	return report;
}

/* Whether it needs tables of threads and the like, or a comparison, of which a report has none:
 * then no run comes to the emitter. */
static bool
lacks_needed(const struct plugin_check *check, const struct gprofx_report *report, uint32_t parts)
{
	const struct report_model *model = report_model_of(report);

	if (parts & GPROFX_PART_COMPARISON)
		return true;
	return (parts & GPROFX_PART_SLICE_TABLES) != 0 &&
	       model->parts.slices[check->settings.report_slices].table_count == 0;
}

/* Whether the emitter wrote these listings of a report; false too if it failed. */
static bool
write_listings(struct plugin_check *check, const struct gprofx_report *report, uint32_t listings,
               const char *what)
{
	struct gprofx_emission emission = {.size = sizeof emission, .listings = listings};
	struct report_view view;
	struct writer *writer;
	char *room;
	int result;

	room = (char *)check_bytes(check, NULL, GPROFX_WRITER_ROOM, true);
	writer = writer_in_room(check->run, room, GPROFX_WRITER_ROOM);
	writer->check = refuse_file;
	report_show(&view, report_model_of(report), check->settings.report_parts,
	            check->settings.report_contexts, check->settings.report_slices);
	emission.report = &view.public;
	emission.writer = &writer->public;
	check_begin(check, "writing %s", what);
	result = check->plugin->emitter.emit(&check->run->gx, &emission, check->plugin->options);
	if (writer->public.at < room || writer->public.at > writer->public.end) {
		check_fault(check,
		            "%s: expected it to write only into its buffer, found it "
		            "outside",
		            check->told->doing);
		return false;
	}
	if (result != GPROFX_OK)
		check_fault(check, "%s: expected GPROFX_OK, found %d%s%s", check->told->doing,
		            result, check->last_id ? ": " : "",
		            check->last_id ? check->last_error : "");
	check_end_with(check, result);
	writer_flush(writer);
	return result == GPROFX_OK;
}

/* What the emitter needs; false: it is not known. */
static bool
ask_needs(struct plugin_check *check, struct gprofx_needs *needs)
{
	const struct plugin *plugin = check->plugin;
	enum gprofx_result known;

	check_begin(check, "being asked what it needs");
	check->keeps_diagnostics = true;
	known = plugin_needs(check->run, plugin, plugin->options, needs);
	check_end(check);
	return known == GPROFX_OK;
}

/* A report that is written as a whole, and each listing of it by itself. */
static void
write_report(struct plugin_check *check, const char *reader, const char *what, bool has_bytes)
{
	const struct plugin *plugin = check->plugin;
	const struct gprofx_report *report;
	struct gprofx_needs needs;

	if (!ask_needs(check, &needs))
		return;
	check->settings.report_parts = needs.parts | needs.also | needs.parts_if_several;
	check->settings.report_contexts = needs.contexts;
	/* Tables are asked for by options of a run, which is all of them here. */
	check->settings.per_process = check->settings.per_thread = check->settings.per_phase =
		(check->settings.report_parts & GPROFX_PART_SLICE_TABLES) != 0;
	check->settings.report_slices = emit_slices(&needs) | emit_asked_slices(&check->settings);
	report = make_report(check, reader);
	if (!report || lacks_needed(check, report, needs.parts) ||
	    !write_listings(check, report, plugin_all_listings(plugin), what))
		return;
	if (has_bytes && check->written == 0)
		check_fault(check, "writing %s: expected some bytes, found none", what);
	for (uint32_t i = 0; plugin->emitter.listing_count > 1 && i < plugin->emitter.listing_count;
	     i++)
		if (!write_listings(check, report, UINT32_C(1) << i,
		                    text_format(check->run, "the listing %s of %s",
		                                plugin->listings[i].name, what)))
			return;
}

void
check_emitter_empty(struct plugin_check *check)
{
	write_report(check, empty_reader.format, "an empty report", false);
}

void
check_emitter_small(struct plugin_check *check)
{
	write_report(check, small_reader.format, "a small report", true);
}

void
check_emitter_stacks(struct plugin_check *check)
{
	write_report(check, stacks_reader.format, "a report of stacks", false);
}

void
check_emitter_metrics(struct plugin_check *check)
{
	write_report(check, metrics_reader.format, "a report of two metrics", true);
}

void
check_emitter_slices(struct plugin_check *check)
{
	write_report(check, slices_reader.format, "a report of threads", false);
}

/* A small report is compared with itself, or one with stacks if measured contexts are needed. */
void
check_emitter_comparison(struct plugin_check *check)
{
	struct compare_request request = {.base.name = "base", .new_side.name = "new"};
	const struct report_model *model;
	const struct gprofx_report *report;
	struct gprofx_needs needs;
	struct report_view side;

	if (!ask_needs(check, &needs) || !(needs.traits & GPROFX_EMITTER_COMPARES))
		return;
	check->settings.report_parts = COMPARE_PARTS;
	check->settings.report_contexts = needs.contexts != 0 ? GPROFX_CONTEXTS : 0;
	report = make_report(check, needs.contexts & GPROFX_CONTEXTS_MEASURED
	                                    ? stacks_reader.format
	                                    : small_reader.format);
	if (!report)
		return;
	report_show(&side, report_model_of(report), check->settings.report_parts,
	            check->settings.report_contexts, 0);
	request.base.report = request.new_side.report = &side.public;
	if (needs.contexts != 0) {
		request.base.summed = request.new_side.summed = &side.public;
		request.context_forms = UINT32_C(1) << report_context_form(needs.contexts);
	}
	request.wants_graph = compare_wants_graph(needs.parts);
	if (!compare_find_metric(check->run, &request))
		return;
	model = compare_reports(check->run, &request);
	check->settings.report_parts = needs.parts | needs.also;
	check->settings.report_contexts = needs.contexts;
	if (write_listings(check, &model->public, plugin_all_listings(check->plugin),
	                   "a comparison") &&
	    check->written == 0)
		check_fault(check, "writing a comparison: expected some bytes, found none");
}
