/* SPDX-License-Identifier: Apache-2.0 */
/* The call graph as a picture: what output-dot writes, drawn by Graphviz. */
#include <gprofx/emitter.h>

#include "../shared/dot.h"
#include "../shared/kept.h"
#include "draw.h"

struct options {
	struct dot_options dot; /* first */
	int64_t seconds;
};

enum { DAY = 86400 };

static const struct gprofx_option table[] = {
	DOT_OPTIONS,
	{.key = "seconds",
         .type = GPROFX_INT,
         .offset = offsetof(struct options, seconds),
         .initial = "60",
         .minimum = 1,
         .maximum = DAY,
         .help = "stop drawing after this number of seconds"},
};

static enum gprofx_result
emit(struct gprofx *gx, const struct gprofx_emission *emission, const void *opaque)
{
	const struct options *options = opaque;
	enum gprofx_result result;
	struct kept graph;

	kept_begin(&graph, gx);
	result = dot_write(gx, emission->report, &graph.writer, &options->dot);
	if (result == GPROFX_OK) {
		struct gprofx_text text = {graph.text, (size_t)(graph.writer.at - graph.text)};

		result = draw(gx, text, options->seconds, emission->writer);
	}
	kept_release(&graph);
	return result;
}

static const struct gprofx_needs needs = {
	.size = sizeof needs,
	.parts = DOT_PARTS,
	.also = GPROFX_PART_COMPARISON,
	.traits = GPROFX_EMITTER_ALONE | GPROFX_EMITTER_BYTES | GPROFX_EMITTER_COMPARES,
};

static const struct gprofx_emitter emitter = {
	.size = sizeof emitter,
	.format = "svg",
	.extension = "svg",
	.emit = emit,
	.needs = &needs,
};

GPROFX_PLUGIN = {
	GPROFX_ABI,
	.name = "output-svg",
	.version = "1.0",
	.summary = "The call graph as a picture, drawn by Graphviz",
	GPROFX_OPTIONS(struct options, table),
	.emitter = &emitter,
};
