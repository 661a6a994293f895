/* SPDX-License-Identifier: Apache-2.0 */
/* Words that differ by few letters. */
#include "base/nearest.h"

#include <string.h>

/* Words longer than this are not worth a guess. */
enum { GUESSED_LENGTH = 40 };

/*
 * Number of letters to insert, drop or replace to turn one word into the other; above "most" it is
 * not looked for.
 */
static size_t
distance(const char *name, const char *word, size_t word_length, size_t most)
{
	size_t row[GUESSED_LENGTH + 1], name_length = strlen(name);

	for (size_t j = 0; j <= word_length; j++)
		row[j] = j;
	for (size_t i = 1; i <= name_length; i++) {
		size_t diagonal = row[0], least = i;

		row[0] = i;
		for (size_t j = 1; j <= word_length; j++) {
			size_t best = diagonal + (name[i - 1] != word[j - 1]);

			diagonal = row[j];
			if (row[j] + 1 < best)
				best = row[j] + 1;
			if (row[j - 1] + 1 < best)
				best = row[j - 1] + 1;
			row[j] = best;
			least = best < least ? best : least;
		}
		if (least > most)
			return least;
	}
	return row[word_length];
}

void
nearest_begin(struct nearest *nearest, const char *word, size_t length)
{
	*nearest = (struct nearest){word, length, NULL, length / 3 + 1};
}

bool
nearest_offer(struct nearest *nearest, const char *candidate)
{
	size_t changes;

	if (nearest->length > GUESSED_LENGTH || strlen(candidate) > 2 * GUESSED_LENGTH)
		return false;
	changes = distance(candidate, nearest->word, nearest->length, nearest->changes);
	/* With every letter changed it is another word. */
	if (changes >= nearest->length || changes > nearest->changes ||
	    (nearest->found && changes == nearest->changes))
		return false;
	nearest->found = candidate;
	nearest->changes = changes;
	return true;
}
