/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What each file has of each function, value by value.  Only so many values are kept: past that,
 * functions are left out as a whole, those first that have the least in the file that has most of
 * them.
 */
#ifndef ENGINE_STATISTICS_FILE_VALUES_H
#define ENGINE_STATISTICS_FILE_VALUES_H

#include "base/loose.h"
#include "base/run.h"
#include "statistics/series.h"

/* Values of one kind that are kept, at most, once files were read that are added up together. */
enum { FILE_VALUES_AT_MOST = 1 << 21 };

/* A value that is not 0. */
struct file_value {
	uint32_t file, symbol;
	union {
		double ticks;
		uint64_t calls;
	} is;
};

/* Values of one kind: those of a symbol by file. */
struct file_value_list {
	struct loose_list fresh; /* of struct file_value: those since file_values_bound() */
	struct file_value *items;
	size_t count, room;
	bool *is_cut; /* per symbol: its values are left out */
};

struct file_values {
	size_t most; /* values of one kind */
	uint32_t symbol_count;
	/* Per symbol, what the values added up to so far. */
	const struct series *self_series, *call_series;
	const bool *has_late_ticks; /* some of its ticks are not there yet */
	struct file_value_list self, calls;
};

/* The statistics keep the arrays, which have so many symbols. */
struct file_values *
file_values_new(struct run *run, size_t most, uint32_t symbol_count, const struct series *self,
                const struct series *calls, const bool *has_late_ticks);

/*
 * Adds a value that was added to the series of the symbol; values: NULL, they are not wanted.  Uses
 * no service of the run.
 */
static inline void
file_values_add(struct file_value_list *list, uint32_t file, uint32_t symbol,
                struct file_value value)
{
	value.file = file;
	value.symbol = symbol;
	if (!list->is_cut[symbol])
		loose_add(&list->fresh, &value, sizeof value, 1);
}

static inline void
file_values_add_self(struct file_values *values, uint32_t file, uint32_t symbol, double ticks)
{
	if (values)
		file_values_add(&values->self, file, symbol,
		                (struct file_value){.is.ticks = ticks});
}

static inline void
file_values_add_calls(struct file_values *values, uint32_t file, uint32_t symbol, uint64_t calls)
{
	if (values)
		file_values_add(&values->calls, file, symbol,
		                (struct file_value){.is.calls = calls < GPROFX_CALLS_UNKNOWN
		                                                        ? calls
		                                                        : calls - 1});
}

/*
 * Takes what was added into the memory of the run, and leaves out functions where there are too
 * many values; values: as above.
 */
void file_values_bound(struct run *run, struct file_values *values);

/* Puts the values of the functions of files->spread into the report; they are used up. */
void
file_values_report(struct run *run, struct file_values *values, struct gprofx_report_files *files);

#endif
