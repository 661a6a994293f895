/* SPDX-License-Identifier: Apache-2.0 */
/* What was run and measured, and where all of the time is. */
#ifndef OUTPUT_TOP_HEAD_H
#define OUTPUT_TOP_HEAD_H

#include <gprofx/report.h>

#include "page.h"

void head_put(struct page *page, const struct gprofx_report *report);

#endif
