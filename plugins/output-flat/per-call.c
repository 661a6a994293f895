/* SPDX-License-Identifier: Apache-2.0 */
#include "per-call.h"

#include <string.h>

enum { UNITS = 11, MILLI = 5, PLAIN = 4 };

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

/* The unit in which a figure reads between 1.00 and 999.99. */
static struct unit
fitting_unit(double figure)
{
	const double LEAST_TOO_MUCH = 999.995; /* would read as 1000.00 */
	size_t i = UNITS - 1;

	if (figure == 0)
		return units[PLAIN];
	while (i > 0 && !(units[i].scale * figure < LEAST_TOO_MUCH))
		i--;
	return units[i];
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

void
per_call_put(const struct per_call *per_call, struct gprofx_writer *w, double ticks, uint64_t calls,
             int width)
{
	const struct gprofx_report *report = per_call->report;
	char suffix[2];
	size_t length = 0;
	double figure;
	struct unit unit;

	if (!per_call->fits_each) {
		w->services->fixed(w,
		                   per_call->unit.scale * ticks /
		                           report->origin->metrics->ticks_per_unit / (double)calls,
		                   width, 2);
		return;
	}
	figure = ticks / report->origin->metrics->ticks_per_unit / (double)calls;
	unit = fitting_unit(figure);
	if (unit.prefix != ' ')
		suffix[length++] = unit.prefix;
	if (report->origin->metrics->abbreviation != '\0')
		suffix[length++] = report->origin->metrics->abbreviation;
	w->services->fixed(w, unit.scale * figure, width - (int)sizeof suffix, 2);
	gprofx_put(w, suffix, length);
	/* Without a prefix the point stands where it does with one. */
	gprofx_blanks(w, sizeof suffix - length);
}
