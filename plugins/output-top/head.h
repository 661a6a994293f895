/* SPDX-License-Identifier: Apache-2.0 */
/* What was run and measured, and where all of the time is. */
#ifndef OUTPUT_TOP_HEAD_H
#define OUTPUT_TOP_HEAD_H

#include <gprofx/report.h>

#include "page.h"

/* The name of a profile, with folders if another one of the report has the same name. */
const char *head_file_name(struct gprofx *gx, const struct gprofx_report *report, const char *file);

void head_put(struct page *page, const struct gprofx_report *report);

#endif
