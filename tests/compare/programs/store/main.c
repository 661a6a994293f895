/* SPDX-License-Identifier: Apache-2.0 */
/* Fills the table and the list until an eighth of a second of processor time is used. The argument
 * changes the numbers, so that two runs differ. */
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include "store.h"

static __attribute__((noinline)) int
check(unsigned sum)
{
	return sum != 0;
}

static __attribute__((noinline)) unsigned
round_of(unsigned seed)
{
	struct table *table = table_new(4096);
	struct list *list = list_new();
	unsigned sum = 0;
	for (unsigned i = 1; i < 2000; i++)
		table_put(table, i * seed, i);
	for (unsigned i = 1; i < 600; i++)
		list_insert(list, table_get(table, i * seed * 3) * 77u % 1009u);
	sum = list_sum(list);
	list_free(list);
	table_free(table);
	return sum;
}

int
main(int argc, char **argv)
{
	unsigned seed = argc > 1 ? (unsigned)atoi(argv[1]) : 1, sum = 0;
	do
		sum += round_of(seed++);
	while (clock() < CLOCKS_PER_SEC / 8);
	return check(sum) ? 0 : printf("unlikely\n");
}
