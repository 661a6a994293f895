/* SPDX-License-Identifier: Apache-2.0 */
#include "values.h"

#include <math.h>
#include <string.h>

#include "../shared/export-reals.h"
#include "text.h"

enum { DIGITS = 9 };

/* Whole numbers up to here take no more digits. */
#define MOST_WHOLE 999999999.0

static void
put_comma(struct values *c)
{
	if (c->has_before)
		gprofx_putc(c->w, ',');
	c->has_before = true;
}

void
values_key(struct values *c, const char *key)
{
	gprofx_puts(c->w, c->has_before ? ",\n\"" : "\n\"");
	gprofx_puts(c->w, key);
	gprofx_puts(c->w, "\":");
	c->has_before = false;
}

void
values_open(struct values *c, char bracket)
{
	put_comma(c);
	gprofx_putc(c->w, bracket);
	c->has_before = false;
}

void
values_close(struct values *c, char bracket)
{
	gprofx_putc(c->w, bracket);
	c->has_before = true;
}

void
values_null(struct values *c)
{
	put_comma(c);
	gprofx_puts(c->w, "null");
}

void
values_bool(struct values *c, bool value)
{
	put_comma(c);
	gprofx_puts(c->w, value ? "true" : "false");
}

void
values_count(struct values *c, uint64_t value)
{
	put_comma(c);
	if (value < 10)
		gprofx_putc(c->w, (char)('0' + value));
	else
		c->w->services->number(c->w, value, 0);
}

void
values_index(struct values *c, uint32_t value, uint32_t none)
{
	if (value != none) {
		values_count(c, value);
		return;
	}
	put_comma(c);
	gprofx_put(c->w, "-1", 2);
}

void
values_real(struct values *c, double value)
{
	char text[EXPORT_REAL_BYTES];
	size_t length;

	if (!isfinite(value)) {
		values_null(c);
	} else if (value >= 0 && value <= MOST_WHOLE && value == floor(value)) {
		values_count(c, (uint64_t)value);
	} else {
		put_comma(c);
		length = export_real(text, value, DIGITS);
		gprofx_put(c->w, text, length);
	}
}

void
values_texts(struct values *c, const char *bytes, size_t count)
{
	put_comma(c);
	text_put_json(c->w, bytes, count);
}

void
values_text(struct values *c, const char *text)
{
	if (text)
		values_texts(c, text, strlen(text));
	else
		values_null(c);
}

void
values_calls(struct values *c, const struct gprofx_call_column *column, uint64_t calls)
{
	if (gprofx_is_counted(column, calls)) {
		values_count(c, calls);
		return;
	}
	put_comma(c);
	gprofx_put(c->w, "-1", 2);
}
