/* SPDX-License-Identifier: Apache-2.0 */
/* Comparisons of equal numbers of calls, for formats that other programs read. */
#ifndef PLUGINS_SHARED_COMPARED_FACTORS_H
#define PLUGINS_SHARED_COMPARED_FACTORS_H

#include <gprofx/report.h>

/*
 * Where numbers of calls were made equal: by what values of the base are multiplied, per function,
 * since its arcs and contexts have them as they were measured; else NULL.  Of an arc, the callee
 * decides.  Run lifetime.
 */
const double *compared_factors(struct gprofx *gx, const struct gprofx_report *report);

#endif
