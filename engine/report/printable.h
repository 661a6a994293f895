/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The report for emitters that write text as it is: everything that files say, and that can be any
 * bytes, in a form that a terminal shows and does not obey.
 */
#ifndef ENGINE_REPORT_PRINTABLE_H
#define ENGINE_REPORT_PRINTABLE_H

#include "base/run.h"
#include "report/model.h"

/* A view of the report whose texts are printable; what is not is \xNN for each byte. */
struct report_model *report_printable(struct run *run, const struct report_model *model);

/* A name of such a view that was made just now. */
struct gprofx_text report_printable_text(struct run *run, struct gprofx_text text);

#endif
