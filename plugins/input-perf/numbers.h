/* SPDX-License-Identifier: Apache-2.0 */
/* Tables of numbers by numbers. */
#ifndef INPUT_PERF_NUMBERS_H
#define INPUT_PERF_NUMBERS_H

#include <gprofx/plugin.h>

struct number_item {
	uint64_t key;
	uint32_t value; /* 0: free */
};

/* Zero is an empty table. */
struct number_table {
	struct number_item *items;
	uint32_t count, room; /* room: a power of 2, or 0 */
	uint64_t factor;      /* of hashes */
};

/* The value of a key; 0: it has none. */
uint32_t perfdata_number(const struct number_table *table, uint64_t key);

/* Gives a key a value, which is not 0. */
void
perfdata_set_number(struct gprofx *gx, struct number_table *table, uint64_t key, uint32_t value);

void perfdata_forget_numbers(struct gprofx *gx, struct number_table *table);

#endif
