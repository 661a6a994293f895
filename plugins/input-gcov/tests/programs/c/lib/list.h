/* SPDX-License-Identifier: Apache-2.0 */
#ifndef LIST_H
#define LIST_H

struct list {
	struct list *next;
	int value;
};

void list_add(struct list *list, int value);
int list_sum(const struct list *list);
void list_free(struct list *list);

#endif
