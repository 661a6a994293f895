/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Nothing that was not asked for is in a view, whatever else was made, so that an emitter that
 * forgets to declare a part fails when it is tried first, and not when it is alone for the first
 * time.
 */
#include "report/view.h"

enum {
	OF_GRAPH = GPROFX_PART_NODES | GPROFX_PART_FLAT | GPROFX_PART_GRAPH | GPROFX_PART_INDEX |
	           GPROFX_PART_ORDER,
	OF_SOURCE = GPROFX_PART_EXECUTED | GPROFX_PART_COUNTS | GPROFX_PART_SOURCE,
	/* Values imply the statistics that they are of. */
	PER_FILE = GPROFX_PART_PER_FILE | GPROFX_PART_FILE_VALUES,
	OF_FILES = GPROFX_PART_FILES | PER_FILE
};

static void
hide_functions(struct gprofx_report_functions *functions, uint32_t parts)
{
	if (!(parts & GPROFX_PART_FILES)) {
		functions->left_out = NULL;
		functions->left_out_count = 0;
	}
	if (!(parts & GPROFX_PART_ORDER)) {
		functions->has_map = false;
		functions->map_count = 0;
		functions->map_function = functions->map_file = NULL;
	}
}

static void
hide_graph(struct gprofx_report_graph *graph, uint32_t parts)
{
	if (!(parts & GPROFX_PART_ORDER))
		graph->arc_order = NULL;
	if (!(parts & GPROFX_PART_FLAT)) {
		graph->flat_count = 0;
		graph->flat = NULL;
	}
	if (!(parts & GPROFX_PART_GRAPH)) {
		graph->entry_count = 0;
		graph->entry = NULL;
		graph->cycle_arcs = (struct gprofx_arcs){.size = sizeof graph->cycle_arcs};
		graph->cycle_callers = (struct gprofx_lists){NULL, NULL};
	}
	if (!(parts & GPROFX_PART_INDEX)) {
		graph->index_count = 0;
		graph->index_node = NULL;
	}
}

static void
hide_source(struct gprofx_report_source *source, uint32_t parts)
{
	if (!(parts & GPROFX_PART_COUNTS)) {
		source->counted_count = source->counted_row_count = 0;
		source->counted = NULL;
		source->counted_row = NULL;
	}
	if (!(parts & (GPROFX_PART_COUNTS | GPROFX_PART_SOURCE))) {
		source->block = NULL;
		source->block_first = NULL;
		source->begins_with = NULL;
	}
	if (!(parts & GPROFX_PART_SOURCE)) {
		source->is_uncounted = NULL;
		source->line_count = source->file_count = 0;
		source->is_of_functions = false;
		source->line = NULL;
		source->functions = (struct gprofx_lists){NULL, NULL};
		source->file = NULL;
	}
	if (!(parts & GPROFX_PART_SOURCE_TIMES)) {
		source->total = 0;
		source->has_line_totals = false;
	}
}

static void
hide_files(struct gprofx_report_files *files, uint32_t parts)
{
	if (!(parts & GPROFX_PART_FILES)) {
		files->count = 0;
		files->file = NULL;
		files->rounding = NULL;
	}
	if (!(parts & PER_FILE)) {
		files->labelled_count = files->spread_count = 0;
		files->labelled = NULL;
		files->spread = NULL;
	}
	if (!(parts & GPROFX_PART_FILE_VALUES)) {
		files->value_first = NULL;
		files->value = NULL;
		files->values_left_out = 0;
	}
}

void
report_hide_statistics(struct report_view *view)
{
	hide_files(&view->parts.files, GPROFX_PART_FILES);
}

void
report_show(struct report_view *view, const struct report_model *model, uint32_t parts,
            uint32_t contexts, uint32_t slices)
{
	view->parts = model->parts;
	hide_functions(&view->parts.functions, parts);
	hide_graph(&view->parts.graph, parts);
	hide_source(&view->parts.source, parts);
	hide_files(&view->parts.files, parts);
	view->public = model->public;
	view->public.origin = &view->parts.origin;
	view->public.functions = &view->parts.functions;
	view->public.graph = parts & OF_GRAPH && (!model->comparison || model->parts.graph.size)
	                             ? &view->parts.graph
	                             : NULL;
	view->public.source = parts & OF_SOURCE ? &view->parts.source : NULL;
	view->public.files = parts & OF_FILES ? &view->parts.files : NULL;
	view->public.findings = parts & GPROFX_PART_FINDINGS ? &view->parts.findings : NULL;
	view->public.compatibility = &view->parts.compatibility;
	view->public.contexts = contexts ? model->contexts[report_context_form(contexts)] : NULL;
	view->public.inlined = parts & GPROFX_PART_HEAVY_INLINED ? model->heavy_inlined
	                       : parts & GPROFX_PART_INLINED     ? model->inlined
	                                                         : NULL;
	view->public.stated = parts & GPROFX_PART_STATED ? model->stated : NULL;
	view->public.comparison = parts & GPROFX_PART_COMPARISON ? model->comparison : NULL;
	view->public.slices = slices != 0 && model->parts.slices[slices].size != 0
	                              ? &view->parts.slices[slices]
	                              : NULL;
	if (slices != 0 && !(parts & GPROFX_PART_SLICE_TABLES)) {
		view->parts.slices[slices].table_count = 0;
		view->parts.slices[slices].table = NULL;
	}
}
