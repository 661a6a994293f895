/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A figure over the files, of which only those come that it is not 0 in.  All sums are exact, so
 * that neither the order of the files matters nor how they are grouped: values are whole numbers of
 * units of 2^-64.  A double from 2^-12 on is a whole number of them anyway.
 */
#ifndef ENGINE_STATISTICS_SERIES_H
#define ENGINE_STATISTICS_SERIES_H

#include <stdbool.h>

#include <gprofx/emitter.h>

#include "base/bytes.h"
#include "statistics/wide.h"

/* Limbs of 64 bits: of a value, of the total, and of squares, each for 2^32 files. */
enum { SERIES_VALUE = 2, SERIES_TOTAL = 3, SERIES_SQUARES = 5 };
/* The limb of squares that counts the square of 1. */
enum { SERIES_ONES = 2 };

struct series {
	uint64_t total[SERIES_TOTAL];     /* in units */
	uint64_t squares[SERIES_SQUARES]; /* of what came, added up; in units times units */
	double least, most;               /* of those that came */
	uint32_t count;                   /* so many came */
	uint32_t gap;                     /* the first file that neither came nor may still come */
	uint32_t least_file, most_file;   /* of several equal ones the first */
};

/* The nearest value that is counted: no positive one is 0, and 2^64 is the most. */
double series_rounded(double value);

/* The file may still come. */
static inline void
series_wait(struct series *series, uint32_t file)
{
	if (series->gap == file)
		series->gap++;
}

/* Adds to the sums only, what need not be whole, nor small. */
void series_add_any(struct series *series, double value);

/* The same for a whole number of less than 32 bits, as most are. */
static inline void
series_add_whole(struct series *series, uint64_t value)
{
	uint64_t *total = &series->total[SERIES_VALUE - 1];
	uint64_t *squares = &series->squares[SERIES_ONES];

	wide_add_limb(total, SERIES_TOTAL - SERIES_VALUE + 1, 0, value);
	wide_add_limb(squares, SERIES_SQUARES - SERIES_ONES, 0, value * value);
}

/* A value is that of a file, and the least or the most so far. */
static inline void
series_take_least(struct series *series, uint32_t file, double value)
{
	if (series->count == 0 || value < series->least ||
	    (value == series->least && file < series->least_file)) {
		series->least = value;
		series->least_file = file;
	}
}

static inline void
series_take_most(struct series *series, uint32_t file, double value)
{
	if (series->count == 0 || value > series->most ||
	    (value == series->most && file < series->most_file)) {
		series->most = value;
		series->most_file = file;
	}
}

/*
 * Adds the value of a file that has none yet; one that is not positive does not come.  Of the files
 * that come, or may, no later one is named before, but for those that series_wait() named.
 */
static inline void
series_add(struct series *series, uint32_t file, double value)
{
	bool is_small = value >= 1 && value <= UINT32_MAX;
	uint32_t whole = is_small ? (uint32_t)value : 0;

	if (!(value > 0))
		return;
	if (whole == value) {
		series_add_whole(series, whole);
	} else {
		value = series_rounded(value);
		series_add_any(series, value);
	}
	series_wait(series, file);
	series_take_least(series, file, value);
	series_take_most(series, file, value);
	series->count++;
}

/* A file that waited does not come. */
static inline void
series_lack(struct series *series, uint32_t file)
{
	if (series->gap > file)
		series->gap = file;
}

/* Adds a series of files that come behind the first "files", of which the other one is. */
void series_merge(struct series *to, const struct series *from, uint32_t files);

/* The figures of so many files. */
struct gprofx_spread series_finish(const struct series *series, uint32_t files);

/* Whether there is nothing to write. */
static inline bool
series_is_empty(const struct series *series)
{
	return series->count == 0 && series->gap == 0;
}

void series_write(const struct series *series, struct bytes_out *to);
/* Reads what was written of so many files; false: it cannot be right. */
bool series_read(struct series *series, struct bytes_in *from, uint32_t files);

#endif
