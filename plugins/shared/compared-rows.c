/* SPDX-License-Identifier: Apache-2.0 */
#include "compared-rows.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* A row in the order of its table. */
struct ranked {
	double distance;
	uint32_t row;
	int class;
};

static bool
is_different(uint32_t verdict)
{
	return verdict == GPROFX_VERDICT_LESS || verdict == GPROFX_VERDICT_MORE;
}

bool
compared_is_time(const struct gprofx_report *report)
{
	return strcmp(report->origin->metrics->unit, "seconds") == 0;
}

/* Whether a table has a row: with a difference, or where that is not known. */
static bool
is_shown(const struct gprofx_compared *row, enum compared_kind kind, bool all)
{
	const struct gprofx_difference *difference = compared_difference(row, kind);

	if (kind == COMPARED_CALLS)
		return is_different(row->calls_verdict);
	if (isnan(difference->base))
		return false;
	if (all || is_different(difference->verdict))
		return true;
	return difference->verdict == GPROFX_VERDICT_UNTESTED &&
	       difference->base != difference->now;
}

/* 0: a verdict; 1: not tested; 2: no difference shown. */
static int
class_of(uint32_t verdict)
{
	return is_different(verdict) ? 0 : verdict == GPROFX_VERDICT_UNTESTED ? 1 : 2;
}

static int
compare_ranked(const void *left, const void *right)
{
	const struct ranked *a = left, *b = right;

	if (a->class != b->class)
		return a->class - b->class;
	if (a->distance != b->distance)
		return a->distance > b->distance ? -1 : 1;
	return a->row < b->row ? -1 : a->row > b->row;
}

static struct ranked
rank(const struct gprofx_compared *row, enum compared_kind kind, uint32_t number)
{
	const struct gprofx_difference *difference = compared_difference(row, kind);

	if (kind == COMPARED_CALLS)
		return (struct ranked){
			.distance = fabs((double)row->new_calls - (double)row->base_calls),
			.row = number,
		};
	return (struct ranked){
		.distance = fabs(difference->now - difference->base),
		.row = number,
		.class = class_of(difference->verdict),
	};
}

uint32_t
compared_choose(struct gprofx *gx, const struct gprofx_report *report, enum compared_kind kind,
                bool all, uint32_t **chosen)
{
	uint32_t row_count = report->comparison->row_count, count = 0;
	struct ranked *ranked = gprofx_alloc(gx, ((size_t)row_count + 1) * sizeof *ranked);
	uint32_t *rows = gprofx_alloc(gx, ((size_t)row_count + 1) * sizeof *rows);

	for (uint32_t i = 0; i < row_count; i++) {
		const struct gprofx_compared *row = gprofx_compared_at(report, i);

		if (is_shown(row, kind, all))
			ranked[count++] = rank(row, kind, i);
	}
	qsort(ranked, count, sizeof *ranked, compare_ranked);
	for (uint32_t i = 0; i < count; i++)
		rows[i] = ranked[i].row;
	gx->host->release(gx, ranked);
	*chosen = rows;
	return count;
}

bool
compared_is_in_tables(const struct gprofx_compared *row)
{
	return is_shown(row, COMPARED_SELF, false) || is_shown(row, COMPARED_TOTAL, false) ||
	       is_shown(row, COMPARED_CALLS, false);
}

const char *
compared_row_verdict(const struct gprofx_report *report, const struct gprofx_compared *row,
                     enum compared_kind kind)
{
	uint32_t verdict = compared_difference(row, kind)->verdict;

	if (is_different(verdict) && row->match == GPROFX_MATCH_NONE)
		return row->is_in_base ? "only base" : "only new";
	return compared_verdict(report, verdict);
}

const char *
compared_verdict(const struct gprofx_report *report, uint32_t verdict)
{
	bool is_time = compared_is_time(report);

	switch (verdict) {
	case GPROFX_VERDICT_LESS:
		return is_time ? "faster" : "less";
	case GPROFX_VERDICT_MORE:
		return is_time ? "slower" : "more";
	case GPROFX_VERDICT_EQUAL:
		return "none shown";
	default:
		return "not tested";
	}
}

void
compared_put_value(struct gprofx_writer *writer, const struct gprofx_report *report, double ticks,
                   int width, bool has_sign)
{
	uint32_t unit = report->origin->metrics->ticks_per_unit;
	double value = unit != 0 ? ticks / unit : ticks;
	int places = fabs(value) < 1e4 ? 3 : fabs(value) < 1e6 ? 1 : 0;

	if (!compared_is_time(report) && unit <= 1 && value == floor(value))
		places = 0;
	gprofx_out(writer, has_sign ? "%+*.*f" : "%*.*f", width, places, value);
}

void
compared_put_ratio(struct gprofx_writer *writer, double base, double now, int width)
{
	if (base == 0)
		gprofx_out(writer, "%*s", width, "");
	else
		gprofx_out(writer, now / base < 1e3 ? "%*.3f" : "%*.1e", width, now / base);
}

const char *
compared_note(const struct gprofx_compared *row)
{
	if (row->match != GPROFX_MATCH_NONE)
		return NULL;
	return row->is_in_base ? "only in the base" : "only in the new profile";
}
