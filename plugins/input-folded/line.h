/* SPDX-License-Identifier: Apache-2.0 */
/* A line of a file of folded stacks. */
#ifndef INPUT_FOLDED_LINE_H
#define INPUT_FOLDED_LINE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* So many decimals of a number are read. */
enum { FOLDED_DECIMALS = 9 };

enum folded_fault {
	FOLDED_SOUND,
	FOLDED_EMPTY, /* nothing, or a comment */
	FOLDED_NO_COUNT,
	FOLDED_NEGATIVE
};

struct folded_number {
	uint64_t count;    /* the whole part, which stays at the largest there is, */
	uint32_t fraction; /* what follows the point, with all decimals that are read, */
	uint32_t decimals; /* how many of them there are before zeros, */
	bool is_cut;       /* and whether what was cut off is more than zeros. */
};

struct folded_line {
	const char *frames;        /* with semicolons between them, the outermost first */
	size_t length;             /* of the frames */
	struct folded_number last; /* the number behind the last blank */
	/* Another number stands before it, as in a comparison of two runs: that of the first one.
	 */
	bool has_two;
	struct folded_number before;
	size_t short_length; /* of the frames without that number */
};

/* Reads a line without its end. */
enum folded_fault folded_read_line(const char *text, size_t length, struct folded_line *line);

#endif
