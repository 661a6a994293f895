/* SPDX-License-Identifier: Apache-2.0 */
#include "options.h"

#include <string.h>

/* In the order of enum name_form. */
const char *const table_name_forms[] = {"full", "no-arguments", "no-templates", "last-components",
                                        NULL};

struct table_columns
columns_chosen(const struct table_options *options)
{
	struct table_columns columns = {.count = options->columns.count};

	memcpy(columns.items, options->columns.items, columns.count * sizeof columns.items[0]);
	return columns;
}

bool
columns_have(const struct table_columns *columns, uint32_t column)
{
	for (uint32_t i = 0; i < columns->count; i++)
		if (columns->items[i] == column)
			return true;
	return false;
}

void
columns_append(struct table_columns *columns, uint32_t column)
{
	if (!columns_have(columns, column))
		columns->items[columns->count++] = column;
}

void
columns_add(struct table_columns *columns, uint32_t column, uint32_t behind)
{
	uint32_t at = 0;

	if (columns_have(columns, column))
		return;
	for (uint32_t i = 0; i < columns->count; i++)
		if (columns->items[i] == behind)
			at = i + 1;
	memmove(columns->items + at + 1, columns->items + at,
	        (columns->count - at) * sizeof columns->items[0]);
	columns->items[at] = column;
	columns->count++;
}

void
table_put_rest(struct gprofx_writer *writer, const struct table_rest *rest, double total,
               const char *one, const char *many, const char *time)
{
	if (rest->count == 0)
		return;
	gprofx_puts(writer, "... ");
	writer->services->number(writer, rest->count, 0);
	gprofx_putc(writer, ' ');
	gprofx_puts(writer, rest->count == 1 ? one : many);
	gprofx_puts(writer, " with ");
	writer->services->fixed(writer, 100.0 * rest->ticks / total, 0, 2);
	gprofx_puts(writer, "% of the ");
	gprofx_puts(writer, time);
	gprofx_putc(writer, '\n');
}
