/* SPDX-License-Identifier: Apache-2.0 */
#include "estimate.h"

#include <math.h>

/* Of the normal distribution, 95 % lie within so many standard deviations. */
static const double deviations = 1.959963984540054;

/* Damaged profiles and selections can lead to any number; a share lies between 0 and 1. */
static double
share_of(double samples, double total)
{
	double share = samples / total;

	return share > 0 ? share < 1 ? share : 1 : 0;
}

double
estimate_root(double squares)
{
	return squares > 0 ? sqrt(squares) : 0;
}

double
estimate_error(double samples, double total)
{
	double share = share_of(samples, total);

	return estimate_root(share * (1 - share) * total);
}

struct share_interval
estimate_share(double samples, double total)
{
	double share, square = deviations * deviations, centre, half;
	struct share_interval interval = {0, 1};

	if (!(total > 0))
		return interval;
	share = share_of(samples, total);
	centre = share + square / (2 * total);
	half = deviations * sqrt(share * (1 - share) / total + square / (4 * total * total));
	interval.low = (centre - half) / (1 + square / total);
	interval.high = (centre + half) / (1 + square / total);
	/* At the ends of the scale the exact result is the end. */
	if (!(interval.low > 0) || share == 0)
		interval.low = 0;
	if (!(interval.high < 1) || share == 1)
		interval.high = 1;
	return interval;
}

struct share_interval
estimate_open_share(double samples, const struct gprofx_doubt *doubt, double total)
{
	struct share_interval interval = estimate_share(samples, total);

	if (doubt) {
		interval.low = estimate_share(samples - doubt->less, total).low;
		interval.high = estimate_share(samples + doubt->more, total).high;
	}
	return interval;
}
