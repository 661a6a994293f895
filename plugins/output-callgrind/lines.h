/* SPDX-License-Identifier: Apache-2.0 */
/* The lines that blocks of functions are made of. */
#ifndef PLUGINS_OUTPUT_CALLGRIND_LINES_H
#define PLUGINS_OUTPUT_CALLGRIND_LINES_H

#include <gprofx/emitter.h>

#include "body.h"
#include "costs.h"

/* What is written by number after the first time: a kind of name. */
struct terms {
	const struct gprofx_text *text;
	bool *is_written;
};

/* A function as one that is called, in one piece: arcs lead to functions in no order. */
struct callee {
	uint32_t owner;              /* as costs have it */
	uint32_t object, file, line; /* as below */
};

struct work {
	struct body *body;
	const struct gprofx_report *report;
	struct gprofx_writer *writer;
	struct terms functions, files, objects;
	uint32_t *file, *object; /* per function, with lines: numbers of terms */
	uint32_t *line;          /* per function */
	uint32_t executed_files; /* the number in "file" of the first file of executed lines */
	uint32_t stated_files;   /* that of the first stated place */
	uint64_t *self[BODY_MOST_EVENTS]; /* per function: integers */
	struct callee *callees;           /* per function */
	/* Per function, and then per event: of the arcs into it. */
	struct export_sum *sums;
	/* Of the block under way. */
	uint32_t own_function, own_object, own_file, current_file;
	uint32_t next_arc;
};

/* The number of the name that a function has when it is active already. */
static inline uint32_t
lines_nested_name(const struct work *w, uint32_t function)
{
	return w->body->costs.count + 1 + function;
}

/* Names all that is written, once it is known. */
void lines_name_all(struct work *w);

/* Begins the block of a function.  name: its own, or that of lines_nested_name(). */
void lines_begin_block(struct work *w, uint32_t function, uint32_t name);

/* Costs that follow are of lines of this file, a number of a term. */
void lines_put_file(struct work *w, uint32_t file);

/* A line of costs: values per event. */
void
lines_put_costs(const struct work *w, uint32_t line, const uint64_t *values, uint64_t executions);

/* Calls of a function from a line.  name: as above. */
void lines_put_call(struct work *w, uint32_t line, uint32_t callee, uint32_t name, uint64_t calls,
                    const uint64_t *values);

#endif
