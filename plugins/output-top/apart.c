/* SPDX-License-Identifier: Apache-2.0 */
#include "apart.h"

#include <stdlib.h>
#include <string.h>

#include "../shared/names.h"
#include "../shared/width.h"
#include "fit.h"

enum {
	DOTS = 2,
	CUT = 3,   /* dots of a cut */
	LEAST = 12 /* columns: with less, there is no room for a part of a name beside another */
};

/* Names that look the same, and the form in which they differ. */
struct group {
	struct names *names;
	const struct apart_name *first, *last; /* of them, sorted */
	enum name_form form;
	size_t width;
};

static int
compare_texts(struct gprofx_text a, struct gprofx_text b)
{
	size_t least = a.length < b.length ? a.length : b.length;
	int order = least > 0 ? memcmp(a.bytes, b.bytes, least) : 0;

	return order != 0 ? order : (a.length > b.length) - (a.length < b.length);
}

static int
compare_names(const void *a, const void *b)
{
	const struct apart_name *x = a, *y = b;
	int order = compare_texts(x->shown, y->shown);

	if (order == 0)
		order = compare_texts(x->whole, y->whole);
	return order != 0 ? order : (x->row > y->row) - (x->row < y->row);
}

/* Without what the compiler calls clones of a function. */
static struct gprofx_text
in_form(struct names *names, enum name_form form, struct gprofx_text name)
{
	const enum name_form usual = names->form;
	struct gprofx_text text;
	char *copy;

	names->form = form;
	text = names_shorten(names, names_without_clones(names->gx, name));
	names->form = usual;
	copy = gprofx_alloc(names->gx, text.length + 1);
	memcpy(copy, text.bytes, text.length);
	return (struct gprofx_text){copy, text.length};
}

/* The bytes that a text has which the other one has not. */
struct part {
	size_t from, to;
};

static struct part
find_difference(struct gprofx_text text, struct gprofx_text other)
{
	size_t least = text.length < other.length ? text.length : other.length;
	struct part part = {0, text.length};
	size_t behind = 0;

	while (part.from < least && text.bytes[part.from] == other.bytes[part.from])
		part.from++;
	while (behind < least - part.from &&
	       text.bytes[text.length - 1 - behind] == other.bytes[other.length - 1 - behind])
		behind++;
	part.to = text.length - behind;
	return part;
}

/*
 * What a name of the group has in this form and the names beside it have not: they are the ones
 * that it looks like for longest.
 */
static struct part
find_part(const struct group *group, const struct apart_name *name, struct gprofx_text text)
{
	const struct apart_name *others[2] = {name > group->first ? name - 1 : NULL,
	                                      name < group->last ? name + 1 : NULL};
	struct part found = {0, text.length};

	for (size_t i = 0; i < 2; i++) {
		struct gprofx_text other;
		struct part part;

		if (!others[i])
			continue;
		other = in_form(group->names, group->form, others[i]->whole);
		part = find_difference(text, other);
		/* The same text differs nowhere. */
		if (part.from < part.to && (part.from > found.from || found.to == text.length))
			found = part;
	}
	return found;
}

static struct part
in_whole_words(struct gprofx_text text, struct part part)
{
	while (part.from > 0 && fit_is_in_word(text, part.from - 1))
		part.from--;
	while (part.to < text.length && fit_is_in_word(text, part.to))
		part.to++;
	return part;
}

/* Texts one after the other. */
static struct gprofx_text
join(struct gprofx *gx, const struct gprofx_text *texts, size_t count)
{
	struct gprofx_text all = {NULL, 0};
	char *bytes;

	for (size_t i = 0; i < count; i++)
		all.length += texts[i].length;
	all.bytes = bytes = gprofx_alloc(gx, all.length + 1);
	for (size_t i = 0; i < count; i++) {
		memcpy(bytes, texts[i].bytes, texts[i].length);
		bytes += texts[i].length;
	}
	return all;
}

/* Without the dots of what is left out before it. */
static struct gprofx_text
without_dots(struct gprofx_text name)
{
	while (name.length > 1 && name.bytes[0] == '.' && name.bytes[1] == '.') {
		name.bytes++;
		name.length--;
	}
	if (name.length > 1 && name.bytes[0] == '.')
		return (struct gprofx_text){name.bytes + 1, name.length - 1};
	return name;
}

/* Whether a scope ends behind this byte. */
static bool
has_scope(struct gprofx_text text, size_t from)
{
	return memmem(text.bytes + from, text.length - from, "::", 2) != NULL;
}

static bool
is_cut(struct gprofx_text name)
{
	return name.length > CUT && memcmp(name.bytes + name.length - CUT, "...", CUT) == 0;
}

/* A name that is too long even without scopes: "beginning...end", with all of the difference. */
static struct gprofx_text
cut_in_middle(const struct group *group, struct gprofx_text text, size_t from)
{
	size_t tail = group->width / 2, room;
	struct gprofx_text end = {text.bytes + text.length, 0}, head;

	/* An end of that width, or from the difference on, and of whole words if there are some. */
	while (end.length < text.length &&
	       (end.bytes > text.bytes + from || width_of(end) < tail - CUT)) {
		do {
			end.bytes--;
			end.length++;
		} while (end.length < text.length && ((unsigned char)end.bytes[0] & 0xc0) == 0x80);
	}
	for (size_t skip = 1; skip < end.length && end.bytes + skip <= text.bytes + from; skip++)
		if (!fit_is_in_word(end, skip) || end.bytes[skip - 1] == '_') {
			end = (struct gprofx_text){end.bytes + skip, end.length - skip};
			break;
		}
	if (width_of(end) > group->width - LEAST / 2)
		end = fit_cut(group->names->gx, end, group->width - LEAST / 2);
	room = group->width - width_of(end);
	head = fit_cut(group->names->gx, text, room);
	return join(group->names->gx, (struct gprofx_text[]){head, end}, 2);
}

static struct gprofx_text
last_component(struct gprofx_text name)
{
	size_t from = name.length;

	while (from > 2 && (name.bytes[from - 1] != ':' || name.bytes[from - 2] != ':'))
		from--;
	return from > 2 && from < name.length
	               ? (struct gprofx_text){name.bytes + from, name.length - from}
	               : name;
}

/* Where " [clone .isra.0]" and the like begin, which stand behind a name and its arguments. */
static size_t
begin_of_clone(struct gprofx_text name)
{
	static const char mark[] = " [clone ";
	const char *at = memmem(name.bytes, name.length, mark, sizeof mark - 1);

	return at ? (size_t)(at - name.bytes) : name.length;
}

/* "name<..part..>", "name(part) [clone .isra.0]" or "..scope..name" */
static struct gprofx_text
distinguish(const struct group *group, const struct apart_name *name)
{
	static const struct gprofx_text dots = {"..", DOTS}, nothing = {"", 0};
	bool is_scope = group->form == NAME_NO_TEMPLATES;
	char opening = group->form == NAME_NO_ARGUMENTS ? '<' : '(';
	struct gprofx_text text = in_form(group->names, group->form, name->whole);
	struct part bytes = find_part(group, name, text), part = in_whole_words(text, bytes);
	struct gprofx_text base = is_scope ? without_dots(name->shown) : name->shown;
	size_t end = is_scope ? base.length : begin_of_clone(base);
	struct gprofx_text clone = {base.bytes + end, base.length - end};
	struct gprofx_text piece = {text.bytes + part.from, part.to - part.from};
	const char *first = memchr(text.bytes, opening, text.length);
	/* What stands right behind the bracket that arguments begin with needs no dots. */
	bool before = is_scope ? part.from > 0 : !first || first + 1 < piece.bytes;
	bool behind = is_scope || part.to + 1 < begin_of_clone(text);
	size_t fixed = DOTS * ((size_t)before + behind) + (is_scope ? 0 : 2), room, least;

	if (piece.length == 0 || group->width < LEAST)
		return name->shown;
	if (is_scope && is_cut(name->shown) && !has_scope(text, part.to))
		return cut_in_middle(group, text, bytes.from);
	room = group->width - fixed;
	base.length = end;
	/* The name, and some of what distinguishes it, come first. */
	least = width_of(piece) < LEAST ? width_of(piece) : LEAST;
	if (width_of(clone) + width_of(base) + least > room)
		clone.length = 0;
	room -= width_of(clone);
	if (is_scope && width_of(base) + width_of(piece) > room)
		base = last_component(base);
	least = width_of(piece) < room / 3 ? width_of(piece) : room / 3;
	if (width_of(base) + least > room)
		base = fit_cut(group->names->gx, base, room - least);
	if (width_of(base) + width_of(piece) > room) {
		/* The dots of the cut are enough. */
		room += DOTS * (size_t)behind;
		behind = false;
		piece = fit_cut(group->names->gx, piece, room - width_of(base));
	}
	if (is_scope)
		return join(group->names->gx,
		            (struct gprofx_text[]){before ? dots : nothing, piece,
		                                   behind ? dots : nothing, base},
		            4);
	return join(group->names->gx,
	            (struct gprofx_text[]){base,
	                                   {opening == '<' ? "<" : "(", 1},
	                                   before ? dots : nothing,
	                                   piece,
	                                   behind ? dots : nothing,
	                                   {opening == '<' ? ">" : ")", 1},
	                                   clone},
	            7);
}

/* The shortest form in which some of the group differ. */
static enum name_form
find_form(struct names *names, const struct apart_name *first, const struct apart_name *last)
{
	static const enum name_form forms[] = {NAME_NO_TEMPLATES, NAME_NO_ARGUMENTS};

	for (size_t i = 0; i < sizeof forms / sizeof forms[0]; i++)
		if (compare_texts(in_form(names, forms[i], first->whole),
		                  in_form(names, forms[i], last->whole)) != 0)
			return forms[i];
	return NAME_FULL;
}

void
apart_names(struct names *names, struct apart_name *all, uint32_t count, size_t width)
{
	uint32_t end;

	qsort(all, count, sizeof *all, compare_names);
	for (uint32_t i = 0; i < count; i = end) {
		struct group group = {.names = names,
		                      .first = &all[i],
		                      .last = &all[i],
		                      .width = width};
		struct gprofx_text shown = all[i].shown;

		for (end = i + 1; end < count && compare_texts(all[end].shown, shown) == 0; end++)
			group.last = &all[end];
		if (compare_texts(group.first->whole, group.last->whole) == 0)
			continue;
		if (compare_texts(in_form(names, NAME_FULL, group.first->whole),
		                  in_form(names, NAME_FULL, group.last->whole)) == 0) {
			for (uint32_t k = i; k < end; k++)
				all[k].shown = fit_clone(names, all[k].whole, width);
			continue;
		}
		group.form = find_form(names, group.first, group.last);
		for (uint32_t k = i; k < end; k++) {
			all[k].shown = distinguish(&group, &all[k]);
			all[k].is_apart = true;
		}
	}
}
