/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Where the self time of functions is that subroutines were inlined into: for each subroutine, and
 * the function's own code, the line with most of the samples.
 */
#ifndef OUTPUT_HTML_PARTS_H
#define OUTPUT_HTML_PARTS_H

#include <gprofx/emitter.h>

#include "nodes.h"
#include "values.h"

/* Own code, or a subroutine in it, of a function. */
struct part {
	uint32_t node, name; /* of the report; the place with the name, or GPROFX_NO_PLACE */
	uint32_t hottest;    /* place */
	uint32_t context;
	double self;
	uint32_t file; /* the row of its text */
};

struct parts {
	struct part *part;
	uint32_t count;
};

void parts_find(struct parts *parts, struct gprofx *gx, const struct gprofx_report *report);

/* A line that the page has links to. */
struct parts_line {
	const char *file;
	uint32_t line;
	double ticks; /* of the parts whose place it is */
};

/* The lines of the parts, by file and line, each once; returns how many. */
uint32_t parts_lines(const struct parts *parts, struct gprofx *gx,
                     const struct gprofx_report *report, struct parts_line **lines);

/* Adds the names of their files. */
void
parts_add_texts(struct parts *parts, const struct gprofx_report *report, struct strings *texts);

/* The member "parts"; name: per place of contexts the row of its name. */
void parts_put(const struct parts *parts, struct values *c, const struct nodes *nodes,
               const struct strings *texts, const uint32_t *name);

#endif
