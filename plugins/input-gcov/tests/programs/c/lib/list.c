/* SPDX-License-Identifier: Apache-2.0 */
/* The second source file, in a folder of its own; it has the header's function, too. */
#include "../lib/list.h"

#include <stdlib.h>

#include "../include/common.h"

/* Another function of this name is in main.c. */
static int
compare(int left, int right)
{
	return left < right ? -1 : left > right;
}

void
list_add(struct list *list, int value)
{
	struct list *added = malloc(sizeof *added);

	if (!added)
		abort();
	while (list->next && compare(list->next->value, value) < 0)
		list = list->next;
	added->value = clamp(value, 0, 150);
	added->next = list->next;
	list->next = added;
}

int
list_sum(const struct list *list)
{
	int sum = 0;

	for (list = list->next; list; list = list->next)
		sum += list->value;
	return sum;
}

void
list_free(struct list *list)
{
	struct list *next;

	for (list = list->next; list; list = next) {
		next = list->next;
		free(list);
	}
}
