/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Counts the words of a text, and prints how many there are and the most frequent ones.
 *
 *     words <text
 */
#include <ctype.h>
#include <stdio.h>

#include "table.h"

enum { LONGEST = 64, MOST_FREQUENT = 5 };

static int
read_word(char *word)
{
	int length = 0, c;

	while ((c = getchar()) != EOF && !isalnum(c))
		;
	for (; c != EOF && isalnum(c); c = getchar())
		if (length < LONGEST - 1)
			word[length++] = (char)tolower(c);
	word[length] = '\0';
	return length;
}

static unsigned long
count_words(void)
{
	char word[LONGEST];
	unsigned long count = 0;

	while (read_word(word) > 0) {
		table_count(word);
		count++;
	}
	return count;
}

static void
print_most_frequent(void)
{
	struct entry *entry;

	for (int i = 0; i < MOST_FREQUENT && (entry = table_take_most_frequent()) != NULL; i++)
		printf("%8lu %s\n", entry->count, entry->word);
}

int
main(void)
{
	printf("%8lu words\n", count_words());
	print_most_frequent();
	return 0;
}
