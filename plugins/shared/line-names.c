/* SPDX-License-Identifier: Apache-2.0 */
#include "line-names.h"

#include <string.h>

#include "folded.h"
#include "width.h"

static const char inlined[] = " inlined into ";
static const char at_address[] = " @ ";
static const char ellipsis[] = "... ";

enum { MARK = sizeof inlined - 1, AT = sizeof at_address - 1, INDENT = 2 };

static const char *
find(const char *bytes, const char *end, const char *words, size_t length)
{
	const char *found = memmem(bytes, (size_t)(end - bytes), words, length);

	return found ? found : end;
}

static char *
append(char *to, const char *from, const char *end)
{
	memcpy(to, from, (size_t)(end - from));
	return to + (end - from);
}

/* What the last of several inlined calls is of; NULL: there are no two. */
static const char *
last_call(const char *first, const char *end)
{
	const char *last = first;

	for (const char *next = first; next < end; next = find(next + MARK, end, inlined, MARK))
		last = next;
	return last > first ? last + MARK : NULL;
}

/*
 * The name with the last inlined call alone, which is of the function that has the code, and, if
 * wanted, without the address that ends the place of the line.
 */
static struct gprofx_text
shorten(struct line_names *names, struct gprofx_text name, bool drops_address)
{
	const char *end = name.bytes + name.length, *calls = find(name.bytes, end, inlined, MARK);
	const char *address = drops_address ? find(name.bytes, calls, at_address, AT) : calls;
	const char *behind = memchr(address, ')', (size_t)(calls - address));
	const char *last = last_call(calls, end);
	char *to;

	if (!last && !behind)
		return name;
	if (names->room < name.length + sizeof ellipsis) {
		names->gx->host->release(names->gx, names->text);
		names->room = 2 * name.length + sizeof ellipsis;
		names->text = gprofx_alloc(names->gx, names->room);
	}
	to = append(names->text, name.bytes, behind ? address : calls);
	if (behind)
		to = append(to, behind, calls);
	if (last) {
		to = append(to, calls, calls + MARK);
		to = append(to, ellipsis, ellipsis + sizeof ellipsis - 1);
		calls = last;
		names->left_out = true;
	}
	to = append(to, calls, end);
	return (struct gprofx_text){names->text, (size_t)(to - names->text)};
}

/* An inlined call below the line: rather further to the left than divided. */
static void
put_call(struct gprofx_writer *w, struct gprofx_text call, size_t *indent, size_t width)
{
	size_t columns = width_of(call);

	if (*indent + columns > width)
		*indent = columns + INDENT < width ? width - columns : INDENT;
	gprofx_putc(w, '\n');
	gprofx_blanks(w, *indent);
	folded_wrap(w, call, *indent, width);
}

static void
put_calls(struct gprofx_writer *w, struct gprofx_text name, size_t column, size_t width)
{
	const char *end = name.bytes + name.length, *past = find(name.bytes, end, inlined, MARK);
	size_t indent = column + INDENT;

	folded_wrap(w, (struct gprofx_text){name.bytes, (size_t)(past - name.bytes)}, column,
	            width);
	while (past < end) {
		/* Without the blank before it. */
		const char *call = past + 1;

		past = find(past + MARK, end, inlined, MARK);
		put_call(w, (struct gprofx_text){call, (size_t)(past - call)}, &indent, width);
	}
}

struct gprofx_text
line_names_ends(struct line_names *names, struct gprofx_text name)
{
	return shorten(names, name, false);
}

void
line_names_explain(const struct line_names *names, struct gprofx_writer *w)
{
	if (names->left_out)
		gprofx_puts(
			w,
			"\nIn \"f inlined into ... g\", the line is of the subroutine f, and its "
			"code is in the\nfunction g; ... stands for the inlined calls between "
			"them, which --output=json lists.\n");
}

void
line_names_put(struct line_names *names, struct gprofx_writer *w, struct gprofx_text name,
               size_t column, size_t width)
{
	struct gprofx_text shown = shorten(names, name, false);

	if (width > 0 && names->drops_addresses && column + width_of(shown) > width)
		shown = shorten(names, name, true);
	if (width == 0 || column + width_of(shown) <= width)
		gprofx_put(w, shown.bytes, shown.length);
	else
		put_calls(w, shown, column, width);
}
