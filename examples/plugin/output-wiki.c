/* SPDX-License-Identifier: Apache-2.0 */
/* The busiest functions as a table, by --output=wiki; doc/howto-emitter.md explains it. */
#include <gprofx/emitter.h>
#include <gprofx/text.h>

struct wiki_options {
	int64_t top;
};

static const struct gprofx_option options[] = {
	{
		.key = "top",
		.type = GPROFX_INT,
		.offset = offsetof(struct wiki_options, top),
		.initial = "10",
		.minimum = 1,
		.maximum = UINT32_MAX,
		.help = "write at most this number of functions",
	},
};

/* A name can be any bytes: what is no text is replaced, what MediaWiki would act on is escaped. */
static void
put_name(struct gprofx_writer *writer, struct gprofx_text name)
{
	uint32_t code, replacement = 0xfffd;

	for (size_t length, at = 0; at<name.length; at += length> 0 ? length : 1) {
		length = gprofx_utf8(name.bytes + at, name.length - at, &code);
		if (length == 0 || code < ' ' || code == 0x7f)
			code = replacement;
		if (code == replacement || (code < 0x80 && strchr("\"&':<>[]_{|}~", (int)code)))
			gprofx_out(writer, "&#%u;", (unsigned)code);
		else
			gprofx_put(writer, name.bytes + at, length);
	}
}

static enum gprofx_result
emit(struct gprofx *gx, const struct gprofx_emission *emission, const void *opaque)
{
	const struct wiki_options *wanted = opaque;
	const struct gprofx_report *report = emission->report;
	struct gprofx_writer *writer = emission->writer;
	const struct gprofx_column *time = report->graph->columns;
	const struct gprofx_metric *metric = report->origin->metrics;
	double whole = time->flat_total > 0 ? time->flat_total : 1;
	bool has_unit = metric->ticks_per_unit > 0;

	(void)gx;
	gprofx_out(writer, "{| class=\"wikitable\"\n! %% !! %s !! calls !! function\n",
	           has_unit ? metric->unit : "ticks");
	for (uint32_t i = 0; i < report->graph->flat_count && i < wanted->top; i++) {
		uint32_t function = report->graph->flat[i];
		double self = gprofx_real(&time->self, function);

		gprofx_out(writer, "|-\n| %.1f || %.2f || ", 100 * self / whole,
		           has_unit ? self / metric->ticks_per_unit : self);
		if (report->origin->has_arcs && !report->graph->calls->some_unknown)
			writer->services->number(writer, gprofx_calls_of(report, function), 0);
		gprofx_puts(writer, " || ");
		put_name(writer, report->services->name(report, function));
		gprofx_puts(writer, "\n");
	}
	gprofx_puts(writer, "|}\n");
	return GPROFX_OK;
}

static const struct gprofx_needs needs = {.size = sizeof needs, .parts = GPROFX_PART_FLAT};

static const struct gprofx_emitter emitter = {.size = sizeof emitter,
                                              .format = "wiki",
                                              .extension = "wiki",
                                              .emit = emit,
                                              .needs = &needs};

GPROFX_PLUGIN = {GPROFX_ABI,          .name = "output-wiki",
                 .version = "1.0",    .summary = "The busiest functions as a MediaWiki table",
                 .emitter = &emitter, GPROFX_OPTIONS(struct wiki_options, options)};
