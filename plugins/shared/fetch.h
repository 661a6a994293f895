/* SPDX-License-Identifier: Apache-2.0 */
/* Fetching memory before it is needed, where numbers lead to rows in no order. */
#ifndef PLUGINS_SHARED_FETCH_H
#define PLUGINS_SHARED_FETCH_H

#include <gprofx/report.h> /* IWYU pragma: keep: not all who fetch have columns */

/* gcc takes a function that only fetches for one without effect and leaves its calls out. */
#if defined(__GNUC__)
#define FETCH(address) __builtin_prefetch(address)
#else
#define FETCH(address) ((void)(address))
#endif

/* The value that a row has in a column. */
#define FETCH_ROW(column, row) FETCH((const char *)(column)->first + (size_t)(row) * (column)->step)

#endif
