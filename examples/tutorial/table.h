/* SPDX-License-Identifier: Apache-2.0 */
/* A table of words and how often each was seen. */
#ifndef TABLE_H
#define TABLE_H

struct entry {
	struct entry *next;
	unsigned long count;
	char word[];
};

/* Counts one more occurrence of the word. */
void table_count(const char *word);

/* Takes the entry with the largest count out of the table; NULL: there is none. */
struct entry *table_take_most_frequent(void);

#endif
