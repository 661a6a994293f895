/* SPDX-License-Identifier: Apache-2.0 */
/* Options that the flat profile and the call graph have in common, and what follows from them. */
#ifndef PLUGINS_SHARED_OPTIONS_H
#define PLUGINS_SHARED_OPTIONS_H

#include <gprofx/emitter.h>

struct table_options {
	struct gprofx_choices columns;
	int64_t top;        /* 0: all */
	double minimum;     /* percent */
	int64_t text_width; /* columns of a line of what explains; 0: as it is */
	int64_t row_width;  /* columns of a row, which a name does not pass; 0: as it is */
	uint32_t names;     /* enum name_form */
	bool errors;
};

extern const char *const table_name_forms[];

/* Rows of the table of options; the options struct begins with a struct table_options. */
#define TABLE_ROW_OPTIONS(column_words, column_default, top_help, minimum_help)                \
	{.key = "columns",                                                                     \
	 .type = GPROFX_CHOICES,                                                               \
	 .offset = offsetof(struct table_options, columns),                                    \
	 .initial = (column_default),                                                          \
	 .choices = (column_words),                                                            \
	 .help = "the columns, in their order"},                                               \
		{.key = "top",                                                                 \
	         .type = GPROFX_INT,                                                           \
	         .offset = offsetof(struct table_options, top),                                \
	         .initial = "0",                                                               \
	         .minimum = 0,                                                                 \
	         .maximum = UINT32_MAX,                                                        \
	         .help = (top_help)},                                                          \
		{.key = "minimum",                                                             \
	         .type = GPROFX_REAL,                                                          \
	         .offset = offsetof(struct table_options, minimum),                            \
	         .initial = "0",                                                               \
	         .minimum = 0,                                                                 \
	         .maximum = 100,                                                               \
	         .help = (minimum_help)},                                                      \
		{.key = "text-width",                                                          \
	         .type = GPROFX_INT,                                                           \
	         .offset = offsetof(struct table_options, text_width),                         \
	         .initial = "0",                                                               \
	         .minimum = 0,                                                                 \
	         .maximum = INT32_MAX,                                                         \
	         .help = "width of the explanation in columns; 0: lines as they are written"}, \
	{                                                                                      \
		.key = "names", .type = GPROFX_CHOICE,                                         \
		.offset = offsetof(struct table_options, names), .initial = "full",            \
		.choices = table_name_forms, .help = "how much of each name is shown"          \
	}

/* For tables whose rows end with a name: folded_put(). */
#define TABLE_ROW_WIDTH                                                                            \
	{                                                                                          \
		.key = "row-width", .type = GPROFX_INT,                                            \
		.offset = offsetof(struct table_options, row_width), .initial = "0", .minimum = 0, \
		.maximum = INT32_MAX,                                                              \
		.help = "width of a row in columns: names continue below; 0: any width"            \
	}

#define TABLE_OPTIONS(column_words, column_default, top_help, minimum_help)           \
	TABLE_ROW_OPTIONS(column_words, column_default, top_help, minimum_help),      \
	{                                                                             \
		.key = "errors", .type = GPROFX_BOOL,                                 \
		.offset = offsetof(struct table_options, errors), .initial = "false", \
		.help = "add columns that show how reliable the figures are"          \
	}

/* The columns of a table; each stands there once. */
enum { TABLE_MOST_COLUMNS = 16 };

struct table_columns {
	uint32_t count;
	uint32_t items[TABLE_MOST_COLUMNS];
};

/* The columns that were chosen. */
struct table_columns columns_chosen(const struct table_options *options);
bool columns_have(const struct table_columns *columns, uint32_t column);
/* Adds a column at the end, once. */
void columns_append(struct table_columns *columns, uint32_t column);
/* Adds a column behind another one, or at the start where that is not; not a second time. */
void columns_add(struct table_columns *columns, uint32_t column, uint32_t behind);

/* What "top" and "minimum" left out. */
struct table_rest {
	uint32_t count;
	double ticks;
};

/* Whether the next row has a place: "shown" stand already, the row has this share of the time. */
static inline bool
table_takes(const struct table_options *options, uint32_t shown, double percent)
{
	return (options->top == 0 || shown < options->top) && !(percent < options->minimum);
}

/* Says what was left out, if anything was: "more function" or "more functions" and their part of
 * the "time". */
void table_put_rest(struct gprofx_writer *writer, const struct table_rest *rest, double total,
                    const char *one, const char *many, const char *time);

/* Colors, where they are allowed. */

enum { HOT_PERCENT = 10, WARM_PERCENT = 2 };

#define COLOR_HEADING "\033[1m"
#define COLOR_END "\033[0m"

/* The color for a share of the time, or "". */
static inline const char *
color_of_share(double percent)
{
	return percent >= HOT_PERCENT ? "\033[31m" : percent >= WARM_PERCENT ? "\033[33m" : "";
}

static inline bool
writer_takes_color(const struct gprofx_writer *writer)
{
	return writer->services->takes_color(writer);
}

#endif
