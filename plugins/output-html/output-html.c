/* SPDX-License-Identifier: Apache-2.0 */
/*
 * One page for a browser: what was measured and where the time is, as text that needs no script,
 * and the data for views of it.
 */
#include <gprofx/emitter.h>

#include "../shared/find-source.h"
#include "../shared/head-texts.h"
#include "compared.h"
#include "data.h"
#include "many.h"
#include "nodes.h"
#include "page.h"
#include "parts.h"
#include "prose.h"
#include "source.h"
#include "text.h"

struct options {
	uint32_t source; /* enum source_mode */
	int64_t source_bytes;
	const char *source_folders, *source_map;
	bool inlined;
};

static const char *const source_modes[] = {[SOURCE_ALL] = "all",
                                           [SOURCE_HOT] = "hot",
                                           [SOURCE_NONE] = "none",
                                           [SOURCE_NONE + 1] = NULL};

static const struct gprofx_option table[] = {
	{.key = "source",
         .type = GPROFX_CHOICE,
         .offset = offsetof(struct options, source),
         .initial = "hot",
         .choices = source_modes,
         .help = "which source files the page has: all, those with time or counts, or none"},
	{.key = "source-bytes",
         .type = GPROFX_INT,
         .offset = offsetof(struct options, source_bytes),
         .initial = "4000000",
         .minimum = 0,
         .maximum = 1000000000,
         .help = "at most this much text of source files, in bytes"},
	FIND_SOURCE_OPTIONS(struct options),
	{.key = "inlined",
         .type = GPROFX_BOOL,
         .offset = offsetof(struct options, inlined),
         .initial = "true",
         .help = "show inlined subroutines among the call stacks"},
};

static enum gprofx_result
emit(struct gprofx *gx, const struct gprofx_emission *emission, const void *opaque)
{
	struct gprofx_writer *w = emission->writer;
	const struct options *options = opaque;
	const struct source_choice choice = {
		.mode = (enum source_mode)options->source,
		.most = (uint64_t)options->source_bytes,
		.folders = options->source_folders,
		.maps = options->source_map,
	};
	struct nodes nodes;
	struct parts parts;
	struct source source;
	struct many many;
	struct prose prose;

	if (emission->report->comparison) {
		html_compared_put(gx, emission->report, w);
		return GPROFX_OK;
	}
	nodes_begin(&nodes, gx, emission->report);
	parts_find(&parts, gx, emission->report);
	if (source_begin(&source, &nodes, &parts, &choice) != GPROFX_OK)
		return GPROFX_FAILED;
	many_begin(&many, &nodes);
	prose_begin(&prose, &nodes, w);
	for (size_t i = 0; i < html_page_part_count; i++) {
		const struct page_part *part = &html_page_parts[i];

		w->services->put(w, part->bytes, part->length);
		switch (part->marker) {
		case PAGE_TITLE:
			text_puts_html(w, head_name(emission->report));
			gprofx_puts(w, ": ");
			text_puts_html(w, head_measured(gx, emission->report));
			break;
		case PAGE_HEAD:
			intro_put_head(&prose);
			break;
		case PAGE_ACCOUNT:
			intro_put_account(&prose);
			break;
		case PAGE_QUESTION:
			heaviest_put_question(&prose);
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
			method_put(&prose, &source, &many);
			break;
		case PAGE_DATA:
			data_put(w, &nodes, &parts, &source, &many);
			break;
		case PAGE_END:
			break;
		}
	}
	many_release(&many);
	source_release(&source);
	return GPROFX_OK;
}

static void
needs_with(const void *opaque, struct gprofx_needs *needs)
{
	const struct options *options = opaque;

	needs->parts = GPROFX_PART_FLAT | GPROFX_PART_GRAPH | GPROFX_PART_SOURCES |
	               GPROFX_PART_NAMES | GPROFX_PART_NODES | GPROFX_PART_FILES |
	               GPROFX_PART_FINDINGS | GPROFX_PART_SLICE_TABLES;
	if (options->inlined)
		needs->parts |= GPROFX_PART_HEAVY_INLINED;
	if (options->source != SOURCE_NONE)
		needs->parts |= GPROFX_PART_SOURCE | GPROFX_PART_SOURCE_TIMES;
	needs->parts_if_several = GPROFX_PART_FILE_VALUES;
	needs->slices_if_any = GPROFX_SLICE_PROCESS | GPROFX_SLICE_THREAD | GPROFX_SLICE_PHASE;
	needs->also = GPROFX_PART_COMPARISON;
	needs->traits = GPROFX_EMITTER_ALONE | GPROFX_EMITTER_BYTES | GPROFX_EMITTER_COMPARES;
	needs->contexts = GPROFX_CONTEXTS |
	                  (options->inlined ? GPROFX_CONTEXTS_INLINED | GPROFX_CONTEXTS_HOTTEST
	                                    : 0);
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
