/* SPDX-License-Identifier: Apache-2.0 */
/* The call graph as a picture, for Graphviz. */
#include <gprofx/emitter.h>

#include "../shared/dot.h"

static const struct gprofx_option table[] = {
	DOT_OPTIONS,
};

static enum gprofx_result
emit(struct gprofx *gx, const struct gprofx_emission *emission, const void *options)
{
	return dot_write(gx, emission->report, emission->writer, options);
}

static const struct gprofx_needs needs = {
	.size = sizeof needs,
	.parts = DOT_PARTS,
	.also = GPROFX_PART_COMPARISON,
	.traits = GPROFX_EMITTER_ALONE | GPROFX_EMITTER_BYTES | GPROFX_EMITTER_COMPARES,
};

static const struct gprofx_emitter emitter = {
	.size = sizeof emitter,
	.format = "dot",
	.extension = "dot",
	.emit = emit,
	.needs = &needs,
};

GPROFX_PLUGIN = {
	GPROFX_ABI,
	.name = "output-dot",
	.version = "1.0",
	.summary = "The call graph as a picture, for Graphviz",
	GPROFX_OPTIONS(struct dot_options, table),
	.emitter = &emitter,
};
