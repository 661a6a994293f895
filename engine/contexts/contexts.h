/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Calling contexts: measured ones from the tree of stacks, or estimated ones from the call graph.
 * What they are is described in <gprofx/report.h>.
 */
#ifndef ENGINE_CONTEXTS_CONTEXTS_H
#define ENGINE_CONTEXTS_CONTEXTS_H

#include "base/run.h"
#include "profile/profile.h"
#include "report/model.h"
#include "select/filters.h"

/*
 * Makes the contexts of these forms (1 << report_context_form(), each) part of the report, whose
 * graph and metrics are there.
 */
void contexts_report(struct run *run, const struct profile *profile, uint32_t forms,
                     struct report_model *model);

/*
 * Makes the inlined subroutines that the user named part of the report, and the heaviest ones if
 * that part is asked for (enum gprofx_report_part).
 */
void
contexts_report_inlined(struct run *run, const struct profile *profile,
                        const struct filters *filters, uint32_t parts, struct report_model *model);

#endif
