/* SPDX-License-Identifier: Apache-2.0 */
#include "document.h"

enum {
	/* Values take many times the memory of their text. */
	MOST_VALUE_BYTES = 1 << 20,
	LARGE_VALUE_BYTES = 4 << 10,
	SHOWN_BYTES = 16
};

static const char run_again[] = "the file is damaged, or not what gcov --json-format wrote; run "
				"gcov again";

enum gprofx_result
gcov_fail(const struct document *d, size_t at, const char *id, const char *expected,
          const char *found)
{
	struct gprofx_diagnostic diagnostic = gprofx_at(d->file, at, id, run_again);

	if (!d->is_unpacked)
		return gprofx_fail(d->gx, &diagnostic, "expected %s, found %s", expected, found);
	diagnostic.place = GPROFX_NOWHERE;
	diagnostic.number[0] = at;
	return gprofx_fail(d->gx, &diagnostic,
	                   "expected %s at byte %llu of the decompressed text, found %s", expected,
	                   (unsigned long long)at, found);
}

/* What stands at a place, fit to be shown. */
static const char *
shown(const struct document *d, size_t at, char text[SHOWN_BYTES + 3])
{
	size_t left = d->length - at, length = left < SHOWN_BYTES ? left : SHOWN_BYTES;

	if (length == 0)
		return "the end of the text";
	text[0] = '\'';
	for (size_t i = 0; i < length; i++) {
		char c = d->text[at + i];

		text[i + 1] = '?';
		if (c >= ' ' && c <= '~')
			text[i + 1] = c;
	}
	text[length + 1] = '\'';
	text[length + 2] = '\0';
	return text;
}

static enum gprofx_result
fail_syntax(const struct document *d, const char *expected)
{
	char text[SHOWN_BYTES + 3];

	return gcov_fail(d, d->at, "gcov.bad-json", expected, shown(d, d->at, text));
}

static void
skip_space(struct document *d)
{
	while (d->at < d->length && (d->text[d->at] == ' ' || d->text[d->at] == '\t' ||
	                             d->text[d->at] == '\n' || d->text[d->at] == '\r'))
		d->at++;
}

/* Takes a character if it is next. */
static bool
take(struct document *d, char c)
{
	skip_space(d);
	if (d->at == d->length || d->text[d->at] != c)
		return false;
	d->at++;
	return true;
}

enum gprofx_result
gcov_open(struct document *d, char bracket, const char *what)
{
	return take(d, bracket) ? GPROFX_OK : fail_syntax(d, what);
}

enum gprofx_result
gcov_next(struct document *d, char closing, bool is_first, bool *more)
{
	*more = !take(d, closing);
	if (!*more || is_first || take(d, ','))
		return GPROFX_OK;
	return fail_syntax(d, closing == '}' ? "',' or '}'" : "',' or ']'");
}

enum gprofx_result
gcov_key(struct document *d, json_t **key)
{
	enum gprofx_result result;

	skip_space(d);
	if (d->at == d->length || d->text[d->at] != '"')
		return fail_syntax(d, "the name of a member");
	result = gcov_value(d, key);
	if (result != GPROFX_OK)
		return result;
	if (take(d, ':'))
		return GPROFX_OK;
	json_decref(*key);
	return fail_syntax(d, "':'");
}

/* Its message names what is near, byte by byte as it stands in the file. */
static enum gprofx_result
fail_value(struct document *d, const json_error_t *error, bool is_cut)
{
	char text[SHOWN_BYTES + 3];
	size_t behind = error->position > 0 ? (size_t)error->position : 0;
	size_t at = d->at + (behind > 0 ? behind - 1 : 0);

	if (is_cut)
		return gcov_fail(d, d->at, "gcov.large-value", "a value of at most 1048576 bytes",
		                 "a longer one");
	switch (json_error_code(error)) {
	case json_error_premature_end_of_input:
		return gcov_fail(d, d->length, "gcov.bad-json", "the rest of a value",
		                 "the end of the text");
	case json_error_stack_overflow:
		return gcov_fail(d, at, "gcov.bad-json", "less deeply nested values",
		                 "more levels");
	case json_error_invalid_utf8:
		return gcov_fail(d, at, "gcov.bad-json", "UTF-8", "other bytes");
	case json_error_numeric_overflow:
		return gcov_fail(d, d->at, "gcov.bad-value", "numbers below 2^63", "a larger one");
	default:
		return gcov_fail(d, at < d->length ? at : d->length, "gcov.bad-json",
		                 "a value in JSON",
		                 shown(d, at < d->length ? at : d->length, text));
	}
}

enum gprofx_result
gcov_value(struct document *d, json_t **value)
{
	size_t left;
	json_error_t error;

	skip_space(d);
	left = d->length - d->at;
	left = left < MOST_VALUE_BYTES ? left : MOST_VALUE_BYTES;
	d->value_at = d->at;
	*value = json_loadb(d->text + d->at, left, JSON_DISABLE_EOF_CHECK | JSON_DECODE_ANY,
	                    &error);
	if (!*value)
		return fail_value(d, &error,
		                  left < d->length - d->at && error.position >= (int)left);
	d->at += (size_t)error.position;
	if (error.position > LARGE_VALUE_BYTES)
		d->large += (uint64_t)error.position;
	return GPROFX_OK;
}

enum gprofx_result
gcov_end(struct document *d)
{
	skip_space(d);
	return d->at == d->length ? GPROFX_OK : fail_syntax(d, "the end of the text");
}
