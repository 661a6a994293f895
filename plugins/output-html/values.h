/* SPDX-License-Identifier: Apache-2.0 */
/* JSON as the page's data has it: objects, and columns of numbers and texts.  data.md has the form.
 */
#ifndef OUTPUT_HTML_VALUES_H
#define OUTPUT_HTML_VALUES_H

#include <gprofx/emitter.h>

/* What a column has. */
enum values_column {
	VALUES_PLAIN,    /* none is open: values are written as JSON has them */
	VALUES_INTEGERS, /* values_count(), values_index(), values_calls() */
	VALUES_STEPS,    /* values_count(), none less than the one before */
	VALUES_REALS     /* values_real() */
};

enum { VALUES_BLOCK = 256 }; /* numbers that are read together */

struct values {
	struct gprofx_writer *w;
	bool has_before; /* a comma has to stand before the next value, or block */
	enum values_column column;
	uint64_t before; /* the last one of VALUES_STEPS */
	uint32_t every,
		in_block;    /* numbers of a block (0: there are none), and those of this one */
	bool is_open;        /* numbers are written: before, those of a column are all the same */
	uint64_t same, held; /* that number plus 1, and how many of it are not written yet */
};

/* The next member of an object; its value follows. */
void values_key(struct values *c, const char *key);

/* An object '{' or a list '[', and its end. */
void values_open(struct values *c, char bracket);
void values_close(struct values *c, char bracket);

/*
 * A member that is a column of numbers, which takes half as much room as a list; and its end.
 * Integers that are all the same, as the files of a program without line numbers, take next to
 * none.
 */
void values_open_column(struct values *c, const char *key, enum values_column column);
/* In blocks, of which a page can read some: of integers or reals. */
void values_open_blocks(struct values *c, const char *key, enum values_column column);
/* The next block has no numbers: the page computes them.  All before it are full. */
void values_leave_block(struct values *c);
void values_close_column(struct values *c);

/* A number as part of a text: 5 bits in each character, as source maps have them. */
void values_digits(struct gprofx_writer *w, uint64_t number);

void values_null(struct values *c);
void values_bool(struct values *c, bool value);
void values_count(struct values *c, uint64_t value);
/* -1 in place of a number that there is none of. */
void values_index(struct values *c, uint32_t value, uint32_t none);
/* A value with at most nine significant digits. */
void values_real(struct values *c, double value);
/* NULL: null. */
void values_text(struct values *c, const char *text);
void values_texts(struct values *c, const char *bytes, size_t count);
/* One text, which gets each of its lines by itself; and its end. */
void values_open_lines(struct values *c);
void values_line(struct values *c, const char *bytes, size_t count);
void values_close_lines(struct values *c);

/* A number of calls; -1: not known. */
void values_calls(struct values *c, const struct gprofx_call_column *column, uint64_t calls);

#endif
