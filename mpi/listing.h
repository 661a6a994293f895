/* SPDX-License-Identifier: Apache-2.0 */
/* The files that the operands stand for. */
#ifndef MPI_LISTING_H
#define MPI_LISTING_H

#include "engine.h"

/* Names, each with a 0 at its end, in a row. */
struct name_list {
	char *bytes;
	size_t used, room;
	uint64_t count;
};

void name_list_add(struct name_list *list, const char *name);
void name_list_free(struct name_list *list);
/*
 * Pointers to the names, and behind them to some that are empty; to be freed.  They are valid as
 * long as the list does not change.
 */
enum { NAME_LIST_PADDING = 2 };
const char **name_list_pointers(const struct name_list *list);

/*
 * Lists the files.  The settings name the program and the operands.  skips_missing: operands of
 * which there is nothing here are left out.  False: reported.
 */
bool listing_make(struct name_list *list, const struct engine_settings *settings,
                  const struct engine_frontend *frontend, bool skips_missing);

#endif
