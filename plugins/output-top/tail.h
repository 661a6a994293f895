/* SPDX-License-Identifier: Apache-2.0 */
/* What is wrong with the data, and where to look next. */
#ifndef OUTPUT_TOP_TAIL_H
#define OUTPUT_TOP_TAIL_H

#include <gprofx/report.h>

#include "page.h"
#include "table.h"
#include "../shared/names.h"

enum { TAIL_MOST_FINDINGS = 3, TAIL_MOST_HINTS = 8 };

/* A command that says more, and what it shows. */
struct tail_hint {
	const char *command, *about;
};

struct tail_hints {
	struct tail_hint rows[TAIL_MOST_HINTS];
	uint32_t count;
};

/* Commands that fit the screen, the most useful first. */
struct tail_hints tail_hints(struct page *page, struct names *names, const struct table *table);

/* How many findings say that the profile is of another program or build: the first ones. */
uint32_t tail_urgent(const struct gprofx_report *report);

/* All of these in full, with what to do. */
void tail_put_urgent(struct page *page, const struct gprofx_report *report);

/* The next "count" findings, with as many lines as each needs. */
void tail_put_findings(struct page *page, const struct gprofx_report *report, uint32_t count);

/* How many lines one of these takes, from 0 on. */
uint32_t
tail_finding_lines(const struct page *page, const struct gprofx_report *report, uint32_t i);

void tail_put_hints(struct page *page, const struct tail_hints *hints, uint32_t count);

#endif
