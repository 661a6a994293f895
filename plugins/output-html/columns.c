/* SPDX-License-Identifier: Apache-2.0 */
#include "columns.h"

#include <math.h>
#include <string.h>

#include "../shared/export-reals.h"
#include "text.h"

enum { DIGITS = 9 };

/* Whole numbers up to here take no more digits. */
#define MOST_WHOLE 999999999.0

static void
put_comma(struct columns *c)
{
	if (c->has_before)
		gprofx_putc(c->w, ',');
	c->has_before = true;
}

void
columns_key(struct columns *c, const char *key)
{
	gprofx_puts(c->w, c->has_before ? ",\n\"" : "\n\"");
	gprofx_puts(c->w, key);
	gprofx_puts(c->w, "\":");
	c->has_before = false;
}

void
columns_open(struct columns *c, char bracket)
{
	put_comma(c);
	gprofx_putc(c->w, bracket);
	c->has_before = false;
}

void
columns_close(struct columns *c, char bracket)
{
	gprofx_putc(c->w, bracket);
	c->has_before = true;
}

void
columns_null(struct columns *c)
{
	put_comma(c);
	gprofx_puts(c->w, "null");
}

void
columns_bool(struct columns *c, bool value)
{
	put_comma(c);
	gprofx_puts(c->w, value ? "true" : "false");
}

void
columns_count(struct columns *c, uint64_t value)
{
	put_comma(c);
	if (value < 10)
		gprofx_putc(c->w, (char)('0' + value));
	else
		c->w->services->number(c->w, value, 0);
}

void
columns_index(struct columns *c, uint32_t value, uint32_t none)
{
	if (value != none) {
		columns_count(c, value);
		return;
	}
	put_comma(c);
	gprofx_put(c->w, "-1", 2);
}

void
columns_real(struct columns *c, double value)
{
	char text[EXPORT_REAL_BYTES];
	size_t length;

	if (!isfinite(value)) {
		columns_null(c);
	} else if (value >= 0 && value <= MOST_WHOLE && value == floor(value)) {
		columns_count(c, (uint64_t)value);
	} else {
		put_comma(c);
		length = export_real(text, value, DIGITS);
		gprofx_put(c->w, text, length);
	}
}

void
columns_texts(struct columns *c, const char *bytes, size_t count)
{
	put_comma(c);
	text_put_json(c->w, bytes, count);
}

void
columns_text(struct columns *c, const char *text)
{
	if (text)
		columns_texts(c, text, strlen(text));
	else
		columns_null(c);
}

void
columns_calls(struct columns *c, const struct gprofx_call_column *column, uint64_t calls)
{
	if (gprofx_is_counted(column, calls)) {
		columns_count(c, calls);
		return;
	}
	put_comma(c);
	gprofx_put(c->w, "-1", 2);
}
