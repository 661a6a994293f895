/* SPDX-License-Identifier: Apache-2.0 */
/*
 * One page for a browser: what was measured and where the time is, as text that needs no script,
 * and the data for views of it.
 */
#include <gprofx/emitter.h>

#include "../shared/head-texts.h"
#include "data.h"
#include "nodes.h"
#include "page.h"
#include "prose.h"
#include "text.h"

struct options {
	bool inlined;
};

static const struct gprofx_option table[] = {
	{.key = "inlined",
         .type = GPROFX_BOOL,
         .offset = offsetof(struct options, inlined),
         .initial = "false",
         .help = "show inlined subroutines among the call stacks"},
};

static enum gprofx_result
emit(struct gprofx *gx, const struct gprofx_emission *emission, const void *opaque)
{
	struct gprofx_writer *w = emission->writer;
	struct nodes nodes;
	struct prose prose;

	(void)opaque;
	nodes_begin(&nodes, gx, emission->report);
	prose_begin(&prose, &nodes, w);
	for (size_t i = 0; i < html_page_part_count; i++) {
		const struct page_part *part = &html_page_parts[i];

		w->services->put(w, part->bytes, part->length);
		switch (part->marker) {
		case PAGE_TITLE:
			text_puts_html(w, head_name(emission->report));
			break;
		case PAGE_HEAD:
			intro_put_head(&prose);
			break;
		case PAGE_ACCOUNT:
			intro_put_account(&prose);
			break;
		case PAGE_HEAVIEST:
			heaviest_put(&prose);
			break;
		case PAGE_FINDINGS:
			intro_put_findings(&prose);
			break;
		case PAGE_FIFTY:
			fifty_put(&prose);
			break;
		case PAGE_METHOD:
			method_put(&prose);
			break;
		case PAGE_DATA:
			data_put(w, &nodes);
			break;
		case PAGE_END:
			break;
		}
	}
	return GPROFX_OK;
}

static void
needs_with(const void *opaque, struct gprofx_needs *needs)
{
	const struct options *options = opaque;

	needs->parts = GPROFX_PART_FLAT | GPROFX_PART_GRAPH | GPROFX_PART_SOURCES |
	               GPROFX_PART_NAMES | GPROFX_PART_NODES | GPROFX_PART_FILES |
	               GPROFX_PART_FINDINGS;
	needs->traits = GPROFX_EMITTER_ALONE | GPROFX_EMITTER_BYTES;
	needs->contexts = GPROFX_CONTEXTS | (options->inlined ? GPROFX_CONTEXTS_INLINED : 0);
}

static const struct gprofx_emitter emitter = {
	.size = sizeof emitter,
	.format = "html",
	.extension = "html",
	.emit = emit,
	.needs_with = needs_with,
};

GPROFX_PLUGIN = {
	GPROFX_ABI,
	.name = "output-html",
	.version = "1.0",
	.summary = "The profile as one page for a browser",
	GPROFX_OPTIONS(struct options, table),
	.emitter = &emitter,
};
