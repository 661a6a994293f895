/* SPDX-License-Identifier: Apache-2.0 */
/* A small hash table and a sorted list; see main.c. */
#ifndef STORE_H
#define STORE_H

struct table;
struct list;

struct table *table_new(unsigned slots);
void table_put(struct table *table, unsigned key, unsigned value);
unsigned table_get(const struct table *table, unsigned key);
void table_free(struct table *table);

struct list *list_new(void);
void list_insert(struct list *list, unsigned value);
unsigned list_sum(const struct list *list);
void list_free(struct list *list);

#endif
