/* SPDX-License-Identifier: Apache-2.0 */
/* The text that scanner.c measures scanners on, with all that is known of it. */
#ifndef LIMITS_SCANNER_TEXT_H
#define LIMITS_SCANNER_TEXT_H
#include "common.h"

#include <gprofx/code.h>

/* First what scanners see. */
struct known {
	struct gprofx_entries public;
	struct gprofx_begin_bits begin_bits; /* "begins", or none at all */
	struct gprofx_begin_bits begins, slots;
};

struct text {
	struct gprofx_target target;
	struct gprofx_scanned_image image;
	struct known known;
	/* One copy. */
	uint64_t address, size, slots_address, slots_size;
	uint64_t *function;
	struct gprofx_code_mark *mark;
	size_t functions, marks;
	/* All of them; "size" is that of all then, a piece is a function. */
	size_t copies;
	unsigned char *bytes;
	struct gprofx_code *piece;
	size_t pieces;
	int file;
};

static inline _Noreturn void
give_up(const char *what)
{
	fprintf(stderr, "scanner: %s\n", what);
	exit(1);
}

/* Repeats the text of an ELF file until there are enough bytes, and puts that into a file. */
void text_read(struct text *text, const char *path, size_t wanted);

/* Says whether functions begin anywhere, and whether slots are known; false: there are none. */
bool text_know(struct text *text, bool has_begins, bool has_slots);

/* Puts a new mapping in the place of the memory, or of the mapping, that was there. */
void text_map(const struct text *text);

#endif
