/* SPDX-License-Identifier: Apache-2.0 */
/* A table under way, and its fields. */
#ifndef OUTPUT_CSV_SHEET_H
#define OUTPUT_CSV_SHEET_H

#include <math.h>
#include <string.h>

#include <gprofx/emitter.h>

#include "../shared/export-reals.h"
#include "../shared/export-rows.h"
#include "field.h"

struct names;

/* One table under way. */
struct sheet {
	const struct gprofx_report *report;
	struct gprofx_writer *writer;
	bool defuses;
	bool has_seconds; /* it is known how long a tick is */
	double ticks_per_second;
	const struct names *names; /* of output-csv.c, per function; in the table of arcs */
	const char *text;          /* which these are in */
};

static inline void
end_row(struct sheet *s)
{
	gprofx_put(s->writer, "\r\n", 2);
}

static inline void
put_comma(struct sheet *s)
{
	gprofx_putc(s->writer, ',');
}

static inline void
put_columns(struct sheet *s, const char *const *names)
{
	gprofx_puts(s->writer, *names);
	while (*++names) {
		put_comma(s);
		gprofx_puts(s->writer, *names);
	}
}

static inline void
put_text(struct sheet *s, const char *bytes, size_t length)
{
	field_put_text(s->writer, bytes, length, s->defuses);
}

static inline void
put_name(struct sheet *s, uint32_t node)
{
	struct gprofx_text name = s->report->services->name(s->report, node);

	put_text(s, name.bytes, name.length);
}

/* A field that is not the first one: the text, or nothing. */
static inline void
add_string(struct sheet *s, const char *text)
{
	put_comma(s);
	if (text)
		put_text(s, text, strlen(text));
}

/*
 * Further fields: a comma and what is in it, at most FIELD_ROOM bytes.  The result is where the
 * next one begins.  After FIELDS_AT_ONCE of them the room is checked anew.
 */
enum { FIELD_ROOM = 28, FIELDS_AT_ONCE = (GPROFX_WRITER_ROOM - EXPORT_REAL_BYTES) / FIELD_ROOM };

static inline char *
add_nothing(char *at)
{
	*at = ',';
	return at + 1;
}

static inline char *
add_count(char *at, uint64_t value)
{
	*at = ',';
	return export_number(at + 1, value);
}

static inline char *
add_count_or_nothing(char *at, uint64_t value)
{
	return value != 0 ? add_count(at, value) : add_nothing(at);
}

/* The shortest digits that stand for this value alone, with a point whatever the locale; or
 * nothing. */
static inline char *
add_real(char *at, double value)
{
	*at++ = ',';
	/* No minus before a zero. */
	return isfinite(value) ? at + export_shortest(at, value == 0 ? 0 : value) : at;
}

/* A number of calls, or nothing where they were not counted. */
static inline char *
add_calls(char *at, const struct gprofx_call_column *column, uint64_t calls)
{
	return gprofx_is_counted(column, calls) ? add_count(at, calls) : add_nothing(at);
}

static inline char *
add_seconds(const struct sheet *s, char *at, double ticks)
{
	return s->has_seconds ? add_real(at, ticks / s->ticks_per_second) : add_nothing(at);
}

#endif
