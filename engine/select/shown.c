/* SPDX-License-Identifier: Apache-2.0 */
#include "select/shown.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "shared/brackets.h"
#include "shared/names.h"
#include "select/filters.h"
#include "select/symspec.h"
#include "symbols/demangle.h"
#include "symbols/readable.h"

/* Names of C++ and Rust are long: what is made and compared for all symspecs together. */
enum {
	MOST_BYTES = 1 << 25,
	COMPARING = 8 /* of a name, in bytes */,
	LONGEST_SHORT = 120,
	MOST_WORDS = 64
};

/* Halves that stand for nothing yet, and which of them a symbol is. */
struct wanted {
	struct match_half **half;
	const char **bare; /* their names without any parameters and arguments */
	bool *hit;
	uint32_t count;
	struct names names;
};

/* A name as it is shown. */
struct shown {
	char *text;
	size_t end;            /* where " [clone .cold]" and the like begin, or the text ends */
	uint32_t *past, *open; /* as brackets_pair() has them */
	size_t room;
};

/* Past the qualifier behind parameters that begins here, or 0. */
static size_t
past_qualifier(const struct shown *shown, size_t at)
{
	static const char *const words[] = {" const", " volatile", " &&", " &"};

	for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
		size_t past = at + strlen(words[i]);

		if (goes_on(shown->text, at, shown->end, words[i]) &&
		    (past == shown->end || is_one_of(" :", shown->text[past])))
			return past;
	}
	return 0;
}

/* Past what begins here, if a symspec may leave it out, or 0. */
static size_t
past_omissible(const struct shown *shown, size_t at)
{
	const char *text = shown->text;
	size_t group = at;

	/* In Rust "sum::<i64>", and "operator< <int>". */
	if (goes_on(text, at, shown->end, "::<"))
		group = at + 2;
	else if (goes_on(text, at, shown->end, " <"))
		group = at + 1;
	else if (!is_one_of("(<", text[at]) || is_one_of(":", byte_before(text, at)))
		return text[at] == ' ' ? past_qualifier(shown, at) : 0;
	return shown->past[group] > group + 1 ? shown->past[group] : 0;
}

/* Whether a word is the name from this byte on, apart from what it may leave out. */
static bool
reads_from(const struct shown *shown, size_t at, const char *word)
{
	while (at < shown->end) {
		size_t past = shown->past[at], length = past - at;

		if (strncmp(word, shown->text + at, length) != 0) {
			past = past_omissible(shown, at);
			length = 0;
			/* In a lambda's braces there are parameters, too. */
			if (past == 0 && *word == '{' && shown->text[at] == '{') {
				past = at + 1;
				length = 1;
			}
			if (past == 0)
				return false;
		}
		word += length;
		at = past;
	}
	return *word == '\0' || strcmp(word, shown->text + shown->end) == 0;
}

/* The same, with or without what stands before the name or, behind ':', before its last parts. */
static bool
reads(const struct shown *shown, const char *behind, const char *word)
{
	uint32_t words = 0;

	for (size_t at = 0; at < shown->end && words < MOST_WORDS; at = shown->past[at]) {
		if (at > 0 && !is_one_of(behind, shown->text[at - 1]))
			continue;
		if (reads_from(shown, at, word))
			return true;
		words++;
	}
	return false;
}

static void
make_room(struct run *run, struct shown *shown, size_t length)
{
	memory_release(run, shown->text);
	memory_release(run, shown->past);
	memory_release(run, shown->open);
	shown->room = 2 * length;
	memory_array(run, shown->text, shown->room);
	memory_array(run, shown->past, shown->room);
	memory_array(run, shown->open, shown->room);
}

/*
 * Makes the name that is shown for one of the table, finds its brackets and where what is said of
 * it begins.  Returns the bytes that were made, 0 if it is shown as it is.
 */
static size_t
make_shown(struct run *run, const struct symbols *symbols, const char *name, struct shown *shown)
{
	size_t length, bytes;
	bool is_kept;

	do {
		struct demangle_text text = {0};

		if (!readable_symbol(run, symbols, name, &text) || !demangle_add(&text, "", 1)) {
			free(text.bytes);
			return 0;
		}
		length = text.length - 1;
		bytes = text.wasted + text.length;
		is_kept = shown->text && text.length <= shown->room;
		if (is_kept)
			memcpy(shown->text, text.bytes, text.length);
		/* Asking for memory may end the run. */
		free(text.bytes);
		if (!is_kept)
			make_room(run, shown, length + 1);
	} while (!is_kept);
	brackets_pair(shown->past, shown->open, shown->text, length);
	for (shown->end = 0; shown->end < length; shown->end = shown->past[shown->end])
		if (goes_on(shown->text, shown->end, length, " ["))
			break;
	return bytes;
}

/* A name in a form of fewer words; valid until the next call. */
static struct gprofx_text
shorten(struct names *names, enum name_form form, const char *text, size_t length)
{
	names->form = form;
	return names_shorten(names, (struct gprofx_text){text, length});
}

static bool
is_text(struct gprofx_text text, const char *tail, const char *word)
{
	return strncmp(word, text.bytes, text.length) == 0 &&
	       (word[text.length] == '\0' || strcmp(word + text.length, tail) == 0);
}

/* Whether a symspec stands for a name, of which "bare" is the shortest form. */
static bool
stands_for(const struct shown *shown, struct gprofx_text bare, const struct wanted *wanted,
           uint32_t number)
{
	const char *word = wanted->half[number]->spec.name, *tail = shown->text + shown->end;

	/* What is left of both is the same, and what the word has beyond it is the name's. */
	return is_text(bare, tail, word) || strcmp(shown->text, word) == 0 ||
	       (is_text(bare, tail, wanted->bare[number]) && reads(shown, " ", word));
}

/* The name of a symbol, if it is not encoded as in C++ or Rust. */
static const char *
raw_name(const struct symbols *symbols, uint32_t symbol)
{
	const char *name = symbols->name[symbol];

	return name + (symbols->table.leading_underscore && name[0] == '_');
}

/* What a procedure of a Fortran module is called in its source, or an empty text. */
static struct gprofx_text
procedure_name(struct names *names, const char *raw)
{
	struct gprofx_text name = shorten(names, NAME_LAST_COMPONENTS, raw, strlen(raw));

	return name.bytes == raw ? (struct gprofx_text){raw, 0} : name;
}

/* Which of the wanted halves a symbol is. */
static bool
mark_hits(struct run *run, const struct symbols *symbols, uint32_t symbol, struct wanted *wanted,
          struct shown *shown, uint64_t *left)
{
	uint64_t cost = make_shown(run, symbols, symbols->name[symbol], shown);
	const char *raw = raw_name(symbols, symbol);
	struct gprofx_text name;
	bool is_raw = cost == 0, found = false;

	if (is_raw && raw[0] != '_')
		return false;
	cost += (uint64_t)COMPARING * wanted->count + (is_raw ? strlen(raw) : 0);
	if (cost >= *left) {
		*left = 0;
		return false;
	}
	*left -= cost;
	name = is_raw ? procedure_name(&wanted->names, raw)
	              : shorten(&wanted->names, NAME_NO_TEMPLATES, shown->text, shown->end);
	for (uint32_t i = 0; i < wanted->count; i++) {
		wanted->hit[i] = is_raw ? name.length > 0 &&
		                                  is_text(name, "", wanted->half[i]->spec.name)
		                        : stands_for(shown, name, wanted, i);
		found = found || wanted->hit[i];
	}
	return found;
}

/* Whether one of these words stands in a name before this byte. */
static bool
has_one_of(struct gprofx_text name, size_t end, const char *const *words, size_t count)
{
	for (size_t i = 0; i < end; i++)
		for (size_t k = 0; k < count; k++)
			if (goes_on(name.bytes, i, end, words[k]))
				return true;
	return false;
}

/* The length of words without the "tail" that may follow them. */
static size_t
length_without(const char *words, const char *tail)
{
	size_t length = strlen(words), more = strlen(tail);

	return length > more && strcmp(words + length - more, tail) == 0 ? length - more : length;
}

/* Whether a name ends with these words, which begin behind a scope; "tail" may follow. */
static bool
ends_with(struct gprofx_text name, const char *tail, const char *words)
{
	/* "A::operator std::vector" is no vector. */
	static const char *const operator_word[] = {"operator "};
	size_t length = length_without(words, tail), at = name.length - length;

	return length > 0 && length + 2 < name.length &&
	       memcmp(name.bytes + at, words, length) == 0 && name.bytes[at - 1] == ':' &&
	       name.bytes[at - 2] == ':' && !has_one_of(name, at, operator_word, 1);
}

/* What a half names, without the dots of a cut. */
static const char *
past_cut(const struct match_half *half)
{
	return half->spec.name + symspec_past_cut(half->spec.name);
}

/* Whether a name begins and ends as a word does that has dots for what is between. */
static bool
fits_cut(struct gprofx_text name, const char *tail, const char *word)
{
	const char *dots = word[0] == '\0' ? NULL : strstr(word + 1, "...");
	size_t begin = dots ? (size_t)(dots - word) : 0, end;

	if (!dots || begin >= name.length || memcmp(name.bytes, word, begin) != 0)
		return false;
	word = dots + strspn(dots, ".");
	end = length_without(word, tail);
	return begin + end < name.length && memcmp(name.bytes + name.length - end, word, end) == 0;
}

/* The same for a name in any of the forms that reports show. */
static bool
fits_cut_of(struct names *names, const struct shown *shown, const char *word)
{
	const char *tail = shown->text + shown->end;

	if (!strstr(word, "..."))
		return false;
	for (int form = NAME_FULL; form <= NAME_LAST_COMPONENTS; form++)
		if (fits_cut(shorten(names, (enum name_form)form, shown->text, shown->end), tail,
		             word))
			return true;
	return false;
}

/* Takes a symbol for one that ends as the half says; its name is made of both parts. */
static void
add_end(struct run *run, const struct symbols *symbols, uint32_t symbol, struct gprofx_text name,
        const char *rest, struct match_half *half)
{
	uint32_t i;

	for (i = 0; i < half->end_count && i < MATCH_ENDS; i++)
		if (strncmp(half->ends[i], name.bytes, name.length) == 0 &&
		    strcmp(half->ends[i] + name.length, rest) == 0)
			break;
	if (i == MATCH_ENDS) {
		half->end_count = MATCH_ENDS + 1;
	} else if (i == half->end_count) {
		half->ends[i] = text_format(run, "%.*s%s", (int)name.length, name.bytes, rest);
		half->end_count++;
	}
	if (half->end_count == 1)
		match_add(run, symbols, half, symbol);
}

/* Compares the ends of the name of a symbol of C++ or Rust, or of a procedure of a Fortran module.
 */
static void
find_ends(struct run *run, const struct symbols *symbols, uint32_t symbol, struct wanted *wanted,
          struct shown *shown, uint64_t *left)
{
	/* What calls a function is not this function. */
	static const char *const others[] = {"thunk to ", "clone for ", "function for "};
	const char *raw = raw_name(symbols, symbol), *tail;
	const struct gprofx_text own = {raw, strlen(raw)};
	uint64_t cost = make_shown(run, symbols, symbols->name[symbol], shown);
	bool is_raw = cost == 0;
	struct gprofx_text name;

	cost += own.length + (uint64_t)COMPARING * wanted->count;
	*left -= cost < *left ? cost : *left;
	tail = is_raw ? "" : shown->text + shown->end;
	if (!is_raw && has_one_of((struct gprofx_text){shown->text, shown->end}, shown->end, others,
	                          sizeof others / sizeof *others))
		return;
	name = is_raw ? procedure_name(&wanted->names, raw)
	              : shorten(&wanted->names, NAME_LAST_COMPONENTS, shown->text, shown->end);
	for (uint32_t i = 0; i < wanted->count; i++) {
		const char *word = past_cut(wanted->half[i]);

		wanted->hit[i] = is_raw ? ends_with(name, tail, word) || fits_cut(own, "", word)
		                        : is_text(name, tail, word);
	}
	for (uint32_t i = 0; !is_raw && i < wanted->count; i++)
		wanted->hit[i] = wanted->hit[i] ||
		                 fits_cut_of(&wanted->names, shown, past_cut(wanted->half[i]));
	if (!is_raw)
		name = shorten(&wanted->names, NAME_NO_TEMPLATES, shown->text, shown->end);
	for (uint32_t i = 0; i < wanted->count; i++) {
		struct match_half *half = wanted->half[i];
		const char *word = past_cut(half), *bare = wanted->bare[i];

		if (wanted->hit[i]) {
			add_end(run, symbols, symbol, is_raw ? own : name, "", half);
		} else if (!is_raw && ends_with(name, tail, bare) && reads(shown, ":", word)) {
			struct gprofx_text scopes = name;

			/* With the parameters and arguments of the word: others can differ only in
			 * these. */
			scopes.length -= length_without(bare, tail);
			add_end(run, symbols, symbol, scopes, word, half);
		}
	}
}

/* The halves that stand for nothing yet. */
static void
find_wanted(struct run *run, struct match_half *halves, uint32_t count, struct wanted *wanted)
{
	wanted->count = 0;
	for (uint32_t i = 0; i < count; i++) {
		const char *name;
		struct gprofx_text bare;

		if (halves[i].ranges.count > 0 || !halves[i].spec.name || halves[i].spec.file)
			continue;
		name = past_cut(&halves[i]);
		bare = shorten(&wanted->names, NAME_NO_TEMPLATES, name, strlen(name));
		wanted->bare[wanted->count] = text_keep(run, bare.bytes, bare.length);
		wanted->half[wanted->count++] = &halves[i];
	}
}

/* Functions whose names only end with what is wanted. */
static void
match_ends(struct run *run, const struct symbols *symbols, struct wanted *wanted,
           struct shown *shown)
{
	uint64_t left = MOST_BYTES;

	for (uint32_t symbol = 0; wanted->count > 0 && left > 0 && symbol < symbols->count;
	     symbol++)
		find_ends(run, symbols, symbol, wanted, shown, &left);
	/* It is the only one if all were looked at. */
	for (uint32_t i = 0; i < wanted->count; i++)
		if (wanted->half[i]->end_count != 1 || left == 0) {
			wanted->half[i]->ranges.count = 0;
			wanted->half[i]->end_count *= left > 0;
		}
}

/* Takes files that no symbol is of for names: "fold.part.0". */
static void
try_files(struct run *run, const struct symbols *symbols, struct match_half *halves, uint32_t count)
{
	uint64_t left = MOST_BYTES;

	for (uint32_t i = 0; i < count; i++) {
		struct symspec *spec = &halves[i].spec;

		if (halves[i].ranges.count > 0 || !spec->file ||
		    strcmp(spec->file, spec->text) != 0)
			continue;
		halves[i].is_tried = true;
		spec->name = spec->file;
		spec->file = NULL;
		for (uint32_t symbol = 0; symbol < symbols->count && left > 0; symbol++, left--)
			if (strcmp(raw_name(symbols, symbol), spec->name) == 0)
				match_add(run, symbols, &halves[i], symbol);
	}
}

static void
restore_files(struct match_half *halves, uint32_t count)
{
	for (uint32_t i = 0; i < count; i++) {
		struct symspec *spec = &halves[i].spec;

		if (!halves[i].is_tried || halves[i].ranges.count > 0)
			continue;
		spec->file = spec->name;
		spec->name = NULL;
	}
}

void
shown_match(struct run *run, const struct symbols *symbols, struct match_half *halves,
            uint32_t count)
{
	struct wanted wanted = {.count = 0};
	struct shown shown = {.room = 0};
	uint64_t left = MOST_BYTES;

	names_begin(&wanted.names, &run->gx, NULL, NAME_NO_TEMPLATES);
	wanted.half = memory_alloc_array(run, sizeof(struct match_half *), count);
	wanted.bare = memory_alloc_array(run, sizeof(const char *), count);
	memory_array(run, wanted.hit, count);
	if (run_corrects(run, GPROFX_CORRECT_SPEC_FILES))
		try_files(run, symbols, halves, count);
	find_wanted(run, halves, count, &wanted);
	for (uint32_t symbol = 0; wanted.count > 0 && left > 0 && symbol < symbols->count;
	     symbol++) {
		if (!mark_hits(run, symbols, symbol, &wanted, &shown, &left))
			continue;
		for (uint32_t i = 0; i < wanted.count; i++)
			if (wanted.hit[i])
				match_add(run, symbols, wanted.half[i], symbol);
	}
	find_wanted(run, halves, count, &wanted);
	match_ends(run, symbols, &wanted, &shown);
	restore_files(halves, count);
	memory_release(run, wanted.hit);
	memory_release(run, wanted.bare);
	memory_release(run, wanted.half);
}

const char *
shown_bare_name(struct run *run, const char *name)
{
	struct gprofx_text bare;
	struct names names;

	names_begin(&names, &run->gx, NULL, NAME_NO_TEMPLATES);
	bare = shorten(&names, NAME_NO_TEMPLATES, name, strlen(name));
	return text_keep(run, bare.bytes, bare.length);
}

/* The shortest form of a name of the table that tells it from others; run lifetime. */
static const char *
short_name(struct run *run, const struct symbols *symbols, const char *raw, struct names *names,
           struct shown *shown, uint64_t *left)
{
	const char *own = raw + (symbols->table.leading_underscore && raw[0] == '_');
	size_t bytes = *left > 0 ? make_shown(run, symbols, raw, shown) : 0;
	struct gprofx_text name = {NULL, 0};

	*left -= bytes < *left ? bytes : *left;
	if (bytes > 0)
		name = shorten(names, NAME_NO_TEMPLATES, shown->text, shown->end);
	else if (own[0] == '_')
		name = procedure_name(names, own);
	return name.length > 0 && name.length <= LONGEST_SHORT
	               ? text_keep(run, name.bytes, name.length)
	               : own;
}

const char **
shown_short_names(struct run *run, const struct symbols *symbols, const char *const *raw,
                  uint32_t count)
{
	struct shown shown = {.room = 0};
	uint64_t left = MOST_BYTES;
	const char **list;
	struct names names;

	names_begin(&names, &run->gx, NULL, NAME_NO_TEMPLATES);
	list = memory_alloc_array(run, sizeof *list, count);
	for (uint32_t i = 0; i < count; i++)
		if (raw[i])
			list[i] = short_name(run, symbols, raw[i], &names, &shown, &left);
	return list;
}
