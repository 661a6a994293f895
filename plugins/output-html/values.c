/* SPDX-License-Identifier: Apache-2.0 */
#include "values.h"

#include <math.h>
#include <stdlib.h>
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

enum { DIGIT_BITS = 5, DIGIT_MORE = 1 << DIGIT_BITS };

static char
digit(uint64_t value)
{
	static const char digits[] =
		"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

	return digits[value];
}

void
values_digits(struct gprofx_writer *w, uint64_t number)
{
	char text[64 / DIGIT_BITS + 1];
	size_t length = 0;

	for (; number >= DIGIT_MORE; number >>= DIGIT_BITS)
		text[length++] = digit(number % DIGIT_MORE + DIGIT_MORE);
	text[length++] = digit(number);
	gprofx_put(w, text, length);
}

void
values_open_column(struct values *c, const char *key, enum values_column column)
{
	static const char *const words[] = {
		[VALUES_INTEGERS] = "",
		[VALUES_STEPS] = "{\"steps\":\"",
		[VALUES_REALS] = "{\"reals\":\"",
	};

	values_key(c, key);
	gprofx_puts(c->w, words[column]);
	c->column = column;
	c->before = 0;
	c->in_block = 0;
	c->every = 0;
	c->held = 0;
	c->is_open = column != VALUES_INTEGERS;
}

void
values_open_blocks(struct values *c, const char *key, enum values_column column)
{
	static const char *const words[] = {
		[VALUES_INTEGERS] = ",\"integers\":[",
		[VALUES_REALS] = ",\"reals\":[",
	};

	values_key(c, key);
	values_open(c, '{');
	values_key(c, "block");
	values_count(c, VALUES_BLOCK);
	gprofx_puts(c->w, words[column]);
	c->column = column;
	c->in_block = 0;
	c->every = VALUES_BLOCK;
	c->is_open = true;
	c->has_before = false;
}

/* A column of integers that are not all the same: those that were, are written. */
static void
release_held(struct values *c)
{
	gprofx_puts(c->w, "{\"integers\":\"");
	for (; c->held > 0; c->held--)
		values_digits(c->w, c->same);
	c->is_open = true;
}

/* All integers of a column. */
static void
put_same(struct values *c)
{
	gprofx_puts(c->w, "{\"all\":");
	if (c->same == 0)
		gprofx_puts(c->w, "-1");
	else
		c->w->services->number(c->w, c->same - 1, 0);
	gprofx_puts(c->w, ",\"count\":");
	c->w->services->number(c->w, c->held, 0);
	gprofx_putc(c->w, '}');
	c->column = VALUES_PLAIN;
	c->has_before = true;
}

void
values_close_column(struct values *c)
{
	if (c->every == 0 && !c->is_open && c->held > 0) {
		put_same(c);
		return;
	}
	if (c->every == 0 && !c->is_open)
		release_held(c);
	if (c->every == 0 || c->in_block > 0)
		gprofx_putc(c->w, '"');
	gprofx_puts(c->w, c->every > 0 ? "]}" : "}");
	c->column = VALUES_PLAIN;
	c->has_before = true;
}

static void
end_block(struct values *c)
{
	if (c->in_block > 0)
		gprofx_putc(c->w, '"');
	c->in_block = 0;
}

/* Before a value of a column. */
static void
next_value(struct values *c)
{
	if (c->every == 0)
		return;
	if (c->in_block == c->every)
		end_block(c);
	if (c->in_block == 0) {
		put_comma(c);
		gprofx_putc(c->w, '"');
	}
	c->in_block++;
}

void
values_leave_block(struct values *c)
{
	end_block(c);
	values_null(c);
}

/* An integer of a column, plus 1: 0 stands for -1. */
static void
put_digits(struct values *c, uint64_t number)
{
	if (!c->is_open && (c->held == 0 || c->same == number)) {
		c->same = number;
		c->held++;
		return;
	}
	if (!c->is_open)
		release_held(c);
	values_digits(c->w, number);
}

/* 2^64: the largest integer, plus 1. */
static void
put_huge(struct gprofx_writer *w)
{
	enum { ZEROS = 12, LAST = 64 - ZEROS * DIGIT_BITS };

	for (int i = 0; i < ZEROS; i++)
		gprofx_putc(w, digit(DIGIT_MORE));
	gprofx_putc(w, digit(1 << LAST));
}

/*
 * A real of a column: twice a whole number.  Or else twice its decimal digits, plus 1, and their
 * exponent; without digits, 1 is followed by 0: null, or by 1: minus what follows.
 */
static void
put_real(struct gprofx_writer *w, double value)
{
	char text[EXPORT_REAL_BYTES + 1];
	uint64_t number = 0;
	long exponent = 0;
	bool is_fraction = false;
	const char *at = text;

	if (signbit(value) && value != 0) {
		values_digits(w, 1);
		values_digits(w, 1);
		value = -value;
	}
	if (value <= MOST_WHOLE && value == floor(value)) {
		values_digits(w, 2 * (uint64_t)value);
		return;
	}
	text[export_real(text, value, DIGITS)] = '\0';
	for (; *at && *at != 'e'; at++) {
		if (*at == '.') {
			is_fraction = true;
			continue;
		}
		number = 10 * number + (uint64_t)(*at - '0');
		exponent -= is_fraction;
	}
	if (*at == 'e')
		exponent += strtol(at + 1, NULL, 10);
	values_digits(w, 2 * number + 1);
	values_digits(w, exponent < 0 ? 2 * (uint64_t)-exponent : 2 * (uint64_t)exponent + 1);
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
	if (c->column == VALUES_STEPS) {
		values_digits(c->w, value - c->before);
		c->before = value;
		return;
	}
	if (c->column == VALUES_INTEGERS) {
		next_value(c);
		if (value < UINT64_MAX) {
			put_digits(c, value + 1);
			return;
		}
		if (!c->is_open)
			release_held(c);
		put_huge(c->w);
		return;
	}
	put_comma(c);
	if (value < 10)
		gprofx_putc(c->w, (char)('0' + value));
	else
		c->w->services->number(c->w, value, 0);
}

/* -1 */
static void
put_none(struct values *c)
{
	if (c->column == VALUES_INTEGERS) {
		next_value(c);
		put_digits(c, 0);
		return;
	}
	put_comma(c);
	gprofx_put(c->w, "-1", 2);
}

void
values_index(struct values *c, uint32_t value, uint32_t none)
{
	if (value != none)
		values_count(c, value);
	else
		put_none(c);
}

void
values_real(struct values *c, double value)
{
	char text[EXPORT_REAL_BYTES];
	size_t length;

	if (c->column == VALUES_REALS)
		next_value(c);
	if (c->column == VALUES_REALS && isfinite(value)) {
		put_real(c->w, value);
	} else if (c->column == VALUES_REALS) {
		values_digits(c->w, 1);
		values_digits(c->w, 0);
	} else if (!isfinite(value)) {
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
values_open_lines(struct values *c)
{
	put_comma(c);
	gprofx_putc(c->w, '"');
	c->has_before = false;
}

void
values_line(struct values *c, const char *bytes, size_t count)
{
	if (c->has_before)
		gprofx_puts(c->w, "\\n");
	text_put_part(c->w, bytes, count);
	c->has_before = true;
}

void
values_close_lines(struct values *c)
{
	gprofx_putc(c->w, '"');
	c->has_before = true;
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
	if (gprofx_is_counted(column, calls))
		values_count(c, calls);
	else
		put_none(c);
}
