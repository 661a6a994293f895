/* SPDX-License-Identifier: Apache-2.0 */
/* The lines of all code of an image. */
#ifndef DWARFSYM_ALL_LINES_H
#define DWARFSYM_ALL_LINES_H

#include <stdbool.h>
#include <stdint.h>

/* Rows of all line tables, sequence by sequence. */
struct dwarfsym_rows {
	struct dwarfsym_search *search; /* first: its callback finds the way back */
	struct dwarfsym_row_of_file {
		uint64_t address;
		uint32_t file, line; /* both 0: not known */
	} * rows;
	uint32_t count, room;
	bool are_too_many; /* and no more are kept */
	/* Sequences in the order in which they go first; rows up to that of the next one. */
	struct dwarfsym_rows_of_sequence {
		uint64_t low, high;
		uint64_t at; /* its first instruction, in .debug_line */
		uint32_t first, end;
	} * sequences, sequence; /* sequence: the one at hand */
	uint32_t sequence_count, sequence_room;
};

/*
 * Adds the rows of the line table at an offset of .debug_line, if it was not added before.  Returns
 * NULL, or what is wrong with the table.
 */
const char *dwarfsym_add_rows(struct dwarfsym_rows *rows, uint64_t offset, const char *folder);

/* Puts the rows in order when all were added: ascending, at each address the one that counts. */
void dwarfsym_settle_rows(struct dwarfsym_rows *rows);

void dwarfsym_free_rows(struct dwarfsym_rows *rows);

#endif
