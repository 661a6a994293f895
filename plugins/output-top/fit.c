/* SPDX-License-Identifier: Apache-2.0 */
#include "fit.h"

#include <string.h>

#include <gprofx/text.h>

#include "../shared/names.h"
#include "../shared/width.h"

enum { LEAST_DOTS = 2, MOST_DOTS = 3 }; /* of what is left out at the beginning of a name */

enum { LEAST_PART = 3 }; /* of the room, one part of so many has to be used by whole words */

/* Where the scope ends that the name begins with, or 0: it is not in one. */
static size_t
end_of_scope(struct gprofx_text name)
{
	static const char word[8] = "operator";
	size_t depth = 0;

	for (size_t at = 0; at + 2 < name.length; at++) {
		char c = name.bytes[at];

		if (depth == 0 && name.length - at > sizeof word &&
		    memcmp(name.bytes + at, word, sizeof word) == 0)
			return 0;
		if (c == '<' || c == '(' || c == '[' || c == '{')
			depth++;
		else if (depth > 0 && (c == '>' || c == ')' || c == ']' || c == '}'))
			depth--;
		else if (depth == 0 && c == ':' && name.bytes[at + 1] == ':')
			return at + 2;
	}
	return 0;
}

static struct gprofx_text
copy_of(struct gprofx *gx, struct gprofx_text text)
{
	char *copy = gprofx_alloc(gx, text.length + 1);

	memcpy(copy, text.bytes, text.length);
	return (struct gprofx_text){copy, text.length};
}

/* Whether a text is another one without its beginning. */
static bool
is_end_of(struct gprofx_text end, struct gprofx_text text)
{
	return end.length < text.length &&
	       memcmp(text.bytes + text.length - end.length, end.bytes, end.length) == 0;
}

/* A name with the dots of a cut before it, as many of them as there is room for. */
static struct gprofx_text
mark_begin(struct gprofx *gx, struct gprofx_text name, size_t width)
{
	size_t room = width - width_of(name), dots = room < MOST_DOTS ? room : MOST_DOTS;
	char *marked;

	if (dots < LEAST_DOTS)
		return copy_of(gx, name);
	marked = gprofx_alloc(gx, dots + name.length);
	memset(marked, '.', dots);
	memcpy(marked + dots, name.bytes, name.length);
	return (struct gprofx_text){marked, dots + name.length};
}

/*
 * The name without its outermost scopes, as many as have to go, even if there is no room to mark
 * the cut: "Class::Class" says more than "...Class".  marks_first: the form that was asked for has
 * more components than the last ones.
 */
static struct gprofx_text
drop_scopes(struct names *names, struct gprofx_text name, size_t width, bool marks_first)
{
	struct gprofx_text whole, text;
	size_t past, taken;
	bool is_cut;

	names->form = NAME_NO_TEMPLATES;
	whole = copy_of(names->gx, names_shorten(names, name));
	names->form = NAME_LAST_COMPONENTS;
	text = names_shorten(names, name);
	is_cut = marks_first && is_end_of(text, whole);
	for (;;) {
		past = end_of_scope(text);
		taken = width_of(text);
		if (taken <= width || past == 0)
			break;
		text = (struct gprofx_text){text.bytes + past, text.length - past};
		is_cut = true;
	}
	return is_cut && taken <= width ? mark_begin(names->gx, text, width)
	                                : copy_of(names->gx, text);
}

/* Form after form, as far as needed; false: too long even without scopes. */
static bool
fit_forms(struct names *names, struct gprofx_text *name, size_t width)
{
	const enum name_form least = names->form;
	struct gprofx_text text = names_shorten(names, *name);

	while (width_of(text) > width && names->form < NAME_NO_TEMPLATES) {
		names->form = (enum name_form)(names->form + 1);
		text = names_shorten(names, *name);
	}
	if (width_of(text) > width)
		*name = drop_scopes(names, *name, width, least < NAME_LAST_COMPONENTS);
	else if (text.bytes != name->bytes || text.length != name->length)
		*name = copy_of(names->gx, text);
	names->form = least;
	return width_of(*name) <= width;
}

bool
fit_whole_name(struct names *names, struct gprofx_text *name, size_t width)
{
	/* What the compiler did with a function says least about it. */
	if (width_of(names_shorten(names, *name)) > width)
		*name = names_without_clones(names->gx, *name);
	return fit_forms(names, name, width);
}

bool
fit_with_scopes(struct names *names, struct gprofx_text name, size_t width)
{
	const enum name_form form = names->form;
	bool fits;

	if (width_of(names_shorten(names, name)) <= width)
		return true;
	if (form < NAME_NO_TEMPLATES)
		names->form = NAME_NO_TEMPLATES;
	name = names_without_clones(names->gx, name);
	fits = width_of(names_shorten(names, name)) <= width;
	names->form = form;
	return fits;
}

struct gprofx_text
fit_clone(struct names *names, struct gprofx_text name, size_t width)
{
	return fit_forms(names, &name, width) ? name : fit_cut(names->gx, name, width);
}

struct gprofx_text
fit_name(struct names *names, struct gprofx_text name, size_t width)
{
	return fit_whole_name(names, &name, width) ? name : fit_cut(names->gx, name, width);
}

/* Whether a word of a text, or a part of one, ends before this byte. */
static bool
is_end_of_word(struct gprofx_text text, size_t at)
{
	char before = text.bytes[at - 1], c = text.bytes[at];

	if (strchr("_:. -,/@", before) || strchr(":. ,/@(<[{", c))
		return true;
	return before >= 'a' && before <= 'z' && c >= 'A' && c <= 'Z';
}

struct gprofx_text
fit_cut(struct gprofx *gx, struct gprofx_text text, size_t width)
{
	static const char dots[] = "...";
	size_t tail = width >= 2 * (sizeof dots - 1) ? sizeof dots - 1 : 0;
	size_t end = 0, word = 0, step, taken = 0;
	uint32_t code;
	char *cut;

	for (size_t at = 0; at < text.length; at += step) {
		size_t own;

		step = gprofx_utf8(text.bytes + at, text.length - at, &code);
		step = step > 0 ? step : 1;
		own = width_of((struct gprofx_text){text.bytes + at, step});
		if (taken + own > width - tail)
			break;
		taken += own;
		end = at + step;
		/* Very little of the room is not worth whole words. */
		if (LEAST_PART * taken >= width && end < text.length && is_end_of_word(text, end))
			word = end;
	}
	if (word > 0)
		end = word;
	cut = gprofx_alloc(gx, end + sizeof dots);
	memcpy(cut, text.bytes, end);
	memcpy(cut + end, dots, tail);
	return (struct gprofx_text){cut, end + tail};
}

bool
fit_is_in_word(struct gprofx_text text, size_t at)
{
	unsigned char c = (unsigned char)text.bytes[at];

	return c >= 0x80 || c == '_' || (c >= '0' && c <= '9') || (c >= 'A' && c <= 'Z') ||
	       (c >= 'a' && c <= 'z');
}

/* Whether the text has a word, or parts of one, with ends where those of words are. */
static bool
has_words(struct gprofx_text text, struct gprofx_text words, bool are_whole)
{
	size_t at = 0;

	for (;;) {
		const char *found = memmem(text.bytes + at, text.length - at, words.bytes,
		                           words.length);
		size_t end;

		if (!found)
			return false;
		at = (size_t)(found - text.bytes);
		end = at + words.length;
		if ((at == 0 || !fit_is_in_word(text, at - 1) ||
		     (!are_whole && is_end_of_word(text, at))) &&
		    (end == text.length || !fit_is_in_word(text, end) ||
		     (!are_whole && is_end_of_word(text, end))))
			return true;
		at++;
	}
}

bool
fit_keeps_words(const struct gprofx_text *names, size_t count, struct gprofx_text shown,
                bool have_to_be_whole)
{
	size_t end;

	for (size_t at = 0; at < shown.length; at = end) {
		struct gprofx_text words = {shown.bytes + at, 0};
		bool touches_dots, is_found = false;

		end = at + 1;
		if (!fit_is_in_word(shown, at))
			continue;
		while (end < shown.length && fit_is_in_word(shown, end))
			end++;
		words.length = end - at;
		touches_dots = (at > 0 && shown.bytes[at - 1] == '.') ||
		               (end < shown.length && shown.bytes[end] == '.');
		for (size_t i = 0; i < count && touches_dots && !is_found; i++)
			is_found = has_words(names[i], words, have_to_be_whole);
		if (touches_dots && !is_found)
			return false;
	}
	return true;
}
