/* SPDX-License-Identifier: Apache-2.0 */
/*
 * One JSON object at a time.  A row is filled member by member, written, and used again for the
 * next, so that a report of any length takes the memory of its longest row.
 *
 * No member can make a row invalid: what cannot be said in JSON becomes null, what JSON parsers
 * would read wrongly becomes a string.  Where memory runs out the row remembers it.
 */
#ifndef OUTPUT_JSON_ROW_H
#define OUTPUT_JSON_ROW_H

#include <jansson.h>

#include <gprofx/emitter.h>

struct row {
	json_t *object;
	int digits;  /* that the numbers of the row are written with */
	bool failed; /* there was no memory for some of it */
};

void row_init(struct row *row);
void row_free(struct row *row);

/* Empties the row. */
void row_begin(struct row *row);
/* Writes its members, without the braces around them. */
void row_write(struct row *row, struct gprofx_writer *writer);

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

/* The parts of row_text(), for tests: fresh blocks, NUL-terminated, or NULL: no memory. */
char *row_escape(const char *bytes, size_t length, size_t *escaped_length);
char *row_base64(const char *bytes, size_t length);

#endif
