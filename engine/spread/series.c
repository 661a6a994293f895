/* SPDX-License-Identifier: Apache-2.0 */
#include "spread/series.h"

#include <math.h>

struct gprofx_spread
series_finish(const struct series *series, uint32_t files)
{
	double count = series->count, zeros = (double)files - count, squares = series->squares;
	struct gprofx_spread spread = {
		.total = series->total,
		.least = series->least,
		.most = series->most,
		.files = series->count,
		.least_file = series->least_file,
		.most_file = series->most_file,
	};

	if (files == 0)
		return spread;
	if (series->count < files) {
		/* The files that did not come are one group more, all of whose values are 0. */
		squares += series->mean * series->mean * (count * zeros / files);
		spread.least = 0;
		spread.least_file = series->gap;
	}
	spread.mean = series->total / files;
	spread.deviation = sqrt(squares / files);
	return spread;
}
