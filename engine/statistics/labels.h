/* SPDX-License-Identifier: Apache-2.0 */
/* What profile files are called in reports: by their names, or by a pattern of the settings. */
#ifndef ENGINE_STATISTICS_LABELS_H
#define ENGINE_STATISTICS_LABELS_H

#include "base/run.h"

struct labels;

/* Gets ready; *labels is NULL if files are called by their names. */
enum gprofx_result labels_prepare(struct run *run, struct labels **labels);

/* The label of a file; run lifetime. */
enum gprofx_result
labels_make(struct run *run, const struct labels *labels, const char *name, const char **label);

#endif
