/* SPDX-License-Identifier: Apache-2.0 */
/* Fetching memory ahead, where lists of ids lead all over large arrays. */
#ifndef ENGINE_BASE_PREFETCH_H
#define ENGINE_BASE_PREFETCH_H

#include "base/inline.h"

/* How many items ahead pays, measured with a million arcs between 20,000 functions. */
enum { PREFETCH_AHEAD = 8 };

#if defined(__GNUC__)
#define PREFETCH(address) __builtin_prefetch(address)
#else
#define PREFETCH(address) ((void)(address))
#endif

/*
 * gcc takes a function that only fetches for one without any effect and leaves its calls out, so
 * such functions are FETCHING.
 */
#define FETCHING ALWAYS_INLINE

#endif
