/* SPDX-License-Identifier: Apache-2.0 */
/*
 * At which bytes of the code instructions start, as the scanner for the machine knows.  A sampled
 * program counter is always such an address.
 */
#ifndef ENGINE_SCAN_BEGINS_H
#define ENGINE_SCAN_BEGINS_H

#include "base/run.h"

/* What is known of code, and what was decoded last. */
struct scan_begins {
	struct scan *scan; /* NULL: code is not to be read */
	bool is_open;
	struct begin_decoder *decoder; /* NULL: nothing is known */
};

/*
 * Opens the scanner for the machine, unless that was done; if there is none, or it cannot work
 * here, nothing is said.
 */
void scan_begins_open(struct run *run, struct scan_begins *begins);

/* Ends the scanner's worker. */
void scan_begins_close(struct run *run, struct scan_begins *begins);

/*
 * How many instructions start from "low" to below "past"; what the scanner does not know counts by
 * bytes.  False: the code is not known.  By one thread at a time.
 */
bool scan_begins_count(struct scan_begins *begins, uint64_t low, uint64_t past, uint64_t *count);

#endif
