/* SPDX-License-Identifier: Apache-2.0 */
/* The lines of all code of an image, as a provider hands them over. */
#ifndef ENGINE_SYMBOLS_LINE_ROWS_H
#define ENGINE_SYMBOLS_LINE_ROWS_H

#include "base/name-table.h"
#include "base/run.h"
#include "symbols/symbols.h"

/*
 * What names code in .text, whether it is a symbol of the report or not: id[i] stands at
 * address[i], a row of the provider's table or, from its count on, a label.
 *
 * For BFD code is of the symbol that the code before is of, up to where that ends by its size; then
 * of the nearest one before it, of several at one address the largest, the first of the table.
 */
struct covers {
	uint64_t *address; /* ascending, unique */
	uint32_t *id;
	uint32_t count;
};

/* others: of other objects, too, wherever they have code. */
struct covers covers_find(struct run *run, const struct symbols *symbols, bool others);

struct code_name covers_name(const struct symbols *symbols, uint32_t id);

/*
 * What is asked for, of one image after the other, with the names of functions by number.  Set the
 * members up to covers.
 */
struct line_rows {
	struct gprofx_lines public; /* first; builder: &line_rows_builder */
	struct symbols *symbols;
	struct covers covers;
	uint64_t base; /* that moves the addresses of the image that is asked for */
	struct name_table names;
	/* Instances of the symbols, by hash: those of a slot are linked. */
	uint32_t *next_instance, *instance_hash;
	uint32_t next_instance_room, instance_hash_size;
	uint64_t instance_factor;
	char *full_name; /* room for a name with the underscore that symbols begin with */
	uint32_t full_name_room;
};

extern const struct gprofx_lines_builder line_rows_builder;

/*
 * Asks all providers for the lines of an image; what several know is as the first one has it.
 * base: what moves its addresses to where they are.
 */
void line_rows_ask(struct run *run, struct line_rows *asked, const struct gprofx_image *image,
                   uint64_t base);

/*
 * line-join.c: adds rows of another provider where the lines that are there say nothing.  The rows
 * of "more" are given back.
 */
void line_rows_join(struct run *run, struct gprofx_lines *lines, struct gprofx_lines *more);

/* The number of a name, which lasts as long as the run; from 1. */
uint32_t line_rows_number_name(struct run *run, struct line_rows *asked, const char *name);

static inline const char *
line_rows_name(const struct line_rows *rows, uint32_t number)
{
	return rows->names.items[number - 1];
}

/* Gives everything back but the rows, see symbols_release_lines(), and the texts of names. */
void line_rows_release(struct run *run, struct line_rows *asked);

#endif
