/* SPDX-License-Identifier: Apache-2.0 */
/* Puts the finished arrays of the earlier stages together. */
#include "report/model.h"

#include <string.h>

#include "base/memory.h"
#include "corrections/corrections.h"
#include "plugin/plugins.h"
#include "profile/file-names.h"

const char *
report_source(const struct gprofx_report *report, uint32_t node, uint32_t *line)
{
	const struct report_model *model = report_model_of(report);
	const struct symbols *symbols = model->symbols;

	*line = 0;
	if (model->source_files && node < report->functions->count) {
		*line = model->source_lines[node];
		return model->source_files[node];
	}
	if (node >= report->functions->count || !symbols->is_located || symbols->file[node] == 0)
		return NULL;
	*line = symbols->line[node];
	if (model->paths)
		return model->paths[symbols->file[node]];
	return symbols->files[symbols->file[node]].path;
}

static const struct gprofx_report_services services = {
	.size = sizeof services,
	.name = report_name,
	.source = report_source,
	.function_name = report_function_name,
};

void
report_link(struct report_model *model)
{
	struct report_parts *parts = &model->parts;

	parts->origin.size = sizeof parts->origin;
	parts->functions.size = sizeof parts->functions;
	parts->graph.size = sizeof parts->graph;
	parts->source.size = sizeof parts->source;
	parts->files.size = sizeof parts->files;
	parts->findings.size = sizeof parts->findings;
	parts->compatibility.size = sizeof parts->compatibility;
	model->public = (struct gprofx_report){
		.size = sizeof model->public,
		.services = &services,
		.host = model,
		.origin = &parts->origin,
		.functions = &parts->functions,
		.graph = &parts->graph,
		.source = &parts->source,
		.files = &parts->files,
		.findings = &parts->findings,
		.compatibility = &parts->compatibility,
	};
}

/* The front end's command for a page, if its emitter may be loaded. */
static const char *
page_command(struct run *run)
{
	const struct engine_settings *settings = run->settings;
	const char *name;

	if (!settings->page_command)
		return NULL;
	name = plugin_of_format(run, PLUGIN_EMITTER, settings->page_format);
	return plugin_is_installed(run, name) && !plugin_denial(run, name) ? settings->page_command
	                                                                   : NULL;
}

void
report_set_origin(struct run *run, struct report_model *model)
{
	const struct engine_settings *settings = run->settings;
	struct report_parts *report = &model->parts;

	report_link(model);
	report->origin.version = GPROFX_VERSION;
	report->origin.image = settings->image;
	report->origin.profiles = settings->profiles;
	report->origin.profile_count = settings->profile_count;
	report->origin.options = settings->repeated;
	report->origin.option_count = settings->repeated_count;
	report->origin.page_command = page_command(run);
	report->origin.phase = phases_are_chosen(run) ? settings->phase : NULL;
	report->origin.profiles_are_found = settings->image && settings->profiles_are_found;
}

static void
set_call_files(struct run *run, struct gprofx_report_origin *origin, const struct profile *profile)
{
	const struct file_names *costed = &profile->stacks.calls.files;
	const char **names;

	memory_array(run, names, profile->file_count);
	for (uint32_t i = 0; i < profile->file_count; i++)
		if (profile->files[i].arc_count > 0 || profile->files[i].call_count > 0)
			names[origin->call_file_count++] = profile->files[i].name;
	origin->call_files = names;
	/* They are used only where nothing else counts calls. */
	if (origin->call_file_count == 0) {
		origin->call_files = costed->items;
		origin->call_file_count = costed->count;
	}
}

static void
set_profile(struct run *run, struct report_model *model, const struct profile *profile)
{
	const struct engine_settings *settings = run->settings;
	struct report_parts *report = &model->parts;

	report->origin.has_histogram = profile_has_times(profile);
	report->origin.has_arcs = profile->has_graph;
	report_set_metrics(run, model, profile);
	set_call_files(run, &report->origin, profile);
	report->compatibility.bin_width = profile->scale;
	report->compatibility.traditional = settings->traditional;
	report->origin.full_paths = settings->full_paths;
	report->origin.by_line = settings->by_line;
	report->origin.positioned = settings->inline_file_names || settings->by_line;
	report->origin.shows_unused = settings->show_unused;
}

/* Where functions are, each in its own object. */
static void
set_places(struct run *run, struct report_parts *report, const struct symbols *symbols)
{
	uint64_t *address, *end;
	const char **names;

	report->functions.address = symbols->address;
	report->functions.end = symbols->end;
	if (symbols_objects(symbols) == 0)
		return;
	memory_array(run, address, (size_t)symbols->count + SYMBOL_MORE_ROWS);
	memory_array(run, end, (size_t)symbols->count + SYMBOL_MORE_ROWS);
	names = memory_alloc_array(run, sizeof(const char *),
	                           (size_t)symbols->count + SYMBOL_MORE_ROWS);
	for (uint32_t i = 0; i < symbols->count; i++) {
		const struct symbol_image *object = symbols_object_of(symbols, i);

		address[i] = symbols->address[i] - (object ? object->base : 0);
		end[i] = symbols->end[i] - (object ? object->base : 0);
		names[i] = object ? object->name : NULL;
	}
	report->functions.address = address;
	report->functions.end = end;
	report->functions.object_name = names;
}

/* Self times per node: of each line, and of cycles. */
static const double *
selves_by_line(struct run *run, const struct graph *graph)
{
	uint32_t symbols = graph->symbols->count + 1;
	double *self;

	memory_array(run, self, (size_t)graph->node_count + 1);
	memcpy(self, graph->line_self, symbols * sizeof *self);
	for (uint32_t node = graph->function_count; node < graph->node_count; node++)
		self[node] = graph->self[node];
	return self;
}

/* Values in an array of the graph's; NULL: each is zero. */
static struct gprofx_reals
reals_of(const double *values)
{
	static const double zero = 0;

	return values ? (struct gprofx_reals){values, sizeof *values}
	              : (struct gprofx_reals){&zero, 0};
}

static struct gprofx_counts
counts_of(const uint64_t *values)
{
	static const uint64_t zero = 0;

	return values ? (struct gprofx_counts){values, sizeof *values}
	              : (struct gprofx_counts){&zero, 0};
}

struct gprofx_counts
report_unknown_calls(void)
{
	static const uint64_t unknown = GPROFX_CALLS_UNKNOWN;

	return (struct gprofx_counts){&unknown, 0};
}

/* Calls per node: what stacks show and was not counted is not known. */
static const uint64_t *
calls_beside_stacks(struct run *run, const struct graph *graph)
{
	uint64_t *calls;

	memory_array(run, calls, graph->node_count);
	for (uint32_t i = 0; i < graph->node_count; i++) {
		bool was_seen = graph->self[i] != 0 || graph->below[i] != 0;

		for (uint32_t m = 0; m < graph->metric_count; m++)
			was_seen = was_seen || graph->metrics[m].self[i] != 0 ||
			           graph->metrics[m].below[i] != 0;
		calls[i] = graph->calls[i] == 0 && graph->recursive[i] == 0 && was_seen
		                   ? GPROFX_CALLS_UNKNOWN
		                   : graph->calls[i];
	}
	return calls;
}

struct gprofx_column
report_node_column(struct run *run, const struct graph *graph, bool has_times)
{
	bool is_analysed = graph->is_analysed, by_line = graph->line_self != NULL;
	enum gprofx_origin total_origin = !has_times || !is_analysed ? GPROFX_UNKNOWN
	                                  : graph->stacks            ? GPROFX_MEASURED
	                                                             : GPROFX_ESTIMATED;
	/* Without arcs there was no analysis. */
	struct gprofx_column column = {
		.size = sizeof column,
		.self_origin = has_times ? GPROFX_MEASURED : GPROFX_UNKNOWN,
		.total_origin = total_origin,
		.self = reals_of(by_line ? selves_by_line(run, graph) : graph->self),
		.below = reals_of(is_analysed ? graph->below : NULL),
		.selected_self = reals_of(is_analysed ? graph->visible_self : NULL),
		.selected_below = reals_of(is_analysed ? graph->visible_below : NULL),
		.self_doubt = graph->self_doubt,
		.total_doubt = is_analysed ? graph->total_doubt : NULL,
		.flat_total = graph->flat_total,
		.graph_total = graph->total,
	};

	if (by_line)
		column.whole_self = reals_of(graph->self);
	return column;
}

struct gprofx_call_column
report_node_calls(struct run *run, const struct graph *graph)
{
	struct gprofx_call_column column = {
		.size = sizeof column,
		.some_unknown = graph->stacks != NULL,
		.calls = counts_of(graph->calls),
		.recursive = counts_of(graph->is_analysed ? graph->recursive : NULL),
	};

	if (graph->lacks_calls)
		column.calls = column.recursive = report_unknown_calls();
	else if (graph->stacks)
		column.calls = counts_of(calls_beside_stacks(run, graph));
	return column;
}

static void
set_node_values(struct run *run, struct report_model *model, const struct graph *graph)
{
	model->node_column = report_node_column(run, graph, model->parts.origin.has_histogram);
	model->node_calls = report_node_calls(run, graph);
	model->parts.graph.columns = &model->node_column;
	model->parts.graph.calls = &model->node_calls;
}

/* Values and calls of arcs that stand in rows. */
static void
arc_columns(const struct graph_arc *rows, uint32_t count, bool has_times,
            struct gprofx_column *column, struct gprofx_call_column *calls)
{
	uint32_t origin = has_times ? GPROFX_ESTIMATED : GPROFX_UNKNOWN;
	static const struct graph_arc none;
	const struct graph_arc *first = count > 0 ? rows : &none;
	uint32_t step = sizeof *rows;

	*column = (struct gprofx_column){
		.size = sizeof *column,
		.self_origin = origin,
		.total_origin = origin,
		.self = {&first->self, step},
		.below = {&first->below, step},
	};
	*calls = (struct gprofx_call_column){
		.size = sizeof *calls,
		.calls = {&first->calls, step},
	};
}

enum gprofx_origin
report_arc_self_origin(const struct stacks *stacks)
{
	/* Of calls that were measured as a whole, the callee's own part is not known. */
	return stacks->costs.weight ? GPROFX_ESTIMATED : GPROFX_MEASURED;
}

void
report_own_arcs(const struct graph *graph, bool has_times, struct gprofx_column *column,
                struct gprofx_call_column *calls)
{
	arc_columns(graph->arcs, graph->arc_count, has_times, column, calls);
	if (!graph->stacks)
		return;
	column->self_origin = report_arc_self_origin(graph->stacks);
	column->total_origin = GPROFX_MEASURED;
	calls->some_unknown = true;
	if (graph->lacks_calls)
		calls->calls = report_unknown_calls();
}

struct gprofx_arcs
report_arcs(const struct report_model *model, const struct graph_arc *rows, uint32_t count,
            struct gprofx_column *column, struct gprofx_call_column *calls)
{
	static const struct graph_arc none;
	const struct graph_arc *first = count > 0 ? rows : &none;
	uint32_t step = sizeof *rows;

	arc_columns(rows, count, model->parts.origin.has_histogram, column, calls);
	return (struct gprofx_arcs){
		.size = sizeof(struct gprofx_arcs),
		.count = count,
		.caller = {&first->caller, step},
		.callee = {&first->callee, step},
		.columns = column,
		.calls = calls,
	};
}

static void
set_flags(struct run *run, struct report_model *model, const struct symbols *symbols,
          const struct graph *graph)
{
	uint32_t nodes = graph->node_count, outside = symbols->count;
	uint32_t *flags;

	memory_array(run, flags, nodes);
	for (uint32_t i = 0; i < nodes; i++) {
		uint8_t symbol = i < symbols->count ? symbols->flags[i] : 0;

		flags[i] = (symbol & GPROFX_SYMBOL_LOCAL ? GPROFX_NODE_STATIC : 0u) |
		           (symbol & GPROFX_SYMBOL_FUNCTION ? GPROFX_NODE_FUNCTION : 0u) |
		           (symbol & SYMBOL_IS_FILE ? GPROFX_NODE_FILE : 0u) |
		           (symbol & SYMBOL_LINE ? GPROFX_NODE_LINE : 0u) |
		           (graph->shown && graph->shown[i] ? GPROFX_NODE_SHOWN : 0u);
	}
	if (outside < graph->function_count)
		flags[outside] |= GPROFX_NODE_OUTSIDE;
	if (symbols_indirect(symbols) < graph->function_count)
		flags[symbols_indirect(symbols)] |= GPROFX_NODE_INDIRECT;
	model->parts.graph.flags = flags;
}

static void
set_graph(struct run *run, struct report_model *model, const struct symbols *symbols,
          const struct graph *graph)
{
	struct report_parts *report = &model->parts;
	uint32_t *no_cycle;

	report->functions.count = graph->function_count;
	set_places(run, report, symbols);
	report->functions.raw_name = symbols->name;
	report->functions.merged_into = symbols->owner;
	report->graph.node_count = graph->node_count;
	set_flags(run, model, symbols, graph);
	set_node_values(run, model, graph);
	report->graph.cycle = graph->circle ? graph->circle : graph->cycle;
	if (!graph->is_analysed) {
		memory_sparse_array(run, no_cycle, graph->node_count);
		report->graph.cycle = no_cycle;
	}
	report->graph.arcs = report_arcs(model, graph->arcs, graph->arc_count, &model->arc_column,
	                                 &model->arc_calls);
	report_own_arcs(graph, report->origin.has_histogram, &model->arc_column, &model->arc_calls);
	report->graph.arc_static = graph->found;
	report->graph.arc_divided = graph->divided;
	report->graph.site = graph->sites;
	report->graph.site_first = graph->site_first;
	report->graph.callers = graph->callers;
	report->graph.callees = graph->callees;
	report->graph.members = graph->members;
	report->source.block = graph->blocks;
	report->source.block_first = graph->block_first;
	report->source.begins_with = graph->begins_with;
}

/* What orders for the linker are made from. */
static void
set_order(struct run *run, struct report_parts *report, const struct symbols *symbols,
          const struct graph *graph)
{
	const struct file_map *map = symbols->map;
	const char **functions, **files;

	report->graph.arc_order = graph->arc_order;
	report->functions.has_map = map != NULL;
	if (!map)
		return;
	memory_array(run, functions, map->count);
	memory_array(run, files, map->count);
	for (uint32_t i = 0; i < map->count; i++) {
		functions[i] = map->entries[i].name;
		files[i] = map->entries[i].file;
	}
	report->functions.map_function = functions;
	report->functions.map_file = files;
	report->functions.map_count = map->count;
}

/* Marks the nodes that stand in entries. */
static void
mark_entries(const struct report_model *model, uint8_t *marked)
{
	enum { NAMED = 1, ENTERED = 2 };
	const struct gprofx_report *r = &model->public;

	for (uint32_t i = 0; i < r->graph->entry_count; i++)
		marked[r->graph->entry[i]] |= NAMED | ENTERED;
	for (uint32_t i = 0; i < r->graph->arcs.count; i++) {
		const struct graph_arc *arc = &model->graph->arcs[i];

		if (marked[arc->caller] & ENTERED)
			marked[arc->callee] |= NAMED;
		if (!(marked[arc->callee] & ENTERED))
			continue;
		marked[arc->caller] |= NAMED;
		for (uint32_t k = r->graph->site_first ? r->graph->site_first[i] : 0;
		     r->graph->site_first && k < r->graph->site_first[i + 1]; k++)
			marked[r->graph->site[k].node] |= NAMED;
	}
	for (uint32_t cycle = 0; cycle < r->graph->node_count - r->functions->count; cycle++) {
		const uint32_t *first = r->graph->members.first,
			       *callers = r->graph->cycle_callers.first;

		if (!(marked[r->functions->count + cycle] & ENTERED))
			continue;
		for (uint32_t k = first[cycle]; k < first[cycle + 1]; k++)
			marked[r->graph->members.item[k]] |= NAMED;
		for (uint32_t k = callers ? callers[cycle] : 0; callers && k < callers[cycle + 1];
		     k++)
			marked[gprofx_id(&r->graph->cycle_arcs.caller,
			                 r->graph->cycle_callers.item[k])] |= NAMED;
	}
}

/* Marks the nodes whose names the listings will show. */
static void
mark_shown(const struct report_model *model, uint32_t parts, uint8_t *marked)
{
	const struct gprofx_report *r = &model->public;

	if (parts & GPROFX_PART_NAMES) {
		memset(marked, 1, r->graph->node_count);
		return;
	}
	for (uint32_t i = 0; i < r->graph->flat_count; i++)
		marked[r->graph->flat[i]] = 1;
	for (uint32_t i = 0; i < r->graph->index_count; i++)
		marked[r->graph->index_node[i]] = 1;
	if (parts & GPROFX_PART_GRAPH)
		mark_entries(model, marked);
}

/* Finds the source positions that the listings will show. */
static void
locate_shown(struct run *run, struct report_model *model, uint32_t parts, const uint8_t *marked)
{
	const struct gprofx_report *report = &model->public;
	bool everywhere = report->origin->positioned;
	uint32_t *wanted, count = 0;

	if (parts & GPROFX_PART_SOURCES) {
		symbols_locate(run, model->symbols, NULL, 0);
		return;
	}
	memory_array(run, wanted, (size_t)report->functions->count + report->graph->index_count);
	for (uint32_t i = 0; everywhere && i < report->functions->count; i++)
		if (marked[i])
			wanted[count++] = i;
	/*
	 * The index names the file of static functions, which can share their name with others;
	 * that of BSD does not.
	 */
	for (uint32_t i = 0; !report->compatibility->traditional && i < report->graph->index_count;
	     i++)
		if (report->graph->flags[report->graph->index_node[i]] & GPROFX_NODE_STATIC)
			wanted[count++] = report->graph->index_node[i];
	if (count > 0)
		symbols_locate(run, model->symbols, wanted, count);
	memory_release(run, wanted);
}

/* Whether the numbers of entries are used: to find them, all nodes are sorted. */
static bool
shows_numbers(const struct report_model *model, uint32_t parts)
{
	if (model->run->settings->report_is_unordered)
		return false;
	return model->parts.compatibility.traditional ||
	       (parts &
	        ~(uint32_t)(GPROFX_PART_FLAT | GPROFX_PART_COUNTS | GPROFX_PART_FILES |
	                    GPROFX_PART_SOURCE | GPROFX_PART_SOURCE_TIMES | GPROFX_PART_NODES |
	                    GPROFX_PART_EXECUTED | GPROFX_PART_FINDINGS | GPROFX_PART_INLINED |
	                    GPROFX_PART_HEAVY_INLINED)) != 0;
}

/* Parts that show the names of many functions. */
enum {
	NAMING_PARTS = GPROFX_PART_FLAT | GPROFX_PART_GRAPH | GPROFX_PART_INDEX | GPROFX_PART_NAMES
};

struct report_model *
report_build(struct run *run, struct symbols *symbols, const struct profile *profile,
             struct graph *graph, uint32_t parts)
{
	struct report_model *model = report_build_files(
		run, parts & GPROFX_PART_FILES ? symbols : NULL, profile);
	uint8_t *marked;

	model->symbols = symbols;
	model->graph = graph;
	set_profile(run, model, profile);
	set_graph(run, model, symbols, graph);
	report_set_columns(run, model, graph, profile);
	report_set_run_calls(run, model, graph, profile);
	report_set_runs(run, model, profile);
	report_set_executions(run, model, profile);
	model->parts.origin.build_id = symbols->table.build_id;
	model->parts.origin.build_id_bytes = symbols->table.build_id_bytes;
	model->parts.origin.symbols_file = symbols_names_file(symbols);
	model->parts.origin.image_modified = symbols->image_modified;
	report_set_images(run, model, symbols);
	model->parts.compatibility.corrections = run->corrections;
	model->parts.findings.correction_names = corrections_names(
		run, &model->parts.findings.correction_count);
	model->by_shown_name = run_corrects(run, GPROFX_CORRECT_SHOWN_ORDER);
	model->name_count = graph->node_count;
	if (parts & NAMING_PARTS)
		memory_array(run, model->names, model->name_count);
	else
		memory_sparse_array(run, model->names, model->name_count);
	if (graph->is_analysed && shows_numbers(model, parts))
		report_number_entries(run, model, parts);
	else
		memory_sparse_array(run, model->parts.graph.index, graph->node_count);
	if (parts & GPROFX_PART_FLAT)
		report_list_flat(run, model);
	if ((parts & GPROFX_PART_GRAPH) && graph->is_analysed) {
		report_list_entries(run, model);
		if (run_corrects(run, GPROFX_CORRECT_CYCLE_CALLERS))
			report_list_cycle_callers(run, model);
	}
	if (parts & GPROFX_PART_INDEX)
		report_list_index(run, model);
	if (parts & GPROFX_PART_COUNTS) {
		report_list_counts(run, model);
		report_list_counted_rows(run, model, profile);
	}
	if (parts & GPROFX_PART_ORDER)
		set_order(run, &model->parts, symbols, graph);
	memory_array(run, marked, model->name_count);
	mark_shown(model, parts, marked);
	locate_shown(run, model, parts, marked);
	/* Lists are sorted by names without positions, which are not known before. */
	if (model->parts.origin.positioned && model->by_shown_name)
		memset(model->names, 0, model->name_count * sizeof *model->names);
	report_prepare_names(run, model, marked);
	memory_release(run, marked);
	/*
	 * Nothing changes the report from here on, except that names are made when first asked for.
	 */
	return model;
}
