/* SPDX-License-Identifier: Apache-2.0 */
/* Lists of names, and what stands in them. */
#ifndef OUTPUT_ORDER_NAMES_H
#define OUTPUT_ORDER_NAMES_H

#include <gprofx/emitter.h>

/* In an order of their own; none is NULL. */
struct name_list {
	const char **items;
	uint32_t count;
};

/* The same, to look names up: by bytes, equal ones in the order of the list. */
struct name_rows {
	struct name_row {
		const char *name;
		uint32_t position; /* in the list */
	} * items;
	uint32_t count;
};

struct name_rows names_sort(struct gprofx *gx, const struct name_list *list);
/* The first row of the name that begins with these bytes and has no more; rows.count: none has. */
uint32_t names_find(const struct name_rows *rows, const char *name, size_t length);
/* Takes out names that stand in the list before. */
void names_unique(struct gprofx *gx, struct name_list *list);

/*
 * The names of the order: of functions, or, with a map, of files, behind which those of the map
 * stand that no function has.
 */
struct name_list names_in_order(struct gprofx *gx, const struct gprofx_report *report);
/* Of functions, only those that did something, so that there is a reason for their place. */
struct name_list names_of_active(struct gprofx *gx, const struct gprofx_report *report);
/* The functions that the map has for these files, file by file, in the order of the map. */
struct name_list names_in_files(struct gprofx *gx, const struct gprofx_report *report,
                                const struct name_list *files);

#endif
