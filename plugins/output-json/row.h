/* SPDX-License-Identifier: Apache-2.0 */
/*
 * One JSON object at a time.  A row is filled member by member, written, and used again for the
 * next.  It keeps what it is given until it is written, because its longest number decides how many
 * digits all of them have.
 *
 * No member can make a row invalid: what cannot be said in JSON becomes null, what JSON parsers
 * would read wrongly becomes a string.
 */
#ifndef OUTPUT_JSON_ROW_H
#define OUTPUT_JSON_ROW_H

#include <gprofx/emitter.h>

enum { ROW_MEMBERS = 64 };

enum row_kind {
	ROW_NULL,
	ROW_FALSE,
	ROW_TRUE,
	ROW_COUNT,
	ROW_REAL,
	ROW_ADDRESS,
	ROW_TEXT, /* UTF-8 */
	ROW_BYTES
};

struct row_member {
	const char *key;
	enum row_kind kind;
	union {
		uint64_t count;
		double real;
		struct gprofx_text text;
	} value;
};

struct row {
	struct gprofx_writer *writer;
	uint32_t count;
	int digits;          /* that the numbers of the row are written with */
	bool has_been_begun; /* some of it is written */
	struct row_member members[ROW_MEMBERS];
};

void row_init(struct row *row, struct gprofx_writer *writer);

/* Empties the row. */
void row_begin(struct row *row);
/* Writes its members, without the braces around them. */
void row_write(struct row *row);

/* Members.  Keys and texts are kept as they are until the row is written. */
void row_null(struct row *row, const char *key);
void row_bool(struct row *row, const char *key, bool value);
/* A number, or from 2^53 on its digits as a string. */
void row_count(struct row *row, const char *key, uint64_t value);
/* The same for a number of calls; null where they were not counted. */
void row_calls_or_null(struct row *row, const char *key, const struct gprofx_call_column *column,
                       uint64_t value);
/* The same, or null for 0. */
void row_number_or_null(struct row *row, const char *key, uint32_t value);
/* A number, or null if it is infinite or not a number. */
void row_real(struct row *row, const char *key, double value);
void row_address(struct row *row, const char *key, uint64_t value);
/*
 * Text of unknown origin.  Where it is not UTF-8 its odd bytes are shown as \xNN, and a second
 * member, KEY_bytes, holds all of it in base64.
 */
void row_text(struct row *row, const char *key, const char *bytes, size_t length);
/* The same for a NUL-terminated string; null for NULL. */
void row_string(struct row *row, const char *key, const char *text);

#endif
