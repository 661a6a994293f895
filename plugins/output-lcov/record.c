/* SPDX-License-Identifier: Apache-2.0 */
#include "record.h"

#include <stdio.h>
#include <string.h>

#include "../shared/export-names.h"

/* Readers end a name at a comma. */
static bool
is_fit(const char *bytes, size_t length)
{
	return !memchr(bytes, ',', length);
}

static void
fit(char *bytes, size_t length)
{
	for (size_t i = 0; i < length; i++)
		if (bytes[i] == ',')
			bytes[i] = ';';
}

static const struct export_form form = {.is_fit = is_fit, .fit = fit};

/* Makes room for one more. */
static void *
room_for(struct gprofx *gx, void *items, uint32_t count, uint32_t *room, size_t bytes)
{
	enum { FIRST_ROOM = 64 };
	uint32_t larger = *room > 0 ? 2 * *room : FIRST_ROOM;

	if (count < *room)
		return items;
	items = gx->host->grow(gx, items, *room * bytes, larger * bytes);
	*room = larger;
	return items;
}

void
record_add_function(struct record *r, const struct lcov_function *function)
{
	r->functions = room_for(r->gx, r->functions, r->function_count, &r->function_room,
	                        sizeof *r->functions);
	r->functions[r->function_count++] = *function;
}

void
record_add_line(struct record *r, uint32_t line, uint64_t count)
{
	r->lines = room_for(r->gx, r->lines, r->line_count, &r->line_room, sizeof *r->lines);
	r->lines[r->line_count++] = (struct lcov_line){line, count};
}

static void
put_number(const struct record *r, uint64_t value)
{
	r->writer->services->number(r->writer, value, 0);
}

/* "LF:12": how many there are of something. */
static void
put_sum(const struct record *r, const char *key, uint32_t count)
{
	gprofx_puts(r->writer, key);
	put_number(r, count);
	gprofx_putc(r->writer, '\n');
}

/* The first line with a count, or 0. */
static uint32_t
line_of(const struct record *r, const struct lcov_function *function)
{
	uint32_t low = 0, high = r->line_count;

	while (low < high) {
		uint32_t middle = low + (high - low) / 2;

		if (r->lines[middle].line < function->first_line)
			low = middle + 1;
		else
			high = middle;
	}
	if (low == r->line_count || r->lines[low].line > function->last_line)
		return 0;
	return r->lines[low].line;
}

/* Keeps the functions that have a line, with names that no other one of the file has. */
static void
name_functions(struct record *r)
{
	uint32_t kept = 0, distinct, *numbers, *uses;
	struct gprofx_text *names;

	for (uint32_t i = 0; i < r->function_count; i++) {
		struct lcov_function function = r->functions[i];

		function.first_line = line_of(r, &function);
		function.name = export_text(r->gx, function.name, &form);
		if (function.first_line != 0)
			r->functions[kept++] = function;
	}
	r->function_count = kept;
	names = gprofx_alloc(r->gx, ((size_t)kept + 1) * sizeof *names);
	uses = gprofx_alloc(r->gx, ((size_t)kept + 1) * sizeof *uses);
	for (uint32_t i = 0; i < kept; i++)
		names[i] = r->functions[i].name;
	numbers = export_distinct(r->gx, names, kept, &distinct);
	for (uint32_t i = 0; i < kept; i++)
		uses[numbers[i]]++;
	for (uint32_t i = 0; i < kept; i++) {
		struct gprofx_text *name = &r->functions[i].name;
		size_t room = name->length + 32;
		char *longer;

		if (uses[numbers[i]] == 1)
			continue;
		longer = gprofx_alloc(r->gx, room);
		memcpy(longer, name->bytes, name->length);
		snprintf(longer + name->length, room - name->length, " [%lu.%lu]",
		         (unsigned long)r->functions[i].first_line, (unsigned long)i);
		*name = (struct gprofx_text){longer, strlen(longer)};
	}
	r->gx->host->release(r->gx, names);
	r->gx->host->release(r->gx, uses);
	r->gx->host->release(r->gx, numbers);
}

static void
put_functions(const struct record *r)
{
	uint32_t hit = 0;

	for (uint32_t i = 0; i < r->function_count; i++) {
		gprofx_puts(r->writer, "FN:");
		put_number(r, r->functions[i].first_line);
		gprofx_putc(r->writer, ',');
		gprofx_put(r->writer, r->functions[i].name.bytes, r->functions[i].name.length);
		gprofx_putc(r->writer, '\n');
	}
	for (uint32_t i = 0; i < r->function_count; i++) {
		hit += r->functions[i].count > 0;
		gprofx_puts(r->writer, "FNDA:");
		put_number(r, r->functions[i].count);
		gprofx_putc(r->writer, ',');
		gprofx_put(r->writer, r->functions[i].name.bytes, r->functions[i].name.length);
		gprofx_putc(r->writer, '\n');
	}
	put_sum(r, "FNF:", r->function_count);
	put_sum(r, "FNH:", hit);
}

static void
put_lines(const struct record *r)
{
	uint32_t hit = 0;

	for (uint32_t i = 0; i < r->line_count; i++) {
		hit += r->lines[i].count > 0;
		gprofx_puts(r->writer, "DA:");
		put_number(r, r->lines[i].line);
		gprofx_putc(r->writer, ',');
		put_number(r, r->lines[i].count);
		gprofx_putc(r->writer, '\n');
	}
	put_sum(r, "LF:", r->line_count);
	put_sum(r, "LH:", hit);
}

void
record_write(struct record *r, const char *path)
{
	struct gprofx_text file = export_text(r->gx, (struct gprofx_text){path, strlen(path)},
	                                      NULL);

	if (r->line_count > 0) {
		name_functions(r);
		gprofx_puts(r->writer, "TN:");
		gprofx_put(r->writer, r->test.bytes, r->test.length);
		gprofx_puts(r->writer, "\nSF:");
		gprofx_put(r->writer, file.bytes, file.length);
		gprofx_putc(r->writer, '\n');
		put_functions(r);
		put_lines(r);
		gprofx_puts(r->writer, "end_of_record\n");
	}
	r->function_count = r->line_count = 0;
}
