/* SPDX-License-Identifier: Apache-2.0 */
/* Figures of the report for emitters whose output programs read: exact, in stated units, or absent.
 */
#ifndef PLUGINS_SHARED_FIGURES_H
#define PLUGINS_SHARED_FIGURES_H

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include <gprofx/emitter.h>

/* Ticks as seconds; not a number where the profile does not tell how long a tick is. */
static inline double
figure_seconds(const struct gprofx_report *report, double ticks)
{
	bool is_known = report->rate != 0 && strcmp(report->dimension, "seconds") == 0;

	return is_known ? ticks / report->rate : (double)NAN;
}

enum { FIGURE_LEAST_DIGITS = 15, FIGURE_MOST_DIGITS = 17 };

/* How many digits it takes so that the value, and no other, is read back. */
static inline int
figure_digits(double value)
{
	int digits = FIGURE_LEAST_DIGITS;
	char text[40];

	/* Most ticks are whole. */
	if (fabs(value) < INT32_MAX && value == (double)(int32_t)value)
		return digits;
	for (; digits < FIGURE_MOST_DIGITS; digits++) {
		snprintf(text, sizeof text, "%.*g", digits, value);
		if (strtod(text, NULL) == value)
			break;
	}
	return digits;
}

#endif
