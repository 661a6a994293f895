/* SPDX-License-Identifier: Apache-2.0 */
/* The list. */
#include <stdlib.h>
#include "store.h"

struct list {
	unsigned count, room;
	unsigned *values;
};

static __attribute__((noinline)) unsigned
check(const struct list *list)
{
	return list->count < list->room;
}

static __attribute__((noinline)) void
grow(struct list *list)
{
	list->room = list->room * 2 + 16;
	list->values = realloc(list->values, list->room * sizeof list->values[0]);
	if (list->values == NULL)
		abort();
}

struct list *
list_new(void)
{
	struct list *list = calloc(1, sizeof *list);
	if (list == NULL)
		abort();
	return list;
}

void
list_insert(struct list *list, unsigned value)
{
	if (!check(list))
		grow(list);
	unsigned at = list->count++;
	for (; at > 0 && list->values[at - 1] > value; at--)
		list->values[at] = list->values[at - 1];
	list->values[at] = value;
}

unsigned
list_sum(const struct list *list)
{
	unsigned sum = 0;
	for (unsigned i = 0; i < list->count; i++)
		sum = sum * 31u + list->values[i];
	return sum;
}

void
list_free(struct list *list)
{
	free(list->values);
	free(list);
}
