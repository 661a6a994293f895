/* SPDX-License-Identifier: Apache-2.0 */
#include "compared.h"

#include <gprofx/report.h>

#include <math.h>
#include <string.h>

#include "../shared/compared.h"
#include "../shared/export-rows.h"

/* Values of one kind: base, new, difference, ratio, error, limits, p and verdict. */
static void
put_difference(struct sheet *s, const struct gprofx_difference *difference)
{
	const struct gprofx_report *r = s->report;
	char *at = export_room(s->writer);

	_Static_assert(8 <= FIELDS_AT_ONCE, "there is room for all of them");
	at = add_real(at, compared_in_units(r, difference->base));
	at = add_real(at, compared_in_units(r, difference->now));
	at = add_real(at, compared_in_units(r, difference->now - difference->base));
	at = add_real(at, difference->base != 0 ? difference->now / difference->base : (double)NAN);
	at = add_real(at, compared_in_units(r, difference->error));
	at = add_real(at, compared_in_units(r, difference->low));
	at = add_real(at, compared_in_units(r, difference->high));
	export_end(s->writer, add_real(at, difference->p));
	add_string(s, compared_verdict_word(difference->verdict));
}

static char *
add_known_calls(char *at, uint64_t calls)
{
	return calls == GPROFX_CALLS_UNKNOWN ? add_nothing(at) : add_count(at, calls);
}

static void
put_row(struct sheet *s, const struct gprofx_compared *row)
{
	const struct gprofx_report *r = s->report;
	uint32_t line;
	const char *file = r->services->source(r, row->node, &line);
	char *at;

	put_name(s, row->node);
	put_difference(s, &row->self);
	put_difference(s, &row->total);
	at = add_known_calls(export_room(s->writer), row->base_calls);
	export_end(s->writer, add_known_calls(at, row->new_calls));
	add_string(s, compared_verdict_word(row->calls_verdict));
	add_string(s, compared_match_word(row));
	add_string(s, row->base_name);
	add_string(s, r->functions->raw_name[row->node]);
	add_string(s, r->functions->object_name[row->node]);
	add_string(s, file);
	at = add_count_or_nothing(export_room(s->writer), line);
	export_end(s->writer, at);
	end_row(s);
}

void
compared_put(struct sheet *s)
{
	static const char *const columns[] = {
		"name",
		"self_base",
		"self_new",
		"self_difference",
		"self_ratio",
		"self_error",
		"self_low",
		"self_high",
		"self_p",
		"self_verdict",
		"total_base",
		"total_new",
		"total_difference",
		"total_ratio",
		"total_error",
		"total_low",
		"total_high",
		"total_p",
		"total_verdict",
		"base_calls",
		"new_calls",
		"calls_verdict",
		"match",
		"base_name",
		"raw_name",
		"object",
		"source_file",
		"source_line",
		NULL,
	};

	put_columns(s, columns);
	end_row(s);
	for (uint32_t i = 0; i < s->report->comparison->row_count; i++)
		put_row(s, gprofx_compared_at(s->report, i));
}

static void
put_arc(struct sheet *s, uint32_t arc)
{
	const struct gprofx_report *r = s->report;
	const struct gprofx_arcs *arcs = &r->graph->arcs;
	uint32_t caller = gprofx_id(&arcs->caller, arc), callee = gprofx_id(&arcs->callee, arc);
	double totals[COMPARED_SIDES];
	char *at;

	compared_totals(arcs->columns, arc, totals);
	put_name(s, caller);
	put_comma(s);
	put_name(s, callee);
	at = add_real(export_room(s->writer), compared_in_units(r, totals[0]));
	at = add_real(at, compared_in_units(r, totals[1]));
	at = add_real(at, compared_in_units(r, totals[1] - totals[0]));
	at = add_real(at, totals[0] != 0 ? totals[1] / totals[0] : (double)NAN);
	at = add_known_calls(at, compared_calls(arcs, arc, 0));
	export_end(s->writer, add_known_calls(at, compared_calls(arcs, arc, 1)));
	add_string(s, r->functions->raw_name[caller]);
	add_string(s, r->functions->raw_name[callee]);
	end_row(s);
}

void
compared_put_arcs(struct sheet *s)
{
	static const char *const columns[] = {
		"caller",           "callee",          "total_base", "total_new",
		"total_difference", "total_ratio",     "base_calls", "new_calls",
		"caller_raw_name",  "callee_raw_name", NULL,
	};

	put_columns(s, columns);
	end_row(s);
	for (uint32_t i = 0; i < s->report->graph->arcs.count; i++)
		put_arc(s, i);
}

void
compared_put_lines(struct sheet *s)
{
	static const char *const columns[] = {
		"file",      "base_line", "new_line",        "function",
		"self_base", "self_new",  "self_difference", NULL,
	};
	const struct gprofx_report *r = s->report;

	put_columns(s, columns);
	end_row(s);
	for (uint32_t i = 0; i < r->comparison->line_count; i++) {
		const struct gprofx_compared_line *line = gprofx_compared_line_at(r, i);
		char *at;

		put_text(s, line->file, strlen(line->file));
		at = add_count_or_nothing(export_room(s->writer), line->base_line);
		export_end(s->writer, add_count_or_nothing(at, line->new_line));
		put_comma(s);
		if (line->node != UINT32_MAX)
			put_name(s, line->node);
		at = add_real(export_room(s->writer), compared_in_units(r, line->base));
		at = add_real(at, compared_in_units(r, line->now));
		export_end(s->writer, add_real(at, compared_in_units(r, line->now - line->base)));
		end_row(s);
	}
}
