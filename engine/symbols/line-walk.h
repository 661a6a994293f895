/* SPDX-License-Identifier: Apache-2.0 */
/* Finds the lines of an image along its addresses, for reports by line. */
#ifndef ENGINE_SYMBOLS_LINE_WALK_H
#define ENGINE_SYMBOLS_LINE_WALK_H

#include "base/run.h"

struct line_rows;
struct symbols;

/* A symbol of a line. */
struct line_symbol {
	uint64_t address;
	uint32_t name, file, line, inlined;
	bool is_local;
};

/* The walk over the code of one image after the other, by ascending address. */
struct line_walk {
	struct run *run;
	struct line_rows *rows;
	struct symbols *symbols;
	uint32_t cover;    /* what the code at hand is of, plus 1 */
	uint64_t past;     /* the first address behind that, by its size */
	uint32_t function; /* the last one at or below the address at hand, plus 1 */
	struct line_symbol *lines;
	uint32_t count;
	uint32_t file_room;
	uint8_t *is_noted; /* files that are in the order of files */
	bool drops_static; /* lines of static functions count for the line before */
};

/* Puts a file into the order of files, where it appears first. */
void line_walk_note_file(struct line_walk *walk, uint32_t file);

/*
 * Adds the lines of walk->rows, which are those of one image, in its code from "low" to below
 * "past"; there is room for one for each row and each cover.
 */
void line_walk_code(struct line_walk *walk, uint64_t low, uint64_t past);

/* Puts the lines among the functions from number "first" on; all positions have their room. */
void line_walk_merge(struct line_walk *walk, uint32_t first);

#endif
