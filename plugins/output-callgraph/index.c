/* SPDX-License-Identifier: Apache-2.0 */
#include "index.h"

#include <string.h>

#include "label.h"
#include "../shared/folded.h"
#include "../shared/line-names.h"
#include "../shared/names.h"
#include "../shared/width.h"

/* What is listed, and where to. */
struct list {
	const struct gprofx_report *r;
	struct gprofx_writer *w;
	struct names *names;
	struct line_names *line_names;
	size_t fold; /* where names of a single column are folded; 0: nowhere */
};

static void
put_index_number(struct gprofx_writer *w, const struct gprofx_report *r, uint32_t node)
{
	bool shown = (r->graph->flags[node] & GPROFX_NODE_SHOWN) != 0;

	gprofx_putc(w, shown ? '[' : '(');
	w->services->number(w, r->graph->index[node], 0);
	gprofx_putc(w, shown ? ']' : ')');
}

/* Number of decimal digits. */
static size_t
digits(uint32_t value)
{
	size_t count = 1;

	for (; value >= 10; value /= 10)
		count++;
	return count;
}

enum { ITEMS = 3 }; /* in a row of the index */

/* Whether the name of a static function in the index is followed by its file. */
static bool
has_file_behind(const struct gprofx_report *r, uint32_t node)
{
	bool is_there = r->origin->by_line ||
	                (r->origin->positioned &&
	                 (r->compatibility->corrections & GPROFX_CORRECT_STATIC_FILES) != 0);

	return (r->graph->flags[node] & GPROFX_NODE_STATIC) && !is_there;
}

static struct gprofx_text
name_of(const struct list *l, uint32_t node)
{
	struct gprofx_text name = names_of(l->names, node);

	return l->r->origin->by_line ? line_names_ends(l->line_names, name) : name;
}

/* One item of the index; returns how many columns it took, as gprof counts them. */
static size_t
put_index_item(const struct list *l, uint32_t node, size_t column, size_t start)
{
	const struct gprofx_report *r = l->r;
	struct gprofx_writer *w = l->w;
	struct gprofx_text name = name_of(l, node);
	uint32_t line;
	const char *file;

	column += digits(r->graph->index[node]) + 2;
	for (; column < start + 5; column++)
		gprofx_putc(w, ' ');
	/* The blanks around the number are not counted. */
	gprofx_putc(w, ' ');
	put_index_number(w, r, node);
	gprofx_putc(w, ' ');
	folded_put(w, name, column + 2, l->fold);
	column += name.length;
	if (!has_file_behind(r, node))
		return column;
	file = r->services->source(r, node, &line);
	if (file) {
		const char *slash = strrchr(file, '/');

		if (slash && !r->origin->full_paths)
			file = slash + 1;
		gprofx_out(w, " (%s)", file);
		column += strlen(file) + 3;
	}
	return column;
}

/* How wide a number of the traditional index is; what is longer is cut. */
static size_t
label_width(const struct gprofx_report *r)
{
	uint32_t largest = 0;

	if (!label_is_whole(r))
		return LABEL_SHOWN;
	for (uint32_t i = 0; i < r->graph->index_count; i++)
		if (r->graph->index[r->graph->index_node[i]] > largest)
			largest = r->graph->index[r->graph->index_node[i]];
	return digits(largest) + 2 > LABEL_SHOWN ? digits(largest) + 2 : LABEL_SHOWN;
}

/* How much of a name the traditional index shows; a character stays whole, but in gprof's bytes. */
static size_t
cut_name(const struct gprofx_report *r, struct gprofx_text name)
{
	enum { NAME_SHOWN = 19 };
	size_t cut = NAME_SHOWN;

	if (name.length <= cut)
		return name.length;
	while (label_is_whole(r) && cut > 0 && ((unsigned char)name.bytes[cut] & 0xc0) == 0x80)
		cut--;
	return cut;
}

/* How many columns the widest item takes behind its number. */
static size_t
widest_item(const struct list *l)
{
	const struct gprofx_report *r = l->r;
	size_t widest = 0;

	for (uint32_t i = 0; i < r->graph->index_count; i++) {
		uint32_t node = r->graph->index_node[i], line;
		size_t width = width_of(name_of(l, node));
		const char *file = has_file_behind(r, node) ? r->services->source(r, node, &line)
		                                            : NULL;

		width += file ? strlen(file) + 3 : 0;
		widest = width > widest ? width : widest;
	}
	return widest;
}

/* As many items in a row, up to the usual number, as fit a screen; a width of 0 is any. */
static uint32_t
items_in_row(const struct list *l, size_t line_width, size_t row_width)
{
	enum { BLANKS = 2, NUMBER = 5 };
	uint32_t count = ITEMS;
	size_t widest;

	if (row_width == 0 || l->r->compatibility->traditional)
		return count;
	for (widest = widest_item(l); count > 1; count--) {
		size_t width = (line_width - 1) / count;

		if (NUMBER + widest <= width &&
		    (count - 1) * (width + BLANKS) + BLANKS + NUMBER + widest <= row_width)
			break;
	}
	return count;
}

static void
put_traditional_item(const struct list *l, uint32_t node, size_t width)
{
	const struct gprofx_report *r = l->r;
	char label[LABEL_ROOM];
	bool shown = (r->graph->flags[node] & GPROFX_NODE_SHOWN) != 0;
	size_t length = label_make(label, shown ? "[]" : "()", r->graph->index[node]);
	struct gprofx_text name;

	if (node >= r->functions->count)
		name = names_of(l->names, node);
	else
		name = (struct gprofx_text){r->functions->raw_name[node],
		                            strlen(r->functions->raw_name[node])};
	gprofx_out(l->w, "%*.*s %-19.*s", (int)width, (int)(length < width ? length : width), label,
	           (int)cut_name(r, name), name.bytes);
}

void
index_put(const struct gprofx_report *r, struct gprofx_writer *w, struct names *names,
          struct line_names *line_names, size_t line_width, size_t row_width)
{
	struct list list = {.r = r, .w = w, .names = names, .line_names = line_names};
	uint32_t items = items_in_row(&list, line_width, row_width);
	size_t width = (line_width - 1) / items;
	size_t traditional_width = r->compatibility->traditional ? label_width(r) : 0;
	uint32_t rows = r->graph->index_count / items + (r->graph->index_count % items != 0);

	list.fold = items == 1 ? row_width : 0;
	gprofx_puts(w, "\f\nIndex by function name\n\n");
	for (uint32_t row = 0; row < rows; row++) {
		size_t column = 0, start = 0;

		for (uint64_t i = row; i < r->graph->index_count; i += rows) {
			if (r->compatibility->traditional)
				put_traditional_item(&list, r->graph->index_node[i],
				                     traditional_width);
			else
				column = put_index_item(&list, r->graph->index_node[i], column,
				                        start);
			start += width;
		}
		gprofx_putc(w, '\n');
	}
}
