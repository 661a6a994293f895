/* SPDX-License-Identifier: Apache-2.0 */
/* The record of a source file: what its functions and lines counted. */
#ifndef OUTPUT_LCOV_RECORD_H
#define OUTPUT_LCOV_RECORD_H

#include <gprofx/emitter.h>

struct lcov_function {
	struct gprofx_text name;
	uint32_t first_line, last_line;
	uint64_t count;
};

struct lcov_line {
	uint32_t line;
	uint64_t count;
};

/* A record that is filled, written, and used again for the next file. */
struct record {
	struct gprofx *gx;
	struct gprofx_writer *writer;
	struct gprofx_text test;
	struct lcov_function *functions;
	struct lcov_line *lines; /* ascending */
	uint32_t function_count, function_room, line_count, line_room;
};

void record_add_function(struct record *record, const struct lcov_function *function);
void record_add_line(struct record *record, uint32_t line, uint64_t count);

/*
 * Writes the record and empties it; without lines there is none.  A function is on the first line
 * that it has a count of, as readers refuse others; without any it is left out.
 */
void record_write(struct record *record, const char *path);

#endif
