/* SPDX-License-Identifier: Apache-2.0 */
#include "names.h"

#include <string.h>

#include "../shared/grown.h"
#include "../shared/text-lines.h"
#include "../shared/text-table.h"

enum { FEWEST_NAMES = 256 };

static const char unknown[] = "???";

static struct text_span
trimmed(struct text_span text)
{
	while (text.length > 0 && (*text.text == ' ' || *text.text == '\t')) {
		text.text++;
		text.length--;
	}
	while (text.length > 0 && (unsigned char)text.text[text.length - 1] <= ' ')
		text.length--;
	return text;
}

static bool
are_digits(const char *at, size_t length)
{
	for (size_t i = 0; i < length; i++)
		if (!text_is_digit(at[i]))
			return false;
	return length > 0;
}

/* Behind the first apostrophe of a name there can be a level and callers; NULL: there is none. */
static const char *
find_apostrophe(struct text_span name)
{
	return name.length > 1 ? memchr(name.text + 1, '\'', name.length - 1) : NULL;
}

/* The part of "'2'caller'other" that begins at an apostrophe. */
static struct text_span
next_part(const char *apostrophe, const char *end)
{
	const char *text = apostrophe + 1, *next = memchr(text, '\'', (size_t)(end - text));

	return (struct text_span){text, (size_t)((next ? next : end) - text)};
}

/* Whether all that is behind a name of a function are levels, and functions of the file. */
static bool
are_callers(struct cg_names *names, const char *at, const char *end)
{
	while (at < end) {
		struct text_span part = next_part(at, end);
		bool is_new;

		/* What is looked for here is in the table then, but not as a function. */
		if (!are_digits(part.text, part.length) &&
		    (!names->has_callers ||
		     *text_table_find(&names->functions, part.text, part.length, &is_new) == 0))
			return false;
		at = part.text + part.length;
	}
	return true;
}

/* Cuts the level and the callers off a name. */
static struct text_span
split(struct cg_names *names, struct text_span name, bool *is_nested)
{
	const char *apostrophe = names->is_plain ? NULL : find_apostrophe(name);
	const char *end = name.text + name.length;
	struct text_span level;
	uint64_t number;

	*is_nested = false;
	if (!apostrophe || !are_callers(names, apostrophe, end))
		return name;
	level = next_part(apostrophe, end);
	if (are_digits(level.text, level.length)) {
		text_read_digits(level.text, end, &number);
		*is_nested = number > 1;
	}
	return (struct text_span){name.text, (size_t)(apostrophe - name.text)};
}

/* The host's number of a text. */
static uint32_t
number_of(const struct cg_names *names, struct text_span text, const char *otherwise)
{
	char *copy = gprofx_alloc(names->gx, text.length + 1);
	const char *name = copy;
	uint32_t number;

	if (text.length > 0)
		memcpy(copy, text.text, text.length);
	copy[text.length] = '\0';
	if (*copy == '\0' || strcmp(copy, unknown) == 0)
		name = otherwise;
	if (!name)
		number = 0;
	else
		names->profile->builder->texts(names->gx, names->profile, &name, 1, &number);
	names->gx->host->release(names->gx, copy);
	return number;
}

/* Behind the last slash of a path. */
static struct text_span
last_part(struct text_span path)
{
	const char *slash = path.length > 0 ? memrchr(path.text, '/', path.length) : NULL;

	return slash ? (struct text_span){slash + 1, (size_t)(path.text + path.length - slash - 1)}
	             : path;
}

/* Cuts " (program)" off a name that gprofx wrote, as the file has the object, too. */
static struct text_span
without_object(const struct cg_names *names, struct text_span name)
{
	size_t length = names->object.length + strlen(" ()");
	const char *at;

	if (names->object.length == 0 || name.length <= length)
		return name;
	at = name.text + name.length - length;
	if (memcmp(at, " (", 2) != 0 || at[length - 1] != ')' ||
	    memcmp(at + 2, names->object.text, names->object.length) != 0)
		return name;
	return (struct text_span){name.text, name.length - length};
}

/* The item of a name that stands there itself, plus 1. */
static uint32_t
item_of(struct cg_names *names, enum cg_space space, struct text_span text)
{
	bool is_new, is_nested = false;
	uint32_t *number = text_table_find(&names->texts[space], text.text, text.length, &is_new);
	struct text_span base = text;

	if (!is_new)
		return *number;
	if (space == CG_FUNCTION)
		base = without_object(names, split(names, text, &is_nested));
	names->items = grown(names->gx, names->items, sizeof *names->items, &names->room,
	                     names->count + 1, FEWEST_NAMES);
	names->items[names->count++] = (struct cg_name){
		number_of(names, base, space == CG_FUNCTION ? unknown : NULL), is_nested,
		last_part(text)};
	*number = names->count;
	return *number;
}

/* Of "(12) name" the digits; empty: there is no number. */
static struct text_span
id_of(const struct cg_names *names, struct text_span text)
{
	struct text_span id = {text.text + 1, 0};

	if (names->is_plain || text.length < 3 || *text.text != '(')
		return (struct text_span){"", 0};
	while (id.length + 2 < text.length && text_is_digit(id.text[id.length]))
		id.length++;
	if (id.length == 0 || id.text[id.length] != ')')
		return (struct text_span){"", 0};
	while (id.length > 1 && *id.text == '0') {
		id.text++;
		id.length--;
	}
	return id;
}

static void
tell_undefined(struct cg_names *names, struct text_span id, uint32_t line)
{
	const struct gprofx_diagnostic diagnostic = {
		.id = "callgrind.undefined-name",
		.file = names->file->name,
		.place = GPROFX_AT_LINE,
		.line = line,
		.hint = "the file is damaged, or a part of another one: record it again"};

	if (names->undefined++ < CG_MOST_TOLD)
		gprofx_warn(names->gx, &diagnostic, "expected a number with a name, found (%.*s)",
		            (int)(id.length < 20 ? id.length : 20), id.text);
}

static void
tell_redefined(struct cg_names *names, struct text_span id, uint32_t line)
{
	const struct gprofx_diagnostic diagnostic = {
		.id = "callgrind.redefined-name",
		.file = names->file->name,
		.place = GPROFX_AT_LINE,
		.line = line,
		.hint = "report files that were joined one by one; the later name counts from here"};

	if (names->redefined++ < CG_MOST_TOLD)
		gprofx_warn(names->gx, &diagnostic,
		            "expected one name with the number (%.*s), found another one",
		            (int)(id.length < 20 ? id.length : 20), id.text);
}

struct cg_name
cg_name_of(struct cg_names *names, enum cg_space space, struct text_span text, uint32_t line)
{
	struct text_span id, name;
	uint32_t *number, item;
	bool is_new;

	text = trimmed(text);
	id = id_of(names, text);
	if (id.length == 0) {
		item = item_of(names, space, text);
		return names->items[item - 1];
	}
	name.text = id.text + id.length + 1;
	name.length = (size_t)(text.text + text.length - name.text);
	name = trimmed(name);
	number = text_table_find(&names->ids[space], id.text, id.length, &is_new);
	if (name.length == 0 && !is_new)
		return names->items[*number - 1];
	if (name.length == 0) {
		char made[24] = "?(";
		size_t length = id.length < 20 ? id.length : 20;

		tell_undefined(names, id, line);
		memcpy(made + 2, id.text, length);
		memcpy(made + 2 + length, ")", 2);
		names->items = grown(names->gx, names->items, sizeof *names->items, &names->room,
		                     names->count + 1, FEWEST_NAMES);
		item = ++names->count;
		names->items[item - 1] = (struct cg_name){
			number_of(names, (struct text_span){made, length + 3}, NULL),
			false,
			{"", 0}};
	} else {
		item = item_of(names, space, name);
		if (!is_new && *number != item)
			tell_redefined(names, id, line);
	}
	*number = item;
	return names->items[item - 1];
}

/* The name of a line that states one of a function; empty: it does not. */
static struct text_span
function_in(const struct cg_names *names, const char *line, size_t length)
{
	struct text_span text = {line, length}, id;

	if (length > 0 && (*line == 'c' || *line == 'j')) {
		text.text++;
		text.length--;
	}
	if (text.length < 3 || memcmp(text.text, "fn=", 3) != 0)
		return (struct text_span){"", 0};
	text.text += 3;
	text.length -= 3;
	text = trimmed(text);
	id = id_of(names, text);
	if (id.length > 0) {
		text.length -= (size_t)(id.text + id.length + 1 - text.text);
		text.text = id.text + id.length + 1;
	}
	return trimmed(text);
}

/* Whether something else than a level is behind an apostrophe. */
static bool
can_have_callers(struct text_span name)
{
	const char *apostrophe = find_apostrophe(name), *end = name.text + name.length;

	return apostrophe && !are_digits(apostrophe + 1, (size_t)(end - apostrophe - 1));
}

void
cg_names_prepare(struct cg_names *names)
{
	const char *begin = (const char *)names->file->bytes, *line;
	struct text_lines lines = {begin, begin ? begin + names->file->length : NULL, 0};
	size_t length;

	if (names->is_plain || !begin)
		return;
	while (!names->has_callers && text_lines_next(&lines, &line, &length))
		names->has_callers = can_have_callers(function_in(names, line, length));
	if (!names->has_callers)
		return;
	lines.at = begin;
	while (text_lines_next(&lines, &line, &length)) {
		struct text_span name = function_in(names, line, length);
		const char *apostrophe = find_apostrophe(name);
		bool is_new;

		if (name.length > 0)
			*text_table_find(&names->functions, name.text,
			                 apostrophe ? (size_t)(apostrophe - name.text)
			                            : name.length,
			                 &is_new) = 1;
	}
}

void
cg_names_tell(const struct cg_names *names)
{
	const struct gprofx_diagnostic diagnostic = {
		.id = "callgrind.undefined-names",
		.file = names->file->name,
		.hint = "the file is damaged, or a part of another one: record it again"};

	if (names->undefined > CG_MOST_TOLD)
		gprofx_warn(names->gx, &diagnostic, "%u more numbers have no name",
		            (unsigned int)(names->undefined - CG_MOST_TOLD));
}

void
cg_names_release(struct cg_names *names)
{
	for (uint32_t i = 0; i < CG_SPACES; i++) {
		text_table_release(&names->ids[i]);
		text_table_release(&names->texts[i]);
	}
	text_table_release(&names->functions);
	names->gx->host->release(names->gx, names->items);
}
