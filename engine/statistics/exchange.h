/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Per-file statistics as bytes, from one process that has taken some files to another one that has
 * taken those before them, of the same program with the same settings.
 */
#ifndef ENGINE_STATISTICS_EXCHANGE_H
#define ENGINE_STATISTICS_EXCHANGE_H

#include <stdbool.h>

#include "base/bytes.h"

/* As profile->watch_write; watcher: the struct statistics. */
void statistics_write(const void *watcher, struct bytes_out *to);

/*
 * As profile->watch_read: adds what was written, for files that come behind all before.  The files
 * and the histograms of both are in the profile.  After false, the statistics are of no use, and
 * hold nothing outside of the run's memory.
 */
bool statistics_read(void *watcher, struct bytes_in *from);

#endif
