/* SPDX-License-Identifier: Apache-2.0 */
#include "statistics/series.h"

#include <math.h>
#include <string.h>

#include "statistics/wide.h"

#define UNITS 0x1p64         /* of 1; values are less than as many */
#define SURELY_WHOLE 0x1p-12 /* a double from here on is a whole number of units */

enum { UNIT_BITS = 64 };

/* The nearest whole number of units of a positive value. */
static void
units_of(double value, uint64_t units[SERIES_VALUE])
{
	double parts, left;

	if (!(value < UNITS)) {
		units[0] = units[1] = UINT64_MAX;
		return;
	}
	units[1] = (uint64_t)value;
	parts = (value - (double)units[1]) * UNITS;
	units[0] = (uint64_t)parts;
	left = parts - (double)units[0];
	if (left > 0.5 || (left == 0.5 && (units[0] & 1)))
		units[0]++;
	if ((units[0] | units[1]) == 0)
		units[0] = 1;
}

double
series_rounded(double value)
{
	uint64_t units[SERIES_VALUE];

	if (!(value > 0))
		return 0;
	if (value >= SURELY_WHOLE)
		return value < UNITS ? value : UNITS;
	units_of(value, units);
	return (double)units[0] / UNITS;
}

static void
add_wide(uint64_t *sum, uint32_t limbs, const uint64_t *more, uint32_t count)
{
	for (uint32_t i = 0; i < count; i++)
		wide_add_limb(sum, limbs, i, more[i]);
}

void
series_add_any(struct series *series, double value)
{
	uint64_t units[SERIES_VALUE];

	units_of(value, units);
	add_wide(series->total, SERIES_TOTAL, units, SERIES_VALUE);
	wide_add_square(series->squares, SERIES_SQUARES, units, SERIES_VALUE);
}

void
series_merge(struct series *to, const struct series *from, uint32_t files)
{
	if (to->gap == files)
		to->gap += from->gap;
	if (from->count == 0)
		return;
	series_take_least(to, files + from->least_file, from->least);
	series_take_most(to, files + from->most_file, from->most);
	to->count += from->count;
	add_wide(to->total, SERIES_TOTAL, from->total, SERIES_TOTAL);
	add_wide(to->squares, SERIES_SQUARES, from->squares, SERIES_SQUARES);
}

/* The standard deviation: exact but for the last steps. */
static double
deviation_of(const struct series *series, uint32_t files)
{
	uint64_t all[SERIES_SQUARES] = {0}, square[SERIES_SQUARES] = {0};

	/* files * sum of squares - square of the sum; files that did not come add nothing. */
	for (uint32_t i = 0; i < SERIES_SQUARES; i++)
		wide_add_product(all, SERIES_SQUARES, i, series->squares[i], files);
	wide_add_square(square, SERIES_SQUARES, series->total, SERIES_TOTAL);
	if (wide_is_less(all, square, SERIES_SQUARES))
		return 0;
	wide_subtract(all, square, SERIES_SQUARES);
	return ldexp(sqrt(wide_real(all, SERIES_SQUARES)), -UNIT_BITS) / files;
}

struct gprofx_spread
series_finish(const struct series *series, uint32_t files)
{
	struct gprofx_spread spread = {
		.total = ldexp(wide_real(series->total, SERIES_TOTAL), -UNIT_BITS),
		.least = series->least,
		.most = series->most,
		.files = series->count,
		.least_file = series->least_file,
		.most_file = series->most_file,
	};

	if (files == 0)
		return spread;
	if (series->count < files) {
		spread.least = 0;
		spread.least_file = series->gap;
	}
	spread.mean = spread.total / files;
	spread.deviation = deviation_of(series, files);
	return spread;
}

void
series_write(const struct series *series, struct bytes_out *to)
{
	bytes_put_number(to, series->count);
	bytes_put_number(to, series->gap);
	if (series->count == 0)
		return;
	for (uint32_t i = 0; i < SERIES_TOTAL; i++)
		bytes_put_number(to, series->total[i]);
	for (uint32_t i = 0; i < SERIES_SQUARES; i++)
		bytes_put_number(to, series->squares[i]);
	bytes_put_amount(to, series->least);
	bytes_put_amount(to, series->most);
	bytes_put_number(to, series->least_file);
	bytes_put_number(to, series->most_file);
}

bool
series_read(struct series *series, struct bytes_in *from, uint32_t files)
{
	memset(series, 0, sizeof *series);
	series->count = (uint32_t)bytes_take_up_to(from, files);
	series->gap = (uint32_t)bytes_take_up_to(from, files);
	if (series->count == 0)
		return !from->has_failed;
	for (uint32_t i = 0; i < SERIES_TOTAL; i++)
		series->total[i] = bytes_take_number(from);
	for (uint32_t i = 0; i < SERIES_SQUARES; i++)
		series->squares[i] = bytes_take_number(from);
	series->least = bytes_take_amount(from);
	series->most = bytes_take_amount(from);
	series->least_file = (uint32_t)bytes_take_up_to(from, files - 1);
	series->most_file = (uint32_t)bytes_take_up_to(from, files - 1);
	/* A value is less than 2^128 units, so its square is less than 2^256. */
	return !from->has_failed && series->least > 0 && series->least <= series->most &&
	       series->most <= UNITS && series->total[SERIES_TOTAL - 1] < series->count &&
	       series->squares[SERIES_SQUARES - 1] < series->count;
}
