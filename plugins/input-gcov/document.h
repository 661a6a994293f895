/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A JSON text that is walked from start to end: the outer objects and lists step by step, the small
 * values in them by jansson, so that a large text never is in memory as values.
 */
#ifndef INPUT_GCOV_DOCUMENT_H
#define INPUT_GCOV_DOCUMENT_H

#include <gprofx/reader.h>
#include <jansson.h>

struct document {
	struct gprofx *gx;
	const struct gprofx_file *file;
	bool is_unpacked; /* the text is not the file itself */
	const char *text;
	size_t length, at;
	uint64_t large;  /* bytes of all large values so far */
	size_t value_at; /* where the last value begins */
};

/* Reports something at a place of the text; returns GPROFX_FAILED. */
enum gprofx_result gcov_fail(const struct document *d, size_t at, const char *id,
                             const char *expected, const char *found);

/* Takes the bracket that begins an object or a list. */
enum gprofx_result gcov_open(struct document *d, char bracket, const char *what);

/*
 * Goes to the next item of a list or an object; sets *more to false where its bracket closes
 * instead.  is_first: it has just been opened.
 */
enum gprofx_result gcov_next(struct document *d, char closing, bool is_first, bool *more);

/* Takes the key of a member and the colon; the key is to be decref'd. */
enum gprofx_result gcov_key(struct document *d, json_t **key);

/* Takes any value, of limited size; it is to be decref'd. */
enum gprofx_result gcov_value(struct document *d, json_t **value);

/* Nothing but white space may be left. */
enum gprofx_result gcov_end(struct document *d);

#endif
