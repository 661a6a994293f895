/* SPDX-License-Identifier: Apache-2.0 */
/* A text that has dumps of memory, among other lines. */
#ifndef INPUT_HEXDUMP_CAPTURE_H
#define INPUT_HEXDUMP_CAPTURE_H

#include <gprofx/reader.h>

#include "line.h"

/* Bytes that follow each other in memory. */
struct dump {
	size_t at, count;    /* in the bytes of the capture */
	size_t surplus;      /* bytes at the end that were not there */
	uint32_t first_line; /* of the text */
	uint32_t item_bytes;
	bool has_colon, has_prefix, is_damaged;
	uint64_t address;
};

/* A profile that ended as another dump began, and may go on. */
struct left_dump {
	bool is_set;
	uint32_t dump, line; /* line: where the other one began */
	struct form form;
	uint64_t next;
	size_t last_count;
};

/* What is wrong with a dump. */
struct damage {
	struct gprofx_diagnostic diagnostic;
	char text[160];
};

struct capture {
	struct gprofx *gx;
	const struct gprofx_file *file;
	uint8_t *bytes; /* of all dumps */
	size_t count, room;
	struct dump *dumps;
	uint32_t dump_count, dump_room;

	/* The dump that goes on, the last one. */
	bool is_open, is_profile;
	bool was_interrupted; /* by other lines, since its last one */
	bool repeats;         /* up to the next address */
	/* It went on after other lines, with the byte of all dumps and in the line. */
	bool is_resumed;
	size_t resumed_at;
	uint32_t resumed_line;
	struct form form;
	uint64_t next;       /* address */
	size_t last_count;   /* bytes of the last line */
	uint64_t base;       /* of Intel HEX */
	uint32_t data_lines; /* of the dump */
	uint32_t records;    /* lines of data since the last end of a file */
	bool is_counted;     /* a record stated their number */

	struct left_dump left;
	struct damage damage; /* of the first dump that has one */
	uint32_t damaged;     /* dumps */

	bool takes_any; /* lines without an address, whatever they start with */
	bool has_place;
	uint64_t place; /* of the next lines, as Verilog states it */
	uint32_t line_number;
	const char *line_end; /* of the text of the line */
	uint32_t skipped, first_skipped, last_skipped;
	/* Where other lines are between those of a dump without addresses. */
	uint32_t interrupted, first_interrupted;
	char *plain; /* a line without escape sequences */
	size_t plain_room;
};

/* Reads all dumps of the text, and notes what is wrong with them. */
void capture_read(struct capture *capture);

/* Sets the bytes of a dump in their order. */
void capture_bytes(struct capture *capture, const struct dump *dump, bool is_little_endian,
                   struct gprofx_file *file);

/* Whether a dump starts as profiles do. */
bool capture_is_profile(const struct capture *capture, const struct dump *dump);

#endif
