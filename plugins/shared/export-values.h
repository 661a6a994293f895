/* SPDX-License-Identifier: Apache-2.0 */
/* Values for formats that have no fractions: integers that add up to the rounded whole. */
#ifndef PLUGINS_SHARED_EXPORT_VALUES_H
#define PLUGINS_SHARED_EXPORT_VALUES_H

#include <math.h>
#include <string.h>

#include <gprofx/emitter.h>

/* From here on a value does not fit: readers have integers of 63 bits and a sign. */
#define EXPORT_TOO_LARGE 9223372036854775808.0

/*
 * A sum whose parts are rounded so that after each of them the integers add up to the rounded sum:
 * no part is off by more than one.  Begins with zero.
 */
struct export_sum {
	double rest; /* what the integers so far lack: -0.5 to 0.5 */
};

/* The next part.  Whole values stay as they are, of any size; what is no number, and less than 0,
 * is 0. */
static inline uint64_t
export_round(struct export_sum *sum, double value)
{
	uint64_t whole;
	int64_t step;

	if (!(value > 0))
		return 0;
	if (value >= EXPORT_TOO_LARGE)
		return value < 2 * EXPORT_TOO_LARGE ? (uint64_t)value : UINT64_MAX;
	/* Conversions cut off: faster than floor(), and the same as nothing here is below 0. */
	whole = (uint64_t)(int64_t)value;
	sum->rest += value - (double)(int64_t)whole;
	step = (int64_t)(sum->rest + 0.5);
	sum->rest -= (double)step;
	return whole + (uint64_t)step;
}

/* How ticks become integers of a unit: multiply, then divide. */
struct export_scale {
	double times, by;
};

static inline double
export_scaled(const struct export_scale *scale, double ticks)
{
	return ticks * scale->times / scale->by;
}

/* Whether contexts have integers of the first metric that are written as they are. */
static inline bool
export_is_exact(const struct export_scale *scale, const struct gprofx_report_contexts *contexts)
{
	return contexts->self_ticks && scale->times == scale->by;
}

/* Whether values of a metric are times: its unit is the second, and a tick's length is known. */
static inline bool
export_is_time(const struct gprofx_metric *metric)
{
	return metric->ticks_per_unit != 0 && strcmp(metric->unit, "seconds") == 0;
}

/* Times in a unit that a second has so many of; ticks, where values are no times. */
static inline struct export_scale
export_time_scale(const struct gprofx_metric *metric, double per_second)
{
	return export_is_time(metric) ? (struct export_scale){per_second, metric->ticks_per_unit}
	                              : (struct export_scale){1, 1};
}

/* From here on doubles, which readers of JSON have, do not tell all integers. */
#define EXPORT_EXACT 9007199254740992.0

/*
 * Fails where the whole does not fit: a format with integers cannot tell it, and its readers would
 * show something else.
 */
static inline enum gprofx_result
export_check_below(struct gprofx *gx, double whole, int bits, const char *format)
{
	static const struct gprofx_diagnostic diagnostic = {
		.id = "report.values-too-large",
		.hint = "use a format that can write them, such as csv, or a coarser unit",
	};

	if (whole < ldexp(1, bits))
		return GPROFX_OK;
	return gprofx_fail(
		gx, &diagnostic,
		"expected values below 2^%d in the unit of the format %s, found %g in all", bits,
		format, whole);
}

static inline enum gprofx_result
export_check_whole(struct gprofx *gx, double whole, const char *format)
{
	return export_check_below(gx, whole, 63, format);
}

/* The same for readers that have doubles. */
static inline enum gprofx_result
export_check_exact(struct gprofx *gx, double whole, const char *format)
{
	return export_check_below(gx, whole, 53, format);
}

#endif
