/* SPDX-License-Identifier: Apache-2.0 */
#include <gprofx/emitter.h>

#include "../shared/fit-texts.h"
#include "../shared/head-texts.h"
#include "../shared/rows.h"
#include "nodes.h"
#include "prose.h"
#include "text.h"

/* The columns, and what they need. */
struct table {
	bool has_total, has_calls, has_places, has_callers;
	const char *file[PROSE_ROWS]; /* or the object; NULL: not known */
	uint32_t line[PROSE_ROWS];
};

static struct table
find_columns(const struct prose *p)
{
	const struct gprofx_report *report = p->report;
	const char *const *objects = report->functions->object_name;
	struct table table = {.has_total = p->has_total};

	for (uint32_t i = 0; i < p->count; i++) {
		uint32_t function = p->nodes->row[i];
		double calls, recursive;

		table.has_calls = rows_calls(report, function, &calls, &recursive) ||
		                  table.has_calls;
		table.has_callers = table.has_callers || p->callers[i].count > 0;
		table.file[i] = report->services->source(report, function, &table.line[i]);
		if (!table.file[i] && objects)
			table.file[i] = objects[function];
		table.has_places = table.has_places || table.file[i];
	}
	return table;
}

static void
put_heading(struct prose *p, const struct table *table)
{
	gprofx_puts(p->w, "<thead><tr>");
	if (p->has_times)
		gprofx_puts(p->w, "<th scope=\"col\">self</th><th scope=\"col\">share</th>");
	if (table->has_total)
		gprofx_puts(p->w, "<th scope=\"col\">total</th>");
	if (table->has_calls)
		gprofx_puts(p->w, "<th scope=\"col\">calls</th>");
	gprofx_puts(p->w, p->report->origin->by_line
	                          ? "<th scope=\"col\" class=\"text\">line</th>"
	                          : "<th scope=\"col\" class=\"text\">function</th>");
	if (table->has_places)
		gprofx_puts(p->w, "<th scope=\"col\" class=\"text\">at</th>");
	if (table->has_callers)
		gprofx_puts(p->w, "<th scope=\"col\" class=\"text\">called by</th>");
	gprofx_puts(p->w, "</tr></thead>\n<tbody>\n");
}

static void
put_times(struct prose *p, const struct table *table, uint32_t function)
{
	double self = gprofx_self_of(p->report, function), total = rows_total(p->report, function);

	if (p->has_times) {
		gprofx_puts(p->w, "<td>");
		text_puts_html(p->w, head_amount(p->gx, p->report, self));
		gprofx_puts(p->w, "</td><td>");
		prose_put_share(p, self, p->total, false);
		gprofx_puts(p->w, "</td>");
	}
	if (!table->has_total)
		return;
	gprofx_puts(p->w, "<td>");
	if (total >= 0)
		prose_put_share(p, total, p->total, prose_is_guess(p, function));
	else
		gprofx_puts(p->w, "—");
	gprofx_puts(p->w, "</td>");
}

static void
put_calls(struct prose *p, uint32_t function)
{
	double calls, recursive;

	gprofx_puts(p->w, "<td>");
	if (rows_calls(p->report, function, &calls, &recursive)) {
		prose_put_count(p, calls);
		if (recursive > 0) {
			gprofx_putc(p->w, '+');
			prose_put_count(p, recursive);
		}
	} else {
		gprofx_puts(p->w, "—");
	}
	gprofx_puts(p->w, "</td>");
}

static void
put_callers(struct prose *p, const struct rows_callers *callers)
{
	gprofx_puts(p->w, "<td>");
	for (uint32_t i = 0; i < ROWS_CALLERS && callers->first[i].weight > 0; i++) {
		gprofx_puts(p->w, i > 0 ? ", " : "");
		prose_put_link(p, callers->first[i].node);
		if (callers->count > 1) {
			gprofx_putc(p->w, ' ');
			prose_put_share(p, callers->first[i].weight, callers->weight,
			                callers->first[i].is_guess);
		}
	}
	gprofx_puts(p->w, "</td>");
}

static void
put_row(struct prose *p, const struct table *table, uint32_t i)
{
	uint32_t function = p->nodes->row[i];

	gprofx_puts(p->w, "<tr>");
	put_times(p, table, function);
	if (table->has_calls)
		put_calls(p, function);
	gprofx_puts(p->w, "<th scope=\"row\">");
	prose_put_link(p, function);
	gprofx_puts(p->w, "</th>");
	if (table->has_places) {
		gprofx_puts(p->w, "<td>");
		if (table->file[i])
			text_puts_html(p->w, fit_path(table->file[i], table->file, p->count));
		if (table->file[i] && table->line[i] > 0)
			gprofx_out(p->w, ":%u", table->line[i]);
		gprofx_puts(p->w, "</td>");
	}
	if (table->has_callers)
		put_callers(p, &p->callers[i]);
	gprofx_puts(p->w, "</tr>\n");
}

/* What the functions without a row come to. */
static void
put_rest(struct prose *p)
{
	const struct nodes *nodes = p->nodes;
	double self = 0;

	if (nodes->row_count == p->count)
		return;
	for (uint32_t i = p->count; i < nodes->row_count; i++)
		self += gprofx_self_of(p->report, nodes->row[i]);
	gprofx_out(p->w, "<tfoot><tr><td colspan=\"7\">%u more %s", nodes->row_count - p->count,
	           p->report->origin->by_line ? "lines" : "functions");
	if (p->has_times) {
		gprofx_puts(p->w, " with ");
		prose_put_share(p, self, p->total, false);
		gprofx_puts(p->w, p->of_time);
	}
	gprofx_puts(p->w, "</td></tr></tfoot>\n");
}

void
fifty_put(struct prose *p)
{
	struct table table = find_columns(p);

	gprofx_puts(p->w, "\n<caption>");
	if (p->count < p->nodes->row_count)
		gprofx_out(p->w, "The %u heaviest ", p->count);
	else
		gprofx_puts(p->w, "All ");
	gprofx_out(p->w, "%s, by %s</caption>\n",
	           p->report->origin->by_line ? "lines" : "functions",
	           p->has_times ? "self time" : "calls");
	put_heading(p, &table);
	for (uint32_t i = 0; i < p->count; i++)
		put_row(p, &table, i);
	gprofx_puts(p->w, "</tbody>\n");
	put_rest(p);
}
