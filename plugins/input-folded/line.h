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

struct folded_line {
	const char *frames; /* with semicolons between them, the outermost first */
	size_t length;      /* of the frames */
	/* The number behind the last blank: its whole part, which stays at the largest there is, */
	uint64_t count;
	uint32_t fraction; /* what follows the point, with all decimals that are read, */
	uint32_t decimals; /* how many of them there are before zeros, */
	bool is_cut;       /* and whether what was cut off is more than zeros. */
	bool has_two;      /* another number stands before it, as in a comparison of two runs */
};

/* Reads a line without its end. */
enum folded_fault folded_read_line(const char *text, size_t length, struct folded_line *line);

#endif
