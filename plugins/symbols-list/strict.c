/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Lists as GNU gprof reads them: lines of an address, a letter and a name.  Whatever else there is
 * goes by without a word.
 */
#include "list.h"

#include <string.h>

#include <gprofx/symbols.h>

static bool
is_space(char c)
{
	return c == ' ' || (c >= '\t' && c <= '\r');
}

static const char *
skip_spaces(struct stretch text)
{
	while (text.at < text.end && is_space(*text.at))
		text.at++;
	return text.at;
}

/* Ends at a NUL, too. */
static struct stretch
word_at(const char *at, const char *end)
{
	struct stretch word = {at, at};

	while (word.end < end && *word.end != '\0' && !is_space(*word.end))
		word.end++;
	return word;
}

/*
 * The number that a word begins with, as the C library reads hexadecimal ones.  Returns false, and
 * leaves *number as it is, if it begins with none.
 */
static bool
scan_number(struct stretch word, uint64_t *number)
{
	bool negative = word.at < word.end && *word.at == '-', has_prefix, fits;
	const char *end;
	uint64_t value;

	if (word.at < word.end && (*word.at == '-' || *word.at == '+'))
		word.at++;
	has_prefix = word.end - word.at >= 2 && word.at[0] == '0' && (word.at[1] | 0x20) == 'x';
	if (has_prefix)
		word.at += 2;
	fits = symlist_digits(word, &value, &end);
	if (!has_prefix && end == word.at)
		return false;
	*number = !fits ? UINT64_MAX : negative ? 0 - value : value;
	return true;
}

/* One piece of the list; *address is that of the piece before it. */
static void
read_piece(struct list *list, struct stretch piece, uint64_t *address)
{
	struct stretch word;
	struct entry entry = {.flags = GPROFX_SYMBOL_FUNCTION};
	char type;

	piece.at = skip_spaces(piece);
	word = word_at(piece.at, piece.end);
	piece.at = word.end;
	piece.at = skip_spaces(piece);
	if (piece.at == piece.end)
		return;
	type = *piece.at++;
	if (type != 't' && type != 'T')
		return;
	piece.at = skip_spaces(piece);
	entry.name = word_at(piece.at, piece.end);
	if (entry.name.at == entry.name.end)
		return;
	/* Where a word is no address, that of the line before counts: lines such as "U tmpfile". */
	scan_number(word, address);
	entry.address = *address;
	if (type == 't')
		entry.flags |= GPROFX_SYMBOL_LOCAL;
	symlist_add(list, &entry);
}

void
symlist_read_strict(struct list *list)
{
	struct stretch text = list_text(list);
	uint64_t address = 0;

	while (text.at < text.end) {
		size_t left = (size_t)(text.end - text.at);
		size_t most = left < STRICT_PIECE ? left : STRICT_PIECE;
		const char *newline = memchr(text.at, '\n', most);
		struct stretch piece = {text.at, newline ? newline : text.at + most};

		read_piece(list, piece, &address);
		text.at = newline ? newline + 1 : piece.end;
	}
}
