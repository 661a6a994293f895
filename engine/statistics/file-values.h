/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What each file has of each function, value by value, packed: per file the functions ascend, and
 * each value comes behind its distance to the function before.  So the bytes of a file do not
 * depend on the other files.  Where all files have too many bytes, no value is kept.  Where the
 * report would have too many values, it leaves out functions as a whole, those first that have the
 * least in the file that has most of them.
 */
#ifndef ENGINE_STATISTICS_FILE_VALUES_H
#define ENGINE_STATISTICS_FILE_VALUES_H

#include "base/bytes.h"
#include "base/loose.h"
#include "base/run.h"
#include "statistics/series.h"

/* Values of one kind that are reported, at most, and bytes of both that are kept. */
enum { FILE_VALUES_AT_MOST = 1 << 21, FILE_VALUES_BYTES = 1 << 27 };

/* The bytes of a file that stand together. */
struct file_record {
	uint32_t file, bytes;
};

/* Those of one batch of files, as they were added. */
struct file_value_block {
	struct file_value_block *next;
	struct file_record *records;
	uint32_t count;
	uint8_t *bytes;
};

/* Values of one kind: ticks or calls. */
struct file_value_list {
	struct loose_list bytes, records; /* since file_values_bound() */
	struct file_value_block *first, *last;
	uint32_t symbol; /* the last one of the last record */
};

struct file_values {
	size_t most, most_bytes; /* values of one kind that are reported; bytes */
	uint32_t symbol_count;
	/* Per symbol, what the values add up to. */
	const struct series_row *self_series, *call_series;
	size_t bytes; /* so far, of all values */
	bool is_full; /* they are too many: none is kept */
	struct file_value_list self, calls;
};

/* The statistics keep the arrays, which have so many symbols. */
struct file_values *
file_values_new(struct run *run, size_t most, size_t most_bytes, uint32_t symbol_count,
                const struct series_row *self, const struct series_row *calls);

/*
 * Add a value that was added to the series of the symbol; values: NULL, they are not wanted.  The
 * values of a file come one behind the other by ascending symbol, or in several such rows with
 * other files between.  They use no service of the run.
 */
void file_values_add_self(struct file_values *values, uint32_t file, uint32_t symbol, double ticks);
void
file_values_add_calls(struct file_values *values, uint32_t file, uint32_t symbol, uint64_t calls);

/* Takes what was added into the memory of the run; values: as above. */
void file_values_bound(struct run *run, struct file_values *values);

/* Puts the values of the functions of files->spread into the report; they are used up. */
void
file_values_report(struct run *run, struct file_values *values, struct gprofx_report_files *files);

/* Writes the values of all files; values: as above. */
void file_values_write(const struct file_values *values, struct bytes_out *to);

/*
 * Files that come behind the first "first" ones, and how many values each symbol has in them; the
 * reader counts these down.
 */
struct file_values_group {
	uint32_t first, count;
	uint32_t *self, *calls;
};

/* Adds what was written of a group.  False: the bytes cannot be right. */
bool file_values_read(struct run *run, struct file_values *values, struct bytes_in *from,
                      const struct file_values_group *group);

#endif
