/* SPDX-License-Identifier: Apache-2.0 */
/* Labels of samples: the values of one of them, as the outermost frame of each stack. */
#ifndef INPUT_PPROF_LABELS_H
#define INPUT_PPROF_LABELS_H

#include <gprofx/reader.h>

#include "message.h"
#include "wire.h"

enum {
	PPROF_OTHER_LABELS = 5
}; /* whose keys are named where the one that is wanted is not there */

struct pprof_labels {
	const char *key; /* of the label that is wanted; "": none is */
	char *text; /* "KEY=VALUE,VALUE" of the sample that is read, without a NUL at its end */
	uint32_t length, room;
	uint64_t bytes_left; /* of texts: a label can refer to a text that is longer than itself */
	uint64_t samples;    /* that have it */
	uint64_t others[PPROF_OTHER_LABELS]; /* texts: keys of other labels */
	uint32_t other_count;
};

/* key: run lifetime. */
void pprof_begin_labels(const struct pprof *p, const char *key, struct pprof_labels *labels);
void pprof_release_labels(const struct pprof *p, struct pprof_labels *labels);

/* Before the labels of the next sample, which follow one by one. */
void pprof_begin_label(struct pprof_labels *labels);
enum gprofx_result
pprof_add_label(const struct pprof *p, struct pprof_labels *labels, struct wire wire);

/* The place that stands for the values of the sample, or for their absence. */
uint32_t pprof_place_of_label(const struct pprof *p, struct gprofx_profile *profile,
                              struct pprof_labels *labels);

/* Reports a label that no sample has. */
void pprof_report_labels(const struct pprof *p, const struct pprof_labels *labels);

#endif
