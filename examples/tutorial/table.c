/* SPDX-License-Identifier: Apache-2.0 */
#include "table.h"

#include <stdlib.h>
#include <string.h>

enum { BUCKETS = 65536 };

static struct entry *buckets[BUCKETS];

/* The bucket of a word. */
static unsigned
hash(const char *word)
{
	unsigned sum = 0;

	for (; *word != '\0'; word++)
		sum += (unsigned char)*word;
	return sum % BUCKETS;
}

static int
is_same(const char *a, const char *b)
{
	while (*a == *b && *a != '\0') {
		a++;
		b++;
	}
	return *a == *b;
}

static struct entry *
find(struct entry *entry, const char *word)
{
	while (entry != NULL && !is_same(entry->word, word))
		entry = entry->next;
	return entry;
}

static struct entry *
insert(struct entry **bucket, const char *word)
{
	size_t size = strlen(word) + 1;
	struct entry *entry = malloc(sizeof *entry + size);

	if (entry == NULL)
		abort();
	memcpy(entry->word, word, size);
	entry->count = 0;
	entry->next = *bucket;
	*bucket = entry;
	return entry;
}

void
table_count(const char *word)
{
	struct entry **bucket = &buckets[hash(word)];
	struct entry *entry = find(*bucket, word);

	if (entry == NULL)
		entry = insert(bucket, word);
	entry->count++;
}

struct entry *
table_take_most_frequent(void)
{
	struct entry **best = NULL, *taken;

	for (unsigned i = 0; i < BUCKETS; i++)
		for (struct entry **at = &buckets[i]; *at != NULL; at = &(*at)->next)
			if (best == NULL || (*at)->count > (*best)->count)
				best = at;
	if (best == NULL)
		return NULL;
	taken = *best;
	*best = taken->next;
	return taken;
}
