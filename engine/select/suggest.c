/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What may have been meant by a name that no function has: one whose name ends so, a function of a
 * library, one that was inlined everywhere, or one of a name like it.
 */
#include "select/suggest.h"

#include <string.h>

#include "base/memory.h"
#include "base/name-table.h"
#include "select/alike.h"
#include "select/shown.h"
#include "select/symspec.h"
#include "shared/fortran.h"
#include "symbols/inlined.h"
#include "symbols/line-rows.h"
#include "symbols/readable.h"
#include "symbols/symbols.h"

/* Names that are looked for in all code. */
enum { MOST_LOOKED_AT = 16 };

/* "did you mean a, b or c?", or NULL. */
static const char *
list(struct run *run, const char *const *names, uint32_t count, bool has_more)
{
	const char *words = "did you mean ";

	for (uint32_t i = 0; i < count; i++)
		words = text_format(run, "%s%s%s", words,
		                    i == 0                        ? ""
		                    : i + 1 == count && !has_more ? " or "
		                                                  : ", ",
		                    names[i]);
	return count > 0 ? text_format(run, "%s%s?", words, has_more ? ", ..." : "") : NULL;
}

static const char **
names_of(struct suggesting *suggesting)
{
	if (!suggesting->names)
		suggesting->names = shown_short_names(suggesting->run, suggesting->symbols,
		                                      suggesting->symbols->name,
		                                      suggesting->symbols->count);
	return suggesting->names;
}

/* What to write for a symbol: the short name, or that of the table where reports show it. */
static const char *
to_write(const struct suggesting *suggesting, uint32_t symbol, const char *short_name)
{
	const struct symbols *symbols = suggesting->symbols;
	const char *raw = symbols->name[symbol];

	raw += symbols->table.leading_underscore && raw[0] == '_';
	return fortran_name(raw, strlen(raw)).module && !readable_fortran(suggesting->run)
	               ? raw
	               : short_name;
}

/* Whether the image calls a function of another object by this name. */
static bool
is_imported(const struct symbols *symbols, const char *name, size_t length)
{
	for (uint32_t i = 0; i < symbols->table.slot_count; i++) {
		const struct gprofx_slot *slot = &symbols->table.slots[i];

		if (slot->function == 0 && slot->name && strncmp(slot->name, name, length) == 0 &&
		    (slot->name[length] == '\0' || slot->name[length] == '@'))
			return true;
	}
	return false;
}

/*
 * Where the start-up code of a static program chooses one of several functions for the processor,
 * as the C library names them: "its code is in __sin_fma, __sin_avx, ..."; a text for behind a
 * question.
 */
static const char *
say_versions(struct suggesting *suggesting, const char *word, size_t length)
{
	enum { NAMED = 2 };
	const struct symbols *symbols = suggesting->symbols;
	const char *names = "";
	uint32_t count = 0;

	for (uint32_t i = 0; i < symbols->count && count <= NAMED; i++) {
		const char *name = symbols->name[i];

		if (strncmp(name, "__", 2) != 0 || strncmp(name + 2, word, length) != 0 ||
		    name[2 + length] != '_' || count++ == NAMED)
			continue;
		names = text_format(suggesting->run, "%s%s%s", names, count > 1 ? ", " : "", name);
	}
	return count == 0 ? "which code it calls is chosen for the processor"
	                  : text_format(suggesting->run,
	                                "the code is in one of the versions for processors: %s%s",
	                                names, count > NAMED ? ", ..." : "");
}

/* A function of a library, and its stub if it has one. */
static const char *
suggest_stub(struct suggesting *suggesting, const char *word)
{
	const struct symbols *symbols = suggesting->symbols;
	size_t length = alike_without_stub(word);
	const char *stub = text_format(suggesting->run, "%.*s@plt", (int)length, word);
	bool is_static;

	if (!is_imported(symbols, word, length))
		return NULL;
	is_static = symbols->table.library_count == 0;
	for (uint32_t i = 0; word[length] == '\0' && i < symbols->count; i++)
		if (strcmp(symbols->name[i], stub) == 0)
			return text_format(
				suggesting->run, "did you mean %s, the PLT stub? %s", stub,
				is_static ? say_versions(suggesting, word, length)
					  : text_format(suggesting->run,
			                                "%s itself is in a shared library", word));
	if (is_static)
		return say_versions(suggesting, word, length);
	return text_format(suggesting->run,
	                   "the program has no code of %.*s, which is in a shared library",
	                   (int)length, word);
}

/* Reads what was inlined, once. */
static const struct inlined_code *
inlined_of(struct suggesting *suggesting)
{
	const struct symbols *symbols = suggesting->symbols;

	/* Files that only this search knows are none of the report's. */
	if (!suggesting->has_inlined && symbols->count > 0 && symbols_have_image(symbols))
		suggesting->inlined = symbols_read_inlined_apart(suggesting->run, symbols);
	suggesting->has_inlined = true;
	return suggesting->inlined;
}

/* Their names in the shortest form, which takes longer than to read them. */
static const char *const *
short_names_of(struct suggesting *suggesting, const struct inlined_code *inlined)
{
	if (!suggesting->inlined_names)
		suggesting->inlined_names = shown_short_names(suggesting->run, suggesting->symbols,
		                                              inlined->rows.names.items,
		                                              inlined->rows.names.count);
	return suggesting->inlined_names;
}

const char *const *
suggest_inlined_names(struct suggesting *suggesting, uint32_t *count)
{
	const struct inlined_code *inlined = inlined_of(suggesting);

	*count = inlined ? inlined->rows.names.count : 0;
	return inlined ? short_names_of(suggesting, inlined) : NULL;
}

/* Of a name with scopes the last one, which is in symbol tables as it is. */
static const char *
last_scope(const char *name)
{
	const char *last = name, *next;

	while ((next = strstr(last, "::")) != NULL)
		last = next + 2;
	return last;
}

const char *const *
suggest_inlined_called(struct suggesting *suggesting, const char *name, bool also_ends,
                       uint32_t *count)
{
	const struct inlined_code *inlined = inlined_of(suggesting);
	const char *word = last_scope(name), **raw, **names;

	/* Symbol tables spell these in another way. */
	if (strstr(word, "operator") || word[0] == '~')
		word = "";
	*count = inlined ? inlined->rows.names.count : 0;
	raw = memory_alloc_array(suggesting->run, sizeof *raw, *count);
	for (uint32_t i = 0; i < *count; i++)
		if (strstr(inlined->rows.names.items[i], word))
			raw[i] = inlined->rows.names.items[i];
	names = shown_short_names(suggesting->run, suggesting->symbols, raw, *count);
	memory_release(suggesting->run, (void *)raw);
	for (uint32_t i = 0; i < *count; i++)
		if (names[i] &&
		    !(also_ends ? alike_is_end(names[i], name) : strcmp(names[i], name) == 0))
			names[i] = NULL;
	return names;
}

bool
suggest_has_copies(struct suggesting *suggesting, uint32_t number)
{
	if (!suggesting->has_copies)
		suggesting->has_copies = inlined_find_copies(suggesting->run, suggesting->inlined);
	return suggesting->has_copies[number + 1];
}

/* What some subroutine was inlined into. */
struct owners {
	const char *name[2];
	bool has_more;
	bool is_innermost; /* some code is of nothing that was inlined into it */
};

static void
add_owner(struct suggesting *suggesting, struct owners *owners, uint32_t function)
{
	const char *name = function == NO_SYMBOL ? NULL : names_of(suggesting)[function];

	for (int i = 0; name && i < 2; i++) {
		if (!owners->name[i])
			owners->name[i] = name;
		if (strcmp(owners->name[i], name) == 0)
			return;
	}
	owners->has_more = owners->has_more || name;
}

/* The function that holds an address, from one that is not behind it; not the line. */
static uint32_t
function_from(const struct symbols *symbols, uint32_t *next, uint32_t last, uint64_t address)
{
	for (; *next < symbols->count && symbols->address[*next] <= address; ++*next)
		if (!(symbols->flags[*next] & SYMBOL_LINE))
			last = *next;
	return last;
}

/* The functions with code of subroutines that are shown by a name. */
static struct owners
find_owners(struct suggesting *suggesting, const char *shown)
{
	const struct inlined_code *inlined = suggesting->inlined;
	const char *const *names = short_names_of(suggesting, inlined);
	const struct gprofx_lines *lines = &inlined->rows.public;
	struct code_frame frames[INLINED_AT_MOST + 1];
	struct owners owners = {.has_more = false};
	uint32_t function = NO_SYMBOL, next = 0;

	for (uint32_t row = 0; row < lines->count; row++) {
		uint32_t count = lines->rows.inlined[row] ? inlined_frames(inlined, row, frames)
		                                          : 0;

		for (uint32_t i = 1; i < count; i++) {
			uint32_t name = frames[i].name;

			if (name == 0 || strcmp(names[name - 1], shown) != 0)
				continue;
			owners.is_innermost = owners.is_innermost || i + 1 == count;
			function = function_from(suggesting->symbols, &next, function,
			                         lines->rows.address[row]);
			add_owner(suggesting, &owners, function);
		}
	}
	return owners;
}

/* What shows the lines of a subroutine that was inlined into one function, or several. */
static const char *
advise_inlined(const struct suggesting *suggesting, const struct owners *owners)
{
	static const char plain[] =
		"abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_:.";
	const char *into = owners->name[0];

	if (suggesting->annotates && !owners->name[1] && into[strspn(into, plain)] == '\0')
		return text_format(suggesting->run, "write -A%s", into);
	if (owners->is_innermost && !suggesting->annotates)
		return suggesting->run->settings->entries_only
		               ? "-l -p instead of --entry shows its lines"
		               : "add -l to see its lines";
	return owners->name[1] ? "name one of these" : "name that one";
}

/* "LEAD was inlined into a and b; ...", or NULL. */
static const char *
say_inlined(struct suggesting *suggesting, const char *name, const char *lead)
{
	struct owners owners = find_owners(suggesting, name);
	const char *into = owners.name[0];

	if (!into)
		return NULL;
	if (owners.name[1])
		into = text_format(suggesting->run,
		                   owners.has_more ? "%s, %s and others" : "%s and %s", into,
		                   owners.name[1]);
	return text_format(suggesting->run, "%s was inlined into %s; %s", lead, into,
	                   advise_inlined(suggesting, &owners));
}

/* A subroutine of that name, which has no code of its own. */
static const char *
suggest_inlined(struct suggesting *suggesting, const char *word)
{
	uint32_t count;
	const char *const *names = suggest_inlined_names(suggesting, &count);

	for (uint32_t i = 0, looked_at = 0; i < count && looked_at < MOST_LOOKED_AT; i++) {
		const char *name = names[i], *hint;

		if (!alike_is_end(name, word))
			continue;
		looked_at++;
		hint = say_inlined(suggesting, name, name);
		if (hint)
			return hint;
	}
	return NULL;
}

/* One whose name is like the word. */
static const char *
suggest_inlined_alike(struct suggesting *suggesting, const char *word, bool is_last_only)
{
	uint32_t count;
	const char *const *names = suggest_inlined_names(suggesting, &count);
	struct alike alike = {.word = word,
	                      .is_last_only = is_last_only,
	                      .left = &suggesting->left};
	const char *hint = NULL;

	for (uint32_t i = 0; i < count; i++)
		alike_offer(&alike, names[i], names[i]);
	for (uint32_t i = 0; i < alike.count && !hint; i++)
		hint = say_inlined(
			suggesting, alike.name[i],
			text_format(suggesting->run, "did you mean %s? it", alike.name[i]));
	return hint;
}

/* Functions of names like the word. */
static const char *
suggest_alike(struct suggesting *suggesting, const char *word, bool is_last_only)
{
	const struct symbols *symbols = suggesting->symbols;
	struct alike alike = {.word = word,
	                      .is_last_only = is_last_only,
	                      .left = &suggesting->left};
	const char **names = names_of(suggesting);
	uint32_t count;

	for (uint32_t i = 0; i < symbols->count; i++)
		alike_offer(&alike, names[i], to_write(suggesting, i, names[i]));
	/* What differs at most in upper case is what was meant. */
	for (count = alike.count; count > 1 && alike.cost[count - 1] > 0 && alike.cost[0] == 0;)
		count--;
	return list(suggesting->run, alike.name, count, false);
}

const char *
suggest_function(struct suggesting *suggesting, const struct match_half *half)
{
	struct run *run = suggesting->run;
	const char *word = half->spec.name + symspec_past_cut(half->spec.name), *hint;
	uint32_t ends = half->end_count < MATCH_ENDS ? half->end_count : MATCH_ENDS;

	/* Of several that end so, none was taken. */
	if (ends > 0)
		return list(run, half->ends, ends, half->end_count > MATCH_ENDS);
	word = shown_bare_name(run, word);
	hint = suggest_stub(suggesting, word);
	hint = hint ? hint : suggest_inlined(suggesting, word);
	/* At last in other scopes than the word has. */
	for (int is_last_only = 0; is_last_only < (strstr(word, "::") ? 2 : 1); is_last_only++) {
		hint = hint ? hint : suggest_alike(suggesting, word, is_last_only);
		hint = hint ? hint : suggest_inlined_alike(suggesting, word, is_last_only);
	}
	return hint;
}
