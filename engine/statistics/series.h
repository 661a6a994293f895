/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A figure over the files, of which only those come that it is not 0 in.  All sums are exact, so
 * that neither the order of the files matters nor how they are grouped: values are whole numbers of
 * units of 2^-64.  A double from 2^-12 on is a whole number of them anyway.
 */
#ifndef ENGINE_STATISTICS_SERIES_H
#define ENGINE_STATISTICS_SERIES_H

#include "base/bytes.h"
#include "base/run.h"

/* Limbs of 64 bits: of a value, of the total, and of squares, each for 2^32 files. */
enum { SERIES_VALUE = 2, SERIES_TOTAL = 3, SERIES_SQUARES = 5 };

/* Whole values up to here are added up on their own: most are, and the sums have 64 bits. */
enum { SERIES_SMALL = UINT16_MAX };

/* What all series have. */
struct series_row {
	uint64_t total, squares;        /* of small whole values, and of their squares */
	double least, most;             /* of those that came */
	uint32_t count;                 /* so many came */
	uint32_t gap;                   /* the first file that neither came nor may still come */
	uint32_t least_file, most_file; /* of several equal ones the first */
};

/* What those with other values have besides, in units, and in units times units. */
struct series_wide {
	uint64_t total[SERIES_TOTAL];
	uint64_t squares[SERIES_SQUARES];
};

struct series {
	struct series_row row;
	struct series_wide wide;
};

/* Series of many symbols, few of which have other values than small whole ones. */
struct series_table {
	struct series_row *rows;
	struct series_wide *wide;
};

struct series_table series_table_new(struct run *run, uint32_t count);

static inline struct series
series_at(const struct series_table *table, uint32_t number)
{
	return (struct series){table->rows[number], table->wide[number]};
}

/* The nearest value that is counted: no positive one is 0, and 2^64 is the most. */
double series_rounded(double value);

/* The file may still come. */
static inline void
series_wait(struct series_row *row, uint32_t file)
{
	if (row->gap == file)
		row->gap++;
}

/* A file that waited does not come. */
static inline void
series_lack(struct series_row *row, uint32_t file)
{
	if (row->gap > file)
		row->gap = file;
}

/* A value is that of a file, and the least or the most so far. */
static inline void
series_take_least(struct series_row *row, uint32_t file, double value)
{
	if (row->count == 0 || value < row->least ||
	    (value == row->least && file < row->least_file)) {
		row->least = value;
		row->least_file = file;
	}
}

static inline void
series_take_most(struct series_row *row, uint32_t file, double value)
{
	if (row->count == 0 || value > row->most || (value == row->most && file < row->most_file)) {
		row->most = value;
		row->most_file = file;
	}
}

/* Adds to the sums. */
void series_add_wide(struct series_wide *wide, double value);

/*
 * Adds the value of a file that has none yet; one that is not positive does not come.  Of the files
 * that come, or may, no later one is named before, but for those that series_wait() named.
 */
static inline void
series_add_to(struct series_row *row, struct series_wide *wide, uint32_t file, double value)
{
	uint32_t whole = value >= 1 && value <= SERIES_SMALL ? (uint32_t)value : 0;

	if (!(value > 0))
		return;
	if (whole == value) {
		row->total += whole;
		row->squares += (uint64_t)whole * whole;
	} else {
		value = series_rounded(value);
		series_add_wide(wide, value);
	}
	series_wait(row, file);
	series_take_least(row, file, value);
	series_take_most(row, file, value);
	row->count++;
}

static inline void
series_add(struct series *series, uint32_t file, double value)
{
	series_add_to(&series->row, &series->wide, file, value);
}

static inline void
series_table_add(const struct series_table *table, uint32_t number, uint32_t file, double value)
{
	series_add_to(&table->rows[number], &table->wide[number], file, value);
}

/* Adds a series of files that come behind the first "files", of which the other one is. */
void series_merge(struct series *to, const struct series *from, uint32_t files);

static inline void
series_table_merge(const struct series_table *table, uint32_t number, const struct series *from,
                   uint32_t files)
{
	struct series sum = series_at(table, number);

	series_merge(&sum, from, files);
	table->rows[number] = sum.row;
	table->wide[number] = sum.wide;
}

/* The figures of so many files. */
struct gprofx_spread series_finish(const struct series *series, uint32_t files);

/* Whether there is nothing to write. */
static inline bool
series_is_empty(const struct series_row *row)
{
	return row->count == 0 && row->gap == 0;
}

void series_write(const struct series *series, struct bytes_out *to);
/* Reads what was written of so many files; false: it cannot be right. */
bool series_read(struct series *series, struct bytes_in *from, uint32_t files);

#endif
