/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A figure over the files in their order, of which only those come that it is not 0 in.
 */
#ifndef ENGINE_STATISTICS_SERIES_H
#define ENGINE_STATISTICS_SERIES_H

#include <math.h>

#include <gprofx/emitter.h>

struct series {
	double total, least, most;
	double mean,
		squares; /* of those that came: their mean, and the squares of distances to it */
	uint32_t count;  /* so many came */
	uint32_t gap;    /* the first file that did not come, as long as others do */
	uint32_t least_file, most_file;
};

/* Adds a value that is not 0, of a file behind all those before. */
static inline void
series_add(struct series *series, uint32_t file, double value)
{
	double distance = value - series->mean;

	if (series->gap == series->count && file == series->count)
		series->gap++;
	if (series->count == 0 || value < series->least) {
		series->least = value;
		series->least_file = file;
	}
	if (series->count == 0 || value > series->most) {
		series->most = value;
		series->most_file = file;
	}
	/* The sum of squares would lose what large values differ in (Welford). */
	series->count++;
	series->total += value;
	series->mean += distance / series->count;
	series->squares += distance * (value - series->mean);
}

/* The figures of so many files. */
static inline struct gprofx_spread
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

#endif
