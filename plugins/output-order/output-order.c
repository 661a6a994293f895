/* SPDX-License-Identifier: Apache-2.0 */
/* The order of functions, or of files, in the form that was asked for. */
#include <gprofx/emitter.h>

#include "forms.h"
#include "names.h"
#include "order.h"

enum format { FORMAT_GNU, FORMAT_LLD, FORMAT_GOLD, FORMAT_LDSCRIPT };

static const char *const formats[] = {"gnu", "lld", "gold", "ldscript", NULL};

struct options {
	uint32_t format; /* enum format */
};

static const struct gprofx_option table[] = {
	{.key = "format",
         .type = GPROFX_CHOICE,
         .offset = offsetof(struct options, format),
         .initial = "gnu",
         .choices = formats,
         .help = "plain names, as GNU gprof prints, or the input of lld, gold or GNU ld"},
};

/* Names of functions as the form needs them, from the order of functions or of files. */
static void
put_functions(struct gprofx *gx, const struct gprofx_report *r, struct gprofx_writer *w,
              enum format format, const struct name_list *functions)
{
	const struct name_list all = {(const char **)r->functions->raw_name,
	                              order_function_count(r)};

	if (format == FORMAT_LLD)
		form_lld(w, functions);
	else if (format == FORMAT_GOLD)
		form_gold(gx, w, functions, &all);
	else
		form_script(gx, w, functions, &all);
}

static enum gprofx_result
emit(struct gprofx *gx, const struct gprofx_emission *emission, const void *opaque)
{
	const struct options *options = opaque;
	const struct gprofx_report *report = emission->report;
	struct gprofx_writer *w = emission->writer;
	struct name_list names, functions;

	if (options->format != FORMAT_GNU && !report->functions->has_map) {
		names = names_of_active(gx, report);
		put_functions(gx, report, w, options->format, &names);
		return GPROFX_OK;
	}
	names = names_in_order(gx, report);
	if (options->format == FORMAT_GNU) {
		for (uint32_t i = 0; i < names.count; i++) {
			gprofx_puts(w, names.items[i]);
			gprofx_putc(w, '\n');
		}
		return GPROFX_OK;
	}
	names_unique(gx, &names);
	if (options->format == FORMAT_LDSCRIPT) {
		form_file_script(w, &names);
		return GPROFX_OK;
	}
	functions = names_in_files(gx, report, &names);
	put_functions(gx, report, w, options->format, &functions);
	return GPROFX_OK;
}

static void
needs_with(const void *opaque, struct gprofx_needs *needs)
{
	const struct options *options = opaque;

	needs->parts = GPROFX_PART_ORDER;
	/* What a linker reads is a file of its own. */
	if (options->format != FORMAT_GNU)
		needs->traits = GPROFX_EMITTER_ALONE;
	/* These write patterns, which have no odd bytes. */
	if (options->format == FORMAT_GOLD || options->format == FORMAT_LDSCRIPT)
		needs->traits |= GPROFX_EMITTER_BYTES;
}

static const struct gprofx_listing listings[] = {
	{.size = sizeof listings[0], .name = "order", .place = 800},
};

static const struct gprofx_emitter emitter = {
	.size = sizeof emitter,
	.format = "order",
	.extension = "txt",
	.emit = emit,
	.needs_with = needs_with,
	.listings = listings,
	.listing_count = 1,
};

GPROFX_PLUGIN = {
	GPROFX_ABI,
	.name = "output-order",
	.version = "1.0",
	.summary = "Orders of functions or files for linkers, with callers next to callees",
	GPROFX_OPTIONS(struct options, table),
	.emitter = &emitter,
};
