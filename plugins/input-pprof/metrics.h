/* SPDX-License-Identifier: Apache-2.0 */
/* What the values of samples measure. */
#ifndef INPUT_PPROF_METRICS_H
#define INPUT_PPROF_METRICS_H

#include <gprofx/reader.h>

#include "message.h"

enum { PPROF_MOST_TYPES = 256 }; /* as metrics in a file */

struct pprof_metrics {
	/* Types; the one that is shown unless asked otherwise comes first. */
	uint32_t order[PPROF_MOST_TYPES];
	/* In that order: the host's number, and what values are divided by for its ticks. */
	uint32_t number[PPROF_MOST_TYPES];
	uint64_t divisor[PPROF_MOST_TYPES];
};

/*
 * Declares a metric for each type.  weights: for each type, what each sample weighs; then ticks are
 * samples, if so many of them are a whole unit.  NULL: not known.
 */
enum gprofx_result pprof_declare_metrics(const struct pprof *p, struct gprofx_profile *profile,
                                         const uint64_t *weights, struct pprof_metrics *metrics);

/*
 * What each sample weighs of a type, if the types of the file say so: of the numbers of samples
 * themselves 1, of what the samples were taken by the period.  0: not known.
 */
uint64_t pprof_weight_of_sample(const struct pprof *p, uint32_t type);

/* The type that has the numbers of samples, or NO_ITEM. */
uint32_t pprof_type_of_samples(const struct pprof *p);

#endif
