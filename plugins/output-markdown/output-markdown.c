/* SPDX-License-Identifier: Apache-2.0 */
/* A comparison, or the heaviest functions, as Markdown: to paste into a pull request. */
#include <gprofx/emitter.h>

#include "../shared/names.h"
#include "../shared/options.h"
#include "markdown.h"

static const struct gprofx_option table[] = {
	{.key = "all",
         .type = GPROFX_BOOL,
         .offset = offsetof(struct markdown_options, all),
         .initial = "false",
         .help = "of a comparison, also write functions without a difference"},
	{.key = "names",
         .type = GPROFX_CHOICE,
         .offset = offsetof(struct markdown_options, names),
         .initial = "full",
         .choices = table_name_forms,
         .help = "how much of each name is shown"},
	{.key = "top",
         .type = GPROFX_INT,
         .offset = offsetof(struct markdown_options, top),
         .initial = "20",
         .minimum = 0,
         .maximum = UINT32_MAX,
         .help = "number of rows of each table, from the top; 0: all"},
};

static enum gprofx_result
emit(struct gprofx *gx, const struct gprofx_emission *emission, const void *opaque)
{
	const struct markdown_options *options = opaque;
	struct markdown markdown = {
		.gx = gx,
		.report = emission->report,
		.w = emission->writer,
		.options = options,
	};

	names_begin(&markdown.names, gx, emission->report, options->names);
	if (emission->report->comparison)
		markdown_put_comparison(&markdown);
	else
		markdown_put_functions(&markdown);
	return GPROFX_OK;
}

static const struct gprofx_needs needs = {
	.size = sizeof needs,
	.parts = GPROFX_PART_FLAT | GPROFX_PART_SOURCES,
	.also = GPROFX_PART_COMPARISON,
	.traits = GPROFX_EMITTER_COMPARES,
};

static const struct gprofx_emitter emitter = {
	.size = sizeof emitter,
	.format = "markdown",
	.extension = "md",
	.emit = emit,
	.needs = &needs,
};

GPROFX_PLUGIN = {
	GPROFX_ABI,
	.name = "output-markdown",
	.version = "1.0",
	.summary =
		"A comparison, or the heaviest functions, as Markdown for pull requests and issues",
	GPROFX_OPTIONS(struct markdown_options, table),
	.emitter = &emitter,
};
