/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The message "Profile" of pprof, without its samples, which can be many.
 *
 * Source: https://github.com/google/pprof/blob/main/proto/profile.proto
 */
#ifndef INPUT_PPROF_MESSAGE_H
#define INPUT_PPROF_MESSAGE_H

#include <gprofx/reader.h>

#include "ids.h"

/* A text: where it is in the message, where texts have no ends. */
struct pprof_text {
	const uint8_t *bytes;
	uint32_t length;
};

struct pprof_type {
	uint64_t type, unit; /* numbers of texts, as all that follow are */
};

struct pprof_function {
	uint64_t name, system_name, file;
};

struct pprof_mapping {
	uint64_t start, limit, offset, file, build_id;
};

/* A place in a function; those of a location stand one behind the other, the innermost first. */
struct pprof_line {
	uint64_t function; /* its id */
	uint64_t line;
};

struct pprof_location {
	uint64_t address, mapping;       /* the id of its mapping; 0: none */
	uint32_t first_line, line_count; /* of the lines; none: it has only its address */
};

struct pprof_list {
	void *items;
	uint32_t count, room;
};

struct pprof {
	struct gprofx *gx;
	const struct gprofx_file *file;
	const uint8_t *bytes; /* the message; if it was compressed, it is no part of the file */
	size_t length;
	bool was_packed;

	struct pprof_list texts, types, functions, mappings, locations, lines;
	char *text_copies; /* all texts, each with its end, */
	size_t *text_at;   /* and where it begins */
	struct ids function_ids, mapping_ids, location_ids;
	struct pprof_type period_type;
	uint64_t period, default_type, drop_frames;
	uint64_t sample_count;
};

/* Reads all but the samples, and checks that what is referred to is there. */
enum gprofx_result pprof_read_message(struct pprof *p);

void pprof_release(struct pprof *p);

/* A text with its end, "?" for each byte 0; "" where the profile has none at all. */
const char *pprof_text(const struct pprof *p, uint64_t number);

/* Fails at a place of the message. */
enum gprofx_result pprof_fail(const struct pprof *p, const uint8_t *at, const char *id,
                              const char *expected, const char *found);

#define PPROF_ITEM(list, kind, i) (&((kind *)(list)->items)[i])

#endif
