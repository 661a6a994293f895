/* SPDX-License-Identifier: Apache-2.0 */
#include "entries.h"

#include <string.h>

#include "../shared/folded.h"
#include "../shared/line-names.h"
#include "label.h"
#include "../shared/options.h"

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

char
entry_mark(const struct gprofx_report *r, uint32_t arc)
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
put_end(struct listing *l, const struct reference *reference, const struct cells *cells,
        size_t indent)
{
	const struct gprofx_text name = {reference->text, reference->length - 1};
	size_t width = (size_t)l->options->table.row_width, column = l->columns.width + indent;

	if (width > 0 && cells->kind != CALLS_NONE)
		column += excess_of(cells->calls, cells->kind == CALLS_PLAIN ? 0 : cells->other);
	if (width > 0 && l->r->origin->by_line)
		line_names_put(&l->line_names, l->w, name, column, width);
	else
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

void
entry_end_emphasis(struct listing *l)
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
		        entry_mark(r, arc));
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
			mark = entry_mark(l->r, lists->item[i]);
		}
		if (arcs == &l->r->graph->arcs && sites &&
		    sites[lists->item[i]] < sites[lists->item[i] + 1])
			put_sites(l, lists->item[i], own, caller);
		else
			put_arc(l, &arc, own, caller, caller, mark);
	}
}

void
entry_put_function(struct listing *l, uint32_t node)
{
	const struct gprofx_report *r = l->r;
	const uint32_t *first;
	const struct reference *own = reference_to(&l->references, node);
	struct cells cells;

	put_callers(l, &r->graph->callers, node, &r->graph->arcs, own);
	cells = begin_primary(l, node);
	put_end(l, own, &cells, 1);
	entry_end_emphasis(l);
	first = r->graph->callees.first;
	for (uint32_t i = first[node]; i < first[node + 1]; i++) {
		const struct shown_arc arc = whole_arc(&r->graph->arcs, r->graph->callees.item[i]);
		const struct reference *callee = reference_to(
			&l->references,
			gprofx_id(&r->graph->arcs.callee, r->graph->callees.item[i]));

		references_fetch_ahead(&l->references, &r->graph->callees, i, first[node + 1],
		                       false);
		put_arc(l, &arc, callee, own, callee, entry_mark(r, r->graph->callees.item[i]));
	}
}

bool
entries_show_cycle_callers(const struct listing *l)
{
	return l->r->graph->cycle_callers.first &&
	       (l->options->cycle_callers == CYCLE_CALLERS_ALWAYS ||
	        (l->options->cycle_callers == CYCLE_CALLERS_AUTO && l->color));
}

void
entry_put_cycle(struct listing *l, uint32_t node)
{
	const struct gprofx_report *r = l->r;
	struct gprofx_writer *w = l->w;
	uint32_t cycle = node - r->functions->count;

	if (entries_show_cycle_callers(l))
		put_callers(l, &r->graph->cycle_callers, cycle, &r->graph->cycle_arcs,
		            reference_to(&l->references, node));
	begin_primary(l, node);
	gprofx_puts(w, "<cycle ");
	w->services->number(w, r->graph->cycle[node], 0);
	gprofx_puts(w, " as a whole> [");
	w->services->number(w, r->graph->index[node], 0);
	gprofx_putc(w, ']');
	entry_end_emphasis(l);
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
