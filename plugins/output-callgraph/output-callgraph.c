/* SPDX-License-Identifier: Apache-2.0 */
/* The call graph and the index of its functions, in gprof's normal layout and in that of BSD. */
#include <gprofx/emitter.h>

#include "explanation.h"
#include "references.h"
#include "../shared/granularity.h"

enum parts { PARTS_ALL, PARTS_GRAPH, PARTS_INDEX };

static const char *const parts_words[] = {"all", "graph", "index", NULL};

struct options {
	bool explain;
	uint32_t parts; /* enum parts */
	int64_t width;
};

static const struct gprofx_option table[] = {
	{.key = "explain",
         .type = GPROFX_BOOL,
         .offset = offsetof(struct options, explain),
         .initial = "true",
         .help = "explain the entries with the listing"},
	{.key = "parts",
         .type = GPROFX_CHOICE,
         .offset = offsetof(struct options, parts),
         .initial = "all",
         .choices = parts_words,
         .help = "what to write: the entries and the index of functions, or one of them"},
	{.key = "width",
         .type = GPROFX_INT,
         .offset = offsetof(struct options, width),
         .initial = "80",
         .minimum = 1,
         .maximum = INT32_MAX,
         .help = "width of a line of the index of functions, in characters"},
};

/* One listing under way. */
struct listing {
	const struct gprofx_report *r;
	struct gprofx_writer *w;
	double total;        /* graph_total, or 1 where that is not positive */
	int below_width;     /* of the second column of times */
	size_t below_blanks; /* the same, as a number of blanks */
	bool is_wide;        /* the first column holds numbers of any length */
	struct references references;
};

static void
put_index_number(struct gprofx_writer *w, const struct gprofx_report *r, uint32_t node)
{
	bool shown = (r->flags[node] & GPROFX_NODE_SHOWN) != 0;

	gprofx_putc(w, shown ? '[' : '(');
	w->services->number(w, r->index[node], 0);
	gprofx_putc(w, shown ? ']' : ')');
}

enum { LABEL_ROOM = 16, LABEL_SHOWN = 6 };

static bool
keeps_numbers_whole(const struct gprofx_report *r)
{
	return (r->corrections & GPROFX_CORRECT_WIDE_INDEX) != 0;
}

/* The number of an entry between brackets, as text; returns its length. */
static size_t
make_label(char *label, const char *brackets, uint32_t index)
{
	size_t length = 0;

	label[length++] = brackets[0];
	for (uint32_t unit = 1000000000; unit > 0; unit /= 10)
		if (index >= unit)
			label[length++] = (char)('0' + index / unit % 10);
	label[length++] = brackets[1];
	return length;
}

/*
 * The number at the begin of a primary line, left in a column of six characters, and the percentage
 * behind it.  A longer number is cut, or takes up the blanks before the percentage.
 */
static void
put_first_columns(struct listing *l, uint32_t node, double percentage)
{
	char label[LABEL_ROOM];
	size_t length = make_label(label, "[]", l->r->index[node]);
	int width = 5;

	while (length < LABEL_SHOWN)
		label[length++] = ' ';
	if (l->is_wide)
		width -= (int)(length - LABEL_SHOWN);
	else
		length = LABEL_SHOWN;
	gprofx_put(l->w, label, length);
	gprofx_putc(l->w, ' ');
	l->w->services->fixed(l->w, percentage, width > 0 ? width : 0, 1);
	gprofx_putc(l->w, ' ');
}

static void
put_times(struct listing *l, double self, double below)
{
	l->w->services->fixed(l->w, self / l->r->rate, 7, 2);
	gprofx_putc(l->w, ' ');
	l->w->services->fixed(l->w, below / l->r->rate, l->below_width, 2);
}

/* "+N" in a column of eight with its sign, or blanks. */
static void
put_recursive(struct listing *l, uint64_t count)
{
	if (count == 0) {
		gprofx_blanks(l->w, 8);
		return;
	}
	gprofx_putc(l->w, '+');
	l->w->services->number(l->w, count, -7);
}

/* A line for an arc: "other" is the function at its other end. */
static void
put_arc(struct listing *l, const struct gprofx_arc *arc, const struct reference *callee,
        const struct reference *caller, const struct reference *other)
{
	struct gprofx_writer *w = l->w;

	if (caller == callee || (callee->cycle != 0 && caller->cycle == callee->cycle)) {
		/* Within the function or the cycle no time is handed over. */
		gprofx_blanks(w, 22 + l->below_blanks);
		w->services->number(w, arc->calls, 7);
		gprofx_blanks(w, 13);
	} else {
		gprofx_blanks(w, 13);
		put_times(l, arc->self, arc->below);
		gprofx_putc(w, ' ');
		w->services->number(w, arc->calls, 7);
		gprofx_putc(w, '/');
		w->services->number(w, callee->called, -7);
		gprofx_blanks(w, 5);
	}
	gprofx_put(w, other->text, other->length);
}

static void
put_share(struct listing *l, uint32_t node)
{
	const struct gprofx_report *r = l->r;

	put_first_columns(l, node,
	                  100.0 * (r->visible_self[node] + r->visible_below[node]) / l->total);
	put_times(l, r->visible_self[node], r->visible_below[node]);
}

/* The lines of the callers of a node, whose list is the one of this number. */
static void
put_callers(struct listing *l, const struct gprofx_lists *lists, uint32_t list,
            const struct gprofx_arc *arcs, const struct reference *own)
{
	uint32_t begin = lists->first[list], end = lists->first[list + 1];

	if (begin == end) {
		gprofx_blanks(l->w, 42 + l->below_blanks);
		gprofx_puts(l->w, "<spontaneous>\n");
	}
	for (uint32_t i = begin; i < end; i++) {
		const struct gprofx_arc *arc = &arcs[lists->item[i]];
		const struct reference *caller = reference_to(&l->references, arc->caller);

		if (arcs == l->r->arc)
			references_fetch_ahead(&l->references, lists, i, end, true);
		put_arc(l, arc, own, caller, caller);
	}
}

static void
put_function(struct listing *l, uint32_t node)
{
	const struct gprofx_report *r = l->r;
	struct gprofx_writer *w = l->w;
	const uint32_t *first;
	const struct reference *own = reference_to(&l->references, node);

	put_callers(l, &r->callers, node, r->arc, own);
	put_share(l, node);
	if (r->calls[node] + r->recursive[node] == 0) {
		gprofx_blanks(w, 17);
	} else {
		gprofx_putc(w, ' ');
		w->services->number(w, r->calls[node], 7);
		put_recursive(l, r->recursive[node]);
		gprofx_putc(w, ' ');
	}
	gprofx_put(w, own->text, own->length);
	first = r->callees.first;
	for (uint32_t i = first[node]; i < first[node + 1]; i++) {
		const struct gprofx_arc *arc = &r->arc[r->callees.item[i]];
		const struct reference *callee = reference_to(&l->references, arc->callee);

		references_fetch_ahead(&l->references, &r->callees, i, first[node + 1], false);
		put_arc(l, arc, callee, own, callee);
	}
}

static void
put_cycle(struct listing *l, uint32_t node)
{
	const struct gprofx_report *r = l->r;
	struct gprofx_writer *w = l->w;
	uint32_t cycle = node - r->function_count;

	if (r->cycle_callers.first)
		put_callers(l, &r->cycle_callers, cycle, r->cycle_arc,
		            reference_to(&l->references, node));
	put_share(l, node);
	gprofx_putc(w, ' ');
	w->services->number(w, r->calls[node], 7);
	put_recursive(l, r->recursive[node]);
	gprofx_puts(w, " <cycle ");
	w->services->number(w, r->cycle[node], 0);
	gprofx_puts(w, " as a whole> [");
	w->services->number(w, r->index[node], 0);
	gprofx_puts(w, "]\n");
	for (uint32_t i = r->members.first[cycle]; i < r->members.first[cycle + 1]; i++) {
		uint32_t member = r->members.item[i];
		const struct reference *reference;

		gprofx_blanks(w, 13);
		put_times(l, r->visible_self[member], r->visible_below[member]);
		gprofx_putc(w, ' ');
		w->services->number(w, r->calls[member], 7);
		put_recursive(l, r->recursive[member]);
		gprofx_blanks(w, 5);
		reference = reference_to(&l->references, member);
		gprofx_put(w, reference->text, reference->length);
	}
}

static void
put_heading(struct listing *l, bool explain)
{
	const struct gprofx_report *r = l->r;
	struct gprofx_writer *w = l->w;

	if (!r->traditional)
		gprofx_puts(w, explain ? "\t\t     Call graph (explanation follows)\n\n"
		                       : "\t\t\tCall graph\n\n");
	put_granularity(r, w, r->graph_total, "seconds");
	if (!(r->graph_total > 0))
		gprofx_puts(w, " no time propagated\n\n");
	if (r->traditional)
		gprofx_puts(w, "                                  called/total       parents \n"
		               "index  %time    self descendants  called+self    name    \tindex\n"
		               "                                  called/total       children\n\n");
	else
		gprofx_puts(w, "index % time    self  children    called     name\n");
}

static void
put_explanation(const struct gprofx_report *r, struct gprofx_writer *w)
{
	gprofx_puts(w, graph_explanation_begin);
	gprofx_puts(w, r->traditional ? graph_explanation_columns_traditional
	                              : graph_explanation_columns);
	gprofx_puts(w, graph_explanation_lines);
	gprofx_puts(w, r->cycle_callers.first ? graph_explanation_cycle_callers
	                                      : graph_explanation_cycle);
	gprofx_puts(w, graph_explanation_end);
}

static void
put_graph(struct gprofx *gx, const struct gprofx_report *r, struct gprofx_writer *w, bool explain)
{
	struct listing l = {
		.r = r,
		.w = w,
		.total = r->graph_total > 0 ? r->graph_total : 1,
		.below_width = r->traditional ? 11 : 7,
		.below_blanks = r->traditional ? 11 : 7,
		.is_wide = keeps_numbers_whole(r),
	};

	if (r->traditional && explain)
		put_explanation(r, w);
	w->services->separator(w);
	put_heading(&l, explain);
	references_begin(&l.references, gx, r);
	for (uint32_t i = 0; i < r->entry_count; i++) {
		for (enum fetch_step step = FETCH_STEPS; step-- > 0;)
			references_fetch(&l.references, i + 1 + step, step);
		if (r->entry[i] < r->function_count)
			put_function(&l, r->entry[i]);
		else
			put_cycle(&l, r->entry[i]);
		gprofx_puts(w, r->traditional
		                       ? "\n-----------------------------------------------\n\n"
		                       : "-----------------------------------------------\n");
	}
	if (!r->traditional && explain)
		put_explanation(r, w);
}

/* Number of decimal digits. */
static size_t
digits(uint32_t value)
{
	size_t count = 1;

	for (; value >= 10; value /= 10)
		count++;
	return count;
}

/* Whether the name of a static function in the index is followed by its file. */
static bool
has_file_behind(const struct gprofx_report *r, uint32_t node)
{
	bool is_there = r->positioned && (r->corrections & GPROFX_CORRECT_STATIC_FILES) != 0;

	return (r->flags[node] & GPROFX_NODE_STATIC) && !is_there;
}

/* One item of the index; returns how many columns it took, as gprof counts them. */
static size_t
put_index_item(const struct gprofx_report *r, struct gprofx_writer *w, uint32_t node, size_t column,
               size_t start)
{
	struct gprofx_text name = r->services->name(r, node);
	uint32_t line;
	const char *file;

	column += digits(r->index[node]) + 2;
	for (; column < start + 5; column++)
		gprofx_putc(w, ' ');
	/* The blanks around the number are not counted. */
	gprofx_putc(w, ' ');
	put_index_number(w, r, node);
	gprofx_putc(w, ' ');
	gprofx_put(w, name.bytes, name.length);
	column += name.length;
	if (!has_file_behind(r, node))
		return column;
	file = r->services->source(r, node, &line);
	if (file) {
		const char *slash = strrchr(file, '/');

		if (slash && !r->full_paths)
			file = slash + 1;
		gprofx_out(w, " (%s)", file);
		column += strlen(file) + 3;
	}
	return column;
}

/* How wide a number of the traditional index is; what is longer is cut. */
static size_t
label_width(const struct gprofx_report *r)
{
	uint32_t largest = 0;

	if (!keeps_numbers_whole(r))
		return LABEL_SHOWN;
	for (uint32_t i = 0; i < r->index_count; i++)
		if (r->index[r->index_node[i]] > largest)
			largest = r->index[r->index_node[i]];
	return digits(largest) + 2 > LABEL_SHOWN ? digits(largest) + 2 : LABEL_SHOWN;
}

static void
put_traditional_item(const struct gprofx_report *r, struct gprofx_writer *w, uint32_t node,
                     size_t width)
{
	char label[LABEL_ROOM];
	bool shown = (r->flags[node] & GPROFX_NODE_SHOWN) != 0;
	size_t length = make_label(label, shown ? "[]" : "()", r->index[node]);
	struct gprofx_text cycle = {"", 0};

	if (node >= r->function_count)
		cycle = r->services->name(r, node);
	gprofx_out(w, "%*.*s %-19.*s", (int)width, (int)(length < width ? length : width), label,
	           cycle.length > 0 && cycle.length < 19 ? (int)cycle.length : 19,
	           cycle.length > 0 ? cycle.bytes : r->raw_name[node]);
}

static void
put_index(const struct gprofx_report *r, struct gprofx_writer *w, const struct options *options)
{
	size_t width = ((size_t)options->width - 1) / 3;
	size_t traditional_width = r->traditional ? label_width(r) : 0;
	uint32_t rows = r->index_count / 3 + (r->index_count % 3 != 0);

	gprofx_puts(w, "\f\nIndex by function name\n\n");
	for (uint32_t row = 0; row < rows; row++) {
		size_t column = 0, start = 0;

		for (uint64_t i = row; i < r->index_count; i += rows) {
			if (r->traditional)
				put_traditional_item(r, w, r->index_node[i], traditional_width);
			else
				column = put_index_item(r, w, r->index_node[i], column, start);
			start += width;
		}
		gprofx_putc(w, '\n');
	}
}

static enum gprofx_result
emit(struct gprofx *gx, const struct gprofx_report *report, struct gprofx_writer *writer,
     const void *opaque)
{
	const struct options *options = opaque;

	if (options->parts != PARTS_INDEX)
		put_graph(gx, report, writer, options->explain);
	if (options->parts != PARTS_GRAPH)
		put_index(report, writer, options);
	return GPROFX_OK;
}

static const struct gprofx_emitter emitter = {
	.size = sizeof emitter,
	.format = "callgraph",
	.extension = "txt",
	.parts = GPROFX_PART_GRAPH | GPROFX_PART_INDEX,
	.emit = emit,
};

GPROFX_PLUGIN = {
	GPROFX_ABI,
	.name = "output-callgraph",
	.version = "1.0",
	.summary = "The call graph, with the index of functions",
	GPROFX_OPTIONS(struct options, table),
	.emitter = &emitter,
};
