/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Where reports depart from GNU gprof's because gprof is wrong: one table, whose rows are switched
 * by name.  The stage that makes a figure asks run_corrects() at the one place where it matters.
 */
#ifndef ENGINE_CORRECTIONS_CORRECTIONS_H
#define ENGINE_CORRECTIONS_CORRECTIONS_H

#include "base/run.h"

/* Sets what the run corrects, from the defaults of its mode and the switches of its settings. */
void corrections_choose(struct run *run);

/* The names of what the run corrects, in the order of the table; run lifetime. */
const char *const *corrections_names(struct run *run, uint32_t *count);

#endif
