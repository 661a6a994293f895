/* SPDX-License-Identifier: Apache-2.0 */
#include "words.h"

#include <stdlib.h>
#include <string.h>

enum {
	MOST_PROBES =
		64, /* of the table: a word that finds no place there is a new one each time */
	FIRST_SLOTS = 1024, /* a power of two */
	BLOCK = 32          /* texts */
};

struct word {
	const char *bytes;
	uint32_t length, hash;
	uint32_t uses;
	uint32_t rank; /* among those that are used more than once, from 1; 0: it is used once */
};

struct words {
	struct gprofx *gx;
	struct word *word;
	uint32_t count, room;
	uint32_t *slot; /* numbers of words plus 1, or 0 */
	uint32_t slots; /* a power of two */
	uint32_t *item; /* numbers of words: those of text i are item[first[i]] … */
	size_t items, item_room;
	size_t *first;
	uint32_t texts;
	uint32_t block; /* texts that are read together */
};

/* Bytes that belong together: those of identifiers, and of characters outside of ASCII. */
static bool
is_letter(char byte)
{
	return (byte >= 'a' && byte <= 'z') || (byte >= 'A' && byte <= 'Z') ||
	       (byte >= '0' && byte <= '9') || byte == '_' || (unsigned char)byte >= 0x80;
}

/* The length of the first word of some bytes. */
static uint32_t
length_of(const char *bytes, size_t count)
{
	uint32_t length = 1;

	while (length < count && length < UINT32_MAX &&
	       is_letter(bytes[length]) == is_letter(bytes[0]))
		length++;
	return length;
}

/* FNV-1a. */
static uint32_t
hash_of(const char *bytes, uint32_t length)
{
	uint32_t hash = 2166136261U;

	for (uint32_t i = 0; i < length; i++)
		hash = (hash ^ (unsigned char)bytes[i]) * 16777619U;
	return hash ^ hash >> 15;
}

static void
make_slots(struct words *words)
{
	words->gx->host->release(words->gx, words->slot);
	words->slots = words->slots == 0 ? FIRST_SLOTS : 2 * words->slots;
	words->slot = gprofx_alloc(words->gx, words->slots * sizeof *words->slot);
	for (uint32_t i = 0; i < words->count; i++) {
		uint32_t at = words->word[i].hash;

		for (uint32_t k = 0; k < MOST_PROBES; k++, at++) {
			uint32_t *slot = &words->slot[at & (words->slots - 1)];

			if (*slot == 0) {
				*slot = i + 1;
				break;
			}
		}
	}
}

static uint32_t
add_word(struct words *words, const char *bytes, uint32_t length, uint32_t hash)
{
	if (words->count == words->room) {
		size_t old = words->room * sizeof *words->word;

		words->room *= 2;
		words->word = words->gx->host->grow(words->gx, words->word, old,
		                                    words->room * sizeof *words->word);
	}
	words->word[words->count] = (struct word){bytes, length, hash, 0, 0};
	return words->count++;
}

/* The number of a word. */
static uint32_t
find_word(struct words *words, const char *bytes, uint32_t length)
{
	uint32_t hash = hash_of(bytes, length), *slot = NULL;

	if (2 * (uint64_t)words->count >= words->slots)
		make_slots(words);
	for (uint32_t i = 0; i < MOST_PROBES; i++) {
		const struct word *word;

		slot = &words->slot[(hash + i) & (words->slots - 1)];
		if (*slot == 0) {
			*slot = words->count + 1;
			break;
		}
		word = &words->word[*slot - 1];
		if (word->hash == hash && word->length == length &&
		    memcmp(word->bytes, bytes, length) == 0)
			return *slot - 1;
	}
	return add_word(words, bytes, length, hash);
}

static void
add_text(struct words *words, struct gprofx_text text)
{
	for (size_t at = 0; at < text.length;) {
		uint32_t length = length_of(text.bytes + at, text.length - at);

		if (words->items == words->item_room) {
			size_t old = words->item_room * sizeof *words->item;

			words->item_room *= 2;
			words->item = words->gx->host->grow(words->gx, words->item, old,
			                                    words->item_room * sizeof *words->item);
		}
		words->item[words->items++] = find_word(words, text.bytes + at, length);
		at += length;
	}
}

/* What a text has in common with the one before it, and what is between that. */
struct part {
	size_t before, behind; /* words */
	size_t first, end;     /* items */
};

static struct part
part_of(const struct words *words, uint32_t i)
{
	size_t first = words->first[i], end = words->first[i + 1];
	size_t last = i % words->block > 0 ? words->first[i - 1] : first;
	size_t most = first - last < end - first ? first - last : end - first;
	struct part part = {0, 0, 0, 0};

	while (part.before < most &&
	       words->item[first + part.before] == words->item[last + part.before])
		part.before++;
	while (part.before + part.behind < most &&
	       words->item[end - 1 - part.behind] == words->item[first - 1 - part.behind])
		part.behind++;
	part.first = first + part.before;
	part.end = end - part.behind;
	return part;
}

/* A place in the table of words. */
struct place {
	struct word *word;
};

static int
compare_words(const void *a, const void *b)
{
	const struct word *x = ((const struct place *)a)->word;
	const struct word *y = ((const struct place *)b)->word;

	if (x->uses != y->uses)
		return x->uses > y->uses ? -1 : 1;
	return x < y ? -1 : x > y;
}

/*
 * The words in the order of the table: those that are used often have small numbers, and those that
 * are used once, as many as there are behind "often", need none.
 */
static struct place *
rank_words(struct words *words, uint32_t *often)
{
	struct place *order = gprofx_alloc(words->gx, ((size_t)words->count + 1) * sizeof *order);

	for (uint32_t i = 0; i < words->texts; i++) {
		struct part part = part_of(words, i);

		for (size_t k = part.first; k < part.end; k++)
			words->word[words->item[k]].uses++;
	}
	for (uint32_t i = 0; i < words->count; i++)
		order[i].word = &words->word[i];
	qsort(order, words->count, sizeof *order, compare_words);
	for (*often = 0; *often < words->count && order[*often].word->uses > 1;) {
		struct word *word = order[*often].word;

		word->rank = ++*often;
	}
	return order;
}

/* Returns how many words that are used once a text has. */
static uint32_t
put_text(struct gprofx_writer *w, const struct words *words, struct part part)
{
	enum { BEFORE = 1, BEHIND = 2, COUNT = 4 };
	uint32_t once = 0;

	values_digits(w, COUNT * (uint64_t)(part.end - part.first) +
	                         (part.before > 0 ? BEFORE : 0) + (part.behind > 0 ? BEHIND : 0));
	if (part.before > 0)
		values_digits(w, part.before);
	if (part.behind > 0)
		values_digits(w, part.behind);
	for (size_t k = part.first; k < part.end; k++) {
		uint32_t rank = words->word[words->item[k]].rank;

		values_digits(w, rank);
		once += rank == 0;
	}
	return once;
}

/* The words of some places in the table, a line each. */
static void
put_lines(struct values *c, const struct place *order, uint32_t first, uint32_t end)
{
	values_open_lines(c);
	for (uint32_t i = first; i < end; i++)
		values_line(c, order[i].word->bytes, order[i].word->length);
	values_close_lines(c);
}

/* The texts in blocks, and for each block the words that are used only there. */
static void
put_blocks(struct values *c, const struct words *words, const struct place *order, uint32_t often)
{
	uint32_t once = often, count = 0;
	uint32_t *end = gprofx_alloc(words->gx, ((size_t)words->texts / BLOCK + 1) * sizeof *end);

	values_key(c, "block");
	values_count(c, BLOCK);
	values_key(c, "texts");
	gprofx_putc(c->w, '[');
	for (uint32_t i = 0; i < words->texts; i++) {
		if (i % BLOCK == 0) {
			gprofx_puts(c->w, i > 0 ? "\",\"" : "\"");
			count++;
		}
		once += put_text(c->w, words, part_of(words, i));
		end[count - 1] = once;
	}
	gprofx_puts(c->w, count > 0 ? "\"]" : "]");
	c->has_before = true;
	values_key(c, "once");
	values_open(c, '[');
	for (uint32_t i = 0; i < count; i++)
		put_lines(c, order, i > 0 ? end[i - 1] : often, end[i]);
	values_close(c, ']');
	words->gx->host->release(words->gx, end);
}

static void
put_texts(struct values *c, const struct words *words, const struct place *order, uint32_t often)
{
	values_key(c, "texts");
	gprofx_putc(c->w, '"');
	for (uint32_t i = 0; i < words->texts; i++)
		put_text(c->w, words, part_of(words, i));
	gprofx_putc(c->w, '"');
	c->has_before = true;
	values_key(c, "once");
	put_lines(c, order, often, words->count);
}

void
words_put(struct values *c, struct gprofx *gx, const char *key, const struct gprofx_text *texts,
          uint32_t count, bool with_blocks)
{
	struct words words = {.gx = gx, .texts = count, .block = with_blocks ? BLOCK : UINT32_MAX};
	struct place *order;
	uint32_t often;

	words.room = FIRST_SLOTS / 2;
	words.word = gprofx_alloc(gx, words.room * sizeof *words.word);
	words.item_room = FIRST_SLOTS;
	words.item = gprofx_alloc(gx, words.item_room * sizeof *words.item);
	words.first = gprofx_alloc(gx, ((size_t)count + 1) * sizeof *words.first);
	for (uint32_t i = 0; i < count; i++) {
		add_text(&words, texts[i]);
		words.first[i + 1] = words.items;
	}
	order = rank_words(&words, &often);
	values_key(c, key);
	values_open(c, '{');
	values_key(c, "words");
	put_lines(c, order, 0, often);
	if (with_blocks)
		put_blocks(c, &words, order, often);
	else
		put_texts(c, &words, order, often);
	values_close(c, '}');
	gx->host->release(gx, order);
	gx->host->release(gx, words.first);
	gx->host->release(gx, words.item);
	gx->host->release(gx, words.slot);
	gx->host->release(gx, words.word);
}
