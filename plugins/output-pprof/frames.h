/* SPDX-License-Identifier: Apache-2.0 */
/* What frames of stacks are: functions, places in them, and the objects that have these. */
#ifndef OUTPUT_PPROF_FRAMES_H
#define OUTPUT_PPROF_FRAMES_H

#include <string.h>

#include <gprofx/emitter.h>

#include "mappings.h"
#include "message.h"

/* Texts of the file by number, before equal ones are one. */
struct texts {
	struct gprofx_text *items;
	uint32_t count, room;
	uint32_t *number; /* per text its row in the table of strings, once that is known */
};

/* Adds a text and returns its number here. */
uint32_t texts_add(struct gprofx *gx, struct texts *texts, struct gprofx_text text);

static inline uint32_t
texts_add_word(struct gprofx *gx, struct texts *texts, const char *word)
{
	struct gprofx_text text;

	text.bytes = word;
	text.length = strlen(word);
	return texts_add(gx, texts, text);
}

/* Functions in the file; numbers are those of texts. */
struct frame_function {
	uint32_t name, system_name, file; /* 0: the empty text */
	uint32_t line;                    /* first; 0: not known */
	uint64_t id;                      /* 0: it is in no stack */
};

/* Locations in the file: a function as a whole, or a place in it. */
struct frame_location {
	uint32_t function; /* a row of the functions */
	uint32_t mapping;  /* its ID; 0: none */
	uint32_t line;     /* 0: not known */
	uint64_t address;  /* 0: not known */
	uint64_t id;       /* 0: it is in no stack */
};

/*
 * Rows of functions and of locations: first one for each node; then one for each place of the
 * contexts, a row of functions only for what is inlined; then two for frames that are made up.
 */
struct frames {
	struct gprofx *gx;
	const struct gprofx_report *report;
	const struct gprofx_report_contexts *contexts; /* NULL: none are written */
	struct texts *texts;
	uint32_t node_count, place_count;
	bool *is_used;                   /* per node: it is in some stack */
	const struct gprofx_text *names; /* per node */
	struct frame_function *functions;
	struct frame_location *locations;
	uint32_t row_count;
	uint64_t function_ids, location_ids; /* given so far */
	struct mappings mappings;
	/* Numbers of texts, per image, the program first: its file and its build ID. */
	uint32_t *mapping_file, *mapping_build_id;
};

/* Rows of frames that are made up. */
enum frames_made_up { FRAMES_ROOT, FRAMES_CUT, FRAMES_MADE_UP };

/* Makes room, and finds names, sources and mappings of the nodes that are used. */
void frames_make(struct frames *frames);

/* Names a frame that is made up. */
void frames_make_up(struct frames *frames, enum frames_made_up which, struct gprofx_text name);

/* The ID of a location, which is in the file from now on: of a node, ... */
uint64_t frames_of_node(struct frames *frames, uint32_t node);
/* ... of a context, ... */
uint64_t frames_of_context(struct frames *frames, uint32_t context);
/* ... or made up. */
uint64_t frames_made_up(struct frames *frames, enum frames_made_up which);

/* Writes the mappings, and the locations and functions that have an ID. */
void frames_put(const struct frames *frames, struct zip *zip);

#endif
