/* SPDX-License-Identifier: Apache-2.0 */
#include "statistics/series.h"

#include <math.h>
#include <string.h>

#include "base/memory.h"
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

struct series_table
series_table_new(struct run *run, uint32_t count)
{
	struct series_table table;

	memory_sparse_array(run, table.rows, count);
	memory_sparse_array(run, table.wide, count);
	return table;
}

void
series_add_wide(struct series_wide *wide, double value)
{
	uint64_t units[SERIES_VALUE];

	units_of(value, units);
	add_wide(wide->total, SERIES_TOTAL, units, SERIES_VALUE);
	wide_add_square(wide->squares, SERIES_SQUARES, units, SERIES_VALUE);
}

/* Whether there were other values than small whole ones. */
static bool
is_used(const struct series_wide *wide)
{
	uint64_t any = 0;

	for (uint32_t i = 0; i < SERIES_TOTAL; i++)
		any |= wide->total[i];
	return any != 0;
}

void
series_merge(struct series *to, const struct series *from, uint32_t files)
{
	if (to->row.gap == files)
		to->row.gap += from->row.gap;
	if (from->row.count == 0)
		return;
	series_take_least(&to->row, files + from->row.least_file, from->row.least);
	series_take_most(&to->row, files + from->row.most_file, from->row.most);
	to->row.count += from->row.count;
	to->row.total += from->row.total;
	to->row.squares += from->row.squares;
	if (!is_used(&from->wide))
		return;
	add_wide(to->wide.total, SERIES_TOTAL, from->wide.total, SERIES_TOTAL);
	add_wide(to->wide.squares, SERIES_SQUARES, from->wide.squares, SERIES_SQUARES);
}

/* The standard deviation: exact but for the last steps. */
static double
deviation_of(const struct series_wide *sums, uint32_t files)
{
	uint64_t all[SERIES_SQUARES] = {0}, square[SERIES_SQUARES] = {0};

	/* files * sum of squares - square of the sum; files that did not come add nothing. */
	for (uint32_t i = 0; i < SERIES_SQUARES; i++)
		wide_add_product(all, SERIES_SQUARES, i, sums->squares[i], files);
	wide_add_square(square, SERIES_SQUARES, sums->total, SERIES_TOTAL);
	if (wide_is_less(all, square, SERIES_SQUARES))
		return 0;
	wide_subtract(all, square, SERIES_SQUARES);
	return ldexp(sqrt(wide_real(all, SERIES_SQUARES)), -UNIT_BITS) / files;
}

struct gprofx_spread
series_finish(const struct series *series, uint32_t files)
{
	const struct series_row *row = &series->row;
	struct gprofx_spread spread = {
		.least = row->least,
		.most = row->most,
		.files = row->count,
		.least_file = row->least_file,
		.most_file = row->most_file,
	};
	struct series_wide sums = series->wide;

	/* A whole number has units from the second limb on. */
	wide_add_limb(sums.total, SERIES_TOTAL, 1, row->total);
	wide_add_limb(sums.squares, SERIES_SQUARES, 2, row->squares);
	spread.total = ldexp(wide_real(sums.total, SERIES_TOTAL), -UNIT_BITS);
	if (files == 0)
		return spread;
	if (row->count < files) {
		spread.least = 0;
		spread.least_file = row->gap;
	}
	spread.mean = spread.total / files;
	spread.deviation = deviation_of(&sums, files);
	return spread;
}

void
series_write(const struct series *series, struct bytes_out *to)
{
	const struct series_row *row = &series->row;
	bool is_wide = is_used(&series->wide);

	bytes_put_number(to, row->count);
	bytes_put_number(to, row->gap);
	if (row->count == 0)
		return;
	bytes_put_amount(to, row->least);
	bytes_put_amount(to, row->most);
	bytes_put_number(to, row->least_file);
	bytes_put_number(to, row->most_file);
	bytes_put_number(to, row->total);
	bytes_put_number(to, row->squares);
	bytes_put_number(to, is_wide);
	for (uint32_t i = 0; is_wide && i < SERIES_TOTAL; i++)
		bytes_put_number(to, series->wide.total[i]);
	for (uint32_t i = 0; is_wide && i < SERIES_SQUARES; i++)
		bytes_put_number(to, series->wide.squares[i]);
}

bool
series_read(struct series *series, struct bytes_in *from, uint32_t files)
{
	struct series_row *row = &series->row;
	struct series_wide *wide = &series->wide;
	uint64_t small = SERIES_SMALL, is_wide;

	memset(series, 0, sizeof *series);
	row->count = (uint32_t)bytes_take_up_to(from, files);
	row->gap = (uint32_t)bytes_take_up_to(from, files);
	if (row->count == 0)
		return !from->has_failed;
	row->least = bytes_take_amount(from);
	row->most = bytes_take_amount(from);
	row->least_file = (uint32_t)bytes_take_up_to(from, files - 1);
	row->most_file = (uint32_t)bytes_take_up_to(from, files - 1);
	row->total = bytes_take_up_to(from, row->count * small);
	row->squares = bytes_take_up_to(from, row->count * (small * small));
	is_wide = bytes_take_up_to(from, 1);
	for (uint32_t i = 0; is_wide && i < SERIES_TOTAL; i++)
		wide->total[i] = bytes_take_number(from);
	for (uint32_t i = 0; is_wide && i < SERIES_SQUARES; i++)
		wide->squares[i] = bytes_take_number(from);
	/* A value is less than 2^128 units, so its square is less than 2^256. */
	return !from->has_failed && row->least > 0 && row->least <= row->most &&
	       row->most <= UNITS && wide->total[SERIES_TOTAL - 1] < row->count &&
	       wide->squares[SERIES_SQUARES - 1] < row->count;
}
