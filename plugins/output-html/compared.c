/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The text of a comparison's page, which is there without its script: what came out, both sides,
 * and the functions that differ most.
 */
#include "compared.h"

#include <math.h>

#include "../shared/compared-rows.h"
#include "../shared/names.h"
#include "page.h"
#include "text.h"

static void
put_side_name(struct gprofx_writer *w, const struct gprofx_compared_side *side)
{
	text_puts_html(w, side->name);
	if (side->image) {
		gprofx_puts(w, " of ");
		text_puts_html(w, side->image);
	}
}

static void
put_title(struct prose *p)
{
	const struct gprofx_report_comparison *comparison = p->report->comparison;

	text_puts_html(p->w, comparison->new_side.name);
	gprofx_puts(p->w, " compared with ");
	text_puts_html(p->w, comparison->base.name);
}

static void
put_head(struct prose *p)
{
	const struct gprofx_report_comparison *comparison = p->report->comparison;

	gprofx_puts(p->w, "\n<h1>");
	put_title(p);
	gprofx_puts(p->w, "</h1>\n<p class=\"sentence\">");
	text_puts_html(p->w, comparison->sentence);
	gprofx_puts(p->w, ".</p>\n");
	if (comparison->caution) {
		gprofx_puts(p->w, "<p class=\"caution\">");
		text_puts_html(p->w, comparison->caution);
		gprofx_puts(p->w, ".</p>\n");
	}
}

static void
put_value(struct prose *p, double ticks, bool has_sign)
{
	compared_put_value(p->w, p->report, ticks, 0, has_sign);
}

/* A cell with a value, and in brackets what part of a total it is. */
static void
put_part(struct prose *p, double ticks, double total)
{
	gprofx_puts(p->w, "<td>");
	if (ticks > 0) {
		put_value(p, ticks, false);
		gprofx_puts(p->w, " (");
		prose_put_share(p, ticks, total, false);
		gprofx_putc(p->w, ')');
	}
	gprofx_puts(p->w, "</td>");
}

static void
put_side(struct prose *p, const char *label, const struct gprofx_compared_side *side)
{
	static const uint32_t matches[] = {GPROFX_MATCH_BUILD, GPROFX_MATCH_NAME,
	                                   GPROFX_MATCH_PLAIN, GPROFX_MATCH_RENAMED,
	                                   GPROFX_MATCH_NONE};

	gprofx_out(p->w, "<tr><th scope=\"row\">%s</th><td class=\"text\">", label);
	put_side_name(p->w, side);
	gprofx_out(p->w, "</td><td>%u</td><td>%u</td><td>", side->run_count, side->file_count);
	put_value(p, side->ticks, false);
	gprofx_puts(p->w, "</td>");
	for (size_t i = 0; i < sizeof matches / sizeof matches[0]; i++)
		put_part(p, side->matched[matches[i]], side->ticks);
	gprofx_puts(p->w, "</tr>\n");
}

/* What was compared, and how the functions of both sides were matched. */
static void
put_sides(struct prose *p)
{
	const struct gprofx_report_comparison *comparison = p->report->comparison;
	const struct gprofx_metric *metric = p->report->origin->metrics;

	gprofx_puts(p->w, "\n<thead><tr><th scope=\"col\" class=\"text\">side</th>"
	                  "<th scope=\"col\" class=\"text\">profile</th><th scope=\"col\">runs</th>"
	                  "<th scope=\"col\">files</th><th scope=\"col\">");
	text_puts_html(p->w, metric->name);
	gprofx_puts(p->w, ", ");
	text_puts_html(p->w, metric->unit);
	gprofx_puts(p->w, "</th><th scope=\"col\" title=\"the same build\">matched by build</th>"
	                  "<th scope=\"col\" title=\"the same name and file\">by name</th>"
	                  "<th scope=\"col\" title=\"the same name without arguments and clone "
	                  "suffix\">by plain name</th>"
	                  "<th scope=\"col\" title=\"another name, but the same place, callers and "
	                  "callees\">as renamed</th>"
	                  "<th scope=\"col\" title=\"no function of the other side\">on one side "
	                  "only</th></tr></thead>\n<tbody>\n");
	put_side(p, "base", &comparison->base);
	put_side(p, "new", &comparison->new_side);
	gprofx_puts(p->w, "</tbody>\n");
}

static void
put_row(struct prose *p, const struct gprofx_compared *row)
{
	const struct gprofx_difference *self = &row->self;
	const char *note = compared_note(row);

	gprofx_puts(p->w, "<tr><td>");
	put_value(p, self->base, false);
	gprofx_puts(p->w, "</td><td>");
	put_value(p, self->now, false);
	gprofx_puts(p->w, "</td><td>");
	put_value(p, self->now - self->base, true);
	gprofx_puts(p->w, "</td><td>");
	if (!isnan(self->error))
		put_value(p, self->error, false);
	gprofx_puts(p->w, "</td><td>");
	compared_put_ratio(p->w, self->base, self->now, 0);
	gprofx_out(p->w, "</td><td class=\"text\">%s</td><th scope=\"row\">",
	           compared_row_verdict(p->report, row, COMPARED_SELF));
	prose_put_link(p, row->node);
	if (note)
		gprofx_out(p->w, " (%s)", note);
	if (row->match == GPROFX_MATCH_RENAMED && row->base_name) {
		gprofx_puts(p->w, " (was ");
		text_puts_html(p->w, row->base_name);
		gprofx_putc(p->w, ')');
	}
	gprofx_puts(p->w, "</th></tr>\n");
}

static void
put_rest(struct prose *p, uint32_t beyond, uint32_t equal)
{
	if (beyond == 0 && equal == 0)
		return;
	gprofx_puts(p->w, "<tfoot><tr><td colspan=\"7\">");
	if (beyond > 0)
		gprofx_out(p->w, "%u more that differ or were not tested%s", beyond,
		           equal > 0 ? "; " : "");
	if (equal > 0)
		gprofx_out(p->w, "%u without a difference in self values that can be shown", equal);
	gprofx_puts(p->w, "</td></tr></tfoot>\n");
}

/* The functions whose own values differ, the largest difference first. */
static void
put_fifty(struct prose *p)
{
	const struct gprofx_metric *metric = p->report->origin->metrics;
	bool all = p->report->origin->shows_unused;
	uint32_t *rows, count, shown;

	count = compared_choose(p->gx, p->report, COMPARED_SELF, all, &rows);
	shown = count < PROSE_ROWS ? count : PROSE_ROWS;
	gprofx_puts(p->w, "\n<caption>Self ");
	text_puts_html(p->w, metric->name);
	gprofx_puts(p->w, ", in ");
	text_puts_html(p->w, metric->unit);
	gprofx_puts(p->w, ": functions that differ, or were not tested</caption>\n"
	                  "<thead><tr><th scope=\"col\">base</th><th scope=\"col\">new</th>"
	                  "<th scope=\"col\">difference</th><th scope=\"col\">std error</th>"
	                  "<th scope=\"col\">ratio</th><th scope=\"col\" class=\"text\">verdict"
	                  "</th><th scope=\"col\" class=\"text\">function</th></tr></thead>\n"
	                  "<tbody>\n");
	for (uint32_t i = 0; i < shown; i++)
		put_row(p, gprofx_compared_at(p->report, rows[i]));
	gprofx_puts(p->w, "</tbody>\n");
	put_rest(p, count - shown, p->report->comparison->row_count - count);
	p->gx->host->release(p->gx, rows);
}

void
html_compared_put(struct gprofx *gx, const struct gprofx_report *report, struct gprofx_writer *w)
{
	struct nodes nodes;
	struct prose p;

	nodes_begin(&nodes, gx, report);
	p = (struct prose){.gx = gx, .report = report, .nodes = &nodes, .w = w};
	names_begin(&p.names, gx, report, NAME_FULL);
	for (size_t i = 0; i < html_compare_part_count; i++) {
		const struct page_part *part = &html_compare_parts[i];

		w->services->put(w, part->bytes, part->length);
		switch (part->marker) {
		case PAGE_TITLE:
			put_title(&p);
			break;
		case PAGE_HEAD:
			put_head(&p);
			break;
		case PAGE_ACCOUNT:
			put_sides(&p);
			break;
		case PAGE_FIFTY:
			put_fifty(&p);
			break;
		case PAGE_METHOD:
			html_compared_put_method(&p);
			break;
		case PAGE_DATA:
			html_compared_put_data(w, &nodes);
			break;
		default:
			break;
		}
	}
}
