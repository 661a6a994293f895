/* SPDX-License-Identifier: Apache-2.0 */
/* Words and figures of comparisons for outputs that programs read. */
#ifndef PLUGINS_SHARED_COMPARED_H
#define PLUGINS_SHARED_COMPARED_H

#include <math.h>

#include <gprofx/report.h>

/* The base and the new side, as they are numbered among runs. */
enum { COMPARED_SIDES = 2 };

static inline const char *
compared_verdict_word(uint32_t verdict)
{
	static const char *const words[] = {
		[GPROFX_VERDICT_UNTESTED] = "untested",
		[GPROFX_VERDICT_EQUAL] = "none",
		[GPROFX_VERDICT_LESS] = "less",
		[GPROFX_VERDICT_MORE] = "more",
	};

	return verdict < sizeof words / sizeof words[0] ? words[verdict] : NULL;
}

static inline const char *
compared_match_word(const struct gprofx_compared *row)
{
	static const char *const words[GPROFX_MATCH_KINDS] = {
		[GPROFX_MATCH_BUILD] = "build",
		[GPROFX_MATCH_NAME] = "name",
		[GPROFX_MATCH_PLAIN] = "plain-name",
		[GPROFX_MATCH_RENAMED] = "renamed",
	};

	if (row->match == GPROFX_MATCH_NONE)
		return row->is_in_base ? "only-base" : "only-new";
	return row->match < GPROFX_MATCH_KINDS ? words[row->match] : NULL;
}

static inline const char *
compared_normalization_word(uint32_t normalization)
{
	static const char *const words[] = {
		[GPROFX_NORMALIZED_BY_NOTHING] = "none",
		[GPROFX_NORMALIZED_BY_TOTAL] = "total",
		[GPROFX_NORMALIZED_BY_CALLS] = "calls",
	};

	return normalization < sizeof words / sizeof words[0] ? words[normalization] : NULL;
}

/* What the values of the base are, as a clause; NULL: they are as they were measured. */
static inline const char *
compared_normalization_note(uint32_t normalization)
{
	if (normalization == GPROFX_NORMALIZED_BY_TOTAL)
		return "values of the base are multiplied so that the totals are equal";
	if (normalization == GPROFX_NORMALIZED_BY_CALLS)
		return "values of the base are multiplied so that the numbers of calls are equal";
	return NULL;
}

/* Ticks in the unit of the metric that was compared; as they are, if they have none. */
static inline double
compared_in_units(const struct gprofx_report *report, double ticks)
{
	uint32_t unit = report->origin->metrics->ticks_per_unit;

	return unit != 0 ? ticks / unit : ticks;
}

/* The inclusive values of a node or an arc on both sides, in ticks; NaN: they are not known. */
static inline void
compared_totals(const struct gprofx_column *columns, uint32_t row, double totals[COMPARED_SIDES])
{
	for (uint32_t s = 0; s < COMPARED_SIDES; s++) {
		const struct gprofx_column *column = GPROFX_ROW(struct gprofx_column, columns, s);

		totals[s] = gprofx_real(&column->self, row) + gprofx_real(&column->below, row);
		if (column->total_origin == GPROFX_UNKNOWN)
			totals[s] = (double)NAN;
	}
}

/* The calls of an arc on a side, of all its runs; GPROFX_CALLS_UNKNOWN: not counted. */
static inline uint64_t
compared_calls(const struct gprofx_arcs *arcs, uint32_t arc, uint32_t side)
{
	return gprofx_count(&gprofx_calls_in(arcs->calls, side)->calls, arc);
}

#endif
