/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The call graph as a picture, in the language of Graphviz:
 * https://graphviz.org/doc/info/lang.html. Labels, thresholds and their names are those that users
 * of gprof2dot know.
 */
#include "dot.h"

#include <math.h>
#include <string.h>

#include <gprofx/emitter.h>

#include "compared-larger.h"
#include "dot-choose.h"
#include "dot-compared.h"
#include "dot-file.h"
#include "export-names.h"
#include "export-reals.h"

const char *const dot_colors[] = {"total", "self", NULL};
const char *const dot_clusters[] = {"none", "file", "object", NULL};

enum { UNIT_BYTES = 40, VALUE_DIGITS = 3, PERCENT = 100 };

void
dot_put_fixed(struct dot *d, double value, int precision)
{
	d->writer->services->fixed(d->writer, value, 0, precision);
}

/* A number between two texts. */
void
dot_put_labeled(struct dot *d, const char *before, uint64_t value, const char *after)
{
	gprofx_puts(d->writer, before);
	d->writer->services->number(d->writer, value, 0);
	gprofx_puts(d->writer, after);
}

static void
put_percent(struct dot *d, const char *before, double share)
{
	gprofx_puts(d->writer, before);
	dot_put_fixed(d, PERCENT * share, 2);
	gprofx_putc(d->writer, '%');
}

static bool
is_special(char byte)
{
	return byte == '"' || byte == '\\' || byte == '&';
}

/* How much of a text is written, up to the end of a character. */
static size_t
fitting(struct gprofx_text text, size_t most)
{
	size_t length = 0, written = 0;

	for (; length < text.length && length < most; length++) {
		char byte = text.bytes[length];

		written += byte == '&' ? sizeof "&amp;" - 1 : is_special(byte) ? 2 : 1;
		if (written > DOT_WRITTEN_BYTES)
			break;
	}
	while (length > 0 && length < text.length &&
	       ((unsigned char)text.bytes[length] & 0xc0) == 0x80)
		length--;
	return length;
}

/* A text in quotes, cut after a number of bytes; what is not printable was replaced before. */
void
dot_put_quoted(struct dot *d, struct gprofx_text text, size_t most)
{
	size_t length = fitting(text, most);

	for (size_t at = 0, begin; at < length; at++) {
		for (begin = at; at < length && !is_special(text.bytes[at]); at++)
			;
		gprofx_put(d->writer, text.bytes + begin, at - begin);
		if (at == length)
			break;
		gprofx_putc(d->writer, text.bytes[at] == '&' ? '&' : '\\');
		/* Otherwise "&lt;" would be shown as "<". */
		if (text.bytes[at] == '&')
			gprofx_puts(d->writer, "amp;");
		else
			gprofx_putc(d->writer, text.bytes[at]);
	}
	if (length < text.length)
		gprofx_puts(d->writer, "…");
}

double
dot_share_of(const struct dot *d, double ticks)
{
	double share = d->choice.whole > 0 ? ticks / d->choice.whole : 0;

	return share > 0 ? share < 1 ? share : 1 : 0;
}

static bool
is_time(const struct gprofx_metric *metric)
{
	return strcmp(metric->unit, "seconds") == 0;
}

void
dot_put_number(struct dot *d, double ticks)
{
	const struct gprofx_metric *metric = d->report->origin->metrics;
	double value = metric->ticks_per_unit > 0 ? ticks / metric->ticks_per_unit : ticks;
	char text[EXPORT_REAL_BYTES];

	if (!is_time(metric))
		dot_put_fixed(d, value, value == floor(value) ? 0 : 2);
	else if (value < 1)
		gprofx_put(d->writer, text, export_real(text, value, VALUE_DIGITS));
	else
		dot_put_fixed(d, value, 2);
}

void
dot_put_value(struct dot *d, double ticks)
{
	const struct gprofx_metric *metric = d->report->origin->metrics;

	dot_put_number(d, ticks);
	gprofx_putc(d->writer, ' ');
	if (is_time(metric))
		gprofx_putc(d->writer, 's');
	else
		dot_put_quoted(d, export_word(d->gx, metric->unit), UNIT_BYTES);
}

void
dot_put_width(struct dot *d, double share)
{
	double width = 4 * share > 0.5 ? 4 * share : 0.5;

	gprofx_puts(d->writer, ", penwidth=");
	dot_put_fixed(d, width, 2);
	gprofx_puts(d->writer, ", arrowsize=");
	dot_put_fixed(d, sqrt(width) / 2, 2);
}

/* Colors from blue to red, as a hue, saturation and value. */
static void
put_color(struct dot *d, const char *key, double share, double saturation, double value)
{
	gprofx_puts(d->writer, ", ");
	gprofx_puts(d->writer, key);
	gprofx_puts(d->writer, "=\"");
	dot_put_fixed(d, (1 - share) * 2 / 3, 3);
	gprofx_putc(d->writer, ' ');
	dot_put_fixed(d, saturation, 3);
	gprofx_putc(d->writer, ' ');
	dot_put_fixed(d, value, 3);
	gprofx_putc(d->writer, '"');
}

/* Members of cycles are in the frame of their cycle. */
static uint32_t
cycle_of(const struct dot *d, uint32_t function)
{
	return d->is_measured ? 0 : d->report->graph->cycle[function];
}

static bool
is_known(const struct dot *d, uint64_t calls)
{
	return gprofx_is_counted(d->report->graph->calls, calls);
}

void
dot_put_place(struct dot *d, uint32_t function)
{
	uint32_t line = 0;
	const char *file = d->report->services->source(d->report, function, &line);

	dot_put_quoted(d, d->names[function], DOT_TIP_BYTES);
	if (!file || !file[0])
		return;
	gprofx_puts(d->writer, "\\n");
	dot_put_quoted(d, export_word(d->gx, file), DOT_TIP_BYTES);
	if (line > 0)
		dot_put_labeled(d, ":", line, "");
}

static void
put_tip_of(struct dot *d, uint32_t function)
{
	dot_put_place(d, function);
	if (!d->has_times)
		return;
	gprofx_puts(d->writer, "\\nself ");
	dot_put_value(d, dot_self(d->report, function));
	gprofx_puts(d->writer, ", total ");
	dot_put_value(d, dot_total(d->report, function));
}

static void
put_node(struct dot *d, uint32_t function)
{
	double self = dot_self(d->report, function);
	double total = dot_total(d->report, function);
	double shown = dot_share_of(d, d->options->by == DOT_BY_SELF ? self : total);
	uint64_t calls = gprofx_calls_of(d->report, function);

	dot_put_labeled(d, "\tn", function, " [id=\"f");
	dot_put_labeled(d, "", function, "\", label=\"");
	dot_put_quoted(d, d->names[function], DOT_LABEL_BYTES);
	if (d->has_times) {
		put_percent(d, "\\n", dot_share_of(d, total));
		put_percent(d, "\\n(", dot_share_of(d, self));
		gprofx_putc(d->writer, ')');
	}
	if (is_known(d, calls) && calls + gprofx_recursive_of(d->report, function) > 0)
		dot_put_labeled(d, "\\n", calls + gprofx_recursive_of(d->report, function), "×");
	gprofx_puts(d->writer, "\"");
	/* Light colors under dark text. */
	put_color(d, "fillcolor", shown, 0.1 + 0.4 * shown, 1);
	put_color(d, "color", shown, 0.8, 0.5);
	gprofx_puts(d->writer, ", tooltip=\"");
	put_tip_of(d, function);
	gprofx_puts(d->writer, "\"];\n");
}

static void
put_arc_tip(struct dot *d, const struct gprofx_arc *arc, bool is_inner)
{
	dot_put_quoted(d, d->names[arc->caller], DOT_TIP_BYTES);
	gprofx_puts(d->writer, " → ");
	dot_put_quoted(d, d->names[arc->callee], DOT_TIP_BYTES);
	gprofx_puts(d->writer, ": ");
	if (arc->calls == 0)
		gprofx_puts(d->writer, "found in the code, not seen to be called");
	else if (is_known(d, arc->calls))
		dot_put_labeled(d, "", arc->calls, arc->calls == 1 ? " call" : " calls");
	else
		gprofx_puts(d->writer, "number of calls not known");
	if (is_inner) {
		gprofx_puts(d->writer, " within the cycle");
	} else if (d->has_times && arc->calls != 0) {
		gprofx_puts(d->writer, ", ");
		dot_put_value(d, arc->self + arc->below);
	}
}

static void
put_arc(struct dot *d, uint32_t number)
{
	struct gprofx_arc arc = gprofx_arc_at(&d->report->graph->arcs, number);
	uint32_t cycle = cycle_of(d, arc.caller);
	bool is_inner = arc.caller != arc.callee && cycle != 0 && cycle == cycle_of(d, arc.callee);
	bool has_time = d->has_times && !is_inner && arc.calls != 0 && arc.caller != arc.callee;
	double share = has_time ? dot_share_of(d, arc.self + arc.below) : 0;

	dot_put_labeled(d, "\tn", arc.caller, " -> n");
	dot_put_labeled(d, "", arc.callee, " [label=\"");
	if (has_time)
		put_percent(d, "", share);
	if (arc.calls != 0 && is_known(d, arc.calls))
		dot_put_labeled(d, has_time ? "\\n" : "", arc.calls, "×");
	gprofx_putc(d->writer, '"');
	if (has_time) {
		put_color(d, "color", share, 0.8, 0.5);
		put_color(d, "fontcolor", share, 0.8, 0.4);
	} else {
		gprofx_out(d->writer, ", style=%s, color=\"#606060\", fontcolor=\"#606060\"",
		           arc.calls == 0 ? "dotted" : "dashed");
	}
	dot_put_width(d, share);
	gprofx_puts(d->writer, ", edgetooltip=\"");
	put_arc_tip(d, &arc, is_inner);
	gprofx_puts(d->writer, "\", labeltooltip=\"");
	put_arc_tip(d, &arc, is_inner);
	gprofx_puts(d->writer, "\"];\n");
}

/* Numbers the files or objects of functions. */
static void
find_groups(struct dot *d)
{
	const struct gprofx_report_functions *functions = d->report->functions;
	uint32_t count = functions->count;
	struct gprofx_text *texts = gprofx_alloc(d->gx, ((size_t)count + 1) * sizeof *texts);
	struct gprofx_text *names = gprofx_alloc(d->gx, ((size_t)count + 1) * sizeof *names);

	for (uint32_t i = 0; i < count; i++) {
		uint32_t line;
		const char *text = "";

		if (d->options->cluster == DOT_BY_FILE)
			text = d->report->services->source(d->report, i, &line);
		else if (d->options->cluster == DOT_BY_OBJECT)
			text = functions->object_name && functions->object_name[i]
			               ? functions->object_name[i]
			               : export_program(d->report);
		text = text ? text : "";
		texts[i] = (struct gprofx_text){text, strlen(text)};
	}
	d->group = export_distinct(d->gx, texts, count, &d->group_count);
	for (uint32_t i = 0; i < count; i++)
		names[d->group[i]] = texts[i];
	d->group_name = names;
	for (uint32_t i = 0; i < count; i++) {
		uint32_t cycle = cycle_of(d, i);

		if (texts[i].length == 0)
			d->group[i] = d->group_count;
		if (cycle > d->cycle_count)
			d->cycle_count = cycle;
	}
}

/*
 * Lists functions by their cycle, or by their group; item n of the list of key k is at first[k] +
 * n. Keys are less than "keys".
 */
static uint32_t *
list_by(const struct dot *d, const uint32_t *key, uint32_t keys, uint32_t **items)
{
	uint32_t count = d->report->functions->count;
	uint32_t *first = gprofx_alloc(d->gx, ((size_t)keys + 2) * sizeof *first);

	*items = gprofx_alloc(d->gx, ((size_t)count + 1) * sizeof **items);
	for (uint32_t i = 0; i < count; i++)
		if (d->choice.has_node[i])
			first[key[i] + 2]++;
	for (uint32_t i = 0; i < keys; i++)
		first[i + 1] += first[i];
	for (uint32_t i = 0; i < count; i++)
		if (d->choice.has_node[i])
			(*items)[first[key[i] + 1]++] = i;
	return first;
}

static void
put_cycle(struct dot *d, const uint32_t *first, const uint32_t *members, uint32_t cycle)
{
	uint32_t node = d->report->functions->count + cycle - 1;

	gprofx_out(d->writer, "\tsubgraph \"cluster_c%lu\" {\n\tgraph [label=\"<cycle %lu>",
	           (unsigned long)cycle, (unsigned long)cycle);
	if (d->has_times)
		put_percent(d, " ", dot_share_of(d, dot_total(d->report, node)));
	gprofx_puts(d->writer, "\", style=\"rounded,filled\", fillcolor=\"#eeeeee\", "
	                       "color=\"#404040\", tooltip=\"the cycle as a whole");
	if (d->has_times) {
		gprofx_puts(d->writer, ": ");
		dot_put_value(d, dot_total(d->report, node));
	}
	gprofx_puts(d->writer, "\"];\n");
	for (uint32_t i = first[cycle]; i < first[cycle + 1]; i++)
		put_node(d, members[i]);
	gprofx_puts(d->writer, "\t}\n");
}

/* A cycle over several groups is in none of them. */
static void
join_cycles(const struct dot *d, uint32_t *group, const uint32_t *first, const uint32_t *members)
{
	for (uint32_t cycle = 1; cycle <= d->cycle_count; cycle++) {
		bool is_one = true;

		for (uint32_t i = first[cycle]; i < first[cycle + 1]; i++)
			is_one = is_one && group[members[i]] == group[members[first[cycle]]];
		for (uint32_t i = first[cycle]; !is_one && i < first[cycle + 1]; i++)
			group[members[i]] = d->group_count;
	}
}

/* Functions by their groups; the last group has those of none.  A cycle stands where its first
 * member does. */
static void
put_nodes(struct dot *d)
{
	uint32_t count = d->report->functions->count, *first, *members, *start, *items;
	uint32_t *cycles = gprofx_alloc(d->gx, ((size_t)count + 1) * sizeof *cycles);

	find_groups(d);
	for (uint32_t i = 0; i < count; i++)
		cycles[i] = cycle_of(d, i);
	first = list_by(d, cycles, d->cycle_count + 1, &members);
	join_cycles(d, d->group, first, members);
	start = list_by(d, d->group, d->group_count + 1, &items);
	for (uint32_t group = 0; group <= d->group_count; group++) {
		bool has_frame = group < d->group_count && start[group] < start[group + 1];

		if (has_frame) {
			gprofx_out(d->writer, "\tsubgraph \"cluster_%lu\" {\n\tgraph [label=\"",
			           (unsigned long)group);
			dot_put_quoted(d, export_text(d->gx, d->group_name[group], NULL),
			               DOT_LABEL_BYTES);
			gprofx_puts(d->writer,
			            "\", style=\"rounded,dashed\", color=\"#808080\"];\n");
		}
		for (uint32_t i = start[group]; i < start[group + 1]; i++) {
			uint32_t function = items[i], cycle = cycles[function];

			if (d->compared)
				dot_compared_put_node(d, function);
			else if (cycle == 0)
				put_node(d, function);
			else if (members[first[cycle]] == function)
				put_cycle(d, first, members, cycle);
		}
		if (has_frame)
			gprofx_puts(d->writer, "\t}\n");
	}
}

/* What the picture is of, and what it leaves out. */
static void
put_head(struct dot *d)
{
	const struct dot_choice *choice = &d->choice;
	struct gprofx_text program = export_word(d->gx, export_program(d->report));

	gprofx_puts(d->writer, "digraph gprofx {\n\tgraph [fontname=\"Helvetica\", ranksep=0.25, "
	                       "nodesep=0.125, labelloc=b, labeljust=l, label=\"");
	dot_put_quoted(d, program, DOT_LABEL_BYTES);
	if (d->compared) {
		gprofx_puts(d->writer, ": ");
		dot_compared_put_sentence(d);
	} else if (d->has_times) {
		gprofx_puts(d->writer, ": ");
		dot_put_value(d, choice->whole);
	}
	gprofx_out(d->writer, "\\l%lu of %lu functions, %lu of %lu arcs shown\\l",
	           (unsigned long)choice->shown_functions, (unsigned long)choice->function_count,
	           (unsigned long)choice->shown_arcs, (unsigned long)choice->arc_count);
	if (d->has_times && choice->arc_count > 0 && !d->is_measured)
		gprofx_puts(d->writer, "Total times and times of calls are estimates.\\l");
	gprofx_puts(d->writer, "\"];\n"
	                       "\tnode [shape=box, style=filled, fontname=\"Helvetica\", "
	                       "fontsize=10, fontcolor=\"#000000\", width=0, height=0];\n"
	                       "\tedge [fontname=\"Helvetica\", fontsize=10];\n");
}

enum gprofx_result
dot_write(struct gprofx *gx, const struct gprofx_report *report, struct gprofx_writer *writer,
          const struct dot_options *options)
{
	struct dot d = {.gx = gx,
	                .report = report,
	                .options = options,
	                .writer = writer,
	                .is_measured = gprofx_is_measured(report)};
	struct dot_compared compared;
	bool *is_named;

	if (report->comparison) {
		dot_compared_begin(gx, report, options, &compared);
		d.compared = &compared;
		d.report = report = &compared.of.larger;
		d.is_measured = !report->comparison->estimates_totals;
	}
	is_named = gprofx_alloc(gx, (size_t)report->functions->count + 1);
	for (uint32_t i = 0; i < report->functions->count; i++)
		is_named[i] = export_is_whole(report, i);
	d.names = export_names(gx, report, report->functions->count, is_named, NULL);
	if (dot_choose(gx, report, d.names, options, &d.choice) != GPROFX_OK)
		return GPROFX_FAILED;
	d.has_times = d.choice.whole > 0;
	put_head(&d);
	put_nodes(&d);
	for (uint32_t i = 0; i < report->graph->arcs.count; i++)
		if (!d.choice.has_arc[i])
			continue;
		else if (d.compared)
			dot_compared_put_arc(&d, i);
		else
			put_arc(&d, i);
	gprofx_puts(d.writer, "}\n");
	return GPROFX_OK;
}
