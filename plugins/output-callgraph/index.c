/* SPDX-License-Identifier: Apache-2.0 */
#include "index.h"

#include <string.h>

#include "label.h"
#include "../shared/names.h"

/* What is listed, and where to. */
struct list {
	const struct gprofx_report *r;
	struct gprofx_writer *w;
	struct names *names;
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

/* Whether the name of a static function in the index is followed by its file. */
static bool
has_file_behind(const struct gprofx_report *r, uint32_t node)
{
	bool is_there = r->origin->by_line ||
	                (r->origin->positioned &&
	                 (r->compatibility->corrections & GPROFX_CORRECT_STATIC_FILES) != 0);

	return (r->graph->flags[node] & GPROFX_NODE_STATIC) && !is_there;
}

/* One item of the index; returns how many columns it took, as gprof counts them. */
static size_t
put_index_item(const struct list *l, uint32_t node, size_t column, size_t start)
{
	const struct gprofx_report *r = l->r;
	struct gprofx_writer *w = l->w;
	struct gprofx_text name = names_of(l->names, node);
	uint32_t line;
	const char *file;

	column += digits(r->graph->index[node]) + 2;
	for (; column < start + 5; column++)
		gprofx_putc(w, ' ');
	/* The blanks around the number are not counted. */
	gprofx_putc(w, ' ');
	put_index_number(w, r, node);
	gprofx_putc(w, ' ');
	gprofx_put(w, name.bytes, name.length);
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
          size_t line_width)
{
	const struct list list = {r, w, names};
	size_t width = (line_width - 1) / 3;
	size_t traditional_width = r->compatibility->traditional ? label_width(r) : 0;
	uint32_t rows = r->graph->index_count / 3 + (r->graph->index_count % 3 != 0);

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
