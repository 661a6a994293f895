/* SPDX-License-Identifier: Apache-2.0 */
#include "per-call.h"

#include <string.h>

#include "../shared/estimate.h"

enum { UNITS = 11, MILLI = 5, PLAIN = 4, FINEST = 7, MOST_DECIMALS = 2, LEAST_PLACE = 3 };

static const struct unit units[UNITS] = {
	{'T', 1e-12}, {'G', 1e-9}, {'M', 1e-6}, {'K', 1e-3}, {' ', 1},    {'m', 1e3},
	{'u', 1e6},   {'n', 1e9},  {'p', 1e12}, {'f', 1e15}, {'a', 1e18},
};

/* The unit for all rows: the largest in which the slowest call reads between 1 and 1000. */
static struct unit
common_unit(const struct gprofx_report *report)
{
	double slowest = 0;

	if (report->compatibility->traditional)
		return units[MILLI];
	for (uint32_t f = 0; f < report->functions->count; f++) {
		double per_call;

		if (gprofx_known_calls_of(report, f) == 0)
			continue;
		per_call = (gprofx_whole_self_of(report, f) + gprofx_below_of(report, f)) /
		           (double)gprofx_calls_of(report, f);
		if (per_call > slowest)
			slowest = per_call;
	}
	if (!(slowest > 0))
		return units[0];
	slowest /= report->origin->metrics->ticks_per_unit;
	for (size_t i = 0; i < UNITS; i++)
		if (units[i].scale * slowest >= 1.0 && units[i].scale * slowest < 1000.0)
			return units[i];
	return units[UNITS - 1];
}

/* A figure as it is printed. */
struct figure {
	double value;
	size_t unit;
	int decimals;
};

/* The decimal place of the first digit of a number below 1000: 2 for hundreds, -2 for hundredths.
 */
static int
place_of(double number)
{
	double power = 100;
	int place = 2;

	for (; place > -LEAST_PLACE && power > number; place--)
		power /= 10;
	return place;
}

/*
 * A number in the unit in which it reads from 1 to 999, if that is not finer than a billionth.
 * Digits beyond the second one of its standard error say nothing, but it has at least one, and no
 * more than two decimals.  error: 0 if it is not known.
 */
static struct figure
fit_figure(double number, double error)
{
	const double TOO_MUCH = 1000, HALF = 0.5, STEPS[] = {0.01, 0.1, 1, 10};
	struct figure figure = {0, PLAIN, MOST_DECIMALS};
	int place, own;
	double step;

	if (number == 0)
		return figure;
	figure.unit = FINEST;
	while (figure.unit > 0 && units[figure.unit].scale * number >= TOO_MUCH)
		figure.unit--;
	figure.value = units[figure.unit].scale * number;
	place = place_of(units[figure.unit].scale * error) - 1;
	own = place_of(figure.value);
	place = place < own ? place : own;
	place = place > -MOST_DECIMALS ? place : -MOST_DECIMALS;
	figure.decimals = place < 0 ? -place : 0;
	step = STEPS[place + MOST_DECIMALS];
	if (figure.value < TOO_MUCH && figure.value + HALF * step >= TOO_MUCH && figure.unit > 0)
		return (struct figure){1, figure.unit - 1, MOST_DECIMALS};
	/* Decimals are rounded where they are printed. */
	if (step > 1 && figure.value < TOO_MUCH)
		figure.value = step * (double)(uint32_t)(figure.value / step + HALF);
	return figure;
}

struct per_call
per_call_begin(const struct gprofx_report *report)
{
	struct per_call per_call = {
		.report = report,
		.fits_each = (report->compatibility->corrections & GPROFX_CORRECT_CALL_UNITS) != 0,
		.self_width = 8,
		.total_width = 8,
	};
	char unit[] = {' ', report->origin->metrics->abbreviation, '/', 'c', 'a', 'l', 'l', '\0'};

	if (per_call.fits_each) {
		per_call.self_width = sizeof "self/call" - 1;
		per_call.total_width = sizeof "total/call" - 1;
		memcpy(per_call.self_heading, "self/call", sizeof "self/call");
		memcpy(per_call.total_heading, "total/call", sizeof "total/call");
		return per_call;
	}
	per_call.unit = common_unit(report);
	unit[0] = per_call.unit.prefix;
	memcpy(per_call.self_heading, unit, sizeof unit);
	memcpy(per_call.total_heading, unit, sizeof unit);
	return per_call;
}

/* The standard error of times of a node, in ticks; 0: not known. */
static double
error_of(const struct gprofx_report *report, uint32_t function, bool is_total, double ticks)
{
	const struct gprofx_column *column = report->graph->columns;
	const struct gprofx_reals *squares = is_total ? &column->total_squares
	                                              : &column->self_squares;

	/* An estimate is not better than the samples that it is made of. */
	if (column->self_squares.first == column->self.first && column->self.first)
		return estimate_root(ticks);
	return squares->first && !column->whole_self.first
	               ? estimate_root(gprofx_real(squares, function))
	               : 0;
}

void
per_call_put(const struct per_call *per_call, struct gprofx_writer *w, uint32_t function,
             bool is_total, int width)
{
	const struct gprofx_report *report = per_call->report;
	double calls = (double)gprofx_known_calls_of(report, function),
	       ticks = gprofx_whole_self_of(report, function) +
	               (is_total ? gprofx_below_of(report, function) : 0),
	       rate = report->origin->metrics->ticks_per_unit;
	struct figure figure;
	char suffix[2];
	size_t length = 0;

	if (!per_call->fits_each) {
		w->services->fixed(w, per_call->unit.scale * ticks / rate / calls, width, 2);
		return;
	}
	figure = fit_figure(ticks / rate / calls,
	                    error_of(report, function, is_total, ticks) / rate / calls);
	if (units[figure.unit].prefix != ' ')
		suffix[length++] = units[figure.unit].prefix;
	if (report->origin->metrics->abbreviation != '\0')
		suffix[length++] = report->origin->metrics->abbreviation;
	w->services->fixed(w, figure.value, width - (int)sizeof suffix, figure.decimals);
	gprofx_put(w, suffix, length);
	/* Without a prefix the number ends where it does with one. */
	gprofx_blanks(w, sizeof suffix - length);
}
