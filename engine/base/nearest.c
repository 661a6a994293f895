/* SPDX-License-Identifier: Apache-2.0 */
/* Words that differ by few letters. */
#include "base/nearest.h"

#include <stdint.h>
#include <string.h>

/* Words longer than this are not worth a guess. */
enum { GUESSED_LENGTH = 40 };

static size_t
replacing(char one, char other)
{
	bool is_letter = (one >= 'a' && one <= 'z') || (one >= 'A' && one <= 'Z');

	if (one == other)
		return 0;
	/* In ASCII, which names are in, the case is one bit. */
	return is_letter && (one ^ other) == ('a' ^ 'A') ? 1 : NEAREST_LETTER;
}

/*
 * The cost of letters to insert, drop or replace to turn one word into the other; above "most" it
 * is not looked for.
 */
static size_t
distance(const char *name, size_t name_length, const char *word, size_t word_length, size_t most)
{
	size_t row[GUESSED_LENGTH + 1];

	for (size_t j = 0; j <= word_length; j++)
		row[j] = j * NEAREST_LETTER;
	for (size_t i = 1; i <= name_length; i++) {
		size_t diagonal = row[0], least = i * NEAREST_LETTER;

		row[0] = i * NEAREST_LETTER;
		for (size_t j = 1; j <= word_length; j++) {
			size_t best = diagonal + replacing(name[i - 1], word[j - 1]);

			diagonal = row[j];
			if (row[j] + NEAREST_LETTER < best)
				best = row[j] + NEAREST_LETTER;
			if (row[j - 1] + NEAREST_LETTER < best)
				best = row[j - 1] + NEAREST_LETTER;
			row[j] = best;
			least = best < least ? best : least;
		}
		if (least > most)
			return least;
	}
	return row[word_length];
}

/* What the difference to a word of this length may cost. */
static size_t
most_cost(size_t length)
{
	return (length / 3 + 1) * NEAREST_LETTER;
}

/* The cost of turning a word into a candidate, unless it is above "most". */
static size_t
cost_up_to(size_t most, const char *word, size_t length, const char *candidate, size_t its_length)
{
	size_t more = its_length > length ? its_length - length : length - its_length, cost;

	if (length > GUESSED_LENGTH || its_length > 2 * GUESSED_LENGTH ||
	    more * NEAREST_LETTER > most)
		return SIZE_MAX;
	cost = distance(candidate, its_length, word, length, most);
	/* With every letter changed it is another word. */
	return cost >= length * NEAREST_LETTER || cost > most ? SIZE_MAX : cost;
}

size_t
nearest_cost(const char *word, size_t length, const char *candidate, size_t its_length)
{
	return cost_up_to(most_cost(length), word, length, candidate, its_length);
}

void
nearest_begin(struct nearest *nearest, const char *word, size_t length)
{
	*nearest = (struct nearest){word, length, NULL, most_cost(length)};
}

bool
nearest_offer(struct nearest *nearest, const char *candidate)
{
	size_t cost = cost_up_to(nearest->cost, nearest->word, nearest->length, candidate,
	                         strlen(candidate));

	if (cost == SIZE_MAX || (nearest->found && cost == nearest->cost))
		return false;
	nearest->found = candidate;
	nearest->cost = cost;
	return true;
}
