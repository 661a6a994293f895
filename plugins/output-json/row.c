/* SPDX-License-Identifier: Apache-2.0 */
#include "row.h"

#include <math.h>
#include <string.h>

#include "../shared/export-reals.h"
#include "../shared/export-rows.h"
#include "quoted.h"

/* From here on two integers can be one double, which is all that many parsers have. */
#define BEYOND_DOUBLES ((uint64_t)1 << 53)

void
row_init(struct row *row, struct gprofx_writer *writer)
{
	row->writer = writer;
	row_begin(row);
}

void
row_begin(struct row *row)
{
	row->count = 0;
	row->digits = EXPORT_LEAST_DIGITS;
	row->has_been_begun = false;
}

/* A number with a point or an exponent shows that it is not an integer. */
static void
put_real(const struct row *row, double value)
{
	struct gprofx_writer *w = row->writer;
	char text[EXPORT_REAL_BYTES];
	/* No minus before a zero. */
	size_t length = export_real(text, value == 0 ? 0 : value, row->digits);
	const char *exponent = memchr(text, 'e', length), *digits;

	if (!exponent) {
		gprofx_put(w, text, length);
		if (!memchr(text, '.', length))
			gprofx_put(w, ".0", 2);
		return;
	}
	/* "e-7" for "e-07", "e15" for "e+15". */
	gprofx_put(w, text, (size_t)(exponent + 1 - text));
	digits = exponent + 1;
	if (*digits == '-')
		gprofx_putc(w, '-');
	for (digits++; *digits == '0' && digits + 1 < text + length; digits++)
		;
	gprofx_put(w, digits, (size_t)(text + length - digits));
}

static void
put_count(const struct row *row, uint64_t value)
{
	struct gprofx_writer *w = row->writer;
	bool is_text = value >= BEYOND_DOUBLES;

	if (is_text)
		gprofx_putc(w, '"');
	export_put_number(w, value);
	if (is_text)
		gprofx_putc(w, '"');
}

static void
put_value(const struct row *row, const struct row_member *member)
{
	struct gprofx_writer *w = row->writer;

	switch (member->kind) {
	case ROW_NULL:
		gprofx_put(w, "null", 4);
		break;
	case ROW_FALSE:
		gprofx_put(w, "false", 5);
		break;
	case ROW_TRUE:
		gprofx_put(w, "true", 4);
		break;
	case ROW_COUNT:
		put_count(row, member->value.count);
		break;
	case ROW_REAL:
		put_real(row, member->value.real);
		break;
	case ROW_ADDRESS:
		gprofx_out(w, "\"0x%llx\"", (unsigned long long)member->value.count);
		break;
	case ROW_TEXT:
		quoted_put(w, member->value.text);
		break;
	case ROW_BYTES:
		quoted_put_escaped(w, member->value.text);
		gprofx_put(w, ",\"", 2);
		gprofx_puts(w, member->key);
		gprofx_put(w, "_bytes\":", 8);
		quoted_put_base64(w, member->value.text);
		break;
	}
}

void
row_write(struct row *row)
{
	struct gprofx_writer *w = row->writer;

	for (uint32_t i = 0; i < row->count; i++) {
		const struct row_member *member = &row->members[i];

		if (row->has_been_begun)
			gprofx_putc(w, ',');
		row->has_been_begun = true;
		gprofx_putc(w, '"');
		gprofx_puts(w, member->key);
		gprofx_put(w, "\":", 2);
		put_value(row, member);
	}
	row->count = 0;
}

/* The next member; a row that is full is written so far. */
static struct row_member *
add(struct row *row, const char *key, enum row_kind kind)
{
	struct row_member *member;

	if (row->count == ROW_MEMBERS)
		row_write(row);
	member = &row->members[row->count++];
	member->key = key;
	member->kind = kind;
	return member;
}

void
row_null(struct row *row, const char *key)
{
	add(row, key, ROW_NULL);
}

void
row_bool(struct row *row, const char *key, bool value)
{
	add(row, key, value ? ROW_TRUE : ROW_FALSE);
}

void
row_count(struct row *row, const char *key, uint64_t value)
{
	add(row, key, ROW_COUNT)->value.count = value;
}

void
row_calls_or_null(struct row *row, const char *key, const struct gprofx_call_column *column,
                  uint64_t value)
{
	if (gprofx_is_counted(column, value))
		row_count(row, key, value);
	else
		row_null(row, key);
}

void
row_number_or_null(struct row *row, const char *key, uint32_t value)
{
	if (value != 0)
		row_count(row, key, value);
	else
		row_null(row, key);
}

void
row_real(struct row *row, const char *key, double value)
{
	if (!isfinite(value)) {
		row_null(row, key);
		return;
	}
	/* Needless once another number wants all of them. */
	if (row->digits < EXPORT_MOST_DIGITS) {
		int digits = export_real_digits(value);

		row->digits = digits > row->digits ? digits : row->digits;
	}
	add(row, key, ROW_REAL)->value.real = value;
}

void
row_address(struct row *row, const char *key, uint64_t value)
{
	add(row, key, ROW_ADDRESS)->value.count = value;
}

void
row_text(struct row *row, const char *key, const char *bytes, size_t length)
{
	struct gprofx_text text = {bytes, length};

	add(row, key, quoted_is_utf8(text) ? ROW_TEXT : ROW_BYTES)->value.text = text;
}

void
row_string(struct row *row, const char *key, const char *text)
{
	if (text)
		row_text(row, key, text, strlen(text));
	else
		row_null(row, key);
}
