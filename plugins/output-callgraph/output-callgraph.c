/* SPDX-License-Identifier: Apache-2.0 */
/* The call graph and the index of its functions, in gprof's normal layout and in that of BSD. */
#include <string.h>

#include <gprofx/emitter.h>

#include "../shared/options.h"
#include "columns.h"
#include "entries.h"
#include "explanation.h"
#include "index.h"
#include "references.h"
#include "../shared/costed.h"
#include "../shared/granularity.h"
#include "../shared/inlined.h"
#include "../shared/line-names.h"
#include "../shared/metrics.h"
#include "../shared/names.h"
#include "../shared/threads.h"
#include "../shared/whole.h"
#include "../shared/wrap.h"

enum { LISTING_GRAPH, LISTING_INDEX, LISTINGS };

static const char *const cycle_callers_words[] = {"auto", "always", "never", NULL};

static const struct gprofx_option table[] = {
	TABLE_OPTIONS(graph_column_words, COLUMNS_DEFAULT,
                      "number of entries, from the first; 0: all",
                      "smallest share of the time for which an entry is printed, in percent"),
	TABLE_ROW_WIDTH,
	{.key = "cycle-callers",
         .type = GPROFX_CHOICE,
         .offset = offsetof(struct options, cycle_callers),
         .initial = "auto",
         .choices = cycle_callers_words,
         .help = "list callers above the primary line of a cycle; auto: where colors are shown"},
	{.key = "explain",
         .type = GPROFX_BOOL,
         .offset = offsetof(struct options, explain),
         .initial = "true",
         .help = "explain the entries below the listing"},
	{.key = "width",
         .type = GPROFX_INT,
         .offset = offsetof(struct options, width),
         .initial = "80",
         .minimum = 1,
         .maximum = 32767,
         .help = "width of a line of the function index, in characters"},
};

static bool
has_traditional_headings(const struct listing *l)
{
	return l->r->compatibility->traditional && l->columns.are_usual;
}

static void
put_column_headings(struct listing *l)
{
	if (has_traditional_headings(l)) {
		gprofx_puts(l->w,
		            "                                  called/total       parents \n"
		            "index  %time    self descendants  called+self    name    \tindex\n"
		            "                                  called/total       children\n\n");
		return;
	}
	if (l->color)
		gprofx_puts(l->w, COLOR_HEADING);
	columns_put_metric_names(&l->columns);
	columns_put_heading(&l->columns);
	entry_end_emphasis(l);
}

/* That calls may be missing. */
static void
put_note(const struct listing *l)
{
	const char *note = threads_note(l->r);
	struct wrap wrap;

	if (!note)
		return;
	gprofx_out(wrap_begin(&wrap, l->names.gx, l->w, (size_t)l->options->table.text_width),
	           "%s\n\n", note);
	wrap_end(&wrap);
}

/* Whether functions with time have no entry, so that the listing does not show what 100 % is. */
static bool
has_selection(const struct gprofx_report *r)
{
	for (uint32_t i = 0; i < r->functions->count; i++)
		if (!(r->graph->flags[i] & GPROFX_NODE_SHOWN) &&
		    gprofx_self_of(r, i) + gprofx_below_of(r, i) > 0)
			return true;
	return false;
}

/* What shares refer to. */
static void
put_whole(const struct gprofx_report *r, struct gprofx_writer *w)
{
	const struct gprofx_metric *metric = r->origin->metrics;
	double total = r->graph->columns->graph_total, whole;

	if (r->compatibility->traditional || !(total > 0) || !has_selection(r))
		return;
	whole = whole_ticks(r);
	if (whole_is_more(whole, total))
		whole_put_part(r, w, total, whole);
	else if (whole > 0)
		gprofx_out(w, "100 %% is %s, %.2f %s.",
		           strcmp(metric->unit, "seconds") == 0 ? "all of the sampled time"
		                                                : "all that was sampled",
		           total / metric->ticks_per_unit, metric->unit);
	else
		return;
	gprofx_puts(w, "\n\n");
}

static void
put_heading(struct listing *l, bool explain)
{
	const struct gprofx_report *r = l->r;
	struct gprofx_writer *w = l->w;

	if (!r->compatibility->traditional)
		gprofx_puts(w, explain ? "\t\t     Call graph (explanation follows)\n\n"
		                       : "\t\t\tCall graph\n\n");
	put_granularity(r, w, r->graph->columns->graph_total, "seconds");
	if (!(r->graph->columns->graph_total > 0))
		gprofx_puts(w, " no time propagated\n\n");
	whole_put_phase(r, w);
	put_whole(r, w);
	metrics_put_units(r, w);
	put_note(l);
	put_column_headings(l);
}

/* Whether lines of calls that never happened have marks. */
static bool
has_marks(const struct gprofx_report *r)
{
	for (uint32_t arc = 0; r->graph->arc_static && arc < r->graph->arcs.count; arc++) {
		char mark = entry_mark(r, arc);

		if (mark != '\0' && mark != '~')
			return true;
	}
	return false;
}

static void
put_text(const struct listing *l, struct gprofx_writer *w)
{
	const struct gprofx_report *r = l->r;
	const struct table_columns *columns = &l->columns.chosen;

	gprofx_puts(w, graph_explanation_begin);
	if (has_traditional_headings(l))
		gprofx_puts(w, graph_explanation_columns_traditional);
	else
		for (uint32_t i = 0; i < columns->count; i++)
			gprofx_puts(w, graph_explanation_columns[columns->items[i]]);
	if (r->origin->metric_count > 1)
		gprofx_puts(w, graph_explanation_metrics);
	line_names_explain(&l->line_names, w);
	if (gprofx_is_measured(r)) {
		gprofx_puts(w, costed_calls(r)        ? graph_explanation_costed
		               : gprofx_is_clocked(r) ? graph_explanation_clocked
		                                      : graph_explanation_measured);
		return;
	}
	gprofx_puts(w, graph_explanation_lines);
	gprofx_puts(w, entries_show_cycle_callers(l) ? graph_explanation_cycle_callers
	                                             : graph_explanation_cycle);
	if (has_marks(r))
		gprofx_puts(w, graph_explanation_marks);
	gprofx_puts(w, graph_explanation_end);
}

static void
put_explanation(const struct listing *l)
{
	struct wrap wrap;

	put_text(l, wrap_begin(&wrap, l->names.gx, l->w, (size_t)l->options->table.text_width));
	wrap_end(&wrap);
}

static void
put_graph(struct listing *l)
{
	const struct gprofx_report *r = l->r;
	struct gprofx_writer *w = l->w;
	bool explain = l->options->explain;

	if (r->compatibility->traditional && explain)
		put_explanation(l);
	w->services->separator(w);
	put_heading(l, explain);
	references_begin(&l->references, l->names.gx, r, &l->names,
	                 r->origin->by_line && !r->compatibility->traditional ? &l->line_names
	                                                                      : NULL);
	for (uint32_t i = 0; i < r->graph->entry_count; i++) {
		for (enum fetch_step step = FETCH_STEPS; step-- > 0;)
			references_fetch(&l->references, i + 1 + step, step);
		if (r->graph->entry[i] < r->functions->count)
			entry_put_function(l, r->graph->entry[i]);
		else
			entry_put_cycle(l, r->graph->entry[i]);
		gprofx_puts(w, r->compatibility->traditional
		                       ? "\n-----------------------------------------------\n\n"
		                       : "-----------------------------------------------\n");
	}
	table_put_rest(w, &l->rest, l->columns.total, "more entry", "more entries", "self time");
	if (!r->compatibility->traditional && explain)
		put_explanation(l);
}

/* Inlined subroutines that were named; alone: there are no entries. */
static void
put_inlined(struct listing *l, bool alone)
{
	if (!inlined_are_in(l->r, GPROFX_INLINED_GRAPH))
		return;
	if (alone)
		l->w->services->separator(l->w);
	inlined_put(l->names.gx, l->r, l->w, GPROFX_INLINED_GRAPH,
	            (size_t)l->options->table.text_width);
}

/*
 * A report with fewer entries, whose numbers then stand in parentheses; the index has the rest
 * only.
 */
static void
leave_out(struct gprofx *gx, struct listing *l, struct gprofx_report_graph *graph)
{
	const struct table_options *options = &l->options->table;
	double total = graph->columns->graph_total > 0 ? graph->columns->graph_total : 1;
	uint32_t *entry = gprofx_alloc(gx, ((size_t)graph->entry_count + 1) * sizeof *entry);
	uint32_t *index = gprofx_alloc(gx, ((size_t)graph->index_count + 1) * sizeof *index);
	uint32_t *flags = gprofx_alloc(gx, ((size_t)graph->node_count + 1) * sizeof *flags);
	uint32_t entries = 0, named = 0;

	if (graph->node_count > 0)
		memcpy(flags, graph->flags, graph->node_count * sizeof *flags);
	for (uint32_t i = 0; i < graph->entry_count; i++) {
		uint32_t node = graph->entry[i];
		double ticks = gprofx_real(&graph->columns->selected_self, node) +
		               gprofx_real(&graph->columns->selected_below, node);

		if (table_takes(options, entries, 100.0 * ticks / total)) {
			entry[entries++] = node;
			continue;
		}
		flags[node] &= ~(uint32_t)GPROFX_NODE_SHOWN;
		l->rest.count++;
		/* That of a cycle is the time of its members. */
		if (node < l->r->functions->count)
			l->rest.ticks += gprofx_real(&graph->columns->selected_self, node);
	}
	for (uint32_t i = 0; i < graph->index_count; i++)
		if (flags[graph->index_node[i]] & GPROFX_NODE_SHOWN)
			index[named++] = graph->index_node[i];
	graph->flags = flags;
	graph->entry = entry;
	graph->entry_count = entries;
	graph->index_node = index;
	graph->index_count = named;
}

static enum gprofx_result
emit(struct gprofx *gx, const struct gprofx_emission *emission, const void *opaque)
{
	const struct options *options = opaque;
	const struct gprofx_report *report = emission->report;
	struct gprofx_writer *writer = emission->writer;
	struct gprofx_report part = *report;
	struct gprofx_report_graph graph;
	bool has_entries;
	struct listing listing = {
		.r = report,
		.w = writer,
		.options = options,
		.color = writer_takes_color(writer),
		.some_unknown = report->graph->calls->some_unknown,
		.is_measured = gprofx_is_measured(report),
	};

	if (options->table.top > 0 || options->table.minimum > 0) {
		/* With the members that this plugin knows. */
		memcpy(&graph, report->graph, sizeof graph);
		leave_out(gx, &listing, &graph);
		part.graph = &graph;
		listing.r = &part;
	}
	names_begin(&listing.names, gx, report, options->table.names);
	listing.line_names = (struct line_names){.gx = gx,
	                                         .drops_addresses = listing.names.form !=
	                                                            NAME_FULL};
	columns_begin(&listing.columns, listing.r, writer, &options->table);
	/* Subroutines that were inlined have no entry. */
	has_entries = report->graph->entry_count > 0 ||
	              !inlined_are_in(report, GPROFX_INLINED_GRAPH);
	if (emission->listings & 1u << LISTING_GRAPH && has_entries)
		put_graph(&listing);
	if (emission->listings & 1u << LISTING_GRAPH)
		put_inlined(&listing, !has_entries);
	if (emission->listings & 1u << LISTING_INDEX && has_entries)
		index_put(listing.r, writer, &listing.names, &listing.line_names,
		          (size_t)options->width, (size_t)options->table.row_width);
	return GPROFX_OK;
}

static const struct gprofx_needs needs = {
	.size = sizeof needs,
	.parts = GPROFX_PART_GRAPH | GPROFX_PART_INDEX | GPROFX_PART_FINDINGS | GPROFX_PART_INLINED,
};

#define NEEDS_CALLS                                             \
	.data = GPROFX_DATA_CALLS, .subject = "the call graph", \
	.hint = "compile the program's files with -pg to record calls"

/* Reports of BSD begin with the call graph, and end with its index. */
static const struct gprofx_listing listings[LISTINGS] = {
	[LISTING_GRAPH] = {.size = sizeof listings[0],
                           .name = "call-graph",
                           NEEDS_CALLS,
                           .place = 300,
                           .traditional_place = 150},
	[LISTING_INDEX] = {.size = sizeof listings[0],
                           .name = "function-index",
                           NEEDS_CALLS,
                           .place = 400},
};

static const struct gprofx_emitter emitter = {
	.size = sizeof emitter,
	.format = "callgraph",
	.extension = "txt",
	.emit = emit,
	.needs = &needs,
	.listings = listings,
	.listing_count = LISTINGS,
};

GPROFX_PLUGIN = {
	GPROFX_ABI,
	.name = "output-callgraph",
	.version = "1.0",
	.summary = "The call graph, with the index of functions",
	GPROFX_OPTIONS(struct options, table),
	.emitter = &emitter,
};
