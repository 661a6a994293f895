/* SPDX-License-Identifier: Apache-2.0 */
/* The samples of a profile of pprof, as stacks. */
#ifndef INPUT_PPROF_SAMPLES_H
#define INPUT_PPROF_SAMPLES_H

#include <gprofx/reader.h>

#include "message.h"

/*
 * Hands all samples over, after pprof_read_message().  label: the key of the label whose values are
 * the outermost frames; "": none.
 */
enum gprofx_result
pprof_read_samples(const struct pprof *p, struct gprofx_profile *profile, const char *label);

#endif
