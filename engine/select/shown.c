/* SPDX-License-Identifier: Apache-2.0 */
#include "select/shown.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "symbols/demangle.h"
#include "symbols/readable.h"

/* Names of C++ and Rust are long: what is made and compared for all symspecs together. */
enum { MOST_BYTES = 1 << 26, COMPARING = 8 /* of a name, in bytes */, LONGEST_SHORT = 120 };

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
};

static int
depth_change(char c)
{
	return c == '<' || c == '(' || c == '{' || c == '['   ? 1
	       : c == '>' || c == ')' || c == '}' || c == ']' ? -1
	                                                      : 0;
}

/* "(anonymous namespace)" begins a component, and "operator()" has no parameters yet. */
static bool
opens_parameters(const char *text, size_t at)
{
	static const char operator[] = "operator";
	const size_t length = sizeof operator- 1;

	return text[at] == '(' && at > 0 && text[at - 1] != ':' && text[at - 1] != ' ' &&
	       (at < length || memcmp(text + at - length, operator, length) != 0);
}

/* "long app::sum<long>(...)" without its result and parameters: "app::sum<long>". */
static struct piece
without_types(const char *text)
{
	struct piece piece = {text, 0};
	int depth = 0;

	for (size_t i = 0; text[i] != '\0'; i++) {
		if (depth == 0 && opens_parameters(text, i))
			break;
		depth += depth_change(text[i]);
		if (depth == 0 && text[i] == ' ' && strncmp(piece.text, "operator", 8) != 0)
			piece.text = text + i + 1;
		piece.length = (size_t)(text + i + 1 - piece.text);
	}
	return piece;
}

/* "app::sum<long>" without the arguments of the template: "app::sum". */
static struct piece
without_arguments(struct piece piece)
{
	int depth = 0;

	if (piece.length == 0 || piece.text[piece.length - 1] != '>')
		return piece;
	for (size_t i = piece.length; i-- > 0;) {
		depth += piece.text[i] == '>' ? 1 : piece.text[i] == '<' ? -1 : 0;
		if (depth == 0)
			return (struct piece){piece.text, i};
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

	memory_array(run, wanted.half, count);
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
	struct piece piece = {name, 0};

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
