/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Rows that grow with the files: a few 64-bit words each, the last of which is a count and the
 * others what is counted.  Rows that are alike are merged between files, so that what is kept does
 * not grow with the number of files.
 */
#ifndef ENGINE_PROFILE_KEPT_ROWS_H
#define ENGINE_PROFILE_KEPT_ROWS_H

#include "base/run.h"

struct kept_rows {
	void *items;
	uint32_t count, room;
	uint32_t merged; /* so many from the first on differ from each other */
};

/* Makes room for more rows, and returns the first of them; they count. */
void *kept_rows_add(struct run *run, struct kept_rows *rows, size_t row_bytes, uint32_t more);

/* Merges rows that are alike, once there are many of them; is_all: in any case. */
void kept_rows_merge(struct run *run, struct kept_rows *rows, size_t row_bytes, bool is_all);

#endif
