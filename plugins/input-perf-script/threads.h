/* SPDX-License-Identifier: Apache-2.0 */
/* Threads that samples belong to. */
#ifndef INPUT_PERF_SCRIPT_THREADS_H
#define INPUT_PERF_SCRIPT_THREADS_H

#include <gprofx/reader.h>

#include "../shared/text-lines.h"
#include "../shared/text-table.h"
#include "line.h"

struct threads {
	struct gprofx *gx;
	const struct gprofx_file *file;
	struct gprofx_profile *profile;
	struct text_table slices;    /* the host's numbers, by command and numbers */
	struct text_table processes; /* the same of processes */
	struct text_span last_text;  /* the one of the last sample */
	uint32_t last;
};

/* The host's number of the slice that a sample belongs to.  line: that the sample is from. */
uint32_t
script_slice(struct threads *threads, struct text_span line, const struct sample_line *sample);

void script_forget_threads(struct threads *threads);

#endif
