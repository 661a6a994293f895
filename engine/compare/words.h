/* SPDX-License-Identifier: Apache-2.0 */
/* A comparison in words. */
#ifndef ENGINE_COMPARE_WORDS_H
#define ENGINE_COMPARE_WORDS_H

#include "base/run.h"

/* Sets the sentences, once the rest of the comparison is there; metric: that of its values. */
void compare_set_words(struct run *run, const struct gprofx_metric *metric,
                       struct gprofx_report_comparison *comparison);

#endif
