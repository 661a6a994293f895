/* SPDX-License-Identifier: Apache-2.0 */
/* The call graph and the index of its functions, in gprof's normal layout and in that of BSD. */
#include <string.h>

#include <gprofx/emitter.h>

#include "../shared/folded.h"
#include "../shared/options.h"
#include "columns.h"
#include "explanation.h"
#include "index.h"
#include "label.h"
#include "references.h"
#include "../shared/granularity.h"
#include "../shared/metrics.h"
#include "../shared/names.h"
#include "../shared/wrap.h"

enum { LISTING_GRAPH, LISTING_INDEX, LISTINGS };

enum cycle_callers { CYCLE_CALLERS_AUTO, CYCLE_CALLERS_ALWAYS, CYCLE_CALLERS_NEVER };

static const char *const cycle_callers_words[] = {"auto", "always", "never", NULL};

struct options {
	struct table_options table;
	uint32_t cycle_callers; /* enum cycle_callers */
	bool explain;
	int64_t width;
};

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

/* One listing under way. */
struct listing {
	const struct gprofx_report *r; /* what is printed of the report */
	struct gprofx_writer *w;
	const struct options *options;
	struct table_rest rest; /* entries that are not printed */
	struct columns columns;
	struct references references;
	struct names names;
	bool color;
	bool some_unknown; /* not all numbers of calls are known */
	bool is_measured;  /* times come from stacks, within functions and circles, too */
};

/*
 * The number at the start of a primary line, left in a column of six characters.  A longer one is
 * cut, or reaches into the next column: returns how far.
 */
static int
put_number(struct listing *l, uint32_t node)
{
	char label[LABEL_ROOM];
	size_t length = label_make(label, "[]", l->r->graph->index[node]);

	while (length < LABEL_SHOWN)
		label[length++] = ' ';
	if (!label_is_whole(l->r))
		length = LABEL_SHOWN;
	gprofx_put(l->w, label, length);
	return (int)(length - LABEL_SHOWN);
}

/*
 * What stands before the name in a line of the report's arc of that number: for calls that others
 * can have made as well, and for those that never happened if they are no plain ones.
 */
static char
mark_of(const struct gprofx_report *r, uint32_t arc)
{
	const uint8_t linkage = GPROFX_STATIC_PLT | GPROFX_STATIC_GOT;
	uint8_t kinds = r->graph->arc_static ? r->graph->arc_static[arc] : 0;

	if (r->graph->arc_divided && r->graph->arc_divided[arc])
		return '~';
	if (kinds & (GPROFX_STATIC_CALL | GPROFX_STATIC_INDIRECT))
		return '\0';
	if (kinds & GPROFX_STATIC_TAIL)
		return '>';
	/* Names of other objects' functions say so themselves. */
	if (kinds & linkage)
		return strchr(r->functions->raw_name[gprofx_id(&r->graph->arcs.callee, arc)], '@')
		               ? '\0'
		               : '@';
	return kinds & GPROFX_STATIC_POINTER ? '&' : '\0';
}

/* The end of a line, from the name on; most are short, and copied as if all were as long. */
static inline void
put_reference(struct gprofx_writer *w, const struct reference *reference)
{
	if (reference->length > sizeof reference->own ||
	    w->end - w->at < (ptrdiff_t)sizeof reference->own) {
		gprofx_put(w, reference->text, reference->length);
		return;
	}
	memcpy(w->at, reference->own, sizeof reference->own);
	w->at += reference->length;
}

/* By how much two numbers of calls are wider than their columns. */
static size_t
excess_of(uint64_t calls, uint64_t other)
{
	enum { DIGITS = 7 };
	const uint64_t numbers[] = {calls, other};
	size_t excess = 0;

	for (size_t i = 0; i < 2; i++) {
		size_t digits = 0;

		for (uint64_t rest = numbers[i]; rest > 0; rest /= 10)
			digits++;
		excess += digits > DIGITS ? digits - DIGITS : 0;
	}
	return excess;
}

/* What a line ends with, without its newline; on a terminal, in its width. */
static void
put_end(const struct listing *l, const struct reference *reference, const struct cells *cells,
        size_t indent)
{
	const struct gprofx_text name = {reference->text, reference->length - 1};
	size_t width = (size_t)l->options->table.row_width, column = l->columns.width + indent;

	if (width > 0 && cells->kind != CALLS_NONE)
		column += excess_of(cells->calls, cells->kind == CALLS_PLAIN ? 0 : cells->other);
	folded_put(l->w, name, column, width);
}

/* What a line says of an arc: all of it, or a part that one line of source has. */
struct shown_arc {
	uint64_t calls;
	double self, below; /* of the first metric */
	struct metric_row row;
};

static inline struct shown_arc
whole_arc(const struct gprofx_arcs *arcs, uint32_t number)
{
	return (struct shown_arc){gprofx_count(&arcs->calls->calls, number),
	                          gprofx_real(&arcs->columns->self, number),
	                          gprofx_real(&arcs->columns->below, number),
	                          {arcs->columns, number, 1}};
}

/* Where some calls were not counted: which numbers of them a line for an arc shows. */
static enum calls_kind
known_calls(const struct gprofx_report *r, const struct shown_arc *arc,
            const struct reference *callee, enum calls_kind kind)
{
	if (!gprofx_is_counted(r->graph->arcs.calls, arc->calls))
		return CALLS_NONE;
	return gprofx_is_counted(r->graph->calls, callee->called) ? kind : CALLS_PLAIN;
}

/* A line for an arc: "other" is the function at its other end. */
static void
put_arc(struct listing *l, const struct shown_arc *arc, const struct reference *callee,
        const struct reference *caller, const struct reference *other, char mark)
{
	/* Within a function or a cycle no time is propagated. */
	bool inside = caller == callee ||
	              (callee->cycle != 0 && caller->cycle == callee->cycle && !l->is_measured);
	bool has_times = !inside || l->is_measured;
	enum calls_kind kind = inside ? CALLS_PLAIN : CALLS_OF;
	const struct cells cells = {
		.self = arc->self,
		.below = arc->below,
		.kind = l->some_unknown ? known_calls(l->r, arc, callee, kind) : kind,
		.calls = arc->calls,
		.other = callee->called,
		.mark = mark,
		.row = &arc->row,
	};

	if (cells.kind == CALLS_NONE || has_times || mark != '\0' ||
	    !columns_put_few_calls(&l->columns, arc->calls))
		columns_put(&l->columns, has_times ? LINE_TIMES : LINE_CALLS, &cells);
	if (l->options->table.row_width == 0) {
		put_reference(l->w, other);
		return;
	}
	put_end(l, other, &cells, NAME_INDENT);
	gprofx_putc(l->w, '\n');
}

static struct cells
cells_of(const struct gprofx_report *r, uint32_t node, struct metric_row *row)
{
	*row = (struct metric_row){r->graph->columns, node, 1};
	return (struct cells){
		.self = gprofx_real(&r->graph->columns->selected_self, node),
		.below = gprofx_real(&r->graph->columns->selected_below, node),
		.doubt = r->graph->columns->total_doubt ? &r->graph->columns->total_doubt[node]
	                                                : NULL,
		.kind = CALLS_AND_RECURSIVE,
		.calls = gprofx_calls_of(r, node),
		.other = gprofx_recursive_of(r, node),
		.row = row,
	};
}

/* A primary line up to its name. */
static struct cells
begin_primary(struct listing *l, uint32_t node)
{
	struct metric_row row;
	struct cells cells = cells_of(l->r, node, &row);

	if (node < l->r->functions->count &&
	    (!gprofx_is_counted(l->r->graph->calls, cells.calls) || cells.calls + cells.other == 0))
		cells.kind = CALLS_NONE;
	if (l->color) {
		gprofx_puts(l->w, COLOR_HEADING);
		gprofx_puts(l->w,
		            color_of_share(100.0 * (cells.self + cells.below) / l->columns.total));
	}
	cells.taken = put_number(l, node);
	columns_put(&l->columns, LINE_PRIMARY, &cells);
	return cells;
}

/* The end of a line that stands out. */
static void
end_emphasis(struct listing *l)
{
	gprofx_puts(l->w, l->color ? COLOR_END "\n" : "\n");
}

/* A line for each line of source that makes calls of an arc, with its part of them. */
static void
put_sites(struct listing *l, uint32_t arc, const struct reference *own,
          const struct reference *caller)
{
	const struct gprofx_report *r = l->r;
	const struct shown_arc whole = whole_arc(&r->graph->arcs, arc);
	uint32_t caller_node = gprofx_id(&r->graph->arcs.caller, arc);

	for (uint32_t i = r->graph->site_first[arc]; i < r->graph->site_first[arc + 1]; i++) {
		const struct gprofx_site *site = &r->graph->site[i];
		double part = whole.calls > 0 ? (double)site->calls / (double)whole.calls : 0;
		const struct shown_arc calls = {.calls = site->calls,
		                                .self = whole.self * part,
		                                .below = whole.below * part,
		                                .row = {r->graph->arcs.columns, arc, part}};

		put_arc(l, &calls, own, caller,
		        reference_to_line(&l->references, site->node, caller_node),
		        mark_of(r, arc));
	}
}

/* The lines of the callers of a node, whose list is the one of this number. */
static void
put_callers(struct listing *l, const struct gprofx_lists *lists, uint32_t list,
            const struct gprofx_arcs *arcs, const struct reference *own)
{
	uint32_t begin = lists->first[list], end = lists->first[list + 1];
	/* Stacks do not show which line of a function made a call. */
	const uint32_t *sites = l->is_measured ? NULL : l->r->graph->site_first;

	if (begin == end) {
		gprofx_blanks(l->w, l->columns.width + NAME_INDENT);
		gprofx_puts(l->w, "<spontaneous>\n");
	}
	for (uint32_t i = begin; i < end; i++) {
		const struct shown_arc arc = whole_arc(arcs, lists->item[i]);
		const struct reference *caller = reference_to(
			&l->references, gprofx_id(&arcs->caller, lists->item[i]));
		char mark = '\0';

		if (arcs == &l->r->graph->arcs) {
			references_fetch_ahead(&l->references, lists, i, end, true);
			mark = mark_of(l->r, lists->item[i]);
		}
		if (arcs == &l->r->graph->arcs && sites &&
		    sites[lists->item[i]] < sites[lists->item[i] + 1])
			put_sites(l, lists->item[i], own, caller);
		else
			put_arc(l, &arc, own, caller, caller, mark);
	}
}

static void
put_function(struct listing *l, uint32_t node)
{
	const struct gprofx_report *r = l->r;
	const uint32_t *first;
	const struct reference *own = reference_to(&l->references, node);
	struct cells cells;

	put_callers(l, &r->graph->callers, node, &r->graph->arcs, own);
	cells = begin_primary(l, node);
	put_end(l, own, &cells, 1);
	end_emphasis(l);
	first = r->graph->callees.first;
	for (uint32_t i = first[node]; i < first[node + 1]; i++) {
		const struct shown_arc arc = whole_arc(&r->graph->arcs, r->graph->callees.item[i]);
		const struct reference *callee = reference_to(
			&l->references,
			gprofx_id(&r->graph->arcs.callee, r->graph->callees.item[i]));

		references_fetch_ahead(&l->references, &r->graph->callees, i, first[node + 1],
		                       false);
		put_arc(l, &arc, callee, own, callee, mark_of(r, r->graph->callees.item[i]));
	}
}

/*
 * Programs that read this listing know no entry of a cycle that begins with anything but its
 * primary line, as gprof's do; who looks at a terminal is no program.
 */
static bool
shows_cycle_callers(const struct listing *l)
{
	return l->r->graph->cycle_callers.first &&
	       (l->options->cycle_callers == CYCLE_CALLERS_ALWAYS ||
	        (l->options->cycle_callers == CYCLE_CALLERS_AUTO && l->color));
}

static void
put_cycle(struct listing *l, uint32_t node)
{
	const struct gprofx_report *r = l->r;
	struct gprofx_writer *w = l->w;
	uint32_t cycle = node - r->functions->count;

	if (shows_cycle_callers(l))
		put_callers(l, &r->graph->cycle_callers, cycle, &r->graph->cycle_arcs,
		            reference_to(&l->references, node));
	begin_primary(l, node);
	gprofx_puts(w, "<cycle ");
	w->services->number(w, r->graph->cycle[node], 0);
	gprofx_puts(w, " as a whole> [");
	w->services->number(w, r->graph->index[node], 0);
	gprofx_putc(w, ']');
	end_emphasis(l);
	for (uint32_t i = r->graph->members.first[cycle]; i < r->graph->members.first[cycle + 1];
	     i++) {
		uint32_t member = r->graph->members.item[i];
		const struct reference *reference = reference_to(&l->references, member);
		struct metric_row row;
		const struct cells cells = cells_of(r, member, &row);

		columns_put(&l->columns, LINE_TIMES, &cells);
		put_end(l, reference, &cells, NAME_INDENT);
		gprofx_putc(w, '\n');
	}
}

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
	end_emphasis(l);
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
	metrics_put_units(r, w);
	put_column_headings(l);
}

/* Whether lines of calls that never happened have marks. */
static bool
has_marks(const struct gprofx_report *r)
{
	for (uint32_t arc = 0; r->graph->arc_static && arc < r->graph->arcs.count; arc++) {
		char mark = mark_of(r, arc);

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
	if (gprofx_is_measured(r)) {
		gprofx_puts(w, graph_explanation_measured);
		return;
	}
	gprofx_puts(w, graph_explanation_lines);
	gprofx_puts(w, shows_cycle_callers(l) ? graph_explanation_cycle_callers
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
	references_begin(&l->references, l->names.gx, r, &l->names);
	for (uint32_t i = 0; i < r->graph->entry_count; i++) {
		for (enum fetch_step step = FETCH_STEPS; step-- > 0;)
			references_fetch(&l->references, i + 1 + step, step);
		if (r->graph->entry[i] < r->functions->count)
			put_function(l, r->graph->entry[i]);
		else
			put_cycle(l, r->graph->entry[i]);
		gprofx_puts(w, r->compatibility->traditional
		                       ? "\n-----------------------------------------------\n\n"
		                       : "-----------------------------------------------\n");
	}
	table_put_rest(w, &l->rest, l->columns.total, "more entry", "more entries", "self time");
	if (!r->compatibility->traditional && explain)
		put_explanation(l);
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
	columns_begin(&listing.columns, listing.r, writer, &options->table);
	if (emission->listings & 1u << LISTING_GRAPH)
		put_graph(&listing);
	if (emission->listings & 1u << LISTING_INDEX)
		index_put(listing.r, writer, &listing.names, (size_t)options->width,
		          (size_t)options->table.row_width);
	return GPROFX_OK;
}

static const struct gprofx_needs needs = {
	.size = sizeof needs,
	.parts = GPROFX_PART_GRAPH | GPROFX_PART_INDEX,
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
