/* SPDX-License-Identifier: Apache-2.0 */
#include "select/shown.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "select/filters.h"
#include "select/symspec.h"
#include "symbols/demangle.h"
#include "symbols/readable.h"

/* Names of C++ and Rust are long: what is made and compared for all symspecs together. */
enum { MOST_BYTES = 1 << 25, COMPARING = 8 /* of a name, in bytes */, LONGEST_SHORT = 120 };

/* Halves that stand for nothing yet, and which of them a symbol is. */
struct wanted {
	struct match_half **half;
	bool *hit;
	uint32_t count;
};

/* A piece of a shown name. */
struct piece {
	const char *text;
	size_t length;
	size_t fixed; /* of it, which end with an operator's name: no arguments of a template */
};

static int
depth_change(char c)
{
	return c == '<' || c == '(' || c == '{' || c == '['   ? 1
	       : c == '>' || c == ')' || c == '}' || c == ']' ? -1
	                                                      : 0;
}

static bool
is_of_word(char c)
{
	return c == '_' || (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') ||
	       (c >= 'A' && c <= 'Z');
}

/* The length of an operator's sign. */
static size_t
sign_length(const char *text)
{
	static const char *const signs[] = {
		"<=>", "<<=", ">>=", "->*", "()", "[]", "<<", ">>", "<=", ">=", "==", "!=", "&&",
		"||",  "++",  "--",  "+=",  "-=", "*=", "/=", "%=", "^=", "&=", "|=", "->"};

	for (size_t i = 0; i < sizeof signs / sizeof *signs; i++)
		if (strncmp(text, signs[i], strlen(signs[i])) == 0)
			return strlen(signs[i]);
	return *text != '\0' && strchr("+-*/%^&|~!=<>,", *text) ? 1 : 0;
}

/*
 * Past an operator's name, whose brackets open nothing: "operator<<", "operator bool".  Where none
 * begins, the place itself.
 */
static size_t
past_operator(const char *text, size_t at)
{
	static const char operator[] = "operator";
	size_t next = at + sizeof operator- 1;
	int depth = 0;

	if (text[at] != 'o' || strncmp(text + at, operator, sizeof operator- 1) != 0 ||
	    (at > 0 && is_of_word(text[at - 1])) || is_of_word(text[next]))
		return at;
	if (text[next] != ' ' && text[next] != '"')
		return next + sign_length(text + next);
	/* The type that is converted to; new and delete; what is behind a literal. */
	while (text[next] != '\0' && depth >= 0 && (depth > 0 || text[next] != '('))
		depth += depth_change(text[next++]);
	return next - (depth < 0);
}

/* Past a byte, or all that the bracket there holds, or an operator's name. */
static size_t
past_unit(const char *text, size_t at)
{
	size_t next = past_operator(text, at);
	int depth = 0;

	if (next > at)
		return next;
	do {
		next = past_operator(text, at);
		if (next == at && (at == 0 || text[at] != '>' || text[at - 1] != '-'))
			depth += depth_change(text[at]);
		at = next > at ? next : at + 1;
	} while (depth > 0 && text[at] != '\0');
	return at;
}

/* "(anonymous namespace)" begins a component, and "decltype(auto)" a result. */
static bool
opens_parameters(struct piece piece, const char *text)
{
	return *text == '(' && piece.length > 0 && text[-1] != ':' &&
	       (piece.length != 8 || memcmp(piece.text, "decltype", 8) != 0);
}

/* Past the words behind parameters. */
static const char *
past_qualifiers(const char *text)
{
	static const char *const words[] = {" const", " volatile", " &&", " &"};

	for (size_t i = 0; i < sizeof words / sizeof *words; i++)
		if (strncmp(text, words[i], strlen(words[i])) == 0)
			text += strlen(words[i]);
	return text;
}

/*
 * "long app::sum<long>(...)" without its result and parameters: "app::sum<long>".  The parameters
 * of a function that it is local to stay: "work(int)::Local::run".
 */
static struct piece
without_types(const char *text)
{
	struct piece piece = {text, 0, 0};
	size_t next;

	for (size_t i = 0; text[i] != '\0'; i = next) {
		next = past_unit(text, i);
		if (opens_parameters(piece, text + i)) {
			next = (size_t)(past_qualifiers(text + next) - text);
			if (strncmp(text + next, "::", 2) != 0)
				break;
		} else if (text[i] == ' ' && text[i + 1] == '[') {
			break; /* which part of the function it is */
		} else if (text[i] == ' ' && (piece.fixed == 0 || piece.fixed != piece.length)) {
			piece = (struct piece){text + next, 0, 0};
			continue;
		}
		piece.length = (size_t)(text + next - piece.text);
		if (past_operator(text, i) > i)
			piece.fixed = piece.length;
	}
	return piece;
}

/* "app::sum<long>" without the arguments of the template: "app::sum"; Rust has "sum::<i64>". */
static struct piece
without_arguments(struct piece piece)
{
	const char *text = piece.text;
	int depth = 0;

	if (piece.length <= piece.fixed || text[piece.length - 1] != '>')
		return piece;
	for (size_t i = piece.length; i-- > piece.fixed;) {
		depth += text[i] == '<' ? -1 : text[i] == '>' && (i == 0 || text[i - 1] != '-');
		if (depth > 0)
			continue;
		piece.length = i;
		/* A space keeps them from an operator that ends as they begin. */
		if (i > 0 && text[i - 1] == ' ')
			piece.length = i - 1;
		else if (i > 2 && memcmp(text + i - 2, "::", 2) == 0)
			piece.length = i - 2;
		break;
	}
	return piece;
}

static bool
is_piece(struct piece piece, const char *word)
{
	return strncmp(word, piece.text, piece.length) == 0 && word[piece.length] == '\0';
}

static void
add_range(struct run *run, const struct symbols *symbols, uint32_t symbol, struct match_half *half)
{
	struct select_ranges *ranges = &half->ranges;

	ranges->items = memory_room(run, ranges->items, sizeof *ranges->items, ranges->count,
	                            &ranges->room, 1);
	ranges->items[ranges->count++] = (struct select_range){symbols->address[symbol],
	                                                       symbols->end[symbol]};
}

/* Which of the wanted halves a symbol is; its text is gone before anything else is asked for. */
static bool
mark_hits(const struct run *run, const struct symbols *symbols, uint32_t symbol,
          const struct wanted *wanted, uint64_t *left)
{
	struct demangle_text text = {0};
	bool found = false;

	if (readable_symbol(run, &symbols->table, symbols->name[symbol], &text) &&
	    demangle_add(&text, "", 1)) {
		struct piece plain = without_types(text.bytes), bare = without_arguments(plain);
		uint64_t cost = text.wasted + text.length + (uint64_t)COMPARING * wanted->count;

		*left -= cost < *left ? cost : *left;
		for (uint32_t i = 0; i<wanted->count && * left> 0; i++) {
			const char *word = wanted->half[i]->spec.name;

			wanted->hit[i] = is_piece(plain, word) || is_piece(bare, word) ||
			                 strcmp(text.bytes, word) == 0;
			found = found || wanted->hit[i];
		}
	}
	free(text.bytes);
	return found;
}

void
shown_match(struct run *run, const struct symbols *symbols, struct match_half *halves,
            uint32_t count)
{
	struct wanted wanted = {.count = 0};
	uint64_t left = MOST_BYTES;

	wanted.half = memory_alloc_array(run, sizeof(struct match_half *), count);
	memory_array(run, wanted.hit, count);
	for (uint32_t i = 0; i < count; i++)
		if (halves[i].ranges.count == 0 && halves[i].spec.name && !halves[i].spec.file)
			wanted.half[wanted.count++] = &halves[i];
	for (uint32_t symbol = 0; wanted.count > 0 && left > 0 && symbol < symbols->count;
	     symbol++) {
		if (!mark_hits(run, symbols, symbol, &wanted, &left))
			continue;
		for (uint32_t i = 0; i < wanted.count; i++)
			if (wanted.hit[i])
				add_range(run, symbols, symbol, wanted.half[i]);
	}
	memory_release(run, wanted.hit);
	memory_release(run, wanted.half);
}

const char *
shown_short_name(struct run *run, const struct symbols *symbols, uint32_t symbol)
{
	struct demangle_text text = {0};
	char name[LONGEST_SHORT + 1];
	struct piece piece = {name, 0, 0};

	if (demangle_symbol(run->settings, &symbols->table, symbols->name[symbol], &text) &&
	    demangle_add(&text, "", 1)) {
		piece = without_types(text.bytes);
		if (piece.length <= LONGEST_SHORT)
			memcpy(name, piece.text, piece.length);
	}
	free(text.bytes);
	return piece.length > 0 && piece.length <= LONGEST_SHORT
	               ? text_keep(run, name, piece.length)
	               : symbols->name[symbol];
}
