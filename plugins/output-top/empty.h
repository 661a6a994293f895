/* SPDX-License-Identifier: Apache-2.0 */
/* What is said if no function has a row. */
#ifndef OUTPUT_TOP_EMPTY_H
#define OUTPUT_TOP_EMPTY_H

#include <gprofx/report.h>

#include "page.h"

/* Why there is no row, in as many lines as that needs. */
void empty_put(struct page *page, const struct gprofx_report *report);

/* The number of these lines. */
uint32_t empty_lines(const struct page *page, const struct gprofx_report *report);

#endif
