/* SPDX-License-Identifier: Apache-2.0 */
/* Functions that an optimizer splits and copies: names with .isra, .constprop, .part and .cold. */
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include "clones.h"

struct item {
	unsigned key, weight, unused[6];
};

static struct item items[300];
static unsigned failures;

/* Only one member is read: the clone takes that instead of the pointer. */
static __attribute__((noinline)) unsigned
key_of(const struct item *item, unsigned scale)
{
	unsigned key = item->key;
	for (unsigned i = 0; i < scale; i++)
		key = key * 3 + 1;
	return key;
}

static __attribute__((noinline)) unsigned
weight_of(struct item *item, int unused)
{
	(void)unused;
	item->unused[0]++;
	return item->weight + item->unused[0];
}

/* Always called with the same constants. */
static __attribute__((noinline)) unsigned
checksum(const unsigned *values, unsigned count, unsigned start)
{
	unsigned sum = start;
	for (unsigned i = 0; i < count; i++)
		sum = (sum << 1 | sum >> 31) ^ values[i];
	return sum;
}

static __attribute__((cold, noinline)) void
complain(const char *text, unsigned number)
{
	if (++failures == 0)
		printf("%s %u\n", text, number);
}

/* The beginning is inlined, the rest becomes a part of its own. */
static unsigned
lookup(const struct item *item, unsigned key)
{
	if (__builtin_expect(item == NULL, 0))
		return 0;
	if (__builtin_expect(item->key == key, 1))
		return item->weight;
	unsigned found = 0;
	for (unsigned i = 0; i < 40; i++) {
		found += items[(key + i) % 300].key * 3;
		found ^= found >> 5;
		if (found == 77)
			complain("found", found);
	}
	return found % 17;
}

__attribute__((noinline)) unsigned
lookup_all(unsigned key)
{
	unsigned sum = 0;
	for (unsigned i = 0; i < 300; i++)
		sum += lookup(&items[i], key);
	return sum + lookup(&items[key % 300], key + 1) + lookup(NULL, 1);
}

__attribute__((noinline)) unsigned
total(unsigned seed) /* @line */
{
	unsigned sum = 0;
	for (unsigned i = 0; i < 300; i++) {
		items[i].key = seed + i;
		sum += key_of(&items[i], 30) + weight_of(&items[i], 5);
		sum += checksum(items[i].unused, 6, 99);
		if (__builtin_expect(sum % 1024 == 9, 0)) {
			complain("sum", sum);
			complain("seed", seed);
		}
	}
	return sum;
}

int
main(int argc, char **argv)
{
	unsigned seed = argc > 1 ? (unsigned)atoi(argv[1]) : 1, sum = 0;
	do {
		sum += total(seed) + lookup_all(seed) + more(seed);
		seed++;
	} while (clock() < CLOCKS_PER_SEC / 8);
	return sum == 1;
}
