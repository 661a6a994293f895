/* SPDX-License-Identifier: Apache-2.0 */
/*
 * An emitter as it was built against the headers in include/: it writes most of what is in a
 * report, by most of what a writer offers.
 */
#include <gprofx/emitter.h>

static void
put_function(const struct gprofx_report *report, struct gprofx_writer *writer, uint32_t function)
{
	uint32_t line;
	const char *file = report->services->source(report, function, &line);

	gprofx_out(writer, "function %#llx %s ",
	           (unsigned long long)report->functions->address[function],
	           report->functions->raw_name[function]);
	writer->services->fixed(writer, gprofx_self_of(report, function), 7, 2);
	writer->services->number(writer, gprofx_calls_of(report, function), 5);
	gprofx_out(writer, " %u/%u %s:%u ", report->graph->flags[function] & GPROFX_NODE_SHOWN,
	           report->graph->cycle[function], file ? file : "?", line);
	gprofx_put_reference(writer, report, function);
	gprofx_putc(writer, '\n');
}

static void
put_arc(const struct gprofx_report *report, struct gprofx_writer *writer, uint32_t number)
{
	const struct gprofx_arc arc = gprofx_arc_at(&report->graph->arcs, number);

	gprofx_out(writer, "arc %u>%u %llu %.1f %.1f %u\n", arc.caller, arc.callee,
	           (unsigned long long)arc.calls, arc.self, arc.below,
	           report->graph->arc_static ? report->graph->arc_static[number] : 0);
}

static void
put_entry(const struct gprofx_report *report, struct gprofx_writer *writer, uint32_t node)
{
	const struct gprofx_lists *callers = &report->graph->callers,
				  *callees = &report->graph->callees;

	gprofx_out(writer, "entry %u", report->graph->index[node]);
	for (uint32_t i = callers->first[node]; i < callers->first[node + 1]; i++)
		gprofx_out(writer, " <%u",
		           gprofx_id(&report->graph->arcs.caller, callers->item[i]));
	for (uint32_t i = callees->first[node]; i < callees->first[node + 1]; i++)
		gprofx_out(writer, " >%u",
		           gprofx_id(&report->graph->arcs.callee, callees->item[i]));
	gprofx_putc(writer, '\n');
}

/* Rows are as far apart as their size says. */
static void
put_files(const struct gprofx_report *report, struct gprofx_writer *writer)
{
	const char *at = (const char *)report->files->file;

	for (uint32_t i = 0; i < report->files->count; i++) {
		const struct gprofx_profile_file *file = (const void *)at;

		gprofx_out(writer, "file %s %s %s %llu %u %u\n", file->name, file->format,
		           file->variant ? file->variant : "-", (unsigned long long)file->samples,
		           file->arc_count, file->range_count > 0 ? file->ranges->bin_count : 0);
		at += file->size;
	}
}

static enum gprofx_result
emit(struct gprofx *gx, const struct gprofx_emission *emission, const void *options)
{
	const struct gprofx_report *report = emission->report;
	struct gprofx_writer *writer = emission->writer;
	(void)gx;
	(void)options;
	if (report->size < sizeof *report || emission->size < sizeof *emission ||
	    emission->listings != 1 || report->findings)
		return GPROFX_FAILED;
	writer->services->separator(writer);
	gprofx_out(writer, "report %u %s %c %ld %d%d\n", report->origin->metrics->ticks_per_unit,
	           report->origin->metrics->unit, report->origin->metrics->abbreviation,
	           gprofx_bin_bytes(report), report->origin->has_histogram,
	           report->origin->has_arcs);
	for (uint32_t i = 0; i < report->graph->flat_count; i++)
		put_function(report, writer, report->graph->flat[i]);
	for (uint32_t i = 0; i < report->graph->entry_count; i++)
		put_entry(report, writer, report->graph->entry[i]);
	for (uint32_t i = 0; i < report->graph->arcs.count; i++)
		put_arc(report, writer, i);
	put_files(report, writer);
	for (uint32_t i = 0; i < report->source->executed_line_count; i++)
		gprofx_out(writer, "line %s:%u %llu\n",
		           report->source->executed_file[report->source->executed_line[i].file],
		           report->source->executed_line[i].line,
		           (unsigned long long)report->source->executed_line[i].count);
	for (uint32_t i = 0; i < report->source->executed_function_count; i++)
		gprofx_out(writer, "executed %s %u\n", report->source->executed_function[i].name,
		           report->source->executed_function[i].function);
	gprofx_out(writer, "build %.*s\n", (int)report->origin->build_id_bytes,
	           (const char *)report->origin->build_id);
	return GPROFX_OK;
}

static void
find_needs(const void *options, struct gprofx_needs *needs)
{
	(void)options;
	needs->parts = GPROFX_PART_FLAT | GPROFX_PART_GRAPH | GPROFX_PART_SOURCES |
	               GPROFX_PART_FILES | GPROFX_PART_EXECUTED;
	needs->also = GPROFX_PART_PER_FILE;
}

static const struct gprofx_listing listings[] = {
	{.size = sizeof listings[0],
         .data = GPROFX_DATA_TIMES,
         .name = "frozen",
         .subject = "the frozen report",
         .hint = "thaw it",
         .place = 50,
         .traditional_place = 60},
};

static const struct gprofx_emitter emitter = {.size = sizeof emitter,
                                              .format = "frozen",
                                              .extension = "txt",
                                              .emit = emit,
                                              .needs_with = find_needs,
                                              .listings = listings,
                                              .listing_count = 1};

GPROFX_PLUGIN = {GPROFX_ABI, .name = "output-frozen", .version = "1", .summary = "Frozen reports",
                 .emitter = &emitter};
