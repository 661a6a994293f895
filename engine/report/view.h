/* SPDX-License-Identifier: Apache-2.0 */
/* Which parts of a report an emitter gets. */
#ifndef ENGINE_REPORT_VIEW_H
#define ENGINE_REPORT_VIEW_H

#include "base/run.h"
#include "report/model.h"

/* A report with those parts only that were asked for. */
struct report_view {
	struct gprofx_report public;
	struct report_parts parts; /* that "public" leads to */
};

/*
 * Fills a view of the model with these parts (bits of enum gprofx_report_part), contexts (bits of
 * enum gprofx_context_need), and values by these kinds of slices (enum gprofx_slice_kind).  It is
 * valid as long as the model and the view stay where they are.
 */
void report_show(struct report_view *view, const struct report_model *model, uint32_t parts,
                 uint32_t contexts, uint32_t slices);

/* Takes per-file statistics and values out of a view. */
void report_hide_statistics(struct report_view *view);

#endif
